"""Plays a plan: cuts it into chunks, hands them to workers, collects and writes the results in order.

The one seam is `submit(function, first, last) -> Future` of `concurrent.futures`: any executor can stand there.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from arena import records
from arena.errors import ArenaError
from arena.plan import Plan
from arena.run.pool import open_pool, stop_now
from arena.run.worker import Chunk, play_range
from arena.table import Fault

CHUNK_SECONDS = 0.25
"""Aim for chunks of this length: long enough to cost nothing, short enough to stop soon."""


@dataclass
class Interrupts:
    """How often the user has asked to stop: once drains the games in flight, twice stops at once."""

    count: int = 0

    @contextmanager
    def caught(self) -> Iterator["Interrupts"]:
        """Count SIGINT instead of raising KeyboardInterrupt in the middle of a write."""
        if threading.current_thread() is not threading.main_thread():
            yield self
            return

        def on_interrupt(signum: int, frame: object) -> None:
            self.count += 1
            if self.count == 2:
                stop_now()

        before = signal.signal(signal.SIGINT, on_interrupt)
        try:
            yield self
        finally:
            signal.signal(signal.SIGINT, before)


@dataclass
class Collector:
    """Takes chunks in any order and writes whole shards in the order of the plan."""

    run: Path
    plan: Plan
    waiting: dict[int, Chunk] = field(default_factory=dict)
    faults: dict[int, list[Fault]] = field(default_factory=dict)
    played: int = 0
    _shards: Iterator[tuple[int, int]] = field(init=False)
    _bounds: tuple[int, int] | None = field(init=False)

    def __post_init__(self) -> None:
        self._shards = records.shards(self.plan)
        self._bounds = next(self._shards, None)

    def add(self, chunk: Chunk) -> None:
        """Take a chunk and write every shard that is complete now."""
        self.waiting[chunk.first] = chunk
        self.faults.update(chunk.faults)
        while (
            self._bounds
            and sum(len(c.outcomes) for c in self._chunks(*self._bounds)) == self._bounds[1] - self._bounds[0]
        ):
            self._write(*self._bounds)
            self._bounds = next(self._shards, None)

    def finish(self) -> None:
        """Write what is left, complete or not, and the faults."""
        for first, last in [self._bounds, *self._shards] if self._bounds else []:
            if self._chunks(first, last):
                self._write(first, last)
        records.write_faults(self.run, self.plan, self.faults)

    def _chunks(self, first: int, last: int) -> list[Chunk]:
        return [self.waiting[start] for start in sorted(self.waiting) if first <= start < last]

    def _write(self, first: int, last: int) -> None:
        """Write the games of a shard that are there, as one file for each gapless stretch."""
        stretch: list[Chunk] = []
        for chunk in [*self._chunks(first, last), None]:
            if stretch and (chunk is None or chunk.first != stretch[-1].first + len(stretch[-1].outcomes)):
                outcomes = np.concatenate([part.outcomes for part in stretch])
                records.write_shard(self.run, self.plan, stretch[0].first, outcomes)
                self.played += len(outcomes)
                for part in stretch:
                    del self.waiting[part.first]
                stretch = []
            if chunk is not None:
                stretch.append(chunk)


def play_plan(plan: Plan, run: Path, jobs: int, progress: Callable[[int, int], None]) -> int:
    """Play a plan into its run directory with `jobs` processes; the number of games played.

    `progress(games, faults)` is called after each chunk. Fewer games than planned: the user interrupted the run.
    ArenaError when a worker dies or the disk is full; what was played before is kept.
    """
    begun, started = time.perf_counter(), datetime.now(UTC)
    collector = Collector(run, plan)
    with Interrupts().caught() as interrupts:
        try:
            with open_pool(plan, run, jobs) as executor:
                _feed(executor, plan, jobs, interrupts, collector, progress)
        finally:
            collector.finish()
            seconds = time.perf_counter() - begun
            records.write_times(run, {
                "started": started.isoformat(timespec="seconds"), "seconds": round(seconds, 3), "jobs": jobs,
                "games": collector.played, "games_per_second": round(collector.played / seconds, 1),
            })  # fmt: skip
    return collector.played


def _feed(executor: Executor, plan: Plan, jobs: int, interrupts: Interrupts, collector: Collector,
          progress: Callable[[int, int], None]) -> None:  # fmt: skip
    """Keep the workers busy until the plan is played or the user interrupts."""
    bounds = records.shards(plan)
    first, shard_end = next(bounds)
    size = plan.players
    pending: dict[Future[Chunk], tuple[int, int]] = {}
    while True:
        while not interrupts.count and first < plan.games and len(pending) < 2 * jobs:
            last = min(first + size, shard_end)
            pending[executor.submit(play_range, first, last)] = (first, last)
            first = last
            if first == shard_end and first < plan.games:
                _, shard_end = next(bounds)
        if not pending:
            return
        done, _ = wait(pending, timeout=0.5, return_when=FIRST_COMPLETED)
        for future in done:
            games = pending.pop(future)
            try:
                chunk = future.result()
            except BrokenProcessPool:
                if interrupts.count:
                    return
                raise ArenaError(
                    f"a worker process died while games {games[0]} to {games[1] - 1} or others of that moment "
                    f"were played; what was finished before is kept in {collector.run}"
                ) from None
            collector.add(chunk)
            progress(len(chunk.outcomes), sum(map(len, chunk.faults.values())))
            size = _next_size(plan, chunk)


def _next_size(plan: Plan, chunk: Chunk) -> int:
    """Games of the next chunk, in whole blocks, from the speed of the last one; at most four times as many."""
    games = len(chunk.outcomes)
    wanted = min(games * CHUNK_SECONDS / max(chunk.seconds, 1e-6), 4 * games)
    return max(1, int(wanted / plan.players)) * plan.players
