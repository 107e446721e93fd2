"""The pool of worker processes: starts them, notices when one dies or hangs, and keeps their log."""

import contextlib
import ctypes
import logging
import multiprocessing
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from weakref import WeakSet

import numpy as np

from arena.engine.loop import GAME, PID, SEAT
from arena.errors import ArenaError
from arena.runs.bot_output import LOGGED, cut_off, end_of, last_words
from arena.runs.processes import forking, start_method
from arena.runs.worker import OUT_OF_MEMORY, begin
from arena.texts import ending
from arena.tournament.plan import Plan

OUTPUTS = ".workers"
"""The folder in a run directory where workers put what is printed past Python; it is there while they are."""
END_SECONDS = 5.0
"""How long workers may take to end."""
_ours: "WeakSet[BaseProcess]" = WeakSet()


class _LogFile(logging.FileHandler):
    """A log that cannot be written to is no reason to stop, nor to print tracebacks: the results say what is wrong."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # the name is theirs
        pass


@contextmanager
def open_log(path: Path) -> Iterator[Any]:
    """The run's log: yields the queue that workers send their records to; the parent writes them."""
    from multiprocessing_logging import MultiProcessingHandler

    file = _LogFile(path, encoding="utf-8")
    file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(processName)s: %(message)s"))
    handler = MultiProcessingHandler("run-log", sub_handler=file)
    handler.queue.cancel_join_thread()  # a worker that is killed while it writes leaves the queue locked for ever
    logger = logging.getLogger("arena")
    level, propagate = logger.level, logger.propagate
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    logger.propagate = False  # the log is a file; nothing of it belongs on the terminal
    try:
        yield handler.queue
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagate
        _close_soon(handler)


def _close_soon(handler: Any) -> None:
    """Close the log. Its thread looks for the end every 0.2 s: a last record, if one can be sent, makes it look now."""
    lock = handler.queue._wlock
    if lock and lock.acquire(block=False):
        lock.release()
        last = logging.LogRecord("arena", logging.INFO, __file__, 0, "the log ends", None, None)
        threading.Timer(0.01, _wake, [handler.queue, last]).start()  # when it knows that it is to end
    handler.close()


def _wake(queue: Any, record: logging.LogRecord) -> None:
    with contextlib.suppress(ValueError):  # it is closed already
        queue.put_nowait(record)


@dataclass(eq=False)
class Life:
    """One process, from its start to its end."""

    where: np.ndarray
    """What it says, or said last, of itself (`play.PID`, ...), int64 [4]."""
    executor: ProcessPoolExecutor
    output: Path
    process: BaseProcess | None = None
    overdue: bool = False
    """Whether it was killed because a decision took too long."""
    stderr: str | None = None
    """The end of what was printed past Python; None: it is still in its file."""

    def end(self) -> None:
        """Another process takes its place: what it said last is all that will be known of it."""
        self.where, self.stderr = self.where.copy(), self.last_words()
        self.executor.shutdown(wait=False, cancel_futures=True)

    def last_words(self) -> str:
        """The end of what was printed past Python."""
        game, seat = int(self.where[GAME]), int(self.where[SEAT])
        return last_words(self.output, game, seat) if self.stderr is None else self.stderr

    def exit_code(self) -> int | None:
        """That of its process, minus the number of a signal; None if nobody knows."""
        for _ in range(100):  # the executor's thread looks after it
            if self.process is None or self.process.exitcode is not None:
                break
            time.sleep(0.01)
        return self.process.exitcode if self.process else None

    def ending(self) -> str:
        """How it ended."""
        return exit_words(self.exit_code())

    @property
    def lacked_memory(self) -> bool:
        """Whether it ended because it got no more memory."""
        return self.exit_code() == OUT_OF_MEMORY


