"""Who plays: entrants around a table. Policies go through the compiled loop in batches, all else step by step."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import parent_process
from pathlib import Path
from traceback import walk_tb
from typing import Any, NamedTuple

import numpy as np
from numba.core.errors import NumbaExperimentalFeatureWarning

from arena.bot import MEMORY, Bot, Policy
from arena.compile import compile_board, max_actions
from arena.mapspec import MapSpec
from arena.play import (
    FAULT_EXCEPTION,
    FAULT_ILLEGAL,
    FAULT_WRONG_TYPE,
    FAULTS,
    MAX_POLICIES,
    NO_FAULT,
    OUTCOME,
    book_outcome,
    play_games,
    start,
    step,
    step_randomly,
)
from arena.rules.actions import NO_ACTION, Action, decode, encode_action
from arena.rules.board import BOARD, MAX_SEATS
from arena.rules.jit import INTERPRETED
from arena.rules.state import PHASES, STATE
from arena.rules.view import VIEW
from arena.view import View

WROTE_BOARD = "wrote into the board"
NOT_AN_INDEX = "return actions[i], not i"
LONGEST_TEXT = 500
"""Characters of an exception's text that are kept."""


class Fault(NamedTuple):
    """What a bot did wrong in a game."""

    seat: int
    kind: str
    reason: str
    decision: int
    """How many decisions of all seats the game had seen before."""


@dataclass(frozen=True)
class Entrant:
    """A bot with its parameters, under the name that the tables show."""

    name: str
    spec: str
    bot: Policy | type[Bot]
    parameters: dict[str, Any]
    digest: str
    """Of the bot's sources."""

    def memory(self) -> np.ndarray:
        """A policy's memory at the start of a game, float64 [MEMORY]: its parameters, then zeros."""
        return self.bot.memory(self.parameters) if isinstance(self.bot, Policy) else np.zeros(MEMORY)


