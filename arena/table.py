"""Who plays: entrants around a table. Policies go through the compiled loop in batches, all else step by step."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import parent_process
from time import perf_counter
from types import MappingProxyType
from typing import Any

import numpy as np

from arena.bot import MEMORY, Bot, Outside, Policy
from arena.compile import compile_board, max_actions
from arena.errors import BrokenGame
from arena.faults import (
    LONG_DECISION,
    LONG_GAME,
    LONGEST_TEXT,
    NOT_AN_INDEX,
    WROTE_BOARD,
    WROTE_STATE,
    BotFault,
    Fault,
    describe_answer,
    describe_code,
    place_of,
    reason_of,
    shortened,
    traceback_of,
)
from arena.kernels import INTERPRETED
from arena.limits import USUAL, Limits
from arena.mapspec import MapSpec
from arena.play import (
    DECISION,
    FAULT_EXCEPTION,
    FAULT_GAME_TIME,
    FAULT_ILLEGAL,
    FAULT_MEMORY,
    FAULT_MOVE_TIME,
    FAULT_PROBATION,
    FAULT_WRONG_TYPE,
    FAULTS,
    GAME,
    NO_FAULT,
    NO_NOTES,
    OUTCOME,
    SEAT,
    book_outcome,
    play_games,
    start,
    step,
    step_randomly,
)
from arena.rules.actions import NO_ACTION, encode_action
from arena.rules.board import BOARD, MAX_SEATS
from arena.rules.invariants import NONE, broken, what_is_broken
from arena.rules.notes import end_notes
from arena.rules.state import PHASES, STATE
from arena.rules.turn import FORCED, forfeit
from arena.rules.view import VIEW
from arena.texts import plain
from arena.view import View

Farewell = Callable[[Sequence[int] | None, Sequence[int] | None], None]
"""What is called at the end of a game, with the points and places by seat, or None if it was broken off."""


@dataclass(frozen=True)
class Entrant:
    """A bot with its parameters, under the name that the tables show."""

    name: str
    spec: str
    bot: Policy | type[Bot] | Outside
    parameters: dict[str, Any]
    digest: str
    """Of the bot's sources."""

    def memory(self) -> np.ndarray:
        """A policy's memory at the start of a game, float64 [MEMORY]: its parameters, then zeros."""
        return self.bot.memory(self.parameters) if isinstance(self.bot, Policy) else np.zeros(MEMORY)


