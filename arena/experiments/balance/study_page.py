"""What a study says: what matters, then for each number of players pictures, charts and tables."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from arena.experiments.balance.pictures import MEASURES, picture
from arena.experiments.balance.questions import candidates, findings, leading, sentences
from arena.experiments.balance.study import Study
from arena.experiments.balance.tables import TITLES, tables
from arena.experiments.measures.findings import LEAST, RATE, Candidate, asked_of
from arena.reports.figures import interval_chart, share, share_chart
from arena.reports.json_csv import DIGITS, rows_of
from arena.reports.markup import Html, element, joined
from arena.reports.page_model import Block, Figure, Note, Page, Points, Section, Table, Verbatim, meanings_of
from arena.texts import counted

SCHEMA = 1
"""The version of the JSON object: a new number where a key is renamed, removed or changes its meaning."""
FINEST_POINTS = 1.0
"""The smallest step of an axis of points."""
MOST_ROWS = 12
"""Rows of a table that text shows."""
NOTHING = "Nothing stands out: nothing that was asked differs by more than chance and a small margin."


def study_page(study: Study) -> Page:
    """The page of a study."""
    plan, spec = study.cells[0].plan, study.spec
    name, players = Path(plan.map).stem, [str(cell.players) for cell in study.cells]
    label = f" ({spec.label})" if spec.label else ""
    settings = "".join(f", {rule}={value}" for rule, value in plan.settings.items())
    games = counted(study.games, "game")
    title = f"Balance of {name}{label}{settings}: {' and '.join(players)} players, {games}, seed {plan.seed}"
    facts = {
        "games": f"{study.games:,}",
        "players": ", ".join(players),
        "bots": ", ".join(dict.fromkeys(plan.bots)),
        "seed": str(plan.seed),
        **{rule: str(value) for rule, value in plan.settings.items()},
    }
    notes = list(_notes(study))
    return Page(
        kind="Ticket to Ride, the balance of a map",
        title=title,
        heading=name,
        label=f"{name}: {spec.label}" if spec.label else "",
        facts=facts,
        notes=notes,
        sections=partial(_sections, study),
        closing=[f"Results: {study.directory}"],
        command=study.command,
        file=study.directory / "balance.html",
        data=lambda: _data(study, title, notes),
        frames=lambda: {
            f"{table.key}-{cell.players}": table.frame for cell in study.cells for table in tables(cell)
        },
        meanings=lambda: meanings_of(tables(study.cells[0])),
    )  # fmt: skip


def _figure(table: Table, players: int) -> Figure | None:
    """The chart of a table, if it has one."""
    frame = table.frame
    if table.key == "seats":
        names = [f"seat {seat}" for seat in frame["seat"]]
        return Figure(share_chart(names, frame, 1 / players), "Share of the games won from each seat, with 95 % "
                      f"intervals over deals. Dashed: {share(1 / players)}, an equal share.")  # fmt: skip
    if table.key == "styles":
        return Figure(share_chart(frame["bot"], frame, 1 / players), "Share of its games that each style won against "
                      f"the others, with 95 % intervals. Dashed: {share(1 / players)}.")  # fmt: skip
    if table.key == "tickets" and "causes_points" in frame:
        known = frame.dropna(subset=["causes_points_low"])
        numbers = known[["causes_points", "causes_points_low", "causes_points_high"]].to_numpy(float).tolist()
        chart = interval_chart(
            known["name"], numbers, 0.0, FINEST_POINTS, lambda value: f"{value:+.1f}",
            lambda low, high: f"{low:+.1f} to {high:+.1f}", lambda value: f"{value:+.0f}",
        )  # fmt: skip
        said = (
            "Points that each ticket causes when it lies before a seat, against the mean of all tickets on the same "
            "deals, with 95 % intervals."
        )
        return None if known.empty else Figure(chart, said)
    return None


def told(said: Sequence[Candidate], where: str) -> list[str]:
    """Findings in sentences, those at the top and where the others are."""
    first = [finding.text for finding in leading(said)]
    rest = len(said) - len(first)
    more = f"{counted(rest, 'more finding')}: {where}; the first of each table stand above it."
    return first + [more] * (rest > 0) or [NOTHING]


def _notes(study: Study) -> Iterator[Note]:
    """How the numbers are to be read, and what they leave out."""
    for cell in study.cells:
        if cell.games < cell.plan.games:
            yield Note(
                f"With {cell.players} players {cell.plan.games - cell.games:,} of {cell.plan.games:,} games are left "
                "out: a bot had a fault in their deal, or they are not recorded."
            )
    for cell in study.cells:
        if cell.plan.forced:
            yield Note(
                f"All deals with {cell.players} players are those of forced tickets: what is said of tickets, cities "
                "and routes is said of these."
            )
    yield Note(_asked(study), "remark")
    yield Note(
        f"Intervals: 95 %, over deals. Of the findings at most {RATE:.0%} are due to chance (Benjamini-Hochberg, over "
        "everything that was asked); what is within a small margin of what it should be is none.",
        "remark",
    )


def _asked(study: Study) -> str:
    """How much of what could be a finding has games enough to be asked."""
    all_of_it = [candidate for cell in study.cells for candidate in candidates(cell)]
    asked, least = len(asked_of(all_of_it)), f"fewer than {LEAST} deals, claims or offers"
    few = "" if asked == len(all_of_it) else f"; behind the others stand {least}: more --games ask more"
    return f"{asked:,} of {len(all_of_it):,} things were asked{few}."


def _sections(study: Study, brief: bool) -> Iterator[Section]:
    said = findings(study)
    yield Section("findings", "What matters", [Points(told(said, "--format json"))])
    if not brief:
        yield from _pictures(study)
    for cell in study.cells:
        for table in tables(cell):
            figure = None if brief else _figure(table, cell.players)
            blocks: list[Block] = [*sentences(said, cell, table.key), *([figure] if figure else []),
                      table._replace(most_rows=MOST_ROWS)]  # fmt: skip
            yield Section(f"{table.key}-{cell.players}", f"{table.title}, {cell.players} players", blocks)
    if not brief:
        runs = [cell.plan for cell in study.cells] + [cell.styles.plan for cell in study.cells if cell.styles]
        yield Section("run", "How it was played", [
            "The same study again:", Verbatim([study.command]),
            "Its runs, each of which can be looked at by itself (arena report, verify, replay):",
            *(Verbatim([plan.command]) for plan in runs),
        ])  # fmt: skip


def _pictures(study: Study) -> Iterator[Section]:
    """A section for each measure, with a board for each number of players beside each other."""
    for measure, shown in MEASURES.items():
        boards = [element("li", Html(picture(cell, measure, small=True))) for cell in study.cells]
        larger = f"arena maps draw {study.cells[0].plan.map} --study {study.directory} --measure {measure}"
        caption = element("p", "Larger: ", element("code", larger), class_="caption")
        yield Section(f"board-{measure}", shown.title, [joined(element("ul", *boards, class_="boards"), caption)])


def _data(study: Study, title: str, notes: Sequence[Note]) -> dict[str, Any]:
    """The study as one JSON object; numbers that cannot be told are left out."""
    plan, said = study.cells[0].plan, findings(study)
    return {
        "schema": SCHEMA,
        "title": title,
        "directory": str(study.directory),
        "map": plan.map,
        "map_digest": study.spec.digest,
        "label": study.spec.label,
        "settings": plan.settings,
        "seed": plan.seed,
        "games": study.games,
        "command": study.command,
        "findings": [
            {
                **each.topic._asdict(),
                "text": each.text,
                "margins": round(each.effect, DIGITS),
                "sure": round(each.bound, DIGITS),
                "p": float(f"{each.p:.{DIGITS}g}"),
                "sample": each.sample,
            }
            for each in said
        ],
        "cells": [
            {
                "players": cell.players,
                "bots": list(cell.plan.names),
                "games": cell.games,
                "deals": cell.deals,
                "effect_games": cell.effect_games,
                "sentences": {key: above for key in TITLES if (above := sentences(said, cell, key))},
                "tables": {table.key: rows_of(table.frame) for table in tables(cell)},
            }
            for cell in study.cells
        ],
        "notes": [note.text for note in notes],
    }
