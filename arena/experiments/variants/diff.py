"""`arena diff`: the same bots and deals on two maps, or under two settings of the rules, and the page about it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shlex import join
from typing import Any

import pandas as pd

from arena import catalog
from arena.errors import UsageError
from arena.experiments.measures.findings import RATE
from arena.experiments.specification import Specification
from arena.experiments.variants.differences import Side, differences, read_side
from arena.reports.json_csv import rows_of
from arena.reports.page_model import Column, Note, Page, Section, Table, Verbatim, name_column, number
from arena.texts import counted
from arena.tournament.request import Request, Settings

ONE, OTHER = "one", "other"
SCHEMA = 1
"""The version of the JSON object."""
MOST_ROWS = 24
"""Rows of a table that text shows."""
UNITS = {True: 100.0, False: 1.0}


@dataclass(frozen=True, kw_only=True)
class DiffSpecification(Specification):
    """The runs of `arena diff`. map, settings: of the first side; games: of each side."""

    kind = "diff"
    other: tuple[str, Settings]
    """The map and the settings of the second side."""

    def runs(self, directory: Path) -> Iterator[tuple[str, Request]]:
        """For each number of players a run of each side."""
        sides = {ONE: (self.map, self.settings), OTHER: self.other}
        if len({catalog.load_map(*side).digest for side in sides.values()}) == 1:
            raise UsageError("both sides are the same map with the same rules: nothing to compare")
        games = max(1, self.games // len(self.players))
        for players in self.players:
            for name, (map_name, settings) in sides.items():
                run = directory / f"{name}-{players}"
                yield (
                    f"{players} players, {name}",
                    self.request(games, run, map=map_name, settings=settings, players=players),
                )


@dataclass(frozen=True)
class Diff:
    """The differences that were found."""

    sides: tuple[tuple[Side, Side], ...]
    """A pair for each number of players."""
    frames: tuple[pd.DataFrame, ...]
    """The frames of `differences`, one for each pair."""
    directory: Path | None
    command: str


def read_diff(specification: DiffSpecification, directory: Path) -> Diff:
    """Compare the runs of a study."""
    sides = tuple(
        (read_side(directory / f"{ONE}-{players}"), read_side(directory / f"{OTHER}-{players}"))
        for players in specification.players
    )
    return Diff(sides, tuple(differences(*both) for both in sides), directory, specification.command)


def compare_runs(one: Path, other: Path) -> Diff:
    """Compare two run directories."""
    sides = read_side(one), read_side(other)
    return Diff((sides,), (differences(*sides),), None, join(["arena", "diff", str(one), str(other)]))


def side_name(side: Side) -> str:
    """A map with its settings."""
    label = f" ({side.spec.label})" if side.spec.label else ""
    settings = "".join(f" {name}={value}" for name, value in side.plan.settings.items())
    return f"{Path(side.plan.map).stem}{label}{settings}"


def diff_page(diff: Diff) -> Page:
    """The page of a comparison; one of two runs has no directory, and its files go where the user is."""
    one, other = diff.sides[0]
    title = f"{side_name(one)} -> {side_name(other)}"
    notes = [Note(text, "remark") for text in _notes(diff)]
    players = [one.plan.players for one, _ in diff.sides]
    return Page(
        kind="Ticket to Ride, two maps or rules compared",
        title=title,
        heading=title,
        notes=notes,
        sections=partial(_sections, diff),
        command=diff.command,
        file=(diff.directory or Path(".")) / "diff.html",
        data=lambda: _data(diff, title, notes),
        frames=lambda: {f"differences-{number}": frame for number, frame in zip(players, diff.frames, strict=True)},
    )


def _sections(diff: Diff, brief: bool) -> Iterator[Section]:
    for (one, _), frame in zip(diff.sides, diff.frames, strict=True):
        players, rows = one.plan.players, significant(frame)
        shown = Table(f"differences-{players}", f"Differences, {players} players", rows, change_columns(), MOST_ROWS)
        yield Section(shown.key, shown.title, [shown if len(rows) else "Nothing differs by more than chance."])
    if not brief:
        yield Section("run", "How it was played", ["The same comparison again:", Verbatim([diff.command])])


def change_columns() -> tuple[Column, ...]:
    """The columns of a frame of `differences` that was `labelled`."""
    return (
        name_column("text", "What is compared.", "what"),
        Column("one", "one", _write("one"), "On the first map, or with the first rules; shares in percent."),
        Column("other", "other", _write("other"), "On the other."),
        Column("difference", "change", _write("difference", "+z"), "The other minus the first, deal against deal."),
        Column("interval", "interval", lambda row: f"{_write('low', '+z')(row)} to {_write('high', '+z')(row)}"
               if pd.notna(row["low"]) else "-", "95 % interval of that, over deals (jackknife).", "low"),
        Column("q", "q", number("q", ".3f"), "False discovery rate at which this would just be called a difference."),
    )  # fmt: skip


def _write(key: str, sign: str = "z") -> Callable[[Any], str]:
    return lambda row: format(row[key] * UNITS[row["is_share"]], f"{sign}.1f") if pd.notna(row[key]) else "-"


def labelled(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with a column that says in words what is compared."""
    text = frame["thing"] + (": " + frame["measure"]).where(frame["measure"] != "", "")
    return frame.assign(text=text + frame["is_share"].map({True: " %", False: ""}))


def significant(frame: pd.DataFrame) -> pd.DataFrame:
    """The differences that are significant at the false discovery rate."""
    return labelled(frame[frame["q"] < RATE]).reset_index(drop=True)


def _notes(diff: Diff) -> list[str]:
    """How many numbers were compared, and how to read the differences."""
    said = []
    for (one, other), frame in zip(diff.sides, diff.frames, strict=True):
        asked, found = int(frame["q"].notna().sum()), len(significant(frame))
        said.append(
            f"{one.plan.players} players: {found} of {asked} numbers differ (false discovery rate {RATE:.0%}); "
            f"{_games(one, other)}."
        )
        if found and _played_alike(frame):
            said.append("The bots make the same moves on both sides: only the counting differs.")
    return said


def _played_alike(frame: pd.DataFrame) -> bool:
    """Whether the same was claimed, and paid, at the same time."""
    moves = frame[frame["measure"].isin(["claimed", "when", "paid"])]
    return bool((moves["difference"].fillna(0) == 0).all())


def _games(one: Side, other: Side) -> str:
    """How many games both sides have; a deal in which a bot had a fault is left out of its side."""
    if one.games == other.games == one.plan.games:
        return f"{counted(one.games, 'game')} on each side, the same deals"
    return (
        f"{one.games:,} of {one.plan.games:,} games on the one side, {other.games:,} of {other.plan.games:,} on the "
        "other: deals in which a bot had a fault, or that are not recorded, are left out of their side"
    )


def _data(diff: Diff, title: str, notes: Sequence[Note]) -> dict[str, Any]:
    """One JSON object; numbers that cannot be told are left out."""
    return {
        "schema": SCHEMA, "title": title, "command": diff.command, "notes": [note.text for note in notes],
        "cells": [
            {"players": one.plan.players, "games": one.games, "one": one.plan.command, "other": other.plan.command,
             "differences": rows_of(frame)}
            for (one, other), frame in zip(diff.sides, diff.frames, strict=True)
        ],
    }  # fmt: skip
