"""What runs in a worker process: it loads the bots once and plays ranges of the plan's games."""

import logging
import os
import signal
import sys
import time
from logging.handlers import QueueHandler
from typing import Any, NamedTuple

import numpy as np

from arena.plan import Plan
from arena.play import deal_words
from arena.table import Fault, Table

_plan: Plan
_table: Table


class Chunk(NamedTuple):
    """The results of a range of games."""

    first: int
    outcomes: np.ndarray
    """OUTCOME [games]."""
    faults: dict[int, list[Fault]]
    """By game, an index into the plan."""
    seconds: float
    """CPU seconds spent."""


def begin(plan: Plan, log: Any, output: str) -> None:
    """Prepare a worker: bots loaded, interrupts left to the parent, log records sent to it, prints put into a file."""
    global _plan, _table
    from arena import catalog

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    root = logging.getLogger()
    root.handlers = [QueueHandler(log)]
    root.setLevel(logging.INFO)
    arena_logger = logging.getLogger("arena")
    arena_logger.handlers, arena_logger.propagate = [], True  # what a fork inherited writes to the file by itself
    _divert_output(output)
    entrants = catalog.load_entrants(plan.bots)
    _plan, _table = plan, Table(catalog.load_map(plan.map), plan.players, entrants)
    logging.getLogger("arena").info("worker %d ready", os.getpid())


def _divert_output(output: str) -> None:
    """What bots print, even from compiled code, must reach neither the terminal nor a `--json` stream."""
    sys.stdout.flush()
    file = os.open(output, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.close(file)


def play_range(first: int, last: int) -> Chunk:
    """Play the games first to last - 1 of the plan."""
    begun = time.process_time()
    deals, seatings = _plan.seatings(first, last)
    distinct, index = np.unique(deals, return_inverse=True)
    outcomes, faults = _table.play(seatings, deal_words(_plan.seed, distinct.tolist())[index])
    for game, found in faults.items():
        for fault in found:
            logging.getLogger("arena").warning(
                "game %d, seat %d: %s: %s", first + game, fault.seat, fault.kind, fault.reason
            )
    by_game = {first + game: found for game, found in faults.items()}
    return Chunk(first, outcomes, by_game, time.process_time() - begun)
