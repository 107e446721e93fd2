"""What a page says, whatever its format: a title, notes, and sections of sentences, tables and figures.

A report, a study, a comparison and a sweep each make a `Page`. The modules `text`, `markdown`, `html` and `json_csv`
write it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from arena.reports.markup import Html


class Column(NamedTuple):
    """A column of a table."""

    key: str
    """Its name in the files."""
    head: str
    """Its name on paper."""
    write: Callable[[Any], str]
    """A row of the frame as the text of this cell."""
    meaning: str
    """What the column says, in a plain sentence."""
    sort_by: str = ""
    """The column of the frame that a reader sorts by; that of `key` if empty."""
    is_name: bool = False
    """Whether it is aligned to the left, and shortened where there is no room."""
    look: Callable[[Any], Mapping[str, str | None]] = lambda row: {}
    """A row of the frame as the attributes of this cell in HTML, such as its color."""


class Table(NamedTuple):
    """A table: a frame with a row for each row shown, and how its columns are shown."""

    key: str
    title: str
    frame: pd.DataFrame
    columns: tuple[Column, ...]
    most_rows: int | None = None
    """How many rows text shows; the other formats have all of them."""
    caption: str = ""
    """The sentence below it in HTML."""

    @property
    def heads(self) -> list[str]:
        """The first line."""
        return [column.head for column in self.columns]

    @property
    def cells(self) -> list[list[str]]:
        """The other lines."""
        return [[column.write(row) for column in self.columns] for _, row in self.frame.iterrows()]


def name_column(key: str, meaning: str, head: str = "") -> Column:
    """A column of names, headed by its key if nothing else is said; a dash for none."""
    return Column(key, head or key, lambda row: str(row[key]) if pd.notna(row[key]) else "-", meaning, is_name=True)


def number(key: str, form: str = "z.1f") -> Callable[[Any], str]:
    """A number in this form, or a dash for one that cannot be told."""
    return lambda row: format(row[key], form) if pd.notna(row[key]) else "-"


def span(low: str, high: str, form: str = ".1%") -> Callable[[Any], str]:
    """From one number to another; between numbers with a sign a hyphen would be another one."""

    def write(row: Any) -> str:
        if pd.isna(row[low]):
            return "-"
        return f"{row[low]:{form}}{' to ' if row[low] < 0 or '+' in form else '-'}{row[high]:{form}}"

    return write


class Points(NamedTuple):
    """Sentences, each with a bullet."""

    sentences: Sequence[str]


class Verbatim(NamedTuple):
    """Lines that are shown as they stand, in letters of one width."""

    lines: Sequence[str]


class Figure(NamedTuple):
    """A chart and the sentence below it."""

    chart: Html
    caption: str


Block = str | Points | Verbatim | Table | Figure
"""A text is a sentence; one that is Html is markup, which other formats leave out, as they do with figures."""


class Section(NamedTuple):
    """A part of a page."""

    key: str
    title: str
    blocks: Sequence[Block]


class Note(NamedTuple):
    """A sentence that a reader must know."""

    text: str
    kind: str = "warning"
    """`problem`: something is not as it should be; `warning`; `remark`: how it was played, no more; `hint`: how to read
    on paper what a page of HTML explains by itself."""


@dataclass(frozen=True, kw_only=True)
class Page:
    """Everything that the formats write."""

    kind: str
    """What sort of page this is."""
    title: str
    """What was played, in one line."""
    heading: str
    """The title of HTML, below which the facts stand by themselves."""
    label: str = ""
    """What must be said at the top; mostly empty."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What was played, in HTML."""
    notes: Sequence[Note]
    sections: Callable[[bool], Iterable[Section]]
    """All of them or, if asked for brief ones, what text and Markdown have room for: no figures, shorter tables."""
    closing: Sequence[str] = ()
    """The last lines of text and Markdown."""
    command: str
    """The command line that makes all of it again."""
    file: Path
    """Where HTML goes if nobody says otherwise; CSV goes to a folder beside it."""
    data: Callable[[], dict[str, Any]]
    """The JSON object."""
    frames: Callable[[], Mapping[str, pd.DataFrame]]
    """The tables of CSV by the names of their files."""
    meanings: Callable[[], Mapping[str, Mapping[str, str]]] = dict
    """What the columns in JSON mean, by table."""

    def hints(self, explain: bool) -> list[str]:
        """The notes of text and Markdown, without the hint if all columns are explained."""
        return [note.text for note in self.notes if not (explain and note.kind == "hint")]


def meanings_of(tables: Iterable[Table]) -> dict[str, dict[str, str]]:
    """What the columns of some tables mean."""
    return {table.key: {column.key: column.meaning for column in table.columns} for table in tables}
