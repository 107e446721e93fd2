"""A bot in a process of its own (`--isolate`), as a table sees it."""

import atexit
import dataclasses
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.engine.bots import Agent, Outside
from arena.engine.external.launch import LOAD_SECONDS, NOT_AN_ANSWER, Silent, cache_of, hear, launch
from arena.engine.external.process import BotProcess, Ended, NoProcess, TimedOut, TooLong
from arena.engine.external.records import (
    FIRST,
    HEAD,
    NEW,
    ON,
    QUESTION,
    Trouble,
    read_answer,
)  # fmt: skip
from arena.engine.faults import BotFault, time_limit
from arena.engine.limits import Limits, in_units
from arena.engine.loop import (
    FAULT_DIED,
    FAULT_EXCEPTION,
    FAULT_MEMORY,
    GAME,
    NO_FAULT,
)
from arena.engine.sources import sources_of
from arena.errors import ArenaError, UsageError
from arena.rules.compiler.digests import digest_of
from arena.rules.view import VIEW_BYTES

PREPARE_SECONDS = 900.0
MOST_RUNNING = 8
"""Processes of bots that a worker keeps while they are idle."""
_running: "list[Isolated]" = []
_failures: dict[str, tuple[int, str]] = {}  # by spec: kind of fault and why


class Isolated(Outside):
    """A bot that plays in a process of its own, one process for all games of an entrant.

    After a death or a time-out the process is started again at its next game.
    """

    def __init__(self, spec: str, source: Path | None = None) -> None:
        """spec: as `catalog.load_entrant` takes it, with an absolute path of a file.

        source: the file of its code; None for a bot of ours, which tells its digest itself.
        """
        self.spec = spec
        self.source = source
        self.digest = ""
        """The digest of its sources."""
        self.expected = ""
        """The digest that it must have, if that is known: each new process loads what the file holds by then."""
        self.compiles = False
        """Whether there is something to prepare."""
        self._memory = 0
        self._process: BotProcess | None = None
        self._around: tuple[str, int] | None = None
        self._resident = 0
        self._met: set[int] = set()  # seats of this game whose bots exist

    @property
    def failure(self) -> str:
        """Why its code cannot be loaded, if that is known."""
        return _failures.get(self.spec, (NO_FAULT, ""))[1]

    def seat_bot(self, table: Any, seat: int, seed: int) -> Agent:
        """The agent of a seat in a new game; the process is started if there is none."""
        if self._met:  # all are seated before one is asked: this is another game
            self._met.clear()
            if self._process:
                self._process.forget()
        trouble = self._start_for(table)
        shown, limits, met = table.desk.shown, table.limits, self._met
        pack = QUESTION.pack

        def decide(count: int) -> int:
            if trouble:
                raise trouble
            order = ON
            if seat not in met:
                order = NEW if met else FIRST
                met.add(seat)
            size = VIEW_BYTES + 4 * count
            head = pack(HEAD - 4 + size, order, seat, seed if order else 0)
            return self._ask(head + shown[:size], limits, table.spent[seat])

        return decide

    def _ask(self, question: bytes, limits: Limits, spent: float) -> int:
        """The answer to a question; BotFault for whatever goes wrong, and then the process is ended."""
        process = self._process
        if process is None:
            raise BotFault(FAULT_DIED, "its process has ended")
        limit = time_limit(limits, spent)
        deadline = limit.deadline
        try:
            process.send(question, deadline)
            answer = read_answer(process.receive(deadline))
        except TimedOut:
            raise self._lost(process, limit.kind, limit.reason) from None
        except Ended:
            how = process.end()
            if limits.memory and process.most_memory - self._resident > 0.8 * limits.memory:
                reason = f"its process ended near its limit of {in_units(limits.memory)}: {how}"
                raise self._lost(process, FAULT_MEMORY, reason) from None
            raise self._lost(process, FAULT_DIED, f"its process ended: {how}") from None
        except (ValueError, TooLong):
            raise self._lost(process, FAULT_DIED, NOT_AN_ANSWER) from None
        if isinstance(answer, Trouble):
            if answer.kind == FAULT_MEMORY:  # nobody knows what is missing in it now
                raise self._lost(process, answer.kind, answer.reason, answer.traceback)
            raise BotFault(answer.kind, answer.reason, answer.traceback, process.tail())
        return answer

    def _lost(self, process: BotProcess, kind: int, reason: str, traceback: str = "") -> BotFault:
        """End the process for a fault."""
        self.close()
        return BotFault(kind, reason, traceback, process.tail())

    def _start_for(self, table: Any) -> BotFault | None:
        """Make sure that a process plays at this table; returns the fault if that fails."""
        around = (table.map.digest, int(table.board.seats))
        if self._process is None or around != self._around:
            self.close()
            if self.failure:
                return BotFault(*_failures[self.spec])
            while len(_running) >= MOST_RUNNING:
                _running[0].close()
            game, table.where[GAME] = int(table.where[GAME]), -1  # or a watcher would take it for a long decision
            try:
                spec = dataclasses.replace(table.map)  # without what it has computed: that cannot be pickled
                self._process = launch(self.spec, table.limits.memory, (spec, around[1], table.limits))
                self._around = around
                self._hear(self._process)
            except NoProcess:
                raise
            except ArenaError as error:
                kind = _kind_of(error)
                return self._lost(self._process, kind, str(error)) if self._process else None
            finally:
                table.where[GAME] = game
            if self.digest != (self.expected or self.digest):
                self.close()
                raise ArenaError(f"the code of bot {self.spec} was changed while it was played")
        if self in _running:
            _running.remove(self)
        _running.append(self)
        return None

    def describe(self, process: BotProcess, memory: int) -> None:
        """Take what a process that was started for it says of the bot; what does not load is remembered.

        UsageError if the bot does not exist or cannot play so.
        """
        self._memory = memory
        try:
            self._hear(process)
        except (UsageError, NoProcess):
            raise
        except ArenaError as error:
            _failures[self.spec] = _kind_of(error), str(error)
            self.digest = self._digest_here()
        finally:
            process.close()

    @property
    def prepared(self) -> bool:
        """Whether nothing is left to be compiled."""
        return not self.compiles or bool(self.failure) or self._warm.exists()

    @property
    def _warm(self) -> Path:
        """The file that says that it is compiled."""
        return cache_of(self.spec) / f"warm-{self.digest}"

    def prepare(self) -> None:
        """Compile what is to be compiled, in a process that can write to its cache folder; remember a failure."""
        if self.prepared:
            return
        self._warm.parent.mkdir(exist_ok=True)
        process = launch(self.spec, self._memory, keep=True)
        try:
            self._hear(process)
            if failure := hear(process, PREPARE_SECONDS).get("failure"):
                raise ArenaError(failure)
            self._warm.touch()
        except NoProcess:
            raise
        except ArenaError as error:
            _failures[self.spec] = _kind_of(error), str(error)
        finally:
            process.close()

    def _hear(self, process: BotProcess) -> None:
        """Take what a process says of the bot; UsageError if it cannot play so, ArenaError if it does not load."""
        told = hear(process, LOAD_SECONDS)
        if refusal := told.get("refusal"):
            raise UsageError(refusal)
        if failure := told.get("failure"):
            _failures[self.spec] = FAULT_EXCEPTION, failure
            raise ArenaError(failure)
        self.digest = self._digest_here() or told.get("digest", "")
        self.compiles = bool(told.get("compiles"))
        self.repeatable = not told.get("by_clock")
        self.is_policy = bool(told.get("policy"))
        resident = told.get("resident", "")
        self._resident = int(resident) if resident.isdecimal() else 0

    def _digest_here(self) -> str:
        """The digest of its sources as they are now, for which no line of them is run; empty if it is not known."""
        if self.source is None:
            return ""
        try:
            return digest_of(sources_of(self.source))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return digest_of([self.source])
        except OSError:
            return ""

    def close(self) -> None:
        """End its process."""
        process, self._process = self._process, None
        self._met.clear()
        if self in _running:
            _running.remove(self)
        if process:
            process.close()


