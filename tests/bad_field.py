"""A field of bots that misbehave, each in one way: `tests/test_bad_bots.py` plays tournaments with them.

Each has a harmless twin: it decides as the bad one does, and where that one is found out it plays on as the arena's
random fallback does. A bot whose misdeed is no fault has a twin without the misdeed.
"""

import contextlib
import ctypes
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from arena.bot import Action, Bot, View, next_below, policy
from arena.engine.agents import class_agent
from arena.engine.bots import Outside

MOVE_TIME = 1.5
"""Seconds that a decision may take where these play, at most twice as many."""
MEMORY = "256M"
LATE = 50


class Scripted(Bot):
    """Takes a route if it can; `misdeed` comes before each of its decisions from `at` on that `is_time` says."""

    kinds: tuple[str, ...] = ()
    """The faults that are expected of it, apart from suspension; none: what it does is harmless."""
    at = 0
    is_harmless = False
    stream: Any = None
    decision = -1

    def choose(self, view: View) -> Any:
        if self.stream is not None:
            return view.actions[next_below(self.stream, 0, len(view.actions))]
        if len(view.actions) == 1:
            return view.actions[0]  # the twin is asked all the same, see `AskedAlways`
        self.decision += 1
        usual = self.rng.choice(view.claims or view.actions)
        if self.decision < self.at or not self.is_time(view):
            return usual
        if not self.is_harmless:
            answer = self.misdeed(view)
            return usual if answer is view.actions else answer
        if not self.kinds:
            return usual
        self.stream = np.array([self._seed], np.uint64)
        return self.choose(view)

    def is_time(self, view: View) -> bool:
        return True

    def misdeed(self, view: View) -> Any:
        """What is answered; `view.actions` to decide as if nothing were."""
        raise NotImplementedError  # each bad bot has one of its own


class AskedAlways(Outside):
    """A class that is asked even where it has one legal action, like the random fallback, which draws all the same."""

    is_policy = True

    def __init__(self, bot: type[Bot]) -> None:
        self.bot = bot

    def seat_bot(self, table: Any, seat: int, seed: int) -> Callable[[int], int]:
        return class_agent(table, self.bot, {}, seed)


def twin(bad: type[Scripted]) -> AskedAlways:
    """The same without harm."""
    return AskedAlways(type(f"{bad.__name__}Twin", (bad,), {"is_harmless": True}))


class RaisesAtOnce(Scripted):
    kinds = ("exception",)

    def misdeed(self, view: View) -> Any:
        raise RuntimeError("not today")


class RaisesLate(Scripted):
    kinds = ("exception",)
    at = LATE

    def misdeed(self, view: View) -> Any:
        print("fifty decisions are enough")
        raise RuntimeError(f"this is decision {self.decision}")


class ReturnsNone(Scripted):
    kinds = ("wrong_type",)

    def misdeed(self, view: View) -> Any:
        return None


class ReturnsHuge(Scripted):
    kinds = ("wrong_type",)

    def misdeed(self, view: View) -> Any:
        return 1 << 100_000


class ReturnsView(Scripted):
    kinds = ("wrong_type",)

    def misdeed(self, view: View) -> Any:
        return view


class ReturnsForeign(Scripted):
    """An action that was legal in its first decision."""

    kinds = ("illegal",)
    first: Action | None = None

    def is_time(self, view: View) -> bool:
        self.first = self.first or view.actions[0]
        return self.first not in view.actions

    def misdeed(self, view: View) -> Any:
        return self.first


class SleepsForever(Scripted):
    kinds = ("move_time",)
    at = 3

    def misdeed(self, view: View) -> Any:
        while True:
            time.sleep(1000)


class SleepsNowAndThen(Scripted):
    """In few games, and it wakes up again."""

    kinds = ("move_time",)

    def is_time(self, view: View) -> bool:
        return self.decision == 5 and self._seed % 16 == 1

    def misdeed(self, view: View) -> Any:
        time.sleep(2.2 * MOVE_TIME)
        return view.actions


