"""`arena sweep`: many settings of the rules on the same deals, each compared with the map as it is."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from shlex import join

import pandas as pd

from arena.errors import UsageError
from arena.experiments.balance.questions import POINTS_MARGIN, SEAT_MARGIN
from arena.experiments.measures.findings import RATE
from arena.experiments.specification import Specification
from arena.experiments.variants.differences import Side, by_group, differences, read_side
from arena.experiments.variants.numbers import HEADLINES, headline_numbers
from arena.stats.ratio_estimates import joined, q_values
from arena.tournament.request import Request, Settings

BASE = "as it is"
MOST_POINTS = 400
RANGE = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})(?::([0-9]{1,9}))?")


@dataclass(frozen=True, kw_only=True)
class SweepSpecification(Specification):
    """The runs of `arena sweep`: what is varied. settings: of all points; games: of each point."""

    kind = "sweep"
    values: Mapping[str, Sequence[int | str]]
    """The values of each rule that is varied."""
    one_at_a_time: bool
    asked: tuple[str, ...]
    """The words of the command line that name the points."""

    @property
    def command(self) -> str:
        """The command line that asks for the study."""
        return join(["arena", "sweep", *self.asked, *self.options])

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
    """What was found."""

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
