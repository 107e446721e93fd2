"""A study as text for a terminal of 80 columns, and as Markdown."""

import textwrap
from collections.abc import Sequence
from pathlib import Path

from arena.experiments.balance.questions import candidates
from arena.experiments.balance.sections import findings, leading, sections
from arena.experiments.balance.study import Study
from arena.experiments.measures.findings import LEAST, RATE, Candidate, asked_of
from arena.reports.tables import Table
from arena.reports.text import NAME_WIDTH, WIDTH, align, footnotes, markdown
from arena.texts import counted

MOST_ROWS = 12
"""Rows of a table that text shows; the other formats have all."""
NAME_WIDTHS = (48, 40, 32, 24, NAME_WIDTH)
"""Of which the first that fits is taken."""
SPARE = ("lift", "causes_wins", "causes_wins_interval", "usual", "q")
"""Columns that are left out where they do not fit."""
NOTHING = "Nothing stands out: nothing that was asked differs by more than chance and a small margin."


def title(study: Study) -> str:
    """What was studied, in one line."""
    plan = study.cells[0].plan
    label = f" ({study.spec.label})" if study.spec.label else ""
    settings = "".join(f", {name}={value}" for name, value in plan.settings.items())
    players = " and ".join(str(cell.players) for cell in study.cells)
    games = counted(study.games, "game")
    return f"Balance of {Path(plan.map).stem}{label}{settings}: {players} players, {games}, seed {plan.seed}"


def what_matters(study: Study) -> list[str]:
    """The findings at the top, in sentences."""
    return told(findings(study), "--format json")


def told(said: Sequence[Candidate], where: str) -> list[str]:
    """Findings in sentences, those at the top and where the others are."""
    first = [finding.text for finding in leading(said)]
    rest = len(said) - len(first)
    more = f"{counted(rest, 'more finding')}: {where}; the first of each table stand above it."
    return first + [more] * (rest > 0) or [NOTHING]


def notes(study: Study) -> list[str]:
    """How the numbers are to be read, and what they leave out."""
    left_out = [
        f"With {cell.players} players {cell.plan.games - cell.games:,} of {cell.plan.games:,} games are left out: a "
        "bot had a fault in their deal, or they are not recorded."
        for cell in study.cells
        if cell.games < cell.plan.games
    ]
    forced = [
        f"All deals with {cell.players} players are those of forced tickets: what is said of tickets, cities and "
        "routes is said of these."
        for cell in study.cells
        if cell.plan.forced
    ]
    return [
        *left_out,
        *forced,
        _asked(study),
        f"Intervals: 95 %, over deals. Of the findings at most {RATE:.0%} are due to chance (Benjamini-Hochberg, over "
        "everything that was asked); what is within a small margin of what it should be is none.",
    ]


def _asked(study: Study) -> str:
    """How much of what could be a finding has games enough to be asked."""
    all_of_it = [candidate for cell in study.cells for candidate in candidates(study.spec, cell)]
    asked, least = len(asked_of(all_of_it)), f"fewer than {LEAST} deals, claims or offers"
    few = "" if asked == len(all_of_it) else f"; behind the others stand {least}: more --games ask more"
    return f"{asked:,} of {len(all_of_it):,} things were asked{few}."


def to_text(study: Study, explain: bool = False) -> str:
    """For a terminal; `explain` puts what each column means under its table."""
    lines = [*textwrap.wrap(title(study), WIDTH), "", "What matters"]
    for sentence in what_matters(study):
        lines += textwrap.wrap(sentence, WIDTH, initial_indent="- ", subsequent_indent="  ")
    for section in sections(study):
        lines += ["", section.title]
        for sentence in section.sentences:
            lines += textwrap.wrap(sentence, WIDTH)
        lines += fitted(section.table)
        rest = len(section.table.frame) - MOST_ROWS
        lines += [f"... {counted(rest, 'more row')}: --format md, html or csv"] * (rest > 0)
        if explain:
            lines += ["", *footnotes(section.table)]
    lines += ["", *(line for note in notes(study) for line in textwrap.wrap(note, WIDTH))]
    lines += [f"Results: {study.directory}", f"Again: {study.command}"]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def fitted(table: Table, rows: int = MOST_ROWS) -> list[str]:
    """The first rows of a table, its names as long and its columns as many as fit."""
    table = table._replace(frame=table.frame.head(rows))
    fewer = table._replace(columns=tuple(column for column in table.columns if column.key not in SPARE))
    tried = (align(some, width) for some in (table, fewer) for width in NAME_WIDTHS[:-1])
    return next((lines for lines in tried if max(map(len, lines)) <= WIDTH), align(fewer, NAME_WIDTHS[-1]))


def to_markdown(study: Study, explain: bool = False) -> str:
    """Tables in GitHub's Markdown."""
    lines = [f"# {title(study)}", "", *(f"- {sentence}" for sentence in what_matters(study))]
    for section in sections(study):
        lines += ["", f"## {section.title}", ""]
        lines += [line for sentence in section.sentences for line in (sentence, "")]
        lines += markdown(section.table)
        if explain:
            lines += ["", *(f"- **{column.head}**: {column.meaning}" for column in section.table.columns)]
    return "\n".join([*lines, "", *notes(study), "", f"`{study.command}`"]) + "\n"
