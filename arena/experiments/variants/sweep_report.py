"""What a sweep says."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pandas as pd

from arena.experiments.variants.diff_report import change_columns, labelled, side_name, sure
from arena.experiments.variants.sweep import Swept, change_frame, point_name, ranking, value_frame
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


def sweep_page(swept: Swept) -> Page:
    """The page of a sweep."""
    rules, points = " and ".join(swept.sweep.values), counted(len(swept.points), "point")
    title = f"Sweep of {rules} on {side_name(swept.sides[0])}: {points}, {swept.sweep.players} players"
    games = counted(swept.sides[0].games, "game")
    note = f"{games} at each point, on the same deals; changes are against the map as it is, shares in percent."
    return Page(
        kind="Ticket to Ride, a sweep of rules",
        title=title,
        heading=title,
        notes=[Note(note, "remark")],
        sections=partial(_sections, swept),
        closing=[f"Results: {swept.directory}"],
        command=swept.command,
        file=swept.directory / "sweep.html",
        data=lambda: _data(swept, title, [note]),
        frames=partial(_frames, swept),
        meanings=lambda: {
            key: {name: MEANINGS[name] for name in map(str, frame)} for key, frame in _frames(swept).items()
        },
    )


def _frames(swept: Swept) -> dict[str, pd.DataFrame]:
    return {"values": value_frame(swept), "changes": change_frame(swept)}


def tables(swept: Swept) -> Iterator[Table]:
    """What moves each number most, then everything that surely moves."""
    changes = change_frame(swept)
    columns = (name_column("point", "What is set."), *change_columns())
    yield Table("ranking", "What moves each number most", labelled(ranking(changes)), columns, MOST_ROWS)
    yield Table("changes", "All sure changes", sure(changes), columns, MOST_ROWS)


def _sections(swept: Swept, brief: bool) -> Iterator[Section]:
    for shown in tables(swept):
        yield Section(shown.key, shown.title, [shown if len(shown.frame) else "Nothing moves by more than chance."])
    if brief:
        return
    for number, (_, frame) in enumerate(value_frame(swept).groupby(["table", "measure", "thing"], sort=False)):
        text = labelled(frame)["text"].iloc[0].removesuffix(" %")
        yield Section(f"number-{number}", text[0].upper() + text[1:], [_chart(frame)])
    yield Section("run", "How it was played", ["The same sweep again:", Verbatim([swept.command])])


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


def _data(swept: Swept, title: str, notes: Sequence[str]) -> dict[str, Any]:
    """One JSON object; numbers that cannot be told are left out."""
    return {
        "schema": SCHEMA, "title": title, "command": swept.command, "notes": notes,
        "points": [
            {"name": point_name(point), "settings": point, "games": side.games, "run": side.plan.command}
            for point, side in zip(swept.points, swept.sides, strict=True)
        ],
        **{key: rows_of(frame) for key, frame in _frames(swept).items()},
    }  # fmt: skip