class Worker:
    """A place for one process, behind an executor of its own: if it dies, only its own work is lost."""

    def __init__(self, context: Any, arguments: tuple[Any, ...], where: np.ndarray, output: Path) -> None:
        self.pending: set[Future[Any]] = set()
        self._context, self._arguments, self._where, self._output = context, arguments, where, output
        self._life: Life | None = None
        # Kept to the end: collected earlier, an executor would wait here for its thread, which waits for its process.
        self._ended: list[ProcessPoolExecutor] = []
        self._seen: tuple[int, ...] = ()
        self._since = 0.0

    def submit(self, function: Callable[..., Any], *arguments: Any) -> tuple[Future[Any], Life]:
        """Have it do something; if its process has died, by a new one."""
        for _ in range(2):
            life = self._life or self._begin()
            others = set(multiprocessing.active_children())
            try:
                with forking():
                    future = life.executor.submit(function, *arguments)
            except BrokenProcessPool:
                self.end()
                continue
            except OSError as error:
                raise ArenaError(f"cannot start a worker process: {error.strerror or error}") from None
            life.process = next(iter(set(multiprocessing.active_children()) - others), life.process)
            _ours.update({life.process} if life.process else ())
            self.pending.add(future)
            future.add_done_callback(self.pending.discard)
            return future, life
        raise ArenaError("a worker process ends as soon as it is started")

    def _begin(self) -> Life:
        self._where[GAME] = -1
        executor = ProcessPoolExecutor(1, mp_context=self._context, initializer=begin, initargs=self._arguments)
        self._life = Life(self._where, executor, self._output)
        return self._life

    def watch(self, limit: float) -> None:
        """Kill it if it has been at one decision for so many seconds (0: never), and shorten what was printed."""
        seen, life = tuple(self._where.tolist()), self._life
        cut_off(self._output)
        if seen != self._seen:
            self._seen, self._since = seen, time.monotonic()
        elif life and not life.overdue and self._decides(seen) and time.monotonic() - self._since > limit > 0:
            life.overdue = True
            with contextlib.suppress(ProcessLookupError):
                os.kill(seen[PID], getattr(signal, "SIGKILL", signal.SIGTERM))

    def _decides(self, where: tuple[int, ...]) -> bool:
        return bool(self.pending) and where[GAME] >= 0 and where[SEAT] >= 0

    def end(self) -> None:
        """No more work for this process."""
        if self._life:
            self._life.end()
            self._ended.append(self._life.executor)
            self._life = None


def exit_words(code: int | None) -> str:
    """How a process ended: an exit code, or minus the number of a signal."""
    if code is None:
        return "it is gone"
    text = f"it {'ended with' if code >= 0 else 'was'} {ending(code)}"
    return text + (": by the system, for its memory?" if code == -9 else "")


class LocalPool(Executor):
    """Worker processes of this machine; each has a little more to do than it is doing.

    Games over which one has died are played in rooms: a new process for each, that no other game has spoiled.
    """

    def __init__(self, workers: Sequence[Worker], rooms: Sequence[Worker]) -> None:
        self.workers, self.rooms = workers, rooms
        self._lives: dict[Future[Any], Life] = {}

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have the least busy worker do it. BrokenProcessPool is what comes of it if that one dies."""
        future, life = min(self.workers, key=lambda worker: len(worker.pending)).submit(fn, *args)
        self._lives[future] = life
        return future

    @property
    def has_room(self) -> bool:
        """Whether a game can be played alone now."""
        return any(not room.pending for room in self.rooms)

    def submit_alone(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Have a new process do it; only if there is room."""
        room = next(room for room in self.rooms if not room.pending)
        room.end()
        future, life = room.submit(fn, *args)
        self._lives[future] = life
        return future

    def life_of(self, future: Future[Any]) -> Life:
        """The process that something was given to. To be asked once for each."""
        return self._lives.pop(future)

    def watch(self, limit: float) -> None:
        """Kill every worker that has been at one decision for so many seconds (0: none)."""
        for worker in (*self.workers, *self.rooms):
            worker.watch(limit)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all workers; a bot's thread may keep one alive for ever, so they are not waited for long."""
        for worker in (*self.workers, *self.rooms):
            worker.end()
        deadline = time.monotonic() + END_SECONDS
        for process in _living():
            process.join(max(0.0, deadline - time.monotonic()))
            if process.is_alive():
                process.kill()


@contextmanager
def open_pool(plan: Plan, run: Path, jobs: int) -> Iterator[LocalPool]:
    """`jobs` worker processes that load the plan's bots and log into `run.log`."""
    context: Any = multiprocessing.get_context(start_method())
    log = run / "run.log"
    with ExitStack() as stack:
        try:
            queue = stack.enter_context(open_log(log))
            folder = run / OUTPUTS
            folder.mkdir(exist_ok=True)
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            places = context.RawArray(ctypes.c_int64, 4 * 2 * jobs)
        except OSError as error:
            raise ArenaError(f"cannot start to play: {error.filename or run}: {error.strerror or error}") from None
        logging.getLogger("arena").info("%s with %d workers", plan.command, jobs)
        where = np.frombuffer(places, np.int64).reshape(2 * jobs, 4)
        outputs = [folder / str(index) for index in range(2 * jobs)]
        workers = [
            Worker(context, (queue, log, output, places, index), where[index], output)
            for index, output in enumerate(outputs)
        ]
        pool = LocalPool(workers[:jobs], workers[jobs:])
        try:
            yield pool
        finally:
            pool.shutdown()
            _keep_output(log, outputs)


def _keep_output(log: Path, outputs: Sequence[Path]) -> None:
    """What was printed past Python, by compiled code or by a library, goes to the log."""
    with contextlib.suppress(OSError), log.open("a", encoding="utf-8") as file:
        file.write("".join(end_of(output, LOGGED) for output in outputs))


def stop_now() -> None:
    """End every worker at once."""
    for process in _living():
        process.terminate()


def _living() -> list[BaseProcess]:
    """Our processes: a program that plays runs (`arena.run`) may have others, which are not to be touched."""
    return [process for process in multiprocessing.active_children() if process in _ours]
