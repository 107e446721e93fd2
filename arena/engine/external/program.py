"""A program in another language at a table: the arena's side of the protocol (docs/protocol.md).

A process plays many games, one after the other. After a fault of any kind it is ended, and the next game has a new one.
"""

import logging
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.util import Finalize
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from arena.engine.bots import Agent, Outside
from arena.engine.external.json_answers import LONGEST_SHOWN, read_action, read_hello
from arena.engine.external.json_lines import decide_line, game_line, game_over_line, hello_line
from arena.engine.external.launch import hidden
from arena.engine.external.process import BotProcess, Ended, TimedOut, TooLong, lines
from arena.engine.faults import BotFault, TimeLimit, shortened, time_limit
from arena.engine.limits import Limits, in_units
from arena.engine.loop import FAULT_DIED, FAULT_MEMORY, FAULT_MOVE_TIME, FAULT_WRONG_TYPE
from arena.engine.view import View

LONGEST_LINE = 1 << 16
"""Bytes of an answer."""
MOST_IDLE = 16
"""Processes that wait for their next game; of more, the one that has waited longest is ended."""
GOODBYE_SECONDS = 1.0
"""The time in which the end of a game must be read, and in which a program may end by itself once its input ends."""
SILENT = "a line must end with a newline and be flushed"
"""The mistake that everybody makes once."""
SLOW_HELLO = f"it did not answer hello within {{:g}} s ({SILENT})"
KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL")
"""What an isolated program learns of the arena's environment: enough to find what runs it."""

T = TypeVar("T")
_Key = tuple["Program", Limits, bytes]
_idle: list[tuple[_Key, BotProcess]] = []
_cared_for: set[int] = set()
_hellos: WeakKeyDictionary[Any, bytes] = WeakKeyDictionary()


def _hello(table: Any) -> bytes:
    """What a program is told of a table's map; written once."""
    if table not in _hellos:
        _hellos[table] = hello_line(table.map, table.limits)
    return _hellos[table]


def end_idle() -> None:
    """End the processes that wait for a game."""
    _dismiss(len(_idle))


def _dismiss(count: int) -> None:
    """End those that have waited longest; what they still have to read and to write they may, for a moment."""
    leaving = [process for _, process in _idle[:count]]
    del _idle[:count]
    for process in leaving:
        process.hang_up()
    end = time.monotonic() + GOODBYE_SECONDS
    for process in leaving:
        process.end(max(0.0, end - time.monotonic()))


def _end_with_us() -> None:
    """Have them ended when this process ends, be it a worker: there `atexit` does nothing."""
    if os.getpid() not in _cared_for:
        _cared_for.add(os.getpid())
        Finalize(None, end_idle, exitpriority=0)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # they are the parent's: they would answer two


@dataclass(frozen=True)
class Program(Outside):
    """A bot in another language."""

    argv: tuple[str, ...]
    """The command line that starts it. The program and what names a file in it are whole paths."""
    files: tuple[str, ...]
    """The files that the command line names."""

    def seat_bot(self, table: Any, seat: int, seed: int) -> Agent:
        """The agent of a seat in a new game; a process is started if none is idle."""
        companion = Companion(self, table.limits, _hello(table), seat, int(table.board.seats), seed)
        table.on_game_end.append(companion.leave)
        trouble = companion.prepare()

        def decide(count: int) -> int:
            if trouble:
                raise trouble
            return companion.choose(table.view_of(count), table.spent[seat])

        return decide

    def close(self) -> None:
        """End its idle processes."""
        _idle.sort(key=lambda each: each[0][0] != self)
        _dismiss(sum(key[0] == self for key, _ in _idle))


