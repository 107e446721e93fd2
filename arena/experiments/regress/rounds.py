"""Plays both sides block by block, in order, until the test is sure."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np

from arena.engine.table import Table
from arena.experiments.regress.match import Cell
from arena.rules.deal import make_deals
from arena.runs.worker import keep_table, load_table
from arena.stats.win_shares import win_shares
from arena.tournament.plan import Plan

ROUND_SECONDS = 0.5
"""Aim for rounds of this length: the test looks at what there is after each."""
GROWTH = 4


class Shares(NamedTuple):
    """What one arm did in some blocks."""

    values: np.ndarray
    """The first bot's mean win share and its games with a fault, float64 [blocks, 2]."""
    fault: tuple[int, str] | None = None
    """Block and words of its first fault."""

    @classmethod
    def joined(cls, parts: "Sequence[Shares]") -> "Shares":
        """Several in a row."""
        return cls(np.concatenate([part.values for part in parts]), next((p.fault for p in parts if p.fault), None))


class Reason(NamedTuple):
    """A fault in words."""

    arm: int
    """0 the candidate's, 1 the baseline's."""
    block: int
    text: str


class Played(NamedTuple):
    """Blocks in their order: a block is a deal in every cell."""

    shares: np.ndarray
    """The candidate's win share, float64 [blocks, cells]."""
    differences: np.ndarray
    """The same less the baseline's, float64 [blocks, cells]."""
    games: np.ndarray
    """Games that were played for it, int64 [blocks]."""
    faults: np.ndarray
    """Games with a fault of the candidate, of the baseline, int64 [blocks, 2]."""
    reasons: tuple[Reason, ...] = ()
    """The first fault of each arm is among them."""

    @classmethod
    def joined(cls, parts: "Sequence[Played]") -> "Played":
        """Several in a row."""
        shares, differences, games, faults = (
            np.concatenate(arrays) for arrays in zip(*(part[:4] for part in parts), strict=True)
        )
        return cls(shares, differences, games, faults, tuple(chain(*(part.reasons for part in parts))))

    def first(self, blocks: int) -> "Played":
        """Only so many blocks: how many more have been played depends on the machine."""
        reasons = tuple(reason for reason in self.reasons if reason.block < blocks)
        return Played(
            self.shares[:blocks], self.differences[:blocks], self.games[:blocks], self.faults[:blocks], reasons
        )

    @property
    def values(self) -> np.ndarray:
        """What the test is of, float64 [blocks]: means of cells, as these share a deal's luck."""
        values: np.ndarray = self.differences.mean(axis=1)
        return values

    @property
    def is_even(self) -> bool:
        """Whether both did as well on each deal in each cell."""
        return bool(np.allclose(self.differences, 0, atol=1e-9))


def play_rounds(cells: Sequence[Cell], most: int, executor: Executor, jobs: int) -> Iterator[Played]:
    """Up to `most` blocks of each cell, in rounds of a length that suits the speed."""
    for cell in cells:  # for an executor that plays here, and for workers that are forked; others load them by name
        for arm in (cell.candidate, cell.baseline):
            if arm:
                keep_table(arm.plan, Table(cell.spec, arm.plan.players, arm.entrants))
    first, size = 0, max(1, jobs)
    while first < most:
        last = min(first + size, most)
        begun = time.perf_counter()
        yield _play(cells, first, last, executor, jobs)
        seconds = max(1e-3, time.perf_counter() - begun)
        size = max(1, int(min(GROWTH, ROUND_SECONDS / seconds) * (last - first)))
        first = last


def _play(cells: Sequence[Cell], first: int, last: int, executor: Executor, jobs: int) -> Played:
    """The blocks first to last - 1, each in all cells."""
    cuts = np.unique(np.linspace(first, last, jobs + 1).astype(int)).tolist()

    def submit(plan: Plan) -> list[Future[Shares]]:
        return [executor.submit(play_shares, plan, a, b) for a, b in pairwise(cuts)]

    tasks = [(submit(cell.candidate.plan), submit(cell.baseline.plan) if cell.baseline else []) for cell in cells]
    candidates = [_results(own) for own, _ in tasks]
    baselines = [
        _results(other) if other else _known(cell, first, last) for cell, (_, other) in zip(cells, tasks, strict=True)
    ]
    pairs = np.array([[part.values for part in arm] for arm in (candidates, baselines)])  # [arms, cells, blocks, 2]
    faults = pairs[..., 1].sum(axis=1).T.astype(np.int64)
    games = np.full(last - first, sum(cell.block_games for cell in cells))
    shares = pairs[..., 0].transpose(0, 2, 1)
    reasons = [Reason(n, *part.fault) for n, arm in enumerate((candidates, baselines)) for part in arm if part.fault]
    return Played(shares[0], shares[0] - shares[1], games, faults, tuple(reasons))


def _results(futures: Sequence[Future[Shares]]) -> Shares:
    return Shares.joined([future.result() for future in futures])


def _known(cell: Cell, first: int, last: int) -> Shares:
    """What a baseline that need not play does."""
    plan = cell.candidate.plan
    shares = np.array(cell.known[first:last]) if cell.known else np.full(last - first, 1 / plan.players)
    return Shares(np.stack([shares, np.zeros(last - first)], axis=1))


def play_shares(plan: Plan, first: int, last: int) -> Shares:
    """How the first bot of a plan does in the blocks first to last - 1."""
    size = plan.block_games
    deals, seatings = plan.seatings(first * size, last * size)
    distinct, index = np.unique(deals, return_inverse=True)
    outcomes, found = load_table(plan).play(seatings, make_deals(plan.seed, distinct.tolist())[index])
    games, seats = np.nonzero(seatings == 0)
    own = win_shares(outcomes["rank"][:, : plan.players])[games, seats]
    faults = outcomes["fault"][games, seats] != 0
    values = np.stack([own.reshape(-1, size).mean(axis=1), faults.reshape(-1, size).sum(axis=1)], axis=1)
    words = [
        (first + game // size, " ".join(f"{fault.kind}: {fault.reason}".split()))
        for game in sorted(found)
        for fault in found[game]
        if fault.seat == seats[game]
    ]
    return Shares(values, words[0] if words else None)


class InlineExecutor(Executor):
    """Plays at once, in this process: for tests, and for bots that no other process can load."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """A future that is done."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future
