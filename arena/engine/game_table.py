"""A table for one game at a time, which is played decision by decision: it asks the seats and finds their faults."""

import math
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import parent_process
from time import perf_counter

import numpy as np

from arena.boards.spec import MapSpec
from arena.engine import loop
from arena.engine.agents import class_agent, policy_agent
from arena.engine.bots import MEMORY, Agent, Entrant, Outside, Policy
from arena.engine.desk import Desk
from arena.engine.faults import LONGEST_TEXT, BotFault, Fault, illegal, reason_of, shortened, too_late
from arena.engine.limits import USUAL, Limits
from arena.engine.view import View
from arena.errors import BrokenGame
from arena.rules.actions import NO_ACTION
from arena.rules.board import BOARD, MAX_SEATS
from arena.rules.invariants import NONE, what_is_broken
from arena.rules.state import PHASES, STATE
from arena.rules.turn import forfeit
from arena.rules.view import VIEW_BYTES
from arena.texts import plain

OnGameEnd = Callable[[Sequence[int] | None, Sequence[int] | None], None]
"""What is called at the end of a game, with the points and places by seat, or None if it was broken off."""
TWO_ACTIONS = 2 << loop.COUNT_SHIFT
"""What `step` returns is less if the seat to move has one legal action."""
_NO_OUTCOME = np.zeros(1, loop.OUTCOME)[0]


