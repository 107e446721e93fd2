"""Findings as text to be read, and pasted into a bug report; within 80 columns."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from arena.checks.findings import Finding
from arena.texts import WIDTH

SHOWN = 5
"""Complaints of each finding that are printed."""


def lines_of(findings: Sequence[Finding], signs: Mapping[str, str]) -> Iterator[str]:
    """Each finding with its sign, by its status, and the first of its complaints."""
    name_width, sign_width = (max(map(len, words)) + 2 for words in ([f.name for f in findings], signs.values()))
    for finding in findings:
        head = f"{finding.name:{name_width}}{signs[finding.status]:{sign_width}}"
        yield from paragraph(finding.detail, head, " " * len(head))
        for complaint in finding.complaints[:SHOWN]:
            yield from paragraph(f"{complaint.text}.", "  ", "    ", break_long_words=False)
        if len(finding.complaints) > SHOWN:
            yield f"  and {len(finding.complaints) - SHOWN:,} more."


def paragraph(text: str, first: str = "", others: str = "", *, break_long_words: bool = True) -> list[str]:
    """Lines of a text. Names and command lines have hyphens, which are no places to break them."""
    return wrap(text, WIDTH, initial_indent=first, subsequent_indent=others, break_on_hyphens=False,
                break_long_words=break_long_words)  # fmt: skip
