"""What a check found: that all is well, or what is wrong, in sentences, how much that matters, and its text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from arena.texts import wrapped

OK, NOTE, WARNING, PROBLEM = "ok", "note", "warning", "problem"
SHOWN = 5
"""Complaints of each finding that are printed."""
STATUSES = (OK, NOTE, WARNING, PROBLEM)
"""The statuses, the gravest last. NOTE: something was measured only, or could not be checked; the detail says which."""


class Complaint(NamedTuple):
    """One of several things that are not as they must be."""

    text: str
    """A sentence without its full stop."""
    game: int | None = None
    """The first game it is about."""


@dataclass(frozen=True)
class Finding:
    """What came of one check."""

    name: str
    status: str
    """One of STATUSES."""
    detail: str
    """Sentences: what was looked at, and what was found."""
    numbers: dict[str, Any] = field(default_factory=dict)
    """The same for programs."""
    again: str = ""
    """The command line that plays a game once more in which the check failed."""
    complaints: tuple[Complaint, ...] = ()
    """What is wrong, one by one, where the detail does not say it."""

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return self.status != PROBLEM


def joined(name: str, detail: str, complaints: Sequence[tuple[str, str]], **numbers: Any) -> Finding:
    """A finding of what was found and what is wrong with it, (status, sentence) each; its status is the worst."""
    worst = max((status for status, _ in complaints), key=STATUSES.index, default=OK)
    return Finding(name, worst, " ".join([detail, *(sentence for _, sentence in complaints)]).strip(), numbers)


def judged(name: str, detail: str, complaints: Sequence[Complaint] = ()) -> Finding:
    """A finding that is a problem if there is any complaint."""
    return Finding(name, PROBLEM if complaints else OK, detail, complaints=tuple(complaints))


def lines_of(findings: Sequence[Finding], signs: Mapping[str, str]) -> Iterator[str]:
    """Each finding with its sign, by its status, and the first of its complaints."""
    name_width, sign_width = (max(map(len, words)) + 2 for words in ([f.name for f in findings], signs.values()))
    for finding in findings:
        head = f"{finding.name:{name_width}}{signs[finding.status]:{sign_width}}"
        yield from wrapped(finding.detail, head, " " * len(head))
        for complaint in finding.complaints[:SHOWN]:
            yield from wrapped(f"{complaint.text}.", "  ", "    ", break_long_words=False)
        if len(finding.complaints) > SHOWN:
            yield f"  and {len(finding.complaints) - SHOWN:,} more."
