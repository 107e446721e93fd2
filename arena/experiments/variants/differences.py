"""The statistics of `arena diff`: every number of a run under a name, and by how much those of two runs differ.

The errors are those of the delete-a-group jackknife over groups of deals (Kott, *Journal of Official Statistics* 17,
2001): what both runs owe to the deals cancels, whatever the numbers are.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from arena.boards.spec import MapSpec
from arena.errors import UsageError
from arena.experiments.balance.study import Cell, map_of
from arena.experiments.measures.course import AMOUNTS, PARTS, WORDS, bot_names
from arena.experiments.measures.findings import LEAST
from arena.experiments.measures.game_arrays import Batch, read_batches
from arena.experiments.measures.routes import twin_pairs
from arena.experiments.measures.tickets import ticket_names
from arena.rules.board import CARDS
from arena.stats.ratio_estimates import RatioSums, p_beyond, q_values
from arena.tournament.plan import Plan

HEADLINES = ("seats", "bots", "course")
"""The tables that `headline_numbers` reads."""
COMPARED = {
    "routes": {name: name.replace("_", " ") for name in ("claimed", "when", "contested", "lift", "lost", "lost_when")},
    "twins": {"one": "one track", "both": "both tracks", "missed": "missed"},
    "cities": {"used": "used", "dead_ends": "dead ends"},
    "colors": {"paid": "paid", "paid_gray": "paid for gray", "left": "left in hand", "claimed": "routes claimed"},
    "tickets": {"kept": "kept", "completed": "completed", "lift": "lift", "net": "net"},
}
"""What is compared besides the headlines, by table and measure, in words."""
CARDS_AND_POINTS = ("paid", "paid_gray", "left", "net")
"""The measures among them that are not shares."""
GROUPS = 100
"""The most groups of deals."""


class Numbers(NamedTuple):
    """One measure of several things."""

    table: str
    measure: str
    """The measure in words: "wins", "claimed"."""
    things: tuple[str, ...]
    sums: RatioSums
    is_share: bool
    """Whether it is a share; otherwise it counts points, turns and so on."""


def headline_numbers(cell: Cell) -> Iterator[Numbers]:
    """The numbers that describe a game, whatever the map looks like."""
    bots = bot_names(cell.plan)
    yield from _wins(cell, "seats", tuple(f"seat {seat}" for seat in range(cell.players)))
    if len(bots) > 1:
        yield from _wins(cell, "bots", bots)
    for part, names in PARTS.items():
        for is_share in (True, False):
            places = [place for place, name in enumerate(names) if (name not in AMOUNTS) == is_share]
            if places:
                words = tuple(WORDS[names[place]][0] for place in places)
                yield Numbers(part, "", words, cell.sums["course"][part].of(places), is_share)


def _wins(cell: Cell, table: str, things: tuple[str, ...]) -> Iterator[Numbers]:
    yield Numbers(table, "wins", things, cell.sums[table]["wins"], True)
    yield Numbers(table, "score", things, cell.sums[table]["scores"], False)


def all_numbers(cell: Cell) -> Iterator[Numbers]:
    """All numbers except those of forced deals and of styles, which are runs of their own."""
    yield from headline_numbers(cell)
    routes = cell.spec.routes
    things = {
        "routes": distinct(tuple(f"{route} {'bullet' if route.bullet else route.color}" for route in routes)),
        "twins": distinct(tuple(f"{routes[route]} (double)" for route, _ in twin_pairs(cell.spec))),
        "cities": tuple(city.name for city in cell.spec.cities),
        "colors": CARDS,
        "tickets": distinct(tuple(ticket_names(cell.spec))),
    }
    for table, measures in COMPARED.items():
        for name, words in measures.items():
            yield Numbers(table, words, things[table], cell.sums[table][name], name not in CARDS_AND_POINTS)


@cache
def distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names, with a number after each that was there before."""
    times = [names[: place + 1].count(name) for place, name in enumerate(names)]
    return tuple(f"{name} #{time}" if time > 1 else name for name, time in zip(names, times, strict=True))


Which = Callable[[Cell], Iterable[Numbers]]
"""Which numbers are compared."""


@dataclass(frozen=True)
class Side:
    """One of the two runs, measured in groups of deals."""

    plan: Plan
    groups: tuple[Cell, ...]

    @property
    def spec(self) -> MapSpec:
        """The map of the run."""
        return self.groups[0].spec

    @property
    def games(self) -> int:
        """How many games were measured."""
        return sum(cell.games for cell in self.groups)


