"""`arena sweep`: many settings of the rules on the same deals, each compared with the map as it is."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd

from arena.errors import UsageError
from arena.experiments.balance.questions import POINTS_MARGIN, SEAT_MARGIN
from arena.experiments.measures.findings import RATE
from arena.experiments.specification import Specification
from arena.experiments.variants.diff import change_columns, labelled, side_name, significant
from arena.experiments.variants.differences import HEADLINES, Side, by_group, differences, headline_numbers, read_side
from arena.reports.figures import interval_chart, share
from arena.reports.json_csv import rows_of
from arena.reports.page_model import Figure, Note, Page, Section, Table, Verbatim, name_column
from arena.stats.ratio_estimates import joined, q_values
from arena.texts import counted
from arena.tournament.request import Request, Settings

BASE = "as it is"
MOST_POINTS = 400
RANGE = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})(?::([0-9]{1,9}))?")
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
    "sure": "The end of the interval that is nearer to 0, in margins of 2 points or 2 percentage points.",
}
"""What the columns in JSON and CSV mean."""
FINEST = {True: 0.005, False: 0.5}
"""Steps of an axis, of shares and of other numbers."""


@dataclass(frozen=True, kw_only=True)
class SweepSpecification(Specification):
    """The runs of `arena sweep`: what is varied. settings: of all points; games: of each point."""

    kind = "sweep"
    values: Mapping[str, Sequence[int | str]]
    """The values of each rule that is varied."""
    one_at_a_time: bool

    def points(self) -> list[Settings]:
        """What is set at each point: nothing, then all combinations, or one rule at a time."""
        if self.one_at_a_time:
            return [{}, *({rule: value} for rule, values in self.values.items() for value in values)]
        return [{}, *(dict(zip(self.values, point, strict=True)) for point in product(*self.values.values()))]

    def runs(self, directory: Path) -> Iterator[tuple[str, Request]]:
        """A run for each point."""
        points = self.points()
        if not self.values:
            raise UsageError("nothing is varied: name a rule and its values, such as --set trains=35..50:5")
        if len(points) > MOST_POINTS:
            raise UsageError(
                f"these are {len(points):,} points, and at most {MOST_POINTS} are played: see --one-at-a-time"
            )
        for number, point in enumerate(points):
            about = f"Point {number + 1} of {len(points)}, {point_name(point)}"
            yield about, self.request(self.games, run_of(directory, number), settings={**self.settings, **point})


@dataclass(frozen=True)
class Sweep:
    """The points of a sweep and what was measured at each."""

    specification: SweepSpecification
    points: tuple[Settings, ...]
    sides: tuple[Side, ...]
    directory: Path


def parse_values(items: Sequence[str]) -> dict[str, tuple[int | str, ...]]:
    """Rules with their values from `trains=35..50:5` and `route_points.6=9,12,15`; UsageError for other forms."""
    found: dict[str, tuple[int | str, ...]] = {}
    for item in items:
        rule, equals, text = item.partition("=")
        if not rule or not equals:
            raise UsageError(f"--set {item!r} is not of the form rule=low..high:step or rule=value,value")
        if rule in found:
            raise UsageError(f"--set {rule} is given twice")
        values = tuple(value for word in text.split(",") for value in _values(item, word.strip()))
        found[rule] = tuple(dict.fromkeys(values))
    return found


def _values(item: str, word: str) -> Iterator[int | str]:
    if match := RANGE.fullmatch(word):
        low, high, step = int(match[1]), int(match[2]), int(match[3] or 1)
        if low > high or step < 1:
            raise UsageError(f"--set {item!r}: a range goes up, by steps of 1 or more")
        yield from range(low, high + 1, step)
    elif re.fullmatch(r"-?[0-9]{1,9}", word):
        yield int(word)
    elif re.fullmatch(r"[a-z]+", word):
        yield word
    else:
        raise UsageError(f"--set {item!r} is not of the form rule=low..high:step or rule=value,value")


def point_name(point: Settings) -> str:
    """What is set at a point."""
    return " ".join(f"{rule}={value}" for rule, value in point.items()) or BASE


def run_of(directory: Path, number: int) -> Path:
    """The run directory of a point."""
    return directory / f"point-{number:03d}"


def read_sweep(specification: SweepSpecification, directory: Path) -> Sweep:
    """Measure the runs of a sweep."""
    points = tuple(specification.points())
    sides = tuple(read_point(run_of(directory, number)) for number in range(len(points)))
    return Sweep(specification, points, sides, directory)


def read_point(run: Path) -> Side:
    """Measure a run, and keep what `headline_numbers` asks for: all measures of 400 points would take gigabytes."""
    side = read_side(run)
    return replace(side, groups=tuple(
        replace(cell, sums={table: cell.sums[table] for table in HEADLINES}, turns=Counter()) for cell in side.groups
    ))  # fmt: skip


def value_frame(sweep: Sweep) -> pd.DataFrame:
    """A row for each point and headline number: its value with an interval."""
    rows = []
    for point, side in zip(sweep.points, sweep.sides, strict=True):
        for groups in by_group(side, headline_numbers):
            numbers, sums = groups[0], joined([group.sums for group in groups])
            low, high = sums.share_interval() if numbers.is_share else sums.interval()
            rows += [
                {"point": point_name(point), "table": numbers.table, "measure": numbers.measure, "thing": thing,
                 "is_share": numbers.is_share, "value": value, "low": low[i], "high": high[i]}
                for i, (thing, value) in enumerate(zip(numbers.things, sums.value, strict=True))
            ]  # fmt: skip
    return pd.DataFrame(rows)


def change_frame(sweep: Sweep) -> pd.DataFrame:
    """Each point against the map as it is, headline numbers alone, the largest confidence bound first."""
    frames = []
    for point, side in zip(sweep.points[1:], sweep.sides[1:], strict=True):
        frame = differences(sweep.sides[0], side, headline_numbers)
        frames.append(frame.assign(point=point_name(point)))
    frame = pd.concat(frames, ignore_index=True)
    frame["q"] = q_values(frame["p"].to_numpy())
    nearer = frame["difference"].abs() - (frame["high"] - frame["difference"])
    frame["sure"] = nearer.clip(lower=0) / frame["is_share"].map({True: SEAT_MARGIN, False: POINTS_MARGIN})
    return frame.sort_values("sure", ascending=False, kind="stable", na_position="last", ignore_index=True)


def ranking(changes: pd.DataFrame) -> pd.DataFrame:
    """For each number the point that moves it most beyond chance."""
    significant = changes[changes["q"] < RATE]
    return significant.drop_duplicates(["table", "measure", "thing"]).reset_index(drop=True)


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
    """What moves each number most, then all significant changes."""
    changes = change_frame(sweep)
    columns = (name_column("point", "What is set."), *change_columns())
    yield Table("ranking", "What moves each number most", labelled(ranking(changes)), columns, MOST_ROWS)
    yield Table("changes", "All significant changes", significant(changes), columns, MOST_ROWS)


def _sections(sweep: Sweep, brief: bool) -> Iterator[Section]:
    for shown in tables(sweep):
        yield Section(shown.key, shown.title, [shown if len(shown.frame) else "Nothing changes by more than chance."])
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
