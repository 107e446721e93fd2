"""The report as text for a terminal of 80 columns, and as Markdown."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from arena.reports.document import Document
from arena.reports.fault_cases import cases, sentences
from arena.reports.tables import Table, tables
from arena.texts import counted

BARS = " ▁▂▃▄▅▆▇█"
NAME_WIDTH = 18
WIDTH = 80
BARS_WIDTH = 44
MOST_ACROSS = 7
"""Bots of which a crosstable fits 80 columns."""
MOST_PAIRS = 6
"""Pairs shown; of more, see `_fewer_pairs`."""
COMMAND = re.compile(r"\barena (replay|resume) \S+( \d+)?")
GLUE = "\N{NO-BREAK SPACE}"


def shorten(name: str, width: int = NAME_WIDTH) -> str:
    """A name cut in its middle: what tells bots apart stands at the end as often as at the start."""
    return name if len(name) <= width else f"{name[: width // 2 - 2]}…{name[1 - width // 2 - 2 :]}"


def to_text(document: Document, explain: bool = False) -> str:
    """For a terminal of 80 columns; `explain` puts what each column means under its table."""
    lines = [document.title]
    for table in shown(document):
        lines += ["", table.title, *align(table)]
        if explain:
            lines += ["", *footnotes(table)]
        if table.key == "faults":
            lines += ["", *_faults(document)]
    lines += ["", "Scores", *_distribution(document), "", *_footer(document, explain)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def to_markdown(document: Document, explain: bool = False) -> str:
    """Tables in GitHub's Markdown."""
    lines = [f"# {document.title}"]
    for table in shown(document):
        lines += ["", f"## {table.title}", "", *markdown(table)]
        if explain:
            lines += ["", *(f"- **{column.head}**: {column.meaning}" for column in table.columns)]
        if table.key == "faults":
            lines += ["", "```text", *_faults(document), "```"]
    lines += ["", "## Scores", "", "```text", *(line.rstrip() for line in _distribution(document)), "```", ""]
    footer = _footer(document, explain)
    return "\n".join([*lines, *(f"{line}  " for line in footer[:-1]), f"`{document.command}`"]) + "\n"


def markdown(table: Table) -> list[str]:
    """The lines of a table in GitHub's Markdown."""
    return [_markdown_row(table.heads), _markdown_rule(table), *(_markdown_row(row) for row in table.cells)]


def shown(document: Document) -> Iterator[Table]:
    """The tables that fit a page of text."""
    for table in tables(document):
        if table.key == "crosstable" and len(table.frame) > MOST_ACROSS:
            continue
        if table.key == "pairs" and len(table.frame) > MOST_PAIRS:
            table = _fewer_pairs(document, table)
        yield table


def _fewer_pairs(document: Document, pairs: Table) -> Table:
    """Those of the first bot of a gauntlet; else those that stand one below the other in the results."""
    first = document.plan.names[0]
    rows = list(zip(pairs.frame["bot"], pairs.frame["other"], strict=True))
    if document.plan.format == "gauntlet":
        return pairs._replace(title=f"Pairs of {first}", frame=pairs.frame[[first in row for row in rows]])
    neighbors = set(pairwise(document.summary.bots.index))
    return pairs._replace(title="Neighbors in the results", frame=pairs.frame[[row in neighbors for row in rows]])


def align(table: Table, name_width: int = NAME_WIDTH) -> list[str]:
    """The lines of a table: names to the left, numbers to the right."""
    columns, rows = [], table.cells
    for number, column in enumerate(table.columns):
        cells = [column.head, *(row[number] for row in rows)]
        cells = [shorten(cell, name_width) for cell in cells] if column.is_name else cells
        width = max(map(len, cells))
        columns.append([cell.ljust(width) if column.is_name else cell.rjust(width) for cell in cells])
    return ["  ".join(row) for row in zip(*columns, strict=True)]


def footnotes(table: Table) -> list[str]:
    """What each column means, in lines."""
    lines = [f"{column.head}: {column.meaning}" for column in table.columns]
    return [
        line for text in lines for line in textwrap.wrap(text, WIDTH - 2, initial_indent="  ", subsequent_indent="    ")
    ]


def _distribution(document: Document) -> list[str]:
    """For each bot the quartiles of its scores, and a bar for every ten points, or more where that is too wide."""
    scores, bots = document.summary.scores, document.summary.bots
    step = -(-len(scores.columns) // BARS_WIDTH)
    starts = [int(column) for column in scores.columns[::step]]
    quartiles = [f"{row.q25:.0f} {row.q50:.0f} {row.q75:.0f}" for row in bots.itertuples()]
    width = max(map(len, quartiles))
    lines = [f"{'':{NAME_WIDTH}}  {'quartiles':>{width}}  games by {10 * step} points from {starts[0]} on"]
    for (name, counts), between in zip(scores.iterrows(), quartiles, strict=True):
        sums = [int(counts.iloc[first : first + step].sum()) for first in range(0, len(counts), step)]
        top = max(sums)
        bars = "".join(BARS[0 if count == 0 else 1 + count * (len(BARS) - 2) // top] for count in sums)
        lines.append(f"{shorten(str(name)):{NAME_WIDTH}}  {between:>{width}}  {bars}")
    return lines


def _faults(document: Document) -> list[str]:
    """What followed, and the first fault of each bot; a command is one line, however long."""
    lines = [line for sentence in sentences(document) for line in textwrap.wrap(sentence, WIDTH)]
    for case in cases(document):
        lines += ["", *textwrap.wrap(case.title, WIDTH)]
        lines += textwrap.wrap(case.reason, WIDTH, initial_indent="  ", subsequent_indent="  ")
        lines += _indented(case.traceback, "  | ")
        if case.stderr:
            lines += ["  It printed:", *_indented(case.stderr, "  | ")]
        lines.append(f"Replay: {case.replay}")
    return lines


def _indented(lines: Sequence[str], before: str) -> list[str]:
    """Lines behind something; long ones are broken."""
    size = WIDTH - len(before)
    return [before + line[first : first + size] for line in lines for first in range(0, len(line), size)]


def _footer(document: Document, explain: bool) -> list[str]:
    notes = [] if explain else [f"Intervals: 95 %, {document.over_deals}. What each column means: --explain."]
    lines = [line for note in [*notes, *document.notes] for line in wrapped(note)]
    times = document.times
    if "seconds" in times:
        processes = counted(times.get("jobs", 1), "process", "processes")
        lines.append(
            f"{times['seconds']:,.1f} s with {processes}{_sessions(times)}: "
            f"{times['games_per_second']:,.0f} games a second."
        )
    return [*lines, f"Results: {document.run}", f"Again: {document.command}"]


def wrapped(note: str) -> list[str]:
    """A note in lines; a command line in it stays in one if it fits, so that it can be copied."""
    glued = COMMAND.sub(lambda found: found[0].replace(" ", GLUE), note)
    return [line.replace(GLUE, " ") for line in textwrap.wrap(glued, WIDTH, break_on_hyphens=False)]


def _sessions(times: dict[str, Any]) -> str:
    """` in 3 sessions`, if the run was stopped and resumed or put together."""
    number = times.get("sessions", 1)
    return f" in {number} sessions" if number > 1 else ""


def _markdown_rule(table: Table) -> str:
    return "|" + "|".join("---" if column.is_name else "--:" for column in table.columns) + "|"


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