def read_side(run: Path) -> Side:
    """Measure a run; errors as of `read_batches`."""
    plan, batches = read_batches(run)
    return grouped(map_of(run, plan), plan, batches)


def grouped(spec: MapSpec, plan: Plan, batches: Iterable[Batch]) -> Side:
    """Measure games in groups of successive deals."""
    count = min(GROUPS, plan.blocks)
    cells = tuple(Cell.empty(spec, plan) for _ in range(count))
    for batch in batches:
        for group, cell in enumerate(cells):
            part = batch.part(group * plan.blocks // count, (group + 1) * plan.blocks // count)
            if part.games:
                cell.add(part)
    return Side(plan, cells)


def differences(one: Side, other: Side, which: Which = all_numbers) -> pd.DataFrame:
    """Each of some numbers of both runs: its values, the difference (other - one) with its interval, p and q.

    What rests on fewer than LEAST games, claims and so on, or groups, of a run has neither p nor q.

    One row for each number, the smallest p first; things that only one of the maps has are left out. UsageError if the
    runs do not share their deals.
    """
    if _deals(one.plan) != _deals(other.plan):
        raise UsageError(
            "the two runs do not share their deals: seed, players, number of deals and forced tickets must be equal"
        )
    ours, theirs = ({_measure(groups): groups for groups in by_group(side, which)} for side in (one, other))
    frames = [_compared(groups, theirs[measure]) for measure, groups in ours.items() if measure in theirs]
    frame = pd.concat(frames, ignore_index=True)
    frame["q"] = q_values(frame["p"].to_numpy())
    order = frame["p"].fillna(2.0).to_numpy(), -frame["difference"].abs().fillna(0.0).to_numpy()
    return frame.iloc[np.lexsort(order[::-1])].reset_index(drop=True)


def _deals(plan: Plan) -> tuple[int, ...]:
    return plan.seed, plan.players, plan.blocks, plan.forced


def _measure(groups: Sequence[Numbers]) -> tuple[str, str, bool]:
    """The key of a measure in both runs: a measure of bots may be in one of them alone."""
    return groups[0].table, groups[0].measure, groups[0].is_share


def by_group(side: Side, which: Which) -> list[list[Numbers]]:
    """For each measure its numbers in every group."""
    return [list(groups) for groups in zip(*(which(cell) for cell in side.groups), strict=True)]


def _compared(one: Sequence[Numbers], other: Sequence[Numbers]) -> pd.DataFrame:
    """One measure in both runs."""
    first = one[0]
    there = {thing: place for place, thing in enumerate(other[0].things)}
    things = [thing for thing in first.things if thing in there]
    places = [first.things.index(thing) for thing in things], [there[thing] for thing in things]
    sums = [
        np.array([[part.sums.numerator[place], part.sums.denominator[place]] for part in parts]).swapaxes(0, 1)
        for parts, place in zip((one, other), places, strict=True)
    ]  # of each run: [numerator and denominator, groups, things]
    values = [_ratio(*run.sum(axis=1)) for run in sums]
    left_out = [_ratio(*(run.sum(axis=1, keepdims=True) - run)) for run in sums]
    difference, groups = values[1] - values[0], len(one)
    error = (
        np.sqrt((groups - 1) * (left_out[1] - left_out[0]).var(axis=0)) if groups > 1 else np.full(len(things), np.nan)
    )
    thin = np.any([(run[1].sum(axis=0) < LEAST) | ((run[1] > 0).sum(axis=0) < LEAST) for run in sums], axis=0)
    width = float(stdtrit(max(groups - 1, 1), 0.975)) * error
    most = 1.0 if first.is_share else np.inf  # no share changes by more
    return pd.DataFrame({
        "table": first.table, "measure": first.measure, "thing": things, "is_share": first.is_share, "one": values[0],
        "other": values[1], "difference": difference, "low": np.maximum(difference - width, -most),
        "high": np.minimum(difference + width, most),
        "p": np.where(thin, np.nan, _chance(difference, error, groups - 1)),
    })  # fmt: skip


def _chance(difference: np.ndarray, error: np.ndarray, degrees: int) -> np.ndarray:
    """How probable so much would be by chance (Student's t); not at all if all groups differ by the same."""
    p = p_beyond(difference, error, 0.0, np.array(degrees))
    return np.where((error == 0) & (difference != 0), 0.0, p)


def _ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(denominator > 0, numerator / denominator, np.nan))
