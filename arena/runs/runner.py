"""Plays a plan: cuts it into chunks, hands them to workers, collects and writes the results in order.

The one seam is `submit(play_range, plan, first, last) -> Future` of `concurrent.futures`: any executor can stand there.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from arena import records
from arena.errors import ArenaError
from arena.plan import Plan
from arena.play import FAULT_DIED, FAULT_MOVE_TIME, FAULTS
from arena.runs.interrupts import Interrupts
from arena.runs.pool import Life, LocalPool, open_pool
from arena.runs.tasks import Death, Task, Tasks
from arena.runs.trial import Trial
from arena.runs.worker import Chunk, play_range

LOOK_SECONDS = 0.5
"""How often somebody looks whether a worker hangs."""
GRACE_SECONDS = 1.0
"""A worker is killed so long after its bot's time is up: most come back, and are judged by their own clock."""


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
    ArenaError when the disk is full, or with `--on-fault abort` at the first fault; what was played before is kept.
    """
    begun, started = time.perf_counter(), datetime.now(UTC)
    collector = Collector(run, plan)

    def collect(chunk: Chunk) -> None:
        collector.add(chunk)
        progress(chunk)
        _abort_at_fault(plan, chunk)

    with Interrupts(say).caught() as interrupts:
        try:
            trial = Trial(plan)
            tasks = Tasks(plan, [(0, plan.games)], trial)
            with open_pool(plan, run, jobs) as pool:
                _feed(pool, tasks, jobs, interrupts, collect)
            _tell_probation(trial, say)
        finally:
            try:
                collector.finish()
            finally:
                _write_times(run, jobs, collector.played, started, time.perf_counter() - begun)
    return collector.played


def _abort_at_fault(plan: Plan, chunk: Chunk) -> None:
    """ArenaError at the first fault, if that is what the user wants."""
    if plan.limits.on_fault == "abort" and chunk.faults:
        game = min(chunk.faults)
        fault = chunk.faults[game][0]
        bot = plan.names[plan[game].seating[fault.seat]]
        raise ArenaError(f"stopped at the first fault, as told: game {game}, {bot}: {fault.kind}: {fault.reason}")


def _tell_probation(trial: Trial, say: Callable[[str], None]) -> None:
    for bot, name in enumerate(trial.plan.names):
        if trial.verdict(bot):
            games = trial.length * trial.size
            say(f"{name} failed in all of its first {games} games: a random player took its seat in the others.")


def _write_times(run: Path, jobs: int, games: int, started: datetime, seconds: float) -> None:
    times = {"started": started.isoformat(timespec="seconds"), "seconds": round(seconds, 3), "jobs": jobs}
    records.write_times(run, {**times, "games": games, "games_per_second": round(games / seconds, 1)})


def _feed(pool: LocalPool, tasks: Tasks, jobs: int, interrupts: Interrupts, collect: Callable[[Chunk], None]) -> None:
    """Keep the workers busy until all is played or the user interrupts; what dies or hangs is played again."""
    plan, limit = tasks.plan, tasks.plan.limits.move_time
    pending: dict[Future[Chunk], Task] = {}
    while True:
        interrupts.tell()
        while not interrupts.count and len(pending) < 2 * jobs and (task := tasks.next()):
            forced = {task.first: task.forced} if task.forced else {}
            pending[pool.submit(play_range, plan, task.first, task.last, forced, task.benched)] = task
        if not pending:
            break
        done, _ = wait(pending, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED)
        if limit:
            pool.watch(limit + GRACE_SECONDS)
        for future in sorted(done, key=lambda future: pending[future].first):
            task, life = pending.pop(future), pool.life_of(future)
            try:
                chunk = future.result()
            except BrokenProcessPool:
                if not interrupts.count:
                    tasks.died(task, _death(life, limit))
                continue
            if whole := tasks.done(task, chunk):
                tasks.trial.add(whole.first, whole.outcomes["fault"])
                collect(whole)


def _death(life: Life, limit: float) -> Death:
    """What a dead worker was at."""
    _, game, seat, decision = life.where.tolist()
    kind, reason = FAULT_DIED, f"the process in which it decided is gone: {life.ending()}"
    if life.overdue:
        kind, reason = FAULT_MOVE_TIME, f"a decision took longer than {limit:g} s"
    return Death(game, seat, decision, FAULTS[kind], reason, life.last_words())
