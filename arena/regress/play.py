"""Plays both sides block by block, in order, until somebody has seen enough."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from arena.plan import Plan
from arena.play import deal_words
from arena.regress.match import Cell
from arena.runs.worker import keep_table, load_table
from arena.table import Table

ROUND_SECONDS = 0.5
"""Aim for rounds of this length: the test looks at what there is after each."""
GROWTH = 4


class Round(NamedTuple):
    """The next blocks of every cell."""

    differences: np.ndarray
    """The candidate's win share less the baseline's, float64 [blocks]; the cells take turns."""
    shares: np.ndarray
    """The candidate's win share, float64 [blocks]."""
    games: int
    faults: tuple[int, int]
    """Games in which the candidate, or the baseline, had a fault."""


def play_rounds(cells: Sequence[Cell], most: int, executor: Executor, jobs: int) -> Iterator[Round]:
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


def _play(cells: Sequence[Cell], first: int, last: int, executor: Executor, jobs: int) -> Round:
    """The blocks first to last - 1 of each cell."""
    cuts = np.unique(np.linspace(first, last, jobs + 1).astype(int)).tolist()

    def submit(plan: Plan) -> list[Future[tuple[np.ndarray, int]]]:
        return [executor.submit(play_shares, plan, a, b) for a, b in pairwise(cuts)]

    tasks = [(cell, submit(cell.candidate.plan), submit(cell.baseline.plan) if cell.baseline else []) for cell in cells]
    shares, differences = np.empty((2, last - first, len(cells)))
    games, faults = 0, [0, 0]
    for column, (cell, own, other) in enumerate(tasks):
        shares[:, column], faulty = _joined(own)
        faults[0] += faulty
        baseline: Any = 1 / cell.candidate.plan.players
        if other:
            baseline, faulty = _joined(other)
            faults[1] += faulty
        elif cell.known:
            baseline = np.array(cell.known[first:last])
        differences[:, column] = shares[:, column] - baseline
        games += (last - first) * cell.candidate.plan.block_games * (2 if other else 1)
    return Round(differences.ravel(), shares.ravel(), games, (faults[0], faults[1]))


def _joined(futures: Sequence[Future[tuple[np.ndarray, int]]]) -> tuple[np.ndarray, int]:
    results = [future.result() for future in futures]
    return np.concatenate([shares for shares, _ in results]), sum(faults for _, faults in results)


def play_shares(plan: Plan, first: int, last: int) -> tuple[np.ndarray, int]:
    """The first bot's mean win share in each of the blocks first to last - 1, float64, and its games with a fault."""
    size = plan.block_games
    deals, seatings = plan.seatings(first * size, last * size)
    distinct, index = np.unique(deals, return_inverse=True)
    outcomes, _ = load_table(plan).play(seatings, deal_words(plan.seed, distinct.tolist())[index])
    games, seats = np.nonzero(seatings == 0)
    winners = outcomes["rank"][:, : plan.players] == 1
    own = winners[games, seats] / winners.sum(axis=1)
    faults = int((outcomes["fault"][games, seats] != 0).sum())
    return own.reshape(-1, size).mean(axis=1), faults


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
