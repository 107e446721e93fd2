"""A table: bots in their seats. Compiled bots play whole batches of games, all others decision by decision."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import parent_process
from time import perf_counter
from types import MappingProxyType
from typing import Any

import numpy as np

from arena.boards.spec import MapSpec
from arena.engine.bots import MEMORY, Bot, Outside, Policy
from arena.engine.desk import Desk
from arena.engine.faults import (
    LONG_DECISION,
    LONG_GAME,
    LONGEST_TEXT,
    NOT_AN_INDEX,
    BotFault,
    Fault,
    describe_code,
    reason_of,
    shortened,
)
from arena.engine.limits import USUAL, Limits
from arena.engine.loop import (
    COUNT_SHIFT,
    DECISION,
    FAULT_EXCEPTION,
    FAULT_GAME_TIME,
    FAULT_ILLEGAL,
    FAULT_MEMORY,
    FAULT_MOVE_TIME,
    FAULT_SUSPENDED,
    FAULTS,
    GAME,
    NO_FAULT,
    OUTCOME,
    SEAT,
    SEAT_MASK,
    finish,
    play_games,
    start,
    step,
    step_randomly,
)
from arena.engine.seats import class_decider, policy_decider
from arena.engine.view import View
from arena.errors import BrokenGame
from arena.rules.actions import NO_ACTION
from arena.rules.board import BOARD, MAX_SEATS
from arena.rules.compiler import INTERPRETED
from arena.rules.invariants import NONE, what_is_broken
from arena.rules.state import PHASES, STATE
from arena.rules.turn import forfeit
from arena.rules.view import VIEW_BYTES
from arena.texts import plain

OnGameEnd = Callable[[Sequence[int] | None, Sequence[int] | None], None]
"""What is called at the end of a game, with the points and places by seat, or None if it was broken off."""
TWO_ACTIONS = 2 << COUNT_SHIFT
"""What `step` returns is less if the seat to move has one legal action."""
_NO_NOTES = np.zeros(1, OUTCOME)[0]


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


def goes_without_asking(entrant: Entrant) -> bool:
    """Whether a bot is not asked where it has one legal action. A policy is: it may draw from its luck, or count."""
    bot = entrant.bot
    return not (isinstance(bot, Policy) or (isinstance(bot, Outside) and bot.is_policy))


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
        self.desk = desk = Desk(spec, seats)
        desk.records["noted"] = noted
        self.states, self.boards, self.views, self.actions = desk.states, desk.boards, desk.views, desk.actions
        self.board_bytes = self.boards.tobytes()  # what it must stay: compiled bots could write into it
        self.public_boards = np.frombuffer(self.board_bytes, BOARD)  # what bots in Python are handed: not writable
        self.board, self.state, self.view = self.boards[0], self.states[0], self.views[0]
        self.memory = np.zeros((MAX_SEATS, MEMORY))
        self.luck = np.zeros(MAX_SEATS, np.uint64)
        self.slot = np.zeros(1, np.uint64)  # a seat's luck while it decides: it must not see its neighbors'
        self.fault = np.zeros(MAX_SEATS, np.int64)
        self.where = np.zeros(4, np.int64)  # what a watcher of this process may look at
        self.game = -1  # the number of the game that is played step by step, if it has one
        self.on_game_end: list[OnGameEnd] = []  # of this game
        self.spent = [0.0] * MAX_SEATS  # seconds of each seat in this game
        self.longest = limits.move_time or math.inf  # seconds of a decision
        self.most_spent = limits.game_time or math.inf  # and of all in a game
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
        deals: np.ndarray,
        *,
        first: int | None = None,
        forced: Mapping[int, Sequence[Fault]] = MappingProxyType({}),
        suspended: Collection[int] = (),
    ) -> tuple[np.ndarray, dict[int, list[Fault]]]:
        """Play games, a row of `seatings` (entrants, int64 [games, seats]) and of `deals` each.

        first: the number of the first game, if they have any; forced: faults that are entered beforehand, by row;
        suspended: entrants that are not asked. Returns the outcomes (OUTCOME [games]) and the faults by game, an index
        into the rows; those of entrants that were not asked are in the outcomes alone. BrokenGame if an invariant does
        not hold.
        """
        outcomes = np.zeros(len(seatings), OUTCOME)
        faults: dict[int, list[Fault]] = {}
        off = np.isin(seatings, list(suspended))
        again = self._needs_python(seatings, off)
        again[list(forced)] = True
        unsound = np.zeros(len(seatings), np.int64)
        games = np.flatnonzero(~again)
        if len(games):
            outcomes[games], unsound[games] = self._play_compiled(
                seatings[games], deals[games], (first or 0) + games, suspended
            )
            if self.restore_board():  # who knows what the games came to on another board
                again[games], unsound[games] = True, NONE
        # Games with a fault are played once more in Python: only there an exception has a text and a culprit a seat.
        again |= (outcomes["fault"] % FAULT_SUSPENDED).any(axis=1) | (unsound != NONE)
        for game in np.flatnonzero(again).tolist():
            self.where[GAME] = (first or 0) + game
            self.game = -1 if first is None else first + game
            outcomes[game : game + 1] = np.zeros(1, OUTCOME)
            booked = [Fault(seat, FAULTS[FAULT_SUSPENDED], "", 0) for seat in np.flatnonzero(off[game]).tolist()]
            booked += forced.get(game, ())
            found = self.play_one(
                [self.entrants[e] for e in seatings[game]], deals[game : game + 1], outcomes[game : game + 1], booked
            )
            if found := [fault for fault in found if fault.kind != FAULTS[FAULT_SUSPENDED]]:
                faults[game] = found
            else:
                self.check_invariants(unsound[game])  # a bot that wrote into the state would have been found
        self.where[GAME] = -1
        return outcomes, faults

    def _needs_python(self, seatings: np.ndarray, off: np.ndarray) -> np.ndarray:
        """Which games are played step by step: if any bot that is asked is a class, or its time must be measured."""
        if self.limits.game_time:
            return np.ones(len(seatings), bool)
        classes = self.functions[seatings] < 0
        needs: np.ndarray = (classes & ~off).any(axis=1) | classes.all(axis=1)
        return needs | off.any(axis=1) if self.limits.on_fault == "forfeit" else needs

    def restore_state(self, before: bytes) -> bool:
        """Undo what a compiled bot may have written into the state, beyond what it was handed; whether it had."""
        if self.states.tobytes() == before:
            return False
        self.states[:] = np.frombuffer(before, STATE)
        return True

    def restore_board(self) -> bool:
        """Undo what a compiled bot may have written into the board; whether there was anything."""
        if self.boards.tobytes() == self.board_bytes:
            return False
        self.boards[0] = self.public_boards[0]
        return True

    def _play_compiled(
        self, seatings: np.ndarray, deals: np.ndarray, games: np.ndarray, suspended: Collection[int]
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
        faults[list(suspended)] = FAULT_SUSPENDED
        play_games(table, policies, functions, self.starts, faults, seatings, deals, games, outcomes, unsound)
        return outcomes, unsound

    def play_one(
        self, lineup: Sequence[Entrant], deal: np.ndarray, outcomes: np.ndarray, forced: Sequence[Fault] = ()
    ) -> list[Fault]:
        """Play a deal (DEAL [1]) decision by decision, fill its OUTCOME (an array of one too) and return the faults.

        forced: faults known beforehand: at its decision, or the first after it, the seat is not asked any more.
        """
        known = {fault.seat: fault for fault in forced}
        self.fault[:] = NO_FAULT
        self.spent = [0.0] * MAX_SEATS
        self.where[SEAT] = self.where[DECISION] = -1  # while they sit down nobody decides
        self.end_game()  # if an exception ended the last game
        luck = deal["luck"][0].tolist()
        deciders = [
            self.seat_bot(seat, entrant, luck[seat]) if seat not in known or known[seat].decision else None
            for seat, entrant in enumerate(lineup)
        ]
        unasked = [bool(decider) and goes_without_asking(e) for decider, e in zip(deciders, lineup, strict=True)]
        self.desk.notes[0] = _NO_NOTES
        forfeits = self.limits.on_fault == "forfeit"
        faults = self.go(deal, deciders, unasked, known, until_fault=forfeits)
        if faults and forfeits:
            forfeit(self.states)
        for fault in faults:
            self.fault[fault.seat] = FAULTS.index(fault.kind)
        self.where[SEAT] = -1
        invariant = finish(self.desk.memory, self.fault)
        outcomes[0] = self.desk.notes[0]
        self.check_invariants(invariant)
        self.end_game(outcomes[0])
        return faults

    def go(
        self,
        deal: np.ndarray,
        deciders: Sequence[Callable[[int], int] | None],
        unasked: list[bool],
        known: Mapping[int, Fault],
        *,
        until_fault: bool,
    ) -> list[Fault]:
        """Play a deal (DEAL [1]) to its end, or until a bot does something wrong, and return the faults.

        deciders: what `seat_bot` returned, by seat; without one, somebody stands in. unasked: which seats are not asked
        where they have one legal action. known: faults known beforehand, by seat.
        """
        memory, actions, luck, spent = self.desk.memory, self.actions, self.luck, self.spent
        where, longest, most_spent = self.where.data, self.longest, self.most_spent
        luck[:] = deal["luck"][0]
        play = getattr(step, "entry", step)  # compiled, a call takes a tenth less than that of the kernel
        standing_in = [decider is None and seat not in known for seat, decider in enumerate(deciders)]
        faults: list[Fault] = []
        decision = 0
        turn = start(memory, deal)
        while turn:
            seat = turn & SEAT_MASK
            if turn < TWO_ACTIONS and unasked[seat]:
                turn = play(memory, int(actions[0]))
            elif standing_in[seat]:
                where[SEAT] = -1
                turn = step_randomly(memory, luck)
            else:
                fault = known.get(seat)
                decider = deciders[seat]
                if decider and (fault is None or decision < fault.decision):
                    where[SEAT], where[DECISION] = seat, decision
                    try:
                        begun = perf_counter()
                        code = decider(turn >> COUNT_SHIFT)
                        seconds = perf_counter() - begun
                        spent[seat] += seconds
                        if seconds > longest or spent[seat] > most_spent:
                            raise self._too_late(seconds)
                        after = play(memory, code)
                        if after == NO_ACTION:
                            raise self._illegal(code, turn >> COUNT_SHIFT)
                        turn, fault = after, None
                    except BaseException as error:
                        fault = self._fault(error, seat, decision)
                if fault:
                    faults.append(fault)
                    if until_fault:
                        break
                    standing_in[seat] = True  # in this decision already
                    unasked[seat] = False  # whoever stands in plays as `random` does, which is a policy
                    luck[seat] = deal["luck"][0, seat]  # what a bot in its own process took of it is not known here
                    continue
            decision += 1
        return faults

    def check_invariants(self, invariant: int) -> None:
        """BrokenGame if a game that is over breaks one of INVARIANTS."""
        if invariant != NONE:
            raise BrokenGame(what_is_broken(int(invariant)), self.game)

    def end_game(self, outcome: np.record | None = None) -> None:
        """Tell those who want to know that the game is over, or (None) broken off."""
        if not self.on_game_end:
            return
        seats = int(self.board.seats)
        results = (None, None) if outcome is None else (outcome.score[:seats].tolist(), outcome.rank[:seats].tolist())
        while self.on_game_end:
            self.on_game_end.pop()(*results)

    def _fault(self, error: BaseException, seat: int, decision: int) -> Fault:
        """What a bot did wrong by what came of asking it; an interrupt of the user's is raised again."""
        place, trace = self.place, self.traceback
        self.place = self.traceback = ""
        if isinstance(error, BotFault):
            reason = plain(shortened(str(error), 2 * LONGEST_TEXT))  # with a place it may be longer than an exception's
            return Fault(seat, FAULTS[error.kind], reason, decision, error.traceback, error.stderr)
        if isinstance(error, KeyboardInterrupt) and parent_process() is None:
            raise error  # in a worker, which ignores interrupts, it is the bot's
        kind = FAULT_MEMORY if isinstance(error, MemoryError) else FAULT_EXCEPTION
        if kind == FAULT_MEMORY and self.out_of_memory:
            self.out_of_memory(trace)
        return Fault(seat, FAULTS[kind], reason_of(error) + place, decision, trace)

    def _too_late(self, seconds: float) -> BotFault:
        """What is wrong if a decision, or a seat's decisions in this game, took too long."""
        limits = self.limits
        if seconds > self.longest:
            return BotFault(FAULT_MOVE_TIME, LONG_DECISION.format(limits.move_time))
        return BotFault(FAULT_GAME_TIME, LONG_GAME.format(limits.game_time))

    def _illegal(self, code: int, count: int) -> BotFault:
        """What is wrong with an answer that is not legal."""
        if 0 <= code < count:
            return BotFault(FAULT_ILLEGAL, f"returned {code}, which is not in `actions`: {NOT_AN_INDEX}")
        phase = PHASES[self.state["phase"]]
        return BotFault(FAULT_ILLEGAL, f"{describe_code(code)} is illegal in phase {phase}")

    def seat_bot(self, seat: int, entrant: Entrant, luck: int) -> Callable[[int], int]:
        """What a seat calls to decide: the number of legal actions in, an action's integer out."""
        if isinstance(entrant.bot, Policy):
            self.memory[seat] = entrant.memory()
            return policy_decider(self, seat, entrant.bot.compile())
        if isinstance(entrant.bot, Outside):
            return entrant.bot.seat_bot(self, seat, luck)
        return class_decider(self, entrant.bot, entrant.parameters, luck)

    def view_of(self, count: int) -> View:
        """What a bot in Python is handed when it has `count` legal actions."""
        return View(self.spec, self.public_boards, self.desk.shown[: VIEW_BYTES + 4 * count].tobytes())
