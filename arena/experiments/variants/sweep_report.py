"""The report of `arena sweep` as text, Markdown, HTML, JSON and CSV."""

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from arena.experiments.balance.text import fitted
from arena.experiments.variants.diff_report import change_columns, labelled, side_name, sure
from arena.experiments.variants.sweep import Swept, change_frame, point_name, ranking, value_frame
from arena.files import make_folder, write_whole
from arena.reports import charts
from arena.reports.figures import Figure, share
from arena.reports.json_csv import DIGITS, rows_of
from arena.reports.markup import element, joined
from arena.reports.page import Section, figure, legend, page, table_of
from arena.reports.tables import Table, name_column
from arena.reports.text import WIDTH, footnotes, markdown
from arena.texts import counted

SCHEMA = 1
MOST_ROWS = 20
"""Of a table, as text."""
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
"""Of the columns in JSON and CSV."""
FINEST = {True: 0.005, False: 0.5}
"""Steps of an axis, of shares and of other numbers."""


def title(swept: Swept) -> str:
    """What is varied, in one line."""
    rules = " and ".join(swept.sweep.values)
    points = counted(len(swept.points), "point")
    return f"Sweep of {rules} on {side_name(swept.sides[0])}: {points}, {swept.sweep.players} players"


def tables(swept: Swept) -> Iterator[Table]:
    """What moves each number most, then everything that surely moves."""
    changes = change_frame(swept)
    point = name_column("point", "What is set.")
    yield Table("ranking", "What moves each number most", labelled(ranking(changes)), (point, *change_columns()))
    yield Table("changes", "All sure changes", sure(changes), (point, *change_columns()))


def notes(swept: Swept) -> list[str]:
    """How the numbers are to be read."""
    games = counted(swept.sides[0].games, "game")
    return [f"{games} at each point, on the same deals; changes are against the map as it is, shares in percent."]


def to_text(swept: Swept, explain: bool = False) -> str:
    """For a terminal."""
    lines = textwrap.wrap(title(swept), WIDTH)
    for shown in tables(swept):
        lines += ["", shown.title]
        lines += fitted(shown, MOST_ROWS) if len(shown.frame) else ["Nothing moves by more than chance."]
        rest = len(shown.frame) - MOST_ROWS
        lines += [f"... {counted(rest, 'more row')}: --format md, html or csv"] * (rest > 0)
        if explain:
            lines += ["", *footnotes(shown)]
    lines += ["", *(line for note in notes(swept) for line in textwrap.wrap(note, WIDTH))]
    return (
        "\n".join(line.rstrip() for line in [*lines, f"Results: {swept.directory}", f"Again: {swept.command}"]) + "\n"
    )


def to_markdown(swept: Swept, explain: bool = False) -> str:
    """Tables in GitHub's Markdown."""
    lines = [f"# {title(swept)}"]
    for shown in tables(swept):
        lines += ["", f"## {shown.title}", "", *markdown(shown)]
        if explain:
            lines += ["", *(f"- **{column.head}**: {column.meaning}" for column in shown.columns)]
    return "\n".join([*lines, "", *notes(swept), "", f"`{swept.command}`"]) + "\n"


def to_html(swept: Swept, explain: bool = False) -> str:
    """One page: the tables, and a chart for each number."""
    parts = [
        Section(shown.key, shown.title, joined(table_of(shown), legend(shown, explain))) for shown in tables(swept)
    ]
    values = value_frame(swept)
    for number, (_, frame) in enumerate(values.groupby(["table", "measure", "thing"], sort=False)):
        text = labelled(frame)["text"].iloc[0].removesuffix(" %")
        parts.append(Section(f"number-{number}", text[0].upper() + text[1:], figure(_chart(frame))))
    header = element(
        "header", element("p", "Ticket to Ride, a sweep of rules", class_="kind"), element("h1", title(swept)),
        *(element("p", note) for note in notes(swept)), element("pre", element("code", swept.command)),
    )  # fmt: skip
    return page(title(swept), header, parts)


def _chart(frame: pd.DataFrame) -> Figure:
    """One number at all points; dashed: the map as it is."""
    is_share = bool(frame["is_share"].iloc[0])
    known = frame.fillna({"low": frame["value"], "high": frame["value"]})
    along = charts.axis(known["low"].min(), known["high"].max(), FINEST[is_share])

    def write(value: float) -> str:
        return share(value) if is_share else f"{value:.1f}"

    dots = [
        charts.Dot(name, value, low, high, write(value), f"{write(low)} to {write(high)}")
        for name, value, low, high in known[["point", "value", "low", "high"]].itertuples(index=False)
    ]
    return Figure(charts.dots(dots, along, write, float(known["value"].iloc[0])), "95 % intervals, over deals.")


def to_json(swept: Swept, explain: bool = False) -> str:
    """One JSON object; numbers that cannot be told are left out. `explain` adds what the columns mean."""
    frames = {"values": value_frame(swept), "changes": change_frame(swept)}
    data: dict[str, Any] = {
        "schema": SCHEMA, "title": title(swept), "command": swept.command, "notes": notes(swept),
        "points": [
            {"name": point_name(point), "settings": point, "games": side.games, "run": side.plan.command}
            for point, side in zip(swept.points, swept.sides, strict=True)
        ],
        **{key: rows_of(frame) for key, frame in frames.items()},
    }  # fmt: skip
    if explain:
        data["meanings"] = {key: {name: MEANINGS[name] for name in map(str, frame)} for key, frame in frames.items()}
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def write_csv(swept: Swept, folder: Path) -> list[Path]:
    """Values and changes, a file each."""
    make_folder(folder)
    written = []
    for name, frame in (("values", value_frame(swept)), ("changes", change_frame(swept))):
        written.append(folder / f"{name}.csv")
        text = frame.to_csv(index=False, float_format=f"%.{DIGITS}g", lineterminator="\n")
        write_whole(written[-1], text.encode())
    return written
