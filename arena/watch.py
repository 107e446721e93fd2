"""A table with a spectator: every decision with its time, and whether a bot left what it was shown as it was."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import NamedTuple

import numpy as np

from arena.faults import Fault
from arena.play import start, step_randomly
from arena.rules.turn import FORCED
from arena.rules.view import VIEW
from arena.table import Entrant, Table
from arena.view import View

ANY_NUMBER = 1 << 30


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
    """Of the watched seats, an illegal answer included."""
    seconds: list[float] = field(default_factory=list)
    """Wall time of each, and of one that raised an exception."""
    fault: Fault | None = None
    """`decision` counts those of the watched seats."""
    phase: int = 0
    """In which the last decision was asked for."""
    changed: list[str] = field(default_factory=list)
    """What the bots wrote over: `hand`, `the record`, ..."""


class WatchedTable(Table):
    """A table that plays step by step and keeps what the seats of entrants do; other seats play at random."""

    shown: View | None = None

    def watch(self, lineup: Sequence[Entrant | None], words: np.ndarray, most: int = ANY_NUMBER) -> Watched:
        """Play a deal, or its first `most` decisions of entrants; None seats a player who takes any legal action."""
        game = Watched()
        self.part()
        self.luck[: len(words[3:FORCED])] = words[3:FORCED]
        deciders = [
            self._watched(seat, self.sit(seat, entrant, int(words[3 + seat])), game) if entrant else None
            for seat, entrant in enumerate(lineup)
        ]
        turn = int(start(self.states, self.boards, self.views, self.actions, words, self.notes))
        while turn and len(game.decisions) < most and not game.fault:
            seat = turn & 7
            decider = deciders[seat]
            if decider is None:
                turn = int(step_randomly(self.states, self.boards, self.views, self.actions, self.luck, self.notes))
                continue
            number = len(game.decisions)
            turn, game.fault = self.decide(seat, decider, turn >> 3, number)
        self.part()
        return game

    def _watched(self, seat: int, decider: Callable[[int], int], game: Watched) -> Callable[[int], int]:
        """A decider that looks before and after at what the bot was handed."""

        def decide(count: int) -> int:
            view, actions = self.views.tobytes(), self.actions[:count].tobytes()
            self.shown = None
            game.phase = int(self.state["phase"])
            begun = perf_counter()
            try:
                code = decider(count)
            finally:
                game.seconds.append(perf_counter() - begun)
                game.changed += self._changes(view, actions)
            game.decisions.append(Decision(seat, game.phase, code))
            return code

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
    public = [name for name in vars(shown) if hasattr(View, name) and name not in ("record", "_data", "actions")]
    return [name for name in (*public, "_bytes", "_codes") if getattr(shown, name) != getattr(fresh, name)]
