"""What runs in a worker process: it loads a plan's bots once and plays ranges of its games."""

import contextlib
import logging
import os
import signal
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from logging.handlers import QueueHandler
from multiprocessing import parent_process
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from arena.engine.bots import Entrant
from arena.engine.external.isolated import Isolated
from arena.engine.external.launch import hide
from arena.engine.faults import Fault
from arena.engine.limits import limit_memory
from arena.engine.table import Table
from arena.errors import ArenaError
from arena.runs.bot_output import Printed, divert_output
from arena.runs.processes import end_with_parent
from arena.tournament.plan import Plan
from arena.tournament.schedule import game_deals

MOST_TABLES = 64
OUT_OF_MEMORY = 86
"""The exit code of a worker in which memory was missing: nobody knows who took it, and what is broken by now."""
_tables: list[tuple[Plan, Table]] = []
_where = np.zeros(4, np.int64)
_printed: Printed | None = None


class Chunk(NamedTuple):
    """The results of a range of games."""

    first: int
    outcomes: np.ndarray
    """OUTCOME [games]."""
    faults: dict[int, list[Fault]]
    """The faults by game, an index into the plan."""
    seconds: float
    """The CPU seconds that they took."""

    @property
    def last(self) -> int:
        """The last game + 1."""
        return self.first + len(self.outcomes)

    @classmethod
    def joined(cls, chunks: "Sequence[Chunk]") -> "Chunk":
        """Join chunks that follow each other."""
        faults = {game: found for chunk in chunks for game, found in chunk.faults.items()}
        outcomes = np.concatenate([chunk.outcomes for chunk in chunks])
        return cls(chunks[0].first, outcomes, faults, sum(chunk.seconds for chunk in chunks))


def begin(records: Any, log: Path, output: Path, places: Any, index: int) -> None:
    """Prepare a worker: interrupts are left to the parent, log records are sent to it, and prints go to files.

    records: the queue of log records; log: the file that holds them in the end; places: shared memory that holds where
    each worker is, this one's at `index`.
    """
    global _where, _printed
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # a terminal sends them to all; the parent decides when to stop
            signal.signal(getattr(signal, name), signal.SIG_DFL if name == "SIGTERM" else signal.SIG_IGN)
    _where = np.frombuffer(places, np.int64).reshape(-1, len(_where))[index]
    _where[:] = os.getpid(), -1, 0, 0
    hide(log.parent)
    end_with_parent()
    _stay_alone()
    root = logging.getLogger()
    root.handlers = [QueueHandler(records)]
    records.cancel_join_thread()  # another worker may have been killed while it held the queue's lock
    root.setLevel(logging.INFO)
    arena_logger = logging.getLogger("arena")
    arena_logger.handlers, arena_logger.propagate = [], True  # a fork inherits its parent's
    _printed = divert_output(log, output, _where)
    arena_logger.info("worker %d ready", os.getpid())


def _stay_alone() -> None:
    """End every child that a bot forks: it would be a second worker with the same pipes to the parent."""
    if hasattr(os, "register_at_fork"):
        worker = os.getpid()
        os.register_at_fork(after_in_child=lambda: os._exit(1) if os.getppid() == worker else None)


def play_range(
    plan: Plan,
    first: int,
    last: int,
    forced: Mapping[int, Sequence[Fault]] = MappingProxyType({}),
    suspended: Collection[int] = (),
) -> Chunk:
    """Play the games first to last - 1 of a plan.

    forced: faults that are entered beforehand, by game; suspended: bots, by their index, that are not asked.
    """
    begun = time.process_time()
    _, seatings = plan.seatings(first, last)
    deals = game_deals(plan, np.arange(first, last))
    attributed = {game - first: found for game, found in forced.items()}
    try:
        outcomes, faults = load_table(plan).play(seatings, deals, first=first, forced=attributed, suspended=suspended)
    except MemoryError:
        if parent_process() is not None:
            os._exit(OUT_OF_MEMORY)
        raise
    by_game = {first + game: faults[game] for game in sorted(faults)}
    if by_game:  # each is in faults.jsonl; a line for each would make the log as long as that
        game, (fault, *_) = next(iter(by_game.items()))
        logging.getLogger("arena").warning(
            "games %d to %d: faults in %d; the first: game %d, seat %d: %s: %s",
            first, last - 1, len(by_game), game, fault.seat, fault.kind, fault.reason,
        )  # fmt: skip
    if _printed:
        for game, found in by_game.items():  # with what each bot printed last, unless the fault brings that
            by_game[game] = [fault._replace(stderr=fault.stderr or _printed.tail(game, fault.seat)) for fault in found]
        _printed.forget()
    return Chunk(first, outcomes, by_game, time.process_time() - begun)


def load_table(plan: Plan) -> Table:
    """The plan's bots around their board, loaded at the first chunk of a plan in this process."""
    for known, table in _tables:
        if known == plan:
            table.where = _where  # it may have been kept before this process was forked
            return table
    from arena import catalog

    spec = catalog.load_map(plan.map, plan.settings)
    entrants = catalog.load_entrants(plan.bots, isolate=plan.limits.isolate)
    _check_code(plan, entrants)
    table = keep_table(plan, Table(spec, plan.players, entrants, plan.limits, logged=plan.detail))
    if parent_process() is not None:
        limit_memory(plan.limits.memory)
        table.out_of_memory = _end
    return table


def _check_code(plan: Plan, entrants: Sequence[Entrant]) -> None:
    """ArenaError if a bot's code is not what the run was begun with: a new process loads what the file holds by now."""
    known = plan.identity.bots
    for name, entrant in zip(plan.names, entrants, strict=True):
        if isinstance(entrant.bot, Isolated):
            entrant.bot.expected = known.get(name, "")
        elif entrant.digest != known.get(name, entrant.digest):
            raise ArenaError(f"the code of bot {name} was changed while it was played")


def _end(traceback: str) -> None:
    """The end of a worker in which a bot got no more memory: in another one it turns out whether it takes too much."""
    with contextlib.suppress(MemoryError):
        sys.stderr.write(traceback)
    os._exit(OUT_OF_MEMORY)


def keep_table(plan: Plan, table: Table) -> Table:
    """Have a plan played around this table in this process, in place of an older one; the last MOST_TABLES are kept."""
    table.where = _where
    _tables[:] = [(other, kept) for other, kept in _tables if other != plan][1 - MOST_TABLES :]
    _tables.append((plan, table))
    return table
