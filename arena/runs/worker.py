"""What runs in a worker process: it loads a plan's bots once and plays ranges of its games."""

import logging
import os
import signal
import sys
import threading
import time
from logging.handlers import QueueHandler
from multiprocessing import parent_process
from multiprocessing.connection import wait
from typing import Any, NamedTuple

import numpy as np

from arena.faults import Fault
from arena.plan import Plan
from arena.play import deal_words
from arena.table import Table

MOST_TABLES = 64
_tables: list[tuple[Plan, Table]] = []


class Chunk(NamedTuple):
    """The results of a range of games."""

    first: int
    outcomes: np.ndarray
    """OUTCOME [games]."""
    faults: dict[int, list[Fault]]
    """By game, an index into the plan."""
    seconds: float
    """CPU seconds spent."""


def begin(log: Any, output: str) -> None:
    """Prepare a worker: interrupts left to the parent, log records sent to it, prints put into a file."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # a terminal sends them to all; the parent decides when to stop
            signal.signal(getattr(signal, name), signal.SIG_DFL if name == "SIGTERM" else signal.SIG_IGN)
    root = logging.getLogger()
    root.handlers = [QueueHandler(log)]
    root.setLevel(logging.INFO)
    arena_logger = logging.getLogger("arena")
    arena_logger.handlers, arena_logger.propagate = [], True  # what a fork inherited writes to the file by itself
    _divert_output(output)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    arena_logger.info("worker %d ready", os.getpid())


def _end_with_parent() -> None:
    """A worker whose parent was killed has nobody to play for."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _divert_output(output: str) -> None:
    """What bots print, even from compiled code, must reach neither the terminal nor a `--json` stream."""
    sys.stdout.flush()
    file = os.open(output, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.close(file)
    for name in ("stdout", "stderr"):  # a notebook's or a test's own, which a fork inherited, leads elsewhere
        setattr(sys, name, os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8", errors="replace"))


def play_range(plan: Plan, first: int, last: int) -> Chunk:
    """Play the games first to last - 1 of a plan."""
    begun = time.process_time()
    deals, seatings = plan.seatings(first, last)
    distinct, index = np.unique(deals, return_inverse=True)
    outcomes, faults = load_table(plan).play(seatings, deal_words(plan.seed, distinct.tolist())[index])
    logger = logging.getLogger("arena")
    for game, found in faults.items():
        for fault in found:
            logger.warning("game %d, seat %d: %s: %s", first + game, fault.seat, fault.kind, fault.reason)
    by_game = {first + game: found for game, found in faults.items()}
    return Chunk(first, outcomes, by_game, time.process_time() - begun)


def load_table(plan: Plan) -> Table:
    """The plan's bots around their board, loaded at the first chunk of a plan in this process."""
    for known, table in _tables:
        if known == plan:
            return table
    from arena import catalog

    spec = catalog.load_map(plan.map, plan.settings)
    return keep_table(plan, Table(spec, plan.players, catalog.load_entrants(plan.bots)))


def keep_table(plan: Plan, table: Table) -> Table:
    """Have a plan played around this table in this process, in place of an older one; the last MOST_TABLES are kept."""
    _tables[:] = [(other, kept) for other, kept in _tables if other != plan][1 - MOST_TABLES :]
    _tables.append((plan, table))
    return table
