"""The report of `arena diff` as text, Markdown, JSON and CSV; sure differences come first."""

import json
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from arena.experiments.balance.text import fitted
from arena.experiments.measures.findings import RATE
from arena.experiments.variants.diff import Diff
from arena.experiments.variants.differences import Side
from arena.files import make_folder, write_whole
from arena.reports.json_csv import DIGITS, rows_of
from arena.reports.markup import element, joined
from arena.reports.page import Section, legend, page, table_of
from arena.reports.tables import Column, Table, name_column, number
from arena.reports.text import WIDTH, footnotes, markdown
from arena.texts import counted

SCHEMA = 1
UNITS = {True: 100.0, False: 1.0}


def side_name(side: Side) -> str:
    """A map with what was set."""
    label = f" ({side.spec.label})" if side.spec.label else ""
    settings = "".join(f" {name}={value}" for name, value in side.plan.settings.items())
    return f"{Path(side.plan.map).stem}{label}{settings}"


def title(diff: Diff) -> str:
    """What is compared, in one line."""
    one, other = diff.sides[0]
    return f"{side_name(one)} -> {side_name(other)}"


def change_columns() -> tuple[Column, ...]:
    """Of a frame of `differences` that was `labelled`."""
    return (
        name_column("text", "What is compared.", "what"),
        Column("one", "one", _write("one"), "On the first map, or with the first rules; shares in percent."),
        Column("other", "other", _write("other"), "On the other."),
        Column("difference", "change", _write("difference", "+z"), "The other minus the first, deal against deal."),
        Column("interval", "interval", lambda row: f"{_write('low', '+z')(row)} to {_write('high', '+z')(row)}"
               if pd.notna(row["low"]) else "-", "95 % interval of that, over deals (jackknife).", "low"),
        Column("q", "q", number("q", ".3f"), "False discovery rate at which this would just be called a difference."),
    )  # fmt: skip


def table(frame: pd.DataFrame, players: int) -> Table:
    """The differences of one number of players, the surest first."""
    return Table(f"differences-{players}", f"Differences, {players} players", frame, change_columns())


def _write(key: str, sign: str = "z") -> Callable[[Any], str]:
    return lambda row: format(row[key] * UNITS[row["is_share"]], f"{sign}.1f") if pd.notna(row[key]) else "-"


def labelled(frame: pd.DataFrame) -> pd.DataFrame:
    """With what is compared in words."""
    text = frame["thing"] + (": " + frame["measure"]).where(frame["measure"] != "", "")
    return frame.assign(text=text + frame["is_share"].map({True: " %", False: ""}))


def sure(frame: pd.DataFrame) -> pd.DataFrame:
    """The differences that are more than chance."""
    return labelled(frame[frame["q"] < RATE]).reset_index(drop=True)


def notes(diff: Diff) -> list[str]:
    """How many differences were asked for, and how they are to be read."""
    said = []
    for (one, other), frame in zip(diff.sides, diff.frames, strict=True):
        asked, found = int(frame["q"].notna().sum()), len(sure(frame))
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
    """How many games stand behind both sides; a deal in which a bot had a fault is left out of its side."""
    if one.games == other.games == one.plan.games:
        return f"{counted(one.games, 'game')} on each side, the same deals"
    return (
        f"{one.games:,} of {one.plan.games:,} games on the one side, {other.games:,} of {other.plan.games:,} on the "
        "other: deals in which a bot had a fault, or that are not recorded, are left out of their side"
    )


def to_text(diff: Diff, explain: bool = False) -> str:
    """For a terminal."""
    lines = textwrap.wrap(title(diff), WIDTH)
    for (one, _), frame in zip(diff.sides, diff.frames, strict=True):
        shown = table(sure(frame), one.plan.players)
        lines += ["", shown.title]
        if shown.frame.empty:
            lines.append("Nothing differs by more than chance.")
            continue
        lines += fitted(shown, 24)
        rest = len(shown.frame) - 24
        lines += [f"... {counted(rest, 'more row')}: --format md or csv"] * (rest > 0)
        if explain:
            lines += ["", *footnotes(shown)]
    lines += ["", *(line for note in notes(diff) for line in textwrap.wrap(note, WIDTH)), f"Again: {diff.command}"]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def to_markdown(diff: Diff, explain: bool = False) -> str:
    """Tables in GitHub's Markdown."""
    lines = [f"# {title(diff)}"]
    for (one, _), frame in zip(diff.sides, diff.frames, strict=True):
        shown = table(sure(frame), one.plan.players)
        lines += ["", f"## {shown.title}", "", *markdown(shown)]
        if explain:
            lines += ["", *(f"- **{column.head}**: {column.meaning}" for column in shown.columns)]
    return "\n".join([*lines, "", *notes(diff), "", f"`{diff.command}`"]) + "\n"


def to_html(diff: Diff, explain: bool = False) -> str:
    """One page."""
    shown = [table(sure(frame), one.plan.players) for (one, _), frame in zip(diff.sides, diff.frames, strict=True)]
    parts = [Section(each.key, each.title, joined(table_of(each), legend(each, explain))) for each in shown]
    header = element(
        "header", element("p", "Ticket to Ride, two maps or rules compared", class_="kind"),
        element("h1", title(diff)), *(element("p", note) for note in notes(diff)),
        element("pre", element("code", diff.command), tabindex="0"),
    )  # fmt: skip
    return page(title(diff), header, parts)


def to_json(diff: Diff, explain: bool = False) -> str:
    """One JSON object; numbers that cannot be told are left out."""
    data = {
        "schema": SCHEMA, "title": title(diff), "command": diff.command, "notes": notes(diff),
        "cells": [
            {"players": one.plan.players, "games": one.games, "one": one.plan.command, "other": other.plan.command,
             "differences": rows_of(frame)}
            for (one, other), frame in zip(diff.sides, diff.frames, strict=True)
        ],
    }  # fmt: skip
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def write_csv(diff: Diff, folder: Path) -> list[Path]:
    """A file for each number of players, with all differences."""
    make_folder(folder)
    written = []
    for (one, _), frame in zip(diff.sides, diff.frames, strict=True):
        written.append(folder / f"differences-{one.plan.players}.csv")
        text = frame.to_csv(index=False, float_format=f"%.{DIGITS}g", lineterminator="\n")
        write_whole(written[-1], text.encode())
    return written
