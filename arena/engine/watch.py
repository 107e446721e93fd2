"""A table with a spectator, who times each decision and sees whether a bot changed what it was shown."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import NamedTuple

import numpy as np

from arena.engine.bots import Agent, Entrant
from arena.engine.faults import BotFault, Fault
from arena.engine.game_table import GameTable
from arena.engine.loop import FAULT_SUSPENDED
from arena.engine.view import View
from arena.rules.view import VIEW

ANY_NUMBER = 1 << 30
ENOUGH = "as many decisions as wanted"


class Decision(NamedTuple):
    """The answer of a watched seat."""

    seat: int
    phase: int
    """An index into `arena.rules.state.PHASES`."""
    action: int


@dataclass
class Watched:
    """What was seen of a game; a fault ends it."""

    decisions: list[Decision] = field(default_factory=list)
    """Those of the watched seats, with an illegal answer and those where one action was left and nobody was asked."""
    seconds: list[float] = field(default_factory=list)
    """The wall time of each decision that was asked for, including one that raised an exception."""
    fault: Fault | None = None
    """Its `decision` counts the decisions of the watched seats."""
    phase: int = 0
    """The phase in which the last decision was asked for."""
    changed: list[str] = field(default_factory=list)
    """What the bots overwrote: `hand`, `the record`, ..."""


class WatchedTable(GameTable):
    """A table that plays step by step and keeps what the seats of entrants do; other seats play at random."""

    shown: View | None = None
    number = 0
    """The number of the decision that a watched seat was asked for last."""

    def watch(self, lineup: Sequence[Entrant | None], deal: np.ndarray, most: int = ANY_NUMBER) -> Watched:
        """Play a deal (DEAL [1]), or its first `most` decisions of entrants; None seats a random player."""
        game = Watched()
        self.end_game()
        seeds = deal["random_states"][0].tolist()
        agents = [
            self._watched(entrant, self.seat_bot(seat, entrant, seeds[seat]), game, most) if entrant else None
            for seat, entrant in enumerate(lineup)
        ]
        for fault in self.go(deal, agents, [False] * len(lineup), {}, until_fault=True):
            if fault.reason != ENOUGH:
                game.fault = fault._replace(decision=self.number)
        self.end_game()
        return game

    def _watched(self, entrant: Entrant, agent: Agent, game: Watched, most: int) -> Agent:
        """An agent that looks before and after at what the bot was handed."""

        def decide(count: int) -> int:
            self.number = len(game.decisions)
            if self.number == most:
                raise BotFault(FAULT_SUSPENDED, ENOUGH)  # ends the game
            game.phase = int(self.state["phase"])
            seat = int(self.state["seat"])
            code = int(self.actions[0]) if count == 1 and not entrant.is_always_asked else ask(count)
            game.decisions.append(Decision(seat, game.phase, code))
            return code

        def ask(count: int) -> int:
            view, actions = self.views.tobytes(), self.actions[:count].tobytes()
            self.shown = None
            begun = perf_counter()
            try:
                return agent(count)
            finally:
                game.seconds.append(perf_counter() - begun)
                game.changed += self._changes(view, actions)

        return decide

    def _changes(self, view: bytes, actions: bytes) -> list[str]:
        """What the bot just overwrote; the records that policies are handed are restored."""
        changed = []
        if self.views.tobytes() != view:
            changed.append("the record")
            self.views[:] = np.frombuffer(view, VIEW)
        codes = np.frombuffer(actions, np.int32)
        if not np.array_equal(self.actions[: len(codes)], codes):
            changed.append("the actions")
            self.actions[: len(codes)] = codes
        if self.shown is not None:
            changed += differences(self.shown, super().view_of(len(codes)))
        return changed

    def view_of(self, count: int) -> View:
        """The view, which is looked at again after the decision."""
        self.shown = super().view_of(count)
        return self.shown


def differences(shown: View, fresh: View) -> list[str]:
    """What a bot overwrote in the view that it was shown, compared with a fresh one of the same position."""
    public = [name for name in vars(shown) if hasattr(View, name) and name != "record"]
    return [name for name in public if getattr(shown, name) != getattr(fresh, name)]