class Companion:
    """A program in one seat of one game."""

    def __init__(self, program: Program, limits: Limits, hello: bytes, seat: int, seats: int, seed: int) -> None:
        self._key: _Key = (program, limits, hello)
        self._limits = limits
        self._opening = game_line(seat, seats, seed)
        self._process: BotProcess | None = None
        self._playing = False

    def prepare(self) -> BotFault | None:
        """Have a process that has been told the map; what is wrong if it cannot be had."""
        for index in reversed(range(len(_idle))):
            if _idle[index][0] == self._key:
                self._process = _idle.pop(index)[1]
                return None
        try:
            self._start()
        except BotFault as fault:
            return fault
        return None

    def _start(self) -> None:
        program, limits, hello = self._key
        self._process = process = start(program, limits)
        limit = TimeLimit(limits.move_time or math.inf, FAULT_MOVE_TIME, SLOW_HELLO, limits.move_time)
        deadline = limit.deadline

        def greet() -> str:
            process.send(hello, deadline)
            return read_hello(process.receive(deadline))

        name = self._guarded(process, greet, "it had answered hello", limit)
        logging.getLogger("arena").info("%s calls itself %r", " ".join(program.argv), shortened(name, LONGEST_SHOWN))

    def choose(self, view: View, spent: float) -> int:
        """Ask for a decision; the action's integer. spent: the seconds of its other ones in this game."""
        process = self._process
        if process is None:
            raise BotFault(FAULT_DIED, "its process has ended")
        limit = time_limit(self._limits, spent)
        deadline = limit.deadline

        def ask() -> int:
            if early := process.unasked():
                why = "before it was asked: its output is one line for each decision and no more"
                raise BotFault(FAULT_WRONG_TYPE, f"wrote {_shown(early)} {why}")
            question = decide_line(view)
            if not self._playing:
                process.forget()
                question, self._playing = self._opening + question, True
            process.send(question, deadline)
            return read_action(process.receive(deadline), view.actions.codes, view.phase)

        return self._guarded(process, ask, "it had decided", limit)

    def _guarded(self, process: BotProcess, work: Callable[[], T], what: str, limit: TimeLimit) -> T:
        """The result of some work within a time limit; if it fails, the process is ended."""
        try:
            return work()
        except BotFault as error:
            kind, reason = error.kind, str(error)
        except TimedOut:
            kind, reason = limit.kind, limit.reason
            if begun := process.unasked():
                reason += f"; it has written {_shown(begun)} without an end of line"
        except TooLong:
            kind, reason = FAULT_WRONG_TYPE, f"wrote a line of more than {LONGEST_LINE:,} bytes"
        except Ended:
            how, most = process.end(), self._limits.memory
            kind, reason = FAULT_DIED, f"it ended before {what}: {how}"
            if most and process.most_memory > 0.8 * most:
                kind, reason = FAULT_MEMORY, f"it ended near its limit of {in_units(most)}: {how}"
        except BaseException:
            self._end(process)
            raise
        self._end(process)
        raise BotFault(kind, reason, "", process.tail())

    def _end(self, process: BotProcess) -> None:
        process.close()
        self._process = None

    def leave(self, scores: Sequence[int] | None, ranks: Sequence[int] | None) -> None:
        """The game is over, or broken off: the process is free for another one."""
        process, self._process = self._process, None
        if process is None:
            return
        if self._playing:
            try:
                process.send(game_over_line(scores, ranks), time.monotonic() + GOODBYE_SECONDS)
            except (Ended, TimedOut):
                process.close()
                return
        _idle.append((self._key, process))
        _dismiss(max(0, len(_idle) - MOST_IDLE))


def start(program: Program, limits: Limits) -> BotProcess:
    """A process of a program: as if started by hand, or shut off. NoProcess if there can be none at all."""
    options: dict[str, Any] = {"framing": lines, "longest": LONGEST_LINE, "data": limits.memory}
    if limits.isolate:
        kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        options["environment"] = {"HOME": "{scratch}", "TMPDIR": "{scratch}", **kept}
        options |= {"used": [*program.files, program.argv[0]], "hidden": hidden()}
    else:
        options |= {"trusted": True, "folder": os.getcwd()}
    _end_with_us()
    return BotProcess(program.argv, **options)


def _shown(data: bytes) -> str:
    return repr(shortened(data.decode(errors="replace"), LONGEST_SHOWN))
