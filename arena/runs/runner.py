"""Plays a plan: hands ranges of games to workers, collects their results, and deals with dead workers.

The one seam is `submit(play_range, plan, first, last) -> Future` of `concurrent.futures`: any executor can stand there.
"""

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from arena.engine.limits import Limits, in_units
from arena.engine.loop import FAULT_DIED, FAULT_MEMORY, FAULT_MOVE_TIME, FAULTS
from arena.errors import StoppedAtFault
from arena.runs.collector import Collector, earlier_chunks
from arena.runs.interrupts import counted_interrupts
from arena.runs.pool import LocalPool, WorkerProcess, open_pool, stop_now
from arena.runs.suspension import WarmUp
from arena.runs.tasks import Death, Task, Tasks
from arena.runs.worker import Chunk, play_range
from arena.store import run_directory
from arena.store.ranges import Range, size
from arena.tournament.plan import Plan

LOOK_SECONDS = 0.5
"""Seconds between two looks whether a worker hangs."""
GRACE_SECONDS = 1.0
"""Seconds from the end of a bot's time until its worker is killed: most come back, judged by their own clock."""


def play_plan(
    plan: Plan,
    run: Path,
    jobs: int,
    progress: Callable[[Chunk], None],
    say: Callable[[str], None] = lambda text: None,
    games: Range | None = None,
) -> int:
    """Play what is missing of a plan, or of a range of its games, into its run directory; the number of games played.

    games: first game and last game + 1, by default all. `progress` is called with each chunk, `say` with what an
    interrupt leads to. Fewer games than were missing: the user interrupted the run.
    ArenaError when the disk is full, or with `--on-fault abort` at the first fault; what was played before is kept.
    """
    begun, session = time.perf_counter(), run_directory.Session.now()
    games = games or (0, plan.games)
    collector = Collector(run, plan, games)

    def collect(chunk: Chunk) -> None:
        if games[0] <= chunk.first < games[1]:  # else it was played only to know who is suspended
            collector.add(chunk)
            progress(chunk)
            _abort_at_fault(plan, chunk)

    def told(count: int) -> None:
        if count == 2:
            stop_now()

    with counted_interrupts(("SIGINT", "SIGTERM", "SIGHUP"), told) as interrupts:
        try:
            warm_up = WarmUp(plan)
            for chunk in earlier_chunks(run, plan, (0, warm_up.last * plan.block_games)):
                warm_up.add(chunk.first, chunk.outcomes["fault"])
            missing = collector.missing()
            elsewhere = [block for block in warm_up.missing() if not games[0] <= block[0] < games[1]] if missing else []
            tasks = Tasks(plan, [*elsewhere, *missing], warm_up, jobs)
            with open_pool(plan, run, jobs) as pool:
                _feed(pool, tasks, jobs, interrupts, say, collect, collector.tick)
            for name in warm_up.all_suspended():
                number = warm_up.length * plan.block_games
                say(f"{name} failed in all of its first {number} games: a random player took its seat in the others.")
        finally:
            try:
                collector.finish()
            finally:
                seconds, recorded = round(time.perf_counter() - begun, 3), size(collector.ranges())
                session = session._replace(seconds=seconds, jobs=jobs, games=collector.played, recorded=recorded)
                run_directory.add_session(run, session)
    return collector.played


def _abort_at_fault(plan: Plan, chunk: Chunk) -> None:
    """Raise StoppedAtFault at the first fault, if the user wants that."""
    if plan.limits.on_fault == "abort" and chunk.faults:
        game = min(chunk.faults)
        fault = chunk.faults[game][0]
        bot = plan.names[plan[game].seating[fault.seat]]
        raise StoppedAtFault(f"stopped at the first fault, as told: game {game}, {bot}: {fault.kind}: {fault.reason}")


def _feed(
    pool: LocalPool,
    tasks: Tasks,
    jobs: int,
    interrupts: Callable[[], int],
    say: Callable[[str], None],
    collect: Callable[[Chunk], None],
    tick: Callable[[], None],
) -> None:
    """Keep the workers busy until all is played or the user interrupts; what dies or hangs is played again."""
    plan, limit = tasks.plan, tasks.plan.limits.move_time
    pending: dict[Future[Chunk], Task] = {}
    told = False
    while True:
        if interrupts() and not told:  # not from within the signal, which may have come during a write
            told = True
            say("\nFinishing the games in flight; Ctrl-C again stops now.")
        while not interrupts():
            if pool.has_quarantine and (task := tasks.next_alone()):
                submit = pool.submit_alone
            elif len(pending) < 2 * jobs and (task := tasks.next()):
                submit = pool.submit
            else:
                break
            forced = {task.first: task.forced} if task.forced else {}
            pending[submit(play_range, plan, task.first, task.last, forced, task.suspended)] = task
        if not pending:
            break
        done, _ = wait(pending, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED)
        tick()
        pool.watch(limit + GRACE_SECONDS if limit else 0)
        for future in sorted(done, key=lambda future: pending[future].first):
            task, worker = pending.pop(future), pool.worker_of(future)
            try:
                chunk = future.result()
            except BrokenProcessPool:
                if not interrupts():
                    tasks.died(task, _death(worker, plan.limits))
                continue
            if whole := tasks.done(task, chunk):
                tasks.warm_up.add(whole.first, whole.outcomes["fault"])
                collect(whole)


def _death(worker: WorkerProcess, limits: Limits) -> Death:
    """What a dead worker was doing, and how it ended."""
    _, game, seat, decision = worker.where.tolist()
    kind, reason = FAULT_DIED, f"the process in which it decided is gone: {worker.ending()}"
    if worker.overdue:
        kind, reason = FAULT_MOVE_TIME, f"a decision took longer than {limits.move_time:g} s"
    elif worker.lacked_memory:
        most = f"more than {in_units(limits.memory)} of memory" if limits.memory else "more memory than there is"
        kind, reason = FAULT_MEMORY, f"asked for {most}"
    return Death(game, seat, decision, FAULTS[kind], reason, worker.last_words())