class Table:
    """A board for a number of seats with everything that a game between given entrants needs around it."""

    def __init__(self, spec: MapSpec, seats: int, entrants: Sequence[Entrant]) -> None:
        self.spec = spec
        self.entrants = tuple(entrants)
        self.boards = compile_board(spec, seats).reshape(1)
        self.board_bytes = self.boards.tobytes()  # what it must stay: compiled bots could write into it
        self.public_boards = np.frombuffer(self.board_bytes, BOARD)  # what bots in Python are handed: not writable
        self.states = np.zeros(1, STATE)
        self.views = np.zeros(1, VIEW)
        self.board, self.state, self.view = self.boards[0], self.states[0], self.views[0]
        self.actions = np.zeros(max_actions(spec), np.int32)
        self.memory = np.zeros((MAX_SEATS, MEMORY))
        self.luck = np.zeros(MAX_SEATS, np.uint64)
        self.slot = np.zeros(1, np.uint64)  # a seat's luck while it decides: it must not see its neighbors'
        self.fault = np.zeros(MAX_SEATS, np.int64)
        self.place = ""  # where in its file a bot has just raised an exception
        self.starts = np.stack([entrant.memory() for entrant in self.entrants])
        policies = [entrant.bot for entrant in self.entrants if isinstance(entrant.bot, Policy)]
        self.policies = list(dict.fromkeys(policies))
        self.functions = np.array(
            [self.policies.index(e.bot) if isinstance(e.bot, Policy) else -1 for e in self.entrants], np.int64
        )

    def play(self, seatings: np.ndarray, words: np.ndarray) -> tuple[np.ndarray, dict[int, list[Fault]]]:
        """Play games, a row of `seatings` (entrants, int64 [games, seats]) and `words` each.

        Returns the outcomes (OUTCOME [games]) and the faults by game, an index into the rows.
        """
        outcomes = np.zeros(len(seatings), OUTCOME)
        faults: dict[int, list[Fault]] = {}
        in_python = (self.functions[seatings] < 0).any(axis=1)
        again = in_python.copy()
        for games in self._batches(seatings, np.flatnonzero(~in_python)):
            outcomes[games] = self._play_compiled(seatings[games], words[games])
            again[games] = self._restore_board()
        # Games with a fault are played once more in Python: only there an exception has a text and a culprit a seat.
        for game in np.flatnonzero(again | outcomes["fault"].any(axis=1)).tolist():
            found = self.play_one([self.entrants[e] for e in seatings[game]], words[game], outcomes[game])
            if found:
                faults[game] = found
        return outcomes, faults

    def _restore_board(self) -> bool:
        """Undo what a compiled bot may have written into the board; whether there was anything."""
        if self.boards.tobytes() == self.board_bytes:
            return False
        self.boards[0] = self.public_boards[0]
        return True

    def _batches(self, seatings: np.ndarray, games: np.ndarray) -> Iterator[np.ndarray]:
        """Split games so that no batch needs more than MAX_POLICIES functions."""
        first, used = 0, set[int]()
        if len(self.policies) > MAX_POLICIES:
            for index, row in enumerate(self.functions[seatings[games]].tolist()):
                used |= set(row)
                if len(used) > MAX_POLICIES:
                    yield games[first:index]
                    first, used = index, set(row)
        if len(games) > first:
            yield games[first:]

    def _play_compiled(self, seatings: np.ndarray, words: np.ndarray) -> np.ndarray:
        needed = np.unique(self.functions[seatings])
        policies = [self.policies[index].compile() for index in needed.tolist()]
        policies += policies[:1] * (MAX_POLICIES - len(policies))
        functions = np.searchsorted(needed, self.functions)
        outcomes = np.zeros(len(seatings), OUTCOME)
        table = (self.board, self.state, self.view, self.actions, self.memory, self.luck, self.slot, self.fault)
        with warnings.catch_warnings():
            # First-class functions are marked experimental since Numba 0.49; the suite covers what is used of them.
            warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
            play_games(table, tuple(policies), functions, self.starts, seatings, words, outcomes)
        return outcomes

    def play_one(self, lineup: Sequence[Entrant], words: np.ndarray, outcome: np.record) -> list[Fault]:
        """Play one game decision by decision, fill its OUTCOME record and return the faults."""
        states, boards, views, actions, luck = self.states, self.boards, self.views, self.actions, self.luck
        self.fault[:] = NO_FAULT
        luck[: len(words) - 3] = words[3:]
        faults: list[Fault] = []
        deciders = [self.sit(seat, entrant, int(words[3 + seat])) for seat, entrant in enumerate(lineup)]
        decision = 0
        turn = int(start(states, boards, views, actions, words))
        while turn:
            seat = turn & 7
            if not self.fault[seat]:
                turn, kind, reason = self.decide(deciders[seat], turn >> 3)
                if kind:
                    faults.append(Fault(seat, FAULTS[kind], reason, decision))
                    self.fault[seat] = kind
            if self.fault[seat]:
                turn = int(step_randomly(states, boards, views, actions, luck))
            decision += 1
        book_outcome(self.state, self.board, self.fault, outcome)
        return faults

    def decide(self, decider: Callable[[int], int], count: int) -> tuple[int, int, str]:
        """Let a seat decide and play it: what `step` returns, or the kind of fault and its reason."""
        self.place = ""
        try:
            code = decider(count)
        except BotFault as error:
            return NO_ACTION, error.kind, printable(error)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and parent_process() is None:
                raise  # the user's; in a worker, which ignores interrupts, it is the bot's
            reason = ": ".join(filter(None, (type(error).__name__, printable(error))))
            return NO_ACTION, FAULT_EXCEPTION, reason + self.place
        turn = int(step(self.states, self.boards, self.views, self.actions, code))
        if turn == NO_ACTION:
            if 0 <= code < count:
                return NO_ACTION, FAULT_ILLEGAL, f"returned {code}, which is none of `actions`: {NOT_AN_INDEX}"
            return NO_ACTION, FAULT_ILLEGAL, f"{describe_code(code)} is illegal in phase {PHASES[self.state['phase']]}"
        return turn, NO_FAULT, ""

    def sit(self, seat: int, entrant: Entrant, luck: int) -> Callable[[int], int]:
        """What a seat calls to decide: the number of legal actions in, an action's integer out."""
        if isinstance(entrant.bot, Policy):
            self.memory[seat] = entrant.memory()
            return self._policy_decider(seat, entrant.bot.compile())
        return self._class_decider(entrant.bot, entrant.parameters, luck)

    def view_of(self, count: int) -> View:
        """What a bot in Python is handed when it has `count` legal actions."""
        return View(self.spec, self.public_boards, self.views.tobytes(), self.actions[:count].tobytes())

    def _policy_decider(self, seat: int, policy: Callable[..., int]) -> Callable[[int], int]:
        def decide(count: int) -> int:
            self.slot[0] = self.luck[seat]
            try:
                code = int(policy(self.view, self.board, self.actions[:count], self.memory[seat], self.slot))
            except BaseException as error:
                if INTERPRETED:  # compiled code does not tell
                    self.place = place_of(error)
                raise
            finally:
                self.luck[seat] = self.slot[0]
                if self._restore_board():
                    raise BotFault(FAULT_ILLEGAL, WROTE_BOARD)
            return code

        return decide

    def _class_decider(self, bot_class: type[Bot], parameters: dict[str, Any], luck: int) -> Callable[[int], int]:
        bot: Bot | None = None

        def decide(count: int) -> int:
            nonlocal bot
            try:
                if bot is None:  # at the first decision, so that a constructor that raises is a fault of its seat
                    bot_class._luck = luck
                    bot = bot_class(**parameters)
                    bot._luck = luck
                action = bot.choose(self.view_of(count))
            except BaseException as error:
                self.place = place_of(error)
                raise
            try:
                return encode_action(action)
            except (TypeError, ValueError):
                raise BotFault(FAULT_WRONG_TYPE, f"returned {describe_answer(action)}") from None

        return decide


class BotFault(Exception):
    """What a bot did wrong in a decision, as far as it is no exception of its own; the text says what."""

    def __init__(self, kind: int, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        """An index into FAULTS."""


def describe_answer(answer: Any) -> str:
    """What a bot returned instead of an action that exists. An object's own text could differ from run to run."""
    if isinstance(answer, Action):
        return f"an Action with parts that do not exist: {tuple(answer)!r}"
    plain = answer is None or isinstance(answer, (int, float, str))
    return f"{repr(answer) if plain else 'a ' + type(answer).__name__}, which is no Action"


def printable(error: BaseException) -> str:
    """The text of an exception, shortened, whatever its author made of it."""
    try:
        text = str(error)
    except BaseException:
        text = "(its text raises an exception too)"
    if len(text) > LONGEST_TEXT:
        text = f"{text[:LONGEST_TEXT]} ..."
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def place_of(error: BaseException) -> str:
    """` (my_bot.py:27 in helper)`: the innermost call in the file of the bot, whose frame follows the caller's."""
    place, file = "", None
    for frame, line in list(walk_tb(error.__traceback__))[1:]:
        file = file or frame.f_code.co_filename
        if frame.f_code.co_filename == file:
            place = f" ({Path(file).name}:{line} in {frame.f_code.co_name})"
    return place


def describe_code(code: int) -> str:
    """An integer that a bot returned, in words if it is the form of an action."""
    try:
        return str(decode(code)) if code >= 0 else str(code)
    except IndexError:
        return str(code)