def _kind_of(error: ArenaError) -> int:
    """The kind of fault that it is not to load. Silence may not come again, so a replay takes it as it was recorded."""
    return FAULT_DIED if isinstance(error, Silent) else FAULT_EXCEPTION


@atexit.register
def close_all() -> None:
    """End all processes of bots that this process has started."""
    for bot in [*_running]:
        bot.close()


def described(entrants: Sequence[Any], memory: int) -> list[Any]:
    """The entrants of a table with the digests of those that are isolated; it is learned which ones cannot be loaded.

    As many are asked at once as there are cores. UsageError for one that does not exist or cannot play so.
    """
    at_once = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    bots = [entrant.bot for entrant in entrants if isinstance(entrant.bot, Isolated)]
    for first in range(0, len(bots), at_once):
        started = [(bot, launch(bot.spec, memory)) for bot in bots[first : first + at_once]]
        try:
            for bot, process in started:
                bot.describe(process, memory)
        finally:
            for _, process in started:
                process.close()
    return [
        dataclasses.replace(entrant, digest=entrant.bot.digest) if entrant.bot in bots else entrant
        for entrant in entrants
    ]


def notes(entrants: Sequence[Any]) -> list[str]:
    """What must be said of a run with isolated bots: how they are isolated here, and which cannot be loaded."""
    from arena.engine.external.sandbox import available, in_words  # not there on every system

    lines = [in_words(available())]
    for entrant in entrants:
        if isinstance(entrant.bot, Isolated) and entrant.bot.failure:
            lines.append(
                f"{entrant.name} cannot be loaded, so each of its games will be a fault: {entrant.bot.failure}"
            )
    return lines