class Exits(Scripted):
    """In some games."""

    kinds = ("died",)
    at = 4

    def is_time(self, view: View) -> bool:
        return self._seed % 16 == 0

    def misdeed(self, view: View) -> Any:
        print("good bye")
        os._exit(3)


class Crashes(Scripted):
    kinds = ("died",)
    at = 2

    def misdeed(self, view: View) -> Any:
        ctypes.string_at(0)


KEPT: list[Any] = []


class Allocates(Scripted):
    """And keeps it, so that nothing is left for whoever plays after it in the same process."""

    kinds = ("memory",)
    at = 2

    def misdeed(self, view: View) -> Any:
        while True:
            KEPT.append(bytearray(1 << 20))
            KEPT.append(bytearray(1 << 10))


class Prints(Scripted):
    """Megabytes, by all the ways there are."""

    def is_time(self, view: View) -> bool:
        return self.decision < 3

    def misdeed(self, view: View) -> Any:
        print("x" * 1_000_000)
        sys.stderr.write("y\n" * 300_000)
        os.write(1, b"z" * 500_000)
        return view.actions


class Forks(Scripted):
    """The second process would play on as if it were the first."""

    def is_time(self, view: View) -> bool:
        return self.decision < 2

    def misdeed(self, view: View) -> Any:
        try:
            child = os.fork()
        except OSError:  # where it may not
            return view.actions
        if child:
            os.waitpid(child, 0)
        return view.actions


class TampersWithView(Scripted):
    """Writes into all that it is handed, where that can be written to."""

    def misdeed(self, view: View) -> Any:
        actions = view.actions
        for deed in (
            lambda: view.hand.update(red=12),
            lambda: view.record.hand.__setitem__(0, 12),
            lambda: view.record.hand.setflags(write=True),
            lambda: view.boards["trains"].__setitem__(0, 1),
            lambda: view.map.routes.clear(),
            lambda: setattr(view.map, "routes", ()),
            lambda: view.actions.codes.__setitem__(0, 1),
            lambda: setattr(view, "actions", ()),
        ):
            with contextlib.suppress(AttributeError, TypeError, ValueError):
                deed()
        vars(view)["actions"] = actions
        return actions


class TampersWithArena(Scripted):
    """Would win every game that is played in the process in which it is loaded."""

    def misdeed(self, view: View) -> Any:
        import arena.engine.game_table
        import arena.engine.loop
        import arena.engine.table

        object.__setattr__(view.map, "tickets", ())
        for module in (arena.engine.loop, arena.engine.game_table):
            for name in ("step", "start", "record_outcome", "step_randomly"):
                if hasattr(module, name):
                    setattr(module, name, lambda *arguments: 0)
        arena.engine.table.Table.go = lambda *arguments, **more: []  # type: ignore[method-assign]
        return view.actions


@policy
def loops(view, board, actions, memory, random_state):
    """Random; its fourth decision never ends."""
    memory[0] += 1
    while memory[0] > 3:
        memory[1] += 1
    return actions[next_below(random_state, 0, len(actions))]


@policy
def slips(view, board, actions, memory, random_state):
    """Random; its fourth answer is none."""
    memory[0] += 1
    return -1 if memory[0] > 3 else actions[next_below(random_state, 0, len(actions))]


class CompiledTwin(Bot):
    """Of these two: compiled bots draw from the very stream that the random fallback begins anew."""

    decision = 0
    stream: Any = None

    def choose(self, view: View) -> Action:
        if self.decision in (0, 3):
            self.stream = np.array([self._seed], np.uint64)
        self.decision += 1
        return view.actions[next_below(self.stream, 0, len(view.actions))]


IN_PROCESS = (
    RaisesAtOnce, RaisesLate, ReturnsNone, ReturnsHuge, ReturnsView, ReturnsForeign, SleepsForever, SleepsNowAndThen,
    Exits, Crashes, Allocates, Prints, Forks, TampersWithView,
)  # fmt: skip
"""Bots that do no harm to others in the arena's own processes; and `loops`."""
