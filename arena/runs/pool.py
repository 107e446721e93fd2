"""The local pool of worker processes and the one log file they share."""

import logging
import multiprocessing
import os
import sys
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.plan import Plan
from arena.runs.worker import begin


def available_cores() -> int:
    """The processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def start_method() -> str:
    """How workers start: forked from the parent, which has compiled everything, where that is safe; else afresh."""
    return "fork" if sys.platform == "linux" else "spawn"


@contextmanager
def open_log(path: Path) -> Iterator[Any]:
    """The run's log: yields the queue that workers send their records to; the parent writes them."""
    from multiprocessing_logging import MultiProcessingHandler

    file = logging.FileHandler(path, encoding="utf-8")
    file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(processName)s: %(message)s"))
    handler = MultiProcessingHandler("run-log", sub_handler=file)
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
        handler.close()


@contextmanager
def forking() -> Iterator[None]:
    """Python 3.12 warns of a fork beside threads. Ours, that of the log, holds no lock that a worker takes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


@contextmanager
def open_pool(plan: Plan, run: Path, jobs: int) -> Iterator[Executor]:
    """An executor of `jobs` worker processes that have loaded the plan's bots and log into `run.log`."""
    context = multiprocessing.get_context(start_method())
    with open_log(run / "run.log") as queue:
        logging.getLogger("arena").info("%s with %d workers", plan.command, jobs)
        with forking():
            executor = ProcessPoolExecutor(
                jobs, mp_context=context, initializer=begin, initargs=(queue, str(run / "run.log"))
            )
            try:
                yield executor
            finally:
                executor.shutdown(wait=False, cancel_futures=True)
                _end_workers(seconds=5.0)


def _end_workers(seconds: float) -> None:
    """Wait for the workers to end; a bot's thread may keep one alive for ever, so not for long."""
    deadline = time.monotonic() + seconds
    for process in multiprocessing.active_children():
        process.join(max(0.0, deadline - time.monotonic()))
        if process.is_alive():
            process.kill()


def stop_now() -> None:
    """End every worker at once."""
    for process in multiprocessing.active_children():
        process.terminate()