class GameTable:
    """A board for a number of seats, with everything that a game needs around it."""

    def __init__(
        self, spec: MapSpec, seats: int, entrants: Sequence[Entrant], limits: Limits = USUAL, *, logged: bool = False
    ) -> None:
        """logged: whether OUTCOME records are to hold the log of each game, not only how it ends."""
        self.map = spec
        self.limits = limits
        self.entrants = tuple(entrants)
        self.desk = desk = Desk(spec, seats)
        desk.records["logged"] = logged
        self.states, self.boards, self.views, self.actions = desk.states, desk.boards, desk.views, desk.actions
        self.board_bytes = self.boards.tobytes()  # what it must stay: compiled bots could write into it
        self.public_boards = np.frombuffer(self.board_bytes, BOARD)  # what bots in Python are handed: not writable
        self.board, self.state, self.view = self.boards[0], self.states[0], self.views[0]
        self.memory = np.zeros((MAX_SEATS, MEMORY))
        self.random_states = np.zeros(MAX_SEATS, np.uint64)
        self.random_state = np.zeros(1, np.uint64)  # a seat's own while it decides: it must not see its neighbors'
        self.fault = np.zeros(MAX_SEATS, np.int64)
        self.where = np.zeros(4, np.int64)  # what a watcher of this process may look at
        self.game = -1  # the number of the game that is played step by step, if it has one
        self.on_game_end: list[OnGameEnd] = []  # of this game
        self.spent = [0.0] * MAX_SEATS  # seconds of each seat in this game
        self.longest = limits.move_time or math.inf  # seconds of a decision
        self.most_spent = limits.game_time or math.inf  # and of all in a game
        self.place = self.traceback = ""  # where a bot has just raised an exception
        self.out_of_memory: Callable[[str], object] | None = None  # told the traceback before the fault is recorded

    def seat_bot(self, seat: int, entrant: Entrant, seed: int) -> Agent:
        """The agent of a bot in a seat of a new game. seed: the seat's random state at the start of the game."""
        if isinstance(entrant.bot, Policy):
            self.memory[seat] = entrant.memory()
            return policy_agent(self, seat, entrant.bot.compile())
        if isinstance(entrant.bot, Outside):
            return entrant.bot.seat_bot(self, seat, seed)
        return class_agent(self, entrant.bot, entrant.parameters, seed)

    def view_of(self, count: int) -> View:
        """The view that a bot in Python is handed when it has `count` legal actions."""
        return View(self.map, self.public_boards, self.desk.shown[: VIEW_BYTES + 4 * count].tobytes())

    def play_one(
        self, lineup: Sequence[Entrant], deal: np.ndarray, outcomes: np.ndarray, forced: Sequence[Fault] = ()
    ) -> list[Fault]:
        """Play a deal (DEAL [1]) decision by decision, fill its OUTCOME (an array of one too) and return the faults.

        forced: faults known beforehand: at its decision, or the first after it, the seat is not asked any more.
        """
        known = {fault.seat: fault for fault in forced}
        self.fault[:] = loop.NO_FAULT
        self.spent = [0.0] * MAX_SEATS
        self.where[loop.SEAT] = self.where[loop.DECISION] = -1  # while they are seated nobody decides
        self.end_game()  # if an exception ended the last game
        seeds = deal["random_states"][0].tolist()
        agents = [
            self.seat_bot(seat, entrant, seeds[seat]) if seat not in known or known[seat].decision else None
            for seat, entrant in enumerate(lineup)
        ]
        unasked = [bool(agent) and not e.is_always_asked for agent, e in zip(agents, lineup, strict=True)]
        self.desk.outcomes[0] = _NO_OUTCOME
        forfeits = self.limits.on_fault == "forfeit"
        faults = self.go(deal, agents, unasked, known, until_fault=forfeits)
        if faults and forfeits:
            forfeit(self.states)
        for fault in faults:
            self.fault[fault.seat] = loop.FAULTS.index(fault.kind)
        self.where[loop.SEAT] = -1
        invariant = loop.finish(self.desk.memory, self.fault)
        outcomes[0] = self.desk.outcomes[0]
        self.check_invariants(invariant)
        self.end_game(outcomes[0])
        return faults

    def go(
        self,
        deal: np.ndarray,
        agents: Sequence[Agent | None],
        unasked: list[bool],
        known: Mapping[int, Fault],
        *,
        until_fault: bool,
    ) -> list[Fault]:
        """Play a deal (DEAL [1]) to its end, or until a bot does something wrong, and return the faults.

        agents: by seat; a seat without one plays at random. unasked: which seats are not asked where they have one
        legal action. known: faults known beforehand, by seat.
        """
        memory, actions, random_states, spent = self.desk.memory, self.actions, self.random_states, self.spent
        where, longest, most_spent = self.where.data, self.longest, self.most_spent
        random_states[:] = deal["random_states"][0]
        play = getattr(loop.step, "entry", loop.step)  # compiled, a call takes a tenth less than that of the kernel
        at_random = [agent is None and seat not in known for seat, agent in enumerate(agents)]
        faults: list[Fault] = []
        decision = 0
        turn = loop.start(memory, deal)
        while turn:
            seat = turn & loop.SEAT_MASK
            if turn < TWO_ACTIONS and unasked[seat]:
                turn = play(memory, int(actions[0]))
            elif at_random[seat]:
                where[loop.SEAT] = -1
                turn = loop.step_randomly(memory, random_states)
            else:
                fault = known.get(seat)
                agent = agents[seat]
                if agent and (fault is None or decision < fault.decision):
                    where[loop.SEAT], where[loop.DECISION] = seat, decision
                    try:
                        begun = perf_counter()
                        code = agent(turn >> loop.COUNT_SHIFT)
                        seconds = perf_counter() - begun
                        spent[seat] += seconds
                        if seconds > longest or spent[seat] > most_spent:
                            raise too_late(self.limits, seconds)
                        after = play(memory, code)
                        if after == NO_ACTION:
                            raise illegal(code, turn >> loop.COUNT_SHIFT, PHASES[self.state["phase"]])
                        turn, fault = after, None
                    except BaseException as error:
                        fault = self._fault(error, seat, decision)
                if fault:
                    faults.append(fault)
                    if until_fault:
                        break
                    at_random[seat] = True  # in this decision already
                    unasked[seat] = False  # the random fallback plays as the bot `random` does, which is a policy
                    # Anew, for how far a bot in a process of its own has moved it is not known here.
                    random_states[seat] = deal["random_states"][0, seat]
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
        """The fault that an exception is; an interrupt by the user is raised again."""
        place, trace = self.place, self.traceback
        self.place = self.traceback = ""
        if isinstance(error, BotFault):
            reason = plain(shortened(str(error), 2 * LONGEST_TEXT))  # with a place it may be longer than an exception's
            return Fault(seat, loop.FAULTS[error.kind], reason, decision, error.traceback, error.stderr)
        if isinstance(error, KeyboardInterrupt) and parent_process() is None:
            raise error  # in a worker, which ignores interrupts, it is the bot's
        kind = loop.FAULT_MEMORY if isinstance(error, MemoryError) else loop.FAULT_EXCEPTION
        if kind == loop.FAULT_MEMORY and self.out_of_memory:
            self.out_of_memory(trace)
        return Fault(seat, loop.FAULTS[kind], reason_of(error) + place, decision, trace)

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
