"""The games in which a bot is checked, and what was observed in them."""

import random
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from numpy import random as numpy_random

from arena import catalog
from arena.engine.bots import Entrant
from arena.engine.loop import FAULT_GAME_TIME, FAULT_MOVE_TIME, FAULTS
from arena.engine.watch import Watched, WatchedTable
from arena.rules.deal import make_deals
from arena.rules.state import PHASES

SEED = 1
RANDOM = "random"
"""The shipped bot that plays as the other seats do."""
EVERY_SEAT = -1
LATE = (FAULTS[FAULT_MOVE_TIME], FAULTS[FAULT_GAME_TIME])
"""The faults of a bot that takes too long."""


class GameKey(NamedTuple):
    """One game of a check."""

    map: str
    seats: int
    seat: int
    """The bot's, among random players; EVERY_SEAT: against itself."""
    deal: int

    def __str__(self) -> str:
        where = "in every seat" if self.seat == EVERY_SEAT else f"in seat {self.seat} among random players"
        return f"{self.map}, {self.seats} seats, deal {self.deal}, {where}"


@dataclass(frozen=True)
class Games:
    """Which games: on these maps, with these numbers of seats, so many deals of each."""

    maps: tuple[str, ...]
    seats: tuple[int, ...]
    deals: int = 1

    def keys(self) -> list[GameKey]:
        """For each deal one game against itself, and one in each seat among random players."""
        return [
            GameKey(name, seats, seat, deal)
            for name in self.maps
            for seats in self.seats
            for deal in range(self.deals)
            for seat in (EVERY_SEAT, *range(seats))
        ]

    def repeated(self) -> list[GameKey]:
        """Those that are played again: against itself, with the fewest and the most seats."""
        seats = (min(self.seats), max(self.seats))
        return [key for key in self.keys() if key.seat == EVERY_SEAT and key.seats in seats]

    def __str__(self) -> str:
        first, last = self.seats[0], self.seats[-1]
        in_a_row = len(self.seats) > 2 and self.seats == tuple(range(first, last + 1))
        counts = f"{first} to {last}" if in_a_row else ", ".join(map(str, self.seats))
        return f"{', '.join(self.maps)} with {counts} seats"


@dataclass(frozen=True)
class Game:
    """A game of a check as it went."""

    key: GameKey
    watched: Watched
    touched: tuple[str, ...] = ()
    """The generators shared by the whole process that were used."""

    @property
    def late(self) -> bool:
        """Whether it ended because the bot took too long."""
        return self.watched.fault is not None and self.watched.fault.kind in LATE

    @property
    def fault(self) -> str:
        """What went wrong, and where; empty if nothing did."""
        fault = self.watched.fault
        if fault is None:
            return ""
        seat = f", seat {fault.seat}" if self.key.seat == EVERY_SEAT else ""
        place = f"decision {fault.decision} (phase {PHASES[self.watched.phase]})"
        return f"{self.key}{seat}, {place}: {fault.reason}"


def replay(bots: Sequence[str], map_name: str, games: int, seed: int) -> str:
    """The command line that plays the first games of some bots on the deals of a seed."""
    options = ["--map", map_name, "--players", str(len(bots)), "--games", str(games), "--seed", str(seed)]
    return shlex.join(["arena", "run", *bots, *options])


def again(entrant: Entrant, key: GameKey) -> str:
    """The command line that plays a game of a check once more: who takes any legal action is the bot `random`."""
    if not entrant.spec:
        return ""  # a class or policy itself has no name to give
    others = entrant.spec if key.seat == EVERY_SEAT else RANDOM
    number = key.deal * key.seats + (0 if key.seat == EVERY_SEAT else -key.seat % key.seats)
    command = replay([entrant.spec, *[others] * (key.seats - 1)], key.map, (key.deal + 1) * key.seats, SEED)
    return f"{command}  # game {number}"


def play(entrant: Entrant, keys: Sequence[GameKey], begin: Callable[[int], object] = lambda number: None) -> list[Game]:
    """Play some games decision by decision; `begin` is called before each with its number.

    A game that ends because the bot took too long is the last one: all others may take as long.
    """
    tables: dict[tuple[str, int], WatchedTable] = {}
    games = []
    for number, key in enumerate(keys):
        begin(number)
        if key[:2] not in tables:
            tables[key[:2]] = WatchedTable(catalog.load_map(key.map), key.seats, [entrant])
        lineup = [entrant if key.seat in (seat, EVERY_SEAT) else None for seat in range(key.seats)]
        before = shared_generators()
        watched = tables[key[:2]].watch(lineup, make_deals(SEED, [key.deal]))
        after = shared_generators()
        games.append(Game(key, watched, tuple(name for name in before if before[name] != after[name])))
        if games[-1].late:
            break
    return games


def shared_generators() -> dict[str, Any]:
    """The states of the generators that a whole process shares: what a bot draws from them no seed of a run fixes."""
    legacy: Any = numpy_random.get_state()  # noqa: NPY002  # to see whether a bot used it
    states = {"Python's random": random.getstate(), "NumPy's random": (legacy[1].tobytes(), *legacy[2:])}
    try:
        from numba import _helperlib as numba_state  # the only way to see them; without it the replay still tells
    except ImportError:
        return states
    states["NumPy's random in compiled code"] = numba_state.rnd_get_state(numba_state.rnd_get_np_state_ptr())
    states["Python's random in compiled code"] = numba_state.rnd_get_state(numba_state.rnd_get_py_state_ptr())
    return states
