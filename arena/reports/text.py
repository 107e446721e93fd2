"""A page as text for a terminal of 80 columns."""

import re
import textwrap
from collections.abc import Iterator, Sequence

from arena.reports.markup import Html
from arena.reports.page_model import Block, Figure, Page, Points, Table, Verbatim
from arena.texts import NO_BREAK, WIDTH, aligned, counted
from arena.texts import wrapped as in_lines

NAME_WIDTH = 18
NAME_WIDTHS = (48, 40, 32, 24, NAME_WIDTH)
"""The first of these that fits is taken."""
SPARE = ("lift", "causes_wins", "causes_wins_interval", "usual", "q")
"""Columns that are left out where they do not fit."""
COMMAND = re.compile(r"\barena (replay|resume) \S+( \d+)?")


def to_text(page: Page, explain: bool = False) -> str:
    """For a terminal; `explain` puts what each column means under its table."""
    lines = wrapped(page.title)
    for section in page.sections(True):
        lines += ["", section.title]
        for number, block in enumerate(section.blocks):
            lines += [""] * (number > 0 and isinstance(block, Verbatim))
            lines += _lines(block, explain)
    lines += ["", *(line for note in page.hints(explain) for line in wrapped(note)), *page.closing]
    return "\n".join(line.rstrip() for line in [*lines, f"Again: {page.command}"]) + "\n"


def _lines(block: Block, explain: bool) -> Sequence[str]:
    match block:
        case Html() | Figure():
            return ()
        case Table():
            return [*fitted(block), *(["", *footnotes(block)] if explain else [])]
        case Points(sentences):
            return [line for sentence in sentences for line in wrapped(sentence, "- ", "  ")]
        case Verbatim(lines):
            return lines
    return wrapped(block)


def wrapped(text: str, first: str = "", others: str = "") -> list[str]:
    """A text in lines; a command line in it stays in one if it fits, so that it can be copied."""
    return in_lines(COMMAND.sub(lambda match: match[0].replace(" ", NO_BREAK), text), first, others)


def shorten(name: str, width: int = NAME_WIDTH) -> str:
    """A name cut in its middle: what tells bots apart stands at the end as often as at the start."""
    return name if len(name) <= width else f"{name[: width // 2 - 2]}…{name[1 - width // 2 - 2 :]}"


def fitted(table: Table) -> Iterator[str]:
    """The rows of a table that text shows, its names as long and its columns as many as fit."""
    shown = table._replace(frame=table.frame.head(table.most_rows or len(table.frame)))
    fewer = shown._replace(columns=tuple(column for column in shown.columns if column.key not in SPARE))
    tried = (align(some, width) for some in (shown, fewer) for width in NAME_WIDTHS[:-1])
    yield from next((lines for lines in tried if max(map(len, lines)) <= WIDTH), align(fewer))
    if rest := len(table.frame) - len(shown.frame):
        yield f"... {counted(rest, 'more row')}: --format md, html or csv"


def align(table: Table, name_width: int = NAME_WIDTH) -> list[str]:
    """The lines of a table: names to the left, numbers to the right."""
    names = {number for number, column in enumerate(table.columns) if column.is_name}
    rows = [
        [shorten(cell, name_width) if number in names else cell for number, cell in enumerate(row)]
        for row in (table.heads, *table.cells)
    ]
    return aligned(rows, names)


def footnotes(table: Table) -> list[str]:
    """What each column means, in lines."""
    lines = [f"{column.head}: {column.meaning}" for column in table.columns]
    return [
        line for text in lines for line in textwrap.wrap(text, WIDTH - 2, initial_indent="  ", subsequent_indent="    ")
    ]