class Table:
    """A board for a number of seats with everything that a game between given entrants needs around it."""

    def __init__(
        self, spec: MapSpec, seats: int, entrants: Sequence[Entrant], limits: Limits = USUAL, *, noted: bool = False
    ) -> None:
        """noted: whether OUTCOME records are to hold notes of the games, not only how they end."""
        self.spec = spec
        self.limits = limits
        self.noted = noted
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
        self.where = np.zeros(4, np.int64)  # what a watcher of this process may look at
        self.game = -1  # the number of the game that is played step by step, if it has one
        self.notes = NO_NOTES  # of the game that is played step by step
        self.farewells: list[Farewell] = []  # of this game
        self.spent = [0.0] * MAX_SEATS  # seconds of each seat in this game
        self.place = self.traceback = ""  # where a bot has just raised an exception
        self.out_of_memory: Callable[[str], object] | None = None  # told the traceback before the fault is booked
        self.starts = np.stack([entrant.memory() for entrant in self.entrants])
        policies = [entrant.bot for entrant in self.entrants if isinstance(entrant.bot, Policy)]
        self.policies = list(dict.fromkeys(policies))
        self.functions = np.array(
            [self.policies.index(e.bot) if isinstance(e.bot, Policy) else -1 for e in self.entrants], np.int64
        )

    def play(
        self,
        seatings: np.ndarray,
        words: np.ndarray,
        *,
        first: int | None = None,
        forced: Mapping[int, Sequence[Fault]] = MappingProxyType({}),
        benched: Collection[int] = (),
    ) -> tuple[np.ndarray, dict[int, list[Fault]]]:
        """Play games, a row of `seatings` (entrants, int64 [games, seats]) and `words` each.

        first: the number of the first game, if they have any; forced: faults that are booked, by row; benched: entrants
        that are not asked. Returns the outcomes (OUTCOME [games]) and the faults by game, an index into the rows; those
        of entrants that were not asked are in the outcomes alone. BrokenGame if an invariant does not hold.
        """
        outcomes = np.zeros(len(seatings), OUTCOME)
        faults: dict[int, list[Fault]] = {}
        off = np.isin(seatings, list(benched))
        again = self._needs_python(seatings, off)
        again[list(forced)] = True
        unsound = np.zeros(len(seatings), np.int64)
        games = np.flatnonzero(~again)
        if len(games):
            outcomes[games], unsound[games] = self._play_compiled(
                seatings[games], words[games], (first or 0) + games, benched
            )
            if self._restore_board():  # who knows what the games came to on another board
                again[games], unsound[games] = True, NONE
        # Games with a fault are played once more in Python: only there an exception has a text and a culprit a seat.
        again |= (outcomes["fault"] % FAULT_PROBATION).any(axis=1) | (unsound != NONE)
        for game in np.flatnonzero(again).tolist():
            self.where[GAME] = (first or 0) + game
            self.game = -1 if first is None else first + game
            outcomes[game : game + 1] = np.zeros(1, OUTCOME)
            booked = [Fault(seat, FAULTS[FAULT_PROBATION], "", 0) for seat in np.flatnonzero(off[game]).tolist()]
            booked += forced.get(game, ())
            found = self.play_one(
                [self.entrants[e] for e in seatings[game]], words[game], outcomes[game : game + 1], booked
            )
            if found := [fault for fault in found if fault.kind != FAULTS[FAULT_PROBATION]]:
                faults[game] = found
            else:
                self.vouch(unsound[game])  # a bot that wrote into the state would have been found
        self.where[GAME] = -1
        return outcomes, faults

    def _needs_python(self, seatings: np.ndarray, off: np.ndarray) -> np.ndarray:
        """Which games are played step by step: if any bot that is asked is a class, or its time must be measured."""
        if self.limits.game_time:
            return np.ones(len(seatings), bool)
        classes = self.functions[seatings] < 0
        needs: np.ndarray = (classes & ~off).any(axis=1) | classes.all(axis=1)
        return needs | off.any(axis=1) if self.limits.on_fault == "forfeit" else needs

    def _restore_state(self, before: bytes) -> bool:
        """Undo what a compiled bot may have written into the state, beyond what it was handed; whether it had."""
        if self.states.tobytes() == before:
            return False
        self.states[:] = np.frombuffer(before, STATE)
        return True

    def _restore_board(self) -> bool:
        """Undo what a compiled bot may have written into the board; whether there was anything."""
        if self.boards.tobytes() == self.board_bytes:
            return False
        self.boards[0] = self.public_boards[0]
        return True

    def _play_compiled(
        self, seatings: np.ndarray, words: np.ndarray, games: np.ndarray, benched: Collection[int]
    ) -> tuple[np.ndarray, np.ndarray]:
        """The outcomes, and which invariant each game breaks."""
        needed = np.unique(self.functions[seatings])
        needed = needed[needed >= 0]  # of one that is not asked there may be none
        addresses = [self.policies[index].address() for index in needed.tolist()]
        policies = addresses if INTERPRETED else np.array(addresses, np.int64)
        functions = np.searchsorted(needed, self.functions)
        outcomes, unsound = np.zeros(len(seatings), OUTCOME), np.zeros(len(seatings), np.int64)
        table = (
            self.board, self.state, self.view, self.actions, self.memory, self.luck, self.slot, self.fault, self.where,
            self.noted,
        )  # fmt: skip
        faults = np.full(len(self.entrants), NO_FAULT, np.int64)
        faults[list(benched)] = FAULT_PROBATION
        play_games(table, policies, functions, self.starts, faults, seatings, words, games, outcomes, unsound)
        return outcomes, unsound

    def play_one(
        self, lineup: Sequence[Entrant], words: np.ndarray, outcomes: np.ndarray, forced: Sequence[Fault] = ()
    ) -> list[Fault]:
        """Play one game decision by decision, fill its OUTCOME record (an array of one) and return the faults.

        forced: faults known beforehand: at its decision, or the first after it, the seat is not asked any more.
        """
        states, boards, views, actions, luck = self.states, self.boards, self.views, self.actions, self.luck
        known = {fault.seat: fault for fault in forced}
        self.fault[:] = NO_FAULT
        self.spent = [0.0] * MAX_SEATS
        luck[: len(words[3:FORCED])] = words[3:FORCED]
        faults: list[Fault] = []
        self.where[SEAT] = self.where[DECISION] = -1  # while they sit down nobody decides
        self.part()  # if an exception ended the last game
        deciders = [
            self.sit(seat, entrant, int(words[3 + seat])) if seat not in known or known[seat].decision else _not_asked
            for seat, entrant in enumerate(lineup)
        ]
        decision = 0
        self.notes = outcomes if self.noted else NO_NOTES
        turn = int(start(states, boards, views, actions, words, self.notes))
        while turn:
            seat = turn & 7
            if not self.fault[seat]:
                fault = known.get(seat)
                if fault is None or decision < fault.decision:
                    turn, fault = self.decide(seat, deciders[seat], turn >> 3, decision)
                if fault:
                    faults.append(fault)
                    self.fault[seat] = FAULTS.index(fault.kind)
                    luck[seat] = words[3 + seat]  # what a bot took of it in a process of its own is not known here
                    if self.limits.on_fault == "forfeit":
                        forfeit(states)
                        break
            if self.fault[seat]:
                self.where[SEAT] = -1
                turn = int(step_randomly(states, boards, views, actions, luck, self.notes))
            decision += 1
        self.where[SEAT] = -1
        book_outcome(self.state, self.board, self.fault, outcomes[0])
        if self.noted:
            end_notes(outcomes[0], self.state, self.board)
        self.vouch(broken(self.state, self.board))
        self.part(outcomes[0])
        return faults

    def vouch(self, invariant: int) -> None:
        """BrokenGame if a game that is over breaks one of INVARIANTS."""
        if invariant != NONE:
            raise BrokenGame(what_is_broken(int(invariant)), self.game)

    def part(self, outcome: np.record | None = None) -> None:
        """Tell those who want to know that the game is over, or (None) broken off."""
        seats = int(self.board.seats)
        results = (None, None) if outcome is None else (outcome.score[:seats].tolist(), outcome.rank[:seats].tolist())
        while self.farewells:
            self.farewells.pop()(*results)

    def decide(self, seat: int, decider: Callable[[int], int], count: int, decision: int) -> tuple[int, Fault | None]:
        """Let a seat decide and play it: what `step` returns, or NO_ACTION and what the bot did wrong."""
        self.where[SEAT], self.where[DECISION] = seat, decision
        self.place = self.traceback = ""
        begun = perf_counter()
        try:
            code = decider(count)
            self._check_time(seat, perf_counter() - begun)
            return self._step(code, count), None
        except BotFault as error:
            reason = plain(
                shortened(str(error), 2 * LONGEST_TEXT)
            )  # with a place it is longer than an exception's text
            kind, trace, stderr = error.kind, error.traceback, error.stderr
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and parent_process() is None:
                raise  # the user's; in a worker, which ignores interrupts, it is the bot's
            kind = FAULT_MEMORY if isinstance(error, MemoryError) else FAULT_EXCEPTION
            if kind == FAULT_MEMORY and self.out_of_memory:
                self.out_of_memory(self.traceback)
            reason, trace, stderr = reason_of(error) + self.place, self.traceback, ""
        return NO_ACTION, Fault(seat, FAULTS[kind], reason, decision, trace, stderr)

    def _check_time(self, seat: int, seconds: float) -> None:
        """BotFault if a decision, or a seat's decisions in this game, took too long."""
        limits = self.limits
        self.spent[seat] += seconds
        if limits.move_time and seconds > limits.move_time:
            raise BotFault(FAULT_MOVE_TIME, LONG_DECISION.format(limits.move_time))
        if limits.game_time and self.spent[seat] > limits.game_time:
            raise BotFault(FAULT_GAME_TIME, LONG_GAME.format(limits.game_time))

    def _step(self, code: int, count: int) -> int:
        """Play an action and prepare the next decision; BotFault if it is illegal."""
        turn = int(step(self.states, self.boards, self.views, self.actions, code, self.notes))
        if turn == NO_ACTION:
            if 0 <= code < count:
                raise BotFault(FAULT_ILLEGAL, f"returned {code}, which is none of `actions`: {NOT_AN_INDEX}")
            phase = PHASES[self.state["phase"]]
            raise BotFault(FAULT_ILLEGAL, f"{describe_code(code)} is illegal in phase {phase}")
        return turn

    def sit(self, seat: int, entrant: Entrant, luck: int) -> Callable[[int], int]:
        """What a seat calls to decide: the number of legal actions in, an action's integer out."""
        if isinstance(entrant.bot, Policy):
            self.memory[seat] = entrant.memory()
            return self._policy_decider(seat, entrant.bot.compile())
        if isinstance(entrant.bot, Outside):
            return entrant.bot.sit(self, seat, luck)
        return self._class_decider(entrant.bot, entrant.parameters, luck)

    def view_of(self, count: int) -> View:
        """What a bot in Python is handed when it has `count` legal actions."""
        return View(self.spec, self.public_boards, self.views.tobytes(), self.actions[:count].tobytes())

    def _policy_decider(self, seat: int, policy: Callable[..., int]) -> Callable[[int], int]:
        def decide(count: int) -> int:
            self.slot[0] = self.luck[seat]
            before = self.states.tobytes()
            try:
                code = int(policy(self.view, self.board, self.actions[:count], self.memory[seat], self.slot))
            except BaseException as error:
                if INTERPRETED:  # compiled code does not tell
                    self.place, self.traceback = place_of(error), traceback_of(error)
                raise
            finally:
                self.luck[seat] = self.slot[0]
                wrote_state = self._restore_state(before)
                if self._restore_board():
                    raise BotFault(FAULT_ILLEGAL, WROTE_BOARD)
                if wrote_state:
                    raise BotFault(FAULT_ILLEGAL, WROTE_STATE)
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
                self.place, self.traceback = place_of(error), traceback_of(error)
                raise
            try:
                return encode_action(action)
            except (TypeError, ValueError):
                raise BotFault(FAULT_WRONG_TYPE, f"returned {describe_answer(action)}") from None

        return decide


def _not_asked(count: int) -> int:
    raise AssertionError("a seat whose fault is known beforehand decides nothing")
