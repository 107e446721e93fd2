"""Plays both sides block by block, in order, until somebody has seen enough."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from arena.plan import Plan
from arena.play import deal_words
from arena.regression.match import Cell
from arena.runs.worker import keep_table, load_table
from arena.table import Table

ROUND_SECONDS = 0.5
"""Aim for rounds of this length: the test looks at what there is after each."""
GROWTH = 4


class Played(NamedTuple):
    """Blocks in their order; the cells take turns."""

    shares: np.ndarray
    """The candidate's win share, float64 [blocks]."""
    differences: np.ndarray
    """The same less the baseline's, float64 [blocks]."""
    games: np.ndarray
    """Games that were played for it, int64 [blocks]."""
    faults: np.ndarray
    """Games with a fault of the candidate, of the baseline, int64 [blocks, 2]."""

    @classmethod
    def joined(cls, parts: "Sequence[Played]") -> "Played":
        """Several in a row."""
        return cls(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


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
    """The blocks first to last - 1 of each cell."""
    cuts = np.unique(np.linspace(first, last, jobs + 1).astype(int)).tolist()

    def submit(plan: Plan) -> list[Future[np.ndarray]]:
        return [executor.submit(play_shares, plan, a, b) for a, b in pairwise(cuts)]

    tasks = [(submit(cell.candidate.plan), submit(cell.baseline.plan) if cell.baseline else []) for cell in cells]
    by_cell = [_beside(cell, first, last, *map(_results, pair)) for cell, pair in zip(cells, tasks, strict=True)]
    turns = [np.stack(arrays, axis=1) for arrays in zip(*by_cell, strict=True)]  # [blocks, cells, ...]
    return Played(*(array.reshape(-1, *array.shape[2:]) for array in turns))


def _results(futures: Sequence[Future[np.ndarray]]) -> np.ndarray:
    return np.concatenate([future.result() for future in futures]) if futures else np.empty((0, 2))


def _beside(cell: Cell, first: int, last: int, candidate: np.ndarray, baseline: np.ndarray) -> Played:
    """What both did in some blocks of a cell, as `play_shares` returns it; nothing of a baseline that need not play."""
    blocks, players = last - first, cell.candidate.plan.players
    if not len(baseline):
        known = np.array(cell.known[first:last]) if cell.known else np.full(blocks, 1 / players)
        baseline = np.stack([known, np.zeros(blocks)], axis=1)
    games = cell.candidate.plan.block_games * (2 if cell.baseline else 1)
    faults = np.stack([candidate[:, 1], baseline[:, 1]], axis=1).astype(np.int64)
    return Played(candidate[:, 0], candidate[:, 0] - baseline[:, 0], np.full(blocks, games), faults)


def play_shares(plan: Plan, first: int, last: int) -> np.ndarray:
    """Of the blocks first to last - 1 the first bot's mean win share and games with a fault, float64 [blocks, 2]."""
    size = plan.block_games
    deals, seatings = plan.seatings(first * size, last * size)
    distinct, index = np.unique(deals, return_inverse=True)
    outcomes, _ = load_table(plan).play(seatings, deal_words(plan.seed, distinct.tolist())[index])
    games, seats = np.nonzero(seatings == 0)
    winners = outcomes["rank"][:, : plan.players] == 1
    own = winners[games, seats] / winners.sum(axis=1)
    faults = outcomes["fault"][games, seats] != 0
    return np.stack([own.reshape(-1, size).mean(axis=1), faults.reshape(-1, size).sum(axis=1)], axis=1)


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
