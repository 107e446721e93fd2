"""A table at which batches of games are played: compiled bots in compiled code, all others decision by decision."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from arena.boards.spec import MapSpec
from arena.engine.bots import Entrant, Policy
from arena.engine.faults import Fault
from arena.engine.game_table import GameTable
from arena.engine.limits import USUAL, Limits
from arena.engine.loop import FAULT_SUSPENDED, FAULTS, GAME, NO_FAULT, OUTCOME, play_games
from arena.rules.compiler import INTERPRETED
from arena.rules.invariants import NONE


class Table(GameTable):
    """A table for games between the given entrants."""

    def __init__(
        self, spec: MapSpec, seats: int, entrants: Sequence[Entrant], limits: Limits = USUAL, *, logged: bool = False
    ) -> None:
        """logged: whether OUTCOME records are to hold the log of each game, not only how it ends."""
        super().__init__(spec, seats, entrants, limits, logged=logged)
        self.logged = logged
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

        first: the number of the first game, if they have any; forced: faults known beforehand, by row; suspended: the
        entrants that are not asked. Returns the outcomes (OUTCOME [games]) and the faults by row; those of suspended
        entrants are in the outcomes alone. BrokenGame if an invariant does not hold.
        """
        outcomes = np.zeros(len(seatings), OUTCOME)
        faults: dict[int, list[Fault]] = {}
        is_suspended = np.isin(seatings, list(suspended))
        again = self._needs_python(seatings, is_suspended)
        again[list(forced)] = True
        broken = np.zeros(len(seatings), np.int64)
        games = np.flatnonzero(~again)
        if len(games):
            outcomes[games], broken[games] = self._play_compiled(
                seatings[games], deals[games], (first or 0) + games, suspended
            )
            if self.restore_board():  # who knows what the games came to on another board
                again[games], broken[games] = True, NONE
        # Games with a fault are played once more in Python: only there an exception has a text and a culprit a seat.
        again |= (outcomes["fault"] % FAULT_SUSPENDED).any(axis=1) | (broken != NONE)
        for game in np.flatnonzero(again).tolist():
            self.where[GAME] = (first or 0) + game
            self.game = -1 if first is None else first + game
            known = [
                Fault(seat, FAULTS[FAULT_SUSPENDED], "", 0) for seat in np.flatnonzero(is_suspended[game]).tolist()
            ]
            known += forced.get(game, ())
            found = self.play_one(
                [self.entrants[e] for e in seatings[game]], deals[game : game + 1], outcomes[game : game + 1], known
            )
            if found := [fault for fault in found if fault.kind != FAULTS[FAULT_SUSPENDED]]:
                faults[game] = found
            else:
                self.check_invariants(broken[game])  # a bot that wrote into the state would have been found
        self.where[GAME] = -1
        return outcomes, faults

    def _needs_python(self, seatings: np.ndarray, is_suspended: np.ndarray) -> np.ndarray:
        """Which games are played step by step: with a bot that is not compiled, or where time must be measured."""
        if self.limits.game_time:
            return np.ones(len(seatings), bool)
        classes = self.functions[seatings] < 0
        needs: np.ndarray = (classes & ~is_suspended).any(axis=1) | classes.all(axis=1)
        return needs | is_suspended.any(axis=1) if self.limits.on_fault == "forfeit" else needs

    def _play_compiled(
        self, seatings: np.ndarray, deals: np.ndarray, games: np.ndarray, suspended: Collection[int]
    ) -> tuple[np.ndarray, np.ndarray]:
        """The outcomes of games between compiled bots, and which invariant each game breaks."""
        needed = np.unique(self.functions[seatings])
        needed = needed[needed >= 0]  # a suspended bot may never have been compiled
        addresses = [self.policies[index].address() for index in needed.tolist()]
        policies = addresses if INTERPRETED else np.array(addresses, np.int64)
        functions = np.searchsorted(needed, self.functions)
        outcomes, broken = np.zeros(len(seatings), OUTCOME), np.zeros(len(seatings), np.int64)
        table = (
            self.board, self.state, self.view, self.actions, self.memory, self.random_states, self.random_state,
            self.fault, self.where, self.logged,
        )  # fmt: skip
        faults = np.full(len(self.entrants), NO_FAULT, np.int64)
        faults[list(suspended)] = FAULT_SUSPENDED
        play_games(table, policies, functions, self.starts, faults, seatings, deals, games, outcomes, broken)
        return outcomes, broken
