"""The pool of worker processes: starts them, notices when one dies or hangs, and keeps their log."""

import contextlib
import ctypes
import logging
import multiprocessing
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from weakref import WeakSet

import numpy as np

from arena.engine.loop import GAME, PID, SEAT
from arena.errors import ArenaError
from arena.runs.bot_output import LOGGED, LogFile, cut_off, end_of, last_words
from arena.runs.processes import forking, start_method
from arena.runs.worker import OUT_OF_MEMORY, begin
from arena.texts import ending
from arena.tournament.plan import Plan

OUTPUTS = ".workers"
"""The folder in a run directory where workers put what is printed past Python; it is there while they are."""
END_SECONDS = 5.0
"""How long workers may take to end."""
_ours: "WeakSet[BaseProcess]" = WeakSet()


@contextmanager
def open_log(path: Path) -> Iterator[None]:
    """The log of a run, to which this process adds what it has to say; its workers open it themselves."""
    logger = logging.getLogger("arena")
    level, propagate, handler = logger.level, logger.propagate, LogFile(path)
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    logger.propagate = False  # the log is a file; nothing of it belongs on the terminal
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagate
        handler.close()


class WorkerProcess:
    """One process, behind an executor of its own: if it dies, only its own work is lost."""

    def __init__(self, where: np.ndarray, output: Path, executor: ProcessPoolExecutor) -> None:
        where[GAME] = -1
        self.where = where
        """What it says, or said last, about itself (`loop.PID`, ...), int64 [4]."""
        self.pending: set[Future[Any]] = set()
        self.overdue = False
        """Whether it was killed because a decision took too long."""
        self._output, self._executor = output, executor
        self._process: BaseProcess | None = None
        self._stderr: str | None = None
        self._seen: tuple[int, ...] = ()
        self._since = 0.0

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Give it something to do; BrokenProcessPool if it has died."""
        others = set(multiprocessing.active_children())
        try:
            with forking():
                future = self._executor.submit(function, *arguments)
        except OSError as error:
            raise ArenaError(f"cannot start a worker process: {error.strerror or error}") from None
        if started := set(multiprocessing.active_children()) - others:
            self._process = started.pop()
            _ours.add(self._process)
        self.pending.add(future)
        future.add_done_callback(self.pending.discard)
        return future

    def watch(self, limit: float) -> None:
        """Kill it if one decision takes longer than `limit` seconds (0: no limit), and shorten what was printed."""
        seen = tuple(self.where.tolist())
        cut_off(self._output)
        if seen != self._seen:
            self._seen, self._since = seen, time.monotonic()
            return
        decides = self.pending and seen[GAME] >= 0 and seen[SEAT] >= 0
        if decides and not self.overdue and time.monotonic() - self._since > limit > 0:
            self.overdue = True
            with contextlib.suppress(ProcessLookupError):
                os.kill(seen[PID], getattr(signal, "SIGKILL", signal.SIGTERM))

    def end(self) -> None:
        """Give it no more work; another process takes its place: what it said last is all that will be known of it."""
        self.where, self._stderr = self.where.copy(), self.last_words()
        self._executor.shutdown(wait=False, cancel_futures=True)

    def stop(self, deadline: float) -> None:
        """Kill it unless it ends before a time."""
        if self._process:
            self._process.join(max(0.0, deadline - time.monotonic()))
            if self._process.is_alive():
                self._process.kill()

    def last_words(self) -> str:
        """The end of what was printed past Python."""
        if self._stderr is not None:
            return self._stderr
        return last_words(self._output, int(self.where[GAME]), int(self.where[SEAT]))

    def exit_code(self) -> int | None:
        """Its exit code, or minus the number of a signal; None if nobody knows."""
        for _ in range(100):  # the executor's thread looks after it
            if self._process is None or self._process.exitcode is not None:
                break
            time.sleep(0.01)
        return self._process.exitcode if self._process else None

    def ending(self) -> str:
        """How it ended, in words."""
        code = self.exit_code()
        if code is None:
            return "it is gone"
        text = f"it {'ended with' if code >= 0 else 'was'} {ending(code)}"
        return text + (": by the system, for its memory?" if code == -9 else "")

    @property
    def lacked_memory(self) -> bool:
        """Whether it ended for lack of memory."""
        return self.exit_code() == OUT_OF_MEMORY


class LocalPool(Executor):
    """Worker processes of this machine; each has a little more to do than it is doing.

    A game over which one has died is played in quarantine: by a new process that no other game has spoiled.
    """

    def __init__(self, jobs: int, start: Callable[[int], WorkerProcess]) -> None:
        """start: begins a process in one of 2 * jobs places; those from `jobs` on are for games in quarantine."""
        self.jobs = jobs
        self._start = start
        self._processes: dict[int, WorkerProcess] = {}
        # Kept to the end: collected earlier, an executor would wait here for its thread, which waits for its process.
        self._ended: list[WorkerProcess] = []
        self._worker_of: dict[Future[Any], WorkerProcess] = {}

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Give it to the least busy worker. The result is BrokenProcessPool if that one dies."""
        return self._submit(min(range(self.jobs), key=self._load), fn, *args)

    @property
    def has_quarantine(self) -> bool:
        """Whether a game can be played alone now."""
        return any(not self._load(place) for place in range(self.jobs, 2 * self.jobs))

    def submit_alone(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Give it to a new process; only if there is a place in quarantine."""
        place = next(place for place in range(self.jobs, 2 * self.jobs) if not self._load(place))
        self._end(place)
        return self._submit(place, fn, *args)

    def worker_of(self, future: Future[Any]) -> WorkerProcess:
        """The process that something was given to; ask only once about each."""
        return self._worker_of.pop(future)

    def watch(self, limit: float) -> None:
        """Kill every worker whose decision takes longer than `limit` seconds (0: no limit)."""
        for process in self._processes.values():
            process.watch(limit)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all workers, and kill those that a thread of a bot keeps alive."""
        for place in list(self._processes):
            self._end(place)
        deadline = time.monotonic() + (END_SECONDS if wait else 0)
        for worker in self._ended:
            worker.stop(deadline)

    def _load(self, place: int) -> int:
        return len(self._processes[place].pending) if place in self._processes else 0

    def _submit(self, place: int, fn: Callable[..., Any], *args: Any) -> Future[Any]:
        """Give it to the process in a place, or to a new one if that has died."""
        for _ in range(2):
            process = self._processes.get(place) or self._start(place)
            self._processes[place] = process
            try:
                future = process.submit(fn, *args)
            except BrokenProcessPool:
                self._end(place)
            else:
                self._worker_of[future] = process
                return future
        raise ArenaError("a worker process ends as soon as it is started")

    def _end(self, place: int) -> None:
        if process := self._processes.pop(place, None):
            process.end()
            self._ended.append(process)


@contextmanager
def open_pool(plan: Plan, run: Path, jobs: int) -> Iterator[LocalPool]:
    """`jobs` worker processes that load the plan's bots and log into `run.log`."""
    context: Any = multiprocessing.get_context(start_method())
    log, folder = run / "run.log", run / OUTPUTS
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(open_log(log))
            folder.mkdir(exist_ok=True)
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            shared = context.RawArray(ctypes.c_int64, 4 * 2 * jobs)
        except OSError as error:
            raise ArenaError(f"cannot start to play: {error.filename or run}: {error.strerror or error}") from None
        logging.getLogger("arena").info("%s with %d workers", plan.command, jobs)
        where = np.frombuffer(shared, np.int64).reshape(2 * jobs, 4)

        def start(place: int) -> WorkerProcess:
            output = folder / str(place)
            arguments = log, output, shared, place
            executor = ProcessPoolExecutor(1, mp_context=context, initializer=begin, initargs=arguments)
            return WorkerProcess(where[place], output, executor)

        pool = LocalPool(jobs, start)
        try:
            yield pool
        finally:
            pool.shutdown()
            with contextlib.suppress(OSError), log.open("a", encoding="utf-8") as file:  # what is printed past Python
                file.write("".join(end_of(folder / str(place), LOGGED) for place in range(2 * jobs)))


def stop_now() -> None:
    """End every worker at once."""
    for process in _living():
        process.terminate()


def _living() -> list[BaseProcess]:
    """Our processes: a program that plays runs (`arena.run`) may have others, which are not to be touched."""
    return [process for process in multiprocessing.active_children() if process in _ours]
