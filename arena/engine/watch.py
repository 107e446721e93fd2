"""A table with a spectator, who times each decision and sees whether a bot changed what it was shown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import NamedTuple

import numpy as np

from arena.engine.faults import BotFault, Fault
from arena.engine.loop import FAULT_SUSPENDED
from arena.engine.table import Entrant, Table, goes_without_asking
from arena.engine.view import View
from arena.rules.view import VIEW

ANY_NUMBER = 1 << 30
ENOUGH = "as many decisions as wanted"


class Decision(NamedTuple):
    """What a watched seat answered."""

    seat: int
    phase: int
    """An index into `arena.rules.state.PHASES`."""
    action: int


@dataclass
class Watched:
    """A game, as far as it was played: a fault ends it."""

    decisions: list[Decision] = field(default_factory=list)
    """Of the watched seats, an illegal answer included, and those that were not asked for: there was one action."""
    seconds: list[float] = field(default_factory=list)
    """Wall time of each that was asked for, and of one that raised an exception."""
    fault: Fault | None = None
    """`decision` counts those of the watched seats."""
    phase: int = 0
    """In which the last decision was asked for."""
    changed: list[str] = field(default_factory=list)
    """What the bots wrote over: `hand`, `the record`, ..."""


class WatchedTable(Table):
    """A table that plays step by step and keeps what the seats of entrants do; other seats play at random."""

    shown: View | None = None
    number = 0
    """Of the decision that a watched seat was asked for last."""

    def watch(self, lineup: Sequence[Entrant | None], deal: np.ndarray, most: int = ANY_NUMBER) -> Watched:
        """Play a deal (DEAL [1]), or its first `most` decisions of entrants; None seats a random player."""
        game = Watched()
        self.end_game()
        luck = deal["luck"][0].tolist()
        deciders = [
            self._watched(entrant, self.seat_bot(seat, entrant, luck[seat]), game, most) if entrant else None
            for seat, entrant in enumerate(lineup)
        ]
        for fault in self.go(deal, deciders, [False] * len(lineup), {}, until_fault=True):
            if fault.reason != ENOUGH:
                game.fault = fault._replace(decision=self.number)
        self.end_game()
        return game

    def _watched(
        self, entrant: Entrant, decider: Callable[[int], int], game: Watched, most: int
    ) -> Callable[[int], int]:
        """A decider that looks before and after at what the bot was handed."""
        unasked = goes_without_asking(entrant)

        def decide(count: int) -> int:
            self.number = len(game.decisions)
            if self.number == most:
                raise BotFault(FAULT_SUSPENDED, ENOUGH)  # ends the game
            game.phase = int(self.state["phase"])
            seat = int(self.state["seat"])
            code = int(self.actions[0]) if count == 1 and unasked else ask(count)
            game.decisions.append(Decision(seat, game.phase, code))
            return code

        def ask(count: int) -> int:
            view, actions = self.views.tobytes(), self.actions[:count].tobytes()
            self.shown = None
            begun = perf_counter()
            try:
                return decider(count)
            finally:
                game.seconds.append(perf_counter() - begun)
                game.changed += self._changes(view, actions)

        return decide

    def _changes(self, view: bytes, actions: bytes) -> list[str]:
        """What the bot just wrote over; the records that policies are handed are restored."""
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
    """What a bot wrote over in the view that it was shown, compared with a fresh one of the same position."""
    public = [name for name in vars(shown) if hasattr(View, name) and name != "record"]
    return [name for name in public if getattr(shown, name) != getattr(fresh, name)]
