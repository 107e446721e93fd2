"""What a sweep says."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pandas as pd

from arena.experiments.variants.diff_report import change_columns, labelled, side_name, significant
from arena.experiments.variants.sweep import Sweep, change_frame, point_name, ranking, value_frame
from arena.reports.figures import interval_chart, share
from arena.reports.json_csv import rows_of
from arena.reports.page_model import Figure, Note, Page, Section, Table, Verbatim, name_column
from arena.texts import counted

SCHEMA = 1
"""The version of the JSON object."""
MOST_ROWS = 20
"""Rows of a table that text shows."""
MEANINGS = {
    "point": "What is set.",
    "table": "What the number is about.",
    "measure": "What was measured of it; empty if the thing says it.",
    "thing": "A seat, a bot, or a part of the course of the games.",
    "is_share": "Whether the number is a share, 0 to 1.",
    "value": "The number at this point.",
    "low": "Where its 95 % interval begins, over deals; of a change by the jackknife.",
    "high": "Where it ends.",
    "one": "The number on the map as it is.",
    "other": "The number at this point.",
    "difference": "The point minus the map as it is, deal against deal.",
    "p": "How probable so large a difference would be by chance.",
    "q": "False discovery rate, over all points, at which this would just be called a difference.",
    "sure": "The end of the interval that is nearer to nothing, in margins of 2 points or 2 percentage points.",
}
"""What the columns in JSON and CSV mean."""
FINEST = {True: 0.005, False: 0.5}
"""Steps of an axis, of shares and of other numbers."""


def sweep_page(sweep: Sweep) -> Page:
    """The page of a sweep."""
    rules, points = " and ".join(sweep.specification.values), counted(len(sweep.points), "point")
    title = f"Sweep of {rules} on {side_name(sweep.sides[0])}: {points}, {sweep.specification.players[0]} players"
    games = counted(sweep.sides[0].games, "game")
    note = f"{games} at each point, on the same deals; changes are against the map as it is, shares in percent."
    return Page(
        kind="Ticket to Ride, a sweep of rules",
        title=title,
        heading=title,
        notes=[Note(note, "remark")],
        sections=partial(_sections, sweep),
        closing=[f"Results: {sweep.directory}"],
        command=sweep.specification.command,
        file=sweep.directory / "sweep.html",
        data=lambda: _data(sweep, title, [note]),
        frames=partial(_frames, sweep),
        meanings=lambda: {
            key: {name: MEANINGS[name] for name in map(str, frame)} for key, frame in _frames(sweep).items()
        },
    )


def _frames(sweep: Sweep) -> dict[str, pd.DataFrame]:
    return {"values": value_frame(sweep), "changes": change_frame(sweep)}


def tables(sweep: Sweep) -> Iterator[Table]:
    """What moves each number most, then everything that surely moves."""
    changes = change_frame(sweep)
    columns = (name_column("point", "What is set."), *change_columns())
    yield Table("ranking", "What moves each number most", labelled(ranking(changes)), columns, MOST_ROWS)
    yield Table("changes", "All sure changes", significant(changes), columns, MOST_ROWS)


def _sections(sweep: Sweep, brief: bool) -> Iterator[Section]:
    for shown in tables(sweep):
        yield Section(shown.key, shown.title, [shown if len(shown.frame) else "Nothing moves by more than chance."])
    if brief:
        return
    for number, (_, frame) in enumerate(value_frame(sweep).groupby(["table", "measure", "thing"], sort=False)):
        text = labelled(frame)["text"].iloc[0].removesuffix(" %")
        yield Section(f"number-{number}", text[0].upper() + text[1:], [_chart(frame)])
    yield Section("run", "How it was played", ["The same sweep again:", Verbatim([sweep.specification.command])])


def _chart(frame: pd.DataFrame) -> Figure:
    """One number at all points; dashed: the map as it is."""
    is_share = bool(frame["is_share"].iloc[0])

    def write(value: float) -> str:
        return share(value) if is_share else f"{value:.1f}"

    numbers = frame[["value", "low", "high"]].to_numpy(float).tolist()
    chart = interval_chart(
        frame["point"], numbers, numbers[0][0], FINEST[is_share], write,
        lambda low, high: f"{write(low)} to {write(high)}" if low <= high else "", write,
    )  # fmt: skip
    return Figure(chart, "95 % intervals, over deals.")


def _data(sweep: Sweep, title: str, notes: Sequence[str]) -> dict[str, Any]:
    """One JSON object; numbers that cannot be told are left out."""
    return {
        "schema": SCHEMA, "title": title, "command": sweep.specification.command, "notes": notes,
        "points": [
            {"name": point_name(point), "settings": point, "games": side.games, "run": side.plan.command}
            for point, side in zip(sweep.points, sweep.sides, strict=True)
        ],
        **{key: rows_of(frame) for key, frame in _frames(sweep).items()},
    }  # fmt: skip
