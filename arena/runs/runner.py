"""Plays a plan: cuts it into chunks, hands them to workers, collects and writes the results in order.

The one seam is `submit(play_range, plan, first, last) -> Future` of `concurrent.futures`: any executor can stand there.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from arena import records
from arena.errors import ArenaError
from arena.plan import Plan
from arena.runs.interrupts import Interrupts
from arena.runs.pool import open_pool
from arena.runs.worker import Chunk, play_range

CHUNK_SECONDS = 0.25
"""Aim for chunks of this length: long enough to cost nothing, short enough to stop soon."""


@dataclass
class Collector:
    """Takes chunks in any order and writes whole shards in the order of the plan."""

    run: Path
    plan: Plan
    waiting: dict[int, Chunk] = field(default_factory=dict)
    played: int = 0
    _shards: Iterator[tuple[int, int]] = field(init=False)
    _bounds: tuple[int, int] | None = field(init=False)

    def __post_init__(self) -> None:
        self._shards = records.shards(self.plan)
        self._bounds = next(self._shards, None)

    def add(self, chunk: Chunk) -> None:
        """Take a chunk and write every shard that is complete now."""
        self.waiting[chunk.first] = chunk
        while (
            self._bounds
            and sum(len(c.outcomes) for c in self._chunks(*self._bounds)) == self._bounds[1] - self._bounds[0]
        ):
            self._write(*self._bounds)
            self._bounds = next(self._shards, None)

    def finish(self) -> None:
        """Write what is left, complete or not."""
        size = records.shard_size(self.plan)
        for first in sorted({start - start % size for start in self.waiting}):
            self._write(first, first + size)

    def _chunks(self, first: int, last: int) -> list[Chunk]:
        return [self.waiting[start] for start in sorted(self.waiting) if first <= start < last]

    def _write(self, first: int, last: int) -> None:
        """Write the games of a shard that are there, as one file for each gapless stretch."""
        stretch: list[Chunk] = []
        for chunk in [*self._chunks(first, last), None]:
            if stretch and (chunk is None or chunk.first != stretch[-1].first + len(stretch[-1].outcomes)):
                outcomes = np.concatenate([part.outcomes for part in stretch])
                records.write_shard(self.run, self.plan, stretch[0].first, outcomes)
                faults = {game: found for part in stretch for game, found in part.faults.items()}
                records.append_faults(self.run, self.plan, faults)
                self.played += len(outcomes)
                for part in stretch:
                    del self.waiting[part.first]
                stretch = []
            if chunk is not None:
                stretch.append(chunk)


def play_plan(
    plan: Plan, run: Path, jobs: int, progress: Callable[[Chunk], None], say: Callable[[str], None] = lambda text: None
) -> int:
    """Play a plan into its run directory with `jobs` processes; the number of games played.

    `progress` is called with each chunk, `say` with what an interrupt leads to. Fewer games than planned: the user
    interrupted the run.
    ArenaError when a worker dies or the disk is full; what was played before is kept.
    """
    begun, started = time.perf_counter(), datetime.now(UTC)
    collector = Collector(run, plan)
    with Interrupts(say).caught() as interrupts:
        try:
            with open_pool(plan, run, jobs) as executor:
                _feed(executor, plan, jobs, interrupts, collector, progress)
        finally:
            try:
                collector.finish()
            finally:
                _write_times(run, jobs, collector.played, started, time.perf_counter() - begun)
    return collector.played


def _write_times(run: Path, jobs: int, games: int, started: datetime, seconds: float) -> None:
    times = {"started": started.isoformat(timespec="seconds"), "seconds": round(seconds, 3), "jobs": jobs}
    records.write_times(run, {**times, "games": games, "games_per_second": round(games / seconds, 1)})


def _feed(
    executor: Executor,
    plan: Plan,
    jobs: int,
    interrupts: Interrupts,
    collector: Collector,
    progress: Callable[[Chunk], None],
) -> None:
    """Keep the workers busy until the plan is played or the user interrupts."""
    chunks = _Cutter(plan)
    pending: dict[Future[Chunk], tuple[int, int]] = {}
    broken: list[tuple[int, int]] = []
    while True:
        interrupts.tell()
        while not interrupts.count and not broken and len(pending) < 2 * jobs and (games := chunks.next()):
            try:
                pending[executor.submit(play_range, plan, *games)] = games
            except BrokenProcessPool:
                broken.append(games)
        if not pending:
            break
        done, _ = wait(pending, timeout=0.5, return_when=FIRST_COMPLETED)
        for future in sorted(done, key=pending.__getitem__):
            games = pending.pop(future)
            try:
                chunk = future.result()
            except BrokenProcessPool:
                broken.append(games)
                continue
            collector.add(chunk)
            progress(chunk)
            chunks.learn(chunk)
    if broken and not interrupts.count:
        died = min(broken)
        raise ArenaError(
            f"a worker process died while games {died[0]} to {died[1] - 1} or others of that moment were played, "
            f"by {_players(plan, broken)}; what was finished before is kept in {collector.run}"
        )


def _players(plan: Plan, ranges: list[tuple[int, int]]) -> str:
    """The bots of some ranges of games, by name."""
    seated = {int(index) for first, last in ranges for index in plan.seatings(first, last)[1].flat}
    return ", ".join(plan.names[index] for index in sorted(seated))


class _Cutter:
    """Cuts a plan into chunks of about CHUNK_SECONDS, in whole blocks, that never cross the end of a shard."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.shards = records.shards(plan)
        self.first = self.end = 0
        self.size = plan.block_games

    def next(self) -> tuple[int, int] | None:
        """First game and last game + 1 of the next chunk; None when there is none."""
        if self.first == self.end:
            self.first, self.end = next(self.shards, (0, 0))
            if not self.end:
                return None
        first, self.first = self.first, min(self.first + self.size, self.end)
        return first, self.first

    def learn(self, chunk: Chunk) -> None:
        """Set the size of the next chunks by the speed of one that is done; at most four times its games."""
        games = len(chunk.outcomes)
        wanted = min(games * CHUNK_SECONDS / max(chunk.seconds, 1e-6), 4 * games)
        self.size = max(1, int(wanted / self.plan.block_games)) * self.plan.block_games
