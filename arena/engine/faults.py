"""Describes what a bot did wrong, in words that are the same each time it happens (docs/faults.md)."""

from math import inf
from pathlib import Path
from time import monotonic
from traceback import format_exception_only, format_tb, walk_tb
from typing import Any, NamedTuple

from arena.engine.limits import Limits
from arena.engine.loop import (
    FAULT_DIED,
    FAULT_GAME_TIME,
    FAULT_ILLEGAL,
    FAULT_MEMORY,
    FAULT_MOVE_TIME,
    FAULT_SUSPENDED,
    FAULTS,
)
from arena.rules.actions import Action, decode
from arena.texts import plain

WROTE_BOARD, WROTE_STATE = "wrote into the board", "wrote into the state of the game"
LONG_DECISION = "a decision took longer than {:g} s"
LONG_GAME = "its decisions in this game took longer than {:g} s"
LONGEST_TEXT = 500
"""Characters of an exception's text that are kept."""
LONGEST_TRACEBACK = 4000
"""Characters of a traceback that are kept: its end."""
BY_MACHINE = tuple(FAULTS[kind] for kind in (FAULT_MOVE_TIME, FAULT_GAME_TIME, FAULT_MEMORY, FAULT_DIED))
"""Kinds that may not happen again on another machine: when a game is played again they are taken as recorded."""


class Fault(NamedTuple):
    """What a bot did wrong in a game."""

    seat: int
    kind: str
    """One of `loop.FAULTS`."""
    reason: str
    decision: int
    """How many decisions of all seats the game had seen before."""
    traceback: str = ""
    """The last characters of an exception's traceback, as far as it leads through the bot's own code."""
    stderr: str = ""
    """The last characters that the bot printed in this game."""


def must_be_attributed(kind: str) -> bool:
    """Whether a fault may not happen again by itself: one of the machine, or of a bot that was not asked at all."""
    return kind in BY_MACHINE or kind == FAULTS[FAULT_SUSPENDED]


class TimeLimit(NamedTuple):
    """How long a decision may take, and the fault of taking longer."""

    seconds: float
    kind: int
    """An index into FAULTS."""
    text: str
    most: float

    @property
    def reason(self) -> str:
        """What is said of a decision that takes longer."""
        return self.text.format(self.most)

    @property
    def deadline(self) -> float | None:
        """The moment of `time.monotonic()` at which it ends if it begins now; None if there is no limit."""
        return None if self.seconds == inf else monotonic() + self.seconds


def time_limit(limits: Limits, spent: float) -> TimeLimit:
    """The limit of a seat's next decision. spent: the seconds of its other ones in this game."""
    left = limits.game_time - spent if limits.game_time else inf
    if left < (limits.move_time or inf):
        return TimeLimit(left, FAULT_GAME_TIME, LONG_GAME, limits.game_time)
    return TimeLimit(limits.move_time or inf, FAULT_MOVE_TIME, LONG_DECISION, limits.move_time)


class BotFault(Exception):
    """What a bot did wrong in a decision, unless it raised an exception of its own; the text says what."""

    def __init__(self, kind: int, reason: str, traceback: str = "", stderr: str = "") -> None:
        super().__init__(reason)
        self.kind = kind
        """An index into FAULTS."""
        self.traceback = traceback
        self.stderr = stderr


def too_late(limits: Limits, seconds: float) -> BotFault:
    """The fault of a decision that took so long, or with which all of the seat's in this game took too long."""
    if limits.move_time and seconds > limits.move_time:
        return BotFault(FAULT_MOVE_TIME, LONG_DECISION.format(limits.move_time))
    return BotFault(FAULT_GAME_TIME, LONG_GAME.format(limits.game_time))


def illegal(code: int, count: int, phase: str) -> BotFault:
    """The fault of an answer that is not legal. count: of the legal actions."""
    if 0 <= code < count:
        return BotFault(FAULT_ILLEGAL, f"returned {code}, which is not in `actions`: return actions[i], not i")
    return BotFault(FAULT_ILLEGAL, f"{describe_code(code)} is illegal in phase {phase}")


def describe_answer(answer: Any) -> str:
    """What a bot returned instead of an action that exists. An object's own text could differ from run to run."""
    if isinstance(answer, Action):
        return f"an Action with parts that do not exist: {shortened(repr(tuple(answer)))}"
    if type(answer) is int and answer.bit_length() > 64:  # Python refuses to write very long ones
        return f"an integer of {answer.bit_length():,} bits, which is not an Action"
    plain = answer is None or type(answer) in (bool, int, float, str)
    return f"{shortened(repr(answer)) if plain else 'a ' + type(answer).__name__}, which is not an Action"


def shortened(text: str, most: int = LONGEST_TEXT) -> str:
    """A text of at most so many characters, and a sign that there was more."""
    return text if len(text) <= most else f"{text[:most]} ..."


def printable(error: BaseException) -> str:
    """The text of an exception, shortened, whatever its author made of it."""
    try:
        text = str(error)
    except BaseException:
        text = "(its text raises an exception too)"
    return plain(shortened(text))


def reason_of(error: BaseException) -> str:
    """The kind and the text of an exception."""
    return ": ".join(filter(None, (type(error).__name__, printable(error))))


def place_of(error: BaseException) -> str:
    """` (my_bot.py:27 in helper)`: the innermost call in the file of the bot, whose frame follows the caller's."""
    place, file = "", None
    for frame, line in list(walk_tb(error.__traceback__))[1:]:
        file = file or frame.f_code.co_filename
        if frame.f_code.co_filename == file:
            place = f" ({Path(file).name}:{line} in {frame.f_code.co_name})"
    return place


def traceback_of(error: BaseException) -> str:
    """The traceback from the bot's own code on; the frame before it is the caller's."""
    try:
        inner = error.__traceback__.tb_next if error.__traceback__ else None
        text = "".join([*format_tb(inner), *format_exception_only(error)])
    except BaseException:  # an exception may do anything when it is looked at
        return ""
    return plain(text[-LONGEST_TRACEBACK:], kept="\n")


def describe_code(code: int) -> str:
    """An integer that a bot returned, in words if it is the form of an action."""
    try:
        return str(decode(code)) if code >= 0 else shortened(str(code))
    except IndexError:
        return str(code)
