"""Small texts for people, needed in many places: counts, paragraphs, tables, what can be printed."""

import signal
from collections.abc import Callable, Container, Sequence
from html import escape
from textwrap import wrap

WIDTH = 80
"""Columns of a terminal, which texts for people fit."""
KEPT = "\n\u00a0\u202f"
"""What a document may hold though it cannot be printed: the end of a line, and spaces at which no line ends."""
NO_BREAK = "\N{NO-BREAK SPACE}"
"""A space at which no line ends; it is printed as any other."""

Say = Callable[[str], None]
"""Tells the user what is being done."""


def counted(number: int, one: str, many: str = "") -> str:
    """`1 game`, `2,000 games`; many: the whole plural, if it is not just one `s` longer."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def enumerated(words: Sequence[str]) -> str:
    """Words as a sentence lists them: "a, b and c"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def wrapped(text: str, first: str = "", others: str = "", *, break_long_words: bool = True) -> list[str]:
    """The lines of a paragraph, with the indents of the first and of the others.

    No line ends at a hyphen, which names and command lines have.
    """
    lines = wrap(text, WIDTH, initial_indent=first, subsequent_indent=others, break_on_hyphens=False,
                 break_long_words=break_long_words)  # fmt: skip
    return [line.replace(NO_BREAK, " ") for line in lines]


def aligned(rows: Sequence[Sequence[str]], left: Container[int]) -> list[str]:
    """The lines of a table: the columns with these numbers to the left, the others to the right."""
    columns = []
    for number, cells in enumerate(zip(*rows, strict=True)):
        width = max(map(len, cells))
        columns.append([cell.ljust(width) if number in left else cell.rjust(width) for cell in cells])
    return ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]


def plain(text: str, kept: str = "") -> str:
    """A text in which signs that a terminal would act on are spelled out, but for those that are kept."""
    return "".join(sign if sign.isprintable() or sign in kept else repr(sign)[1:-1] for sign in text)


def in_markup(text: str) -> str:
    """A text as it stands in HTML or SVG: escaped, and without signs that do something or that no document may hold."""
    return escape(plain(text, KEPT))


def ending(status: int) -> str:
    """`exit code 3`, `killed by signal 11 (segmentation fault)`: of an exit code, or minus the number of a signal."""
    if status >= 0:
        return f"exit code {status}"
    name = signal.strsignal(-status) if -status in signal.valid_signals() else None
    return f"killed by signal {-status}" + (f" ({name.lower()})" if name else "")


def in_bytes(size: float) -> str:
    """A size for people: `512 MB`, `7.5 GB`."""
    if size < 10 * 2**20:
        return f"{size / 2**20:.1f} MB"
    return f"{size / 2**20:,.0f} MB" if size < 2**30 else f"{size / 2**30:,.1f} GB"
