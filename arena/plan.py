"""What is to be played, by arithmetic: `plan[i]` is the i-th game, whoever plays it, wherever and whenever.

The unit is the block: one deal, played by one line-up in every rotation of its seats. Successive blocks take
successive deals; line-ups take turns, and so do the cyclic orders in which a line-up sits.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from arena.errors import UsageError

MAX_SEATS = 5
MAX_SEED = 2**63 - 1
MAX_GAMES = 1_000_000_000

Settings = dict[str, int | str]
"""Other values of rules, by name."""


class GameSpec(NamedTuple):
    """One game of a plan."""

    game: int
    deal: int
    """The deal is also the block: games with the same deal are the rotations of one line-up."""
    seating: tuple[int, ...]
    """The entrant (index into `plan.names`) in each seat."""


@dataclass(frozen=True)
class Plan:
    """A run before it is played. Equal plans give equal results, byte for byte."""

    bots: tuple[str, ...]
    """The specs, as a command line gives them."""
    names: tuple[str, ...]
    """The entrants' names in the tables."""
    map: str
    players: int
    games: int
    seed: int
    settings: Settings = field(default_factory=dict)
    """Rule numbers set for this run, over those of the map."""
    identity: dict[str, Any] = field(default_factory=dict)
    """Digests of rules, map and bots, and versions: what must be equal for the same games."""

    @classmethod
    def of_size(cls, *, bots: tuple[str, ...], names: tuple[str, ...], map: str, players: int, games: int, seed: int,
                settings: Settings | None = None, identity: dict[str, Any] | None = None) -> "Plan":  # fmt: skip
        """The plan of at least `games` games, in whole blocks; UsageError if the numbers do not fit the bots."""
        if len(bots) < 2:
            raise UsageError("a run needs at least two bots (the same one may be named twice)")
        if not 2 <= players <= MAX_SEATS:
            raise UsageError(f"--players {players} does not fit: a game has 2 to {MAX_SEATS} players")
        if players > len(bots):
            raise UsageError(
                f"--players {players} does not fit {len(bots)} bots: "
                f"use {'2 to ' * (len(bots) > 2)}{len(bots)}, or name a bot again"
            )
        if games < 1:
            raise UsageError(f"--games {games} is too few: at least one game must be played")
        if not 0 <= seed <= MAX_SEED:
            raise UsageError(f"--seed {seed} is out of range: it takes 0 to 2**63 - 1")
        if games > MAX_GAMES:
            raise UsageError(f"--games is too large: at most {MAX_GAMES:,}; use more seeds")
        blocks = -(-games // players)
        return cls(bots, names, map, players, blocks * players, seed, settings or {}, identity or {})

    def __len__(self) -> int:
        return self.games

    @property
    def blocks(self) -> int:
        """The number of deals, each played in all rotations."""
        return self.games // self.players

    @cached_property
    def lineups(self) -> int:
        """How many line-ups of bots there are: one, unless there are more bots than seats."""
        return math.comb(len(self.bots), self.players)

    @property
    def unplayed_rest(self) -> int:
        """By how many blocks the games miss being the same number for every line-up."""
        return -self.blocks % self.lineups

    @cached_property
    def _orders(self) -> list[tuple[int, ...]]:
        """The cyclic orders of a line-up, which differ by more than a rotation, each followed by its mirror image."""
        halves = [rest for rest in permutations(range(1, self.players)) if rest <= rest[::-1]]
        halves = [halves[spread(index, len(halves))] for index in range(len(halves))]
        return [(0, *rest) for half in halves for rest in dict.fromkeys((half, half[::-1]))]

    def lineup(self, block: int) -> tuple[int, ...]:
        """The entrants that play a block, in the order they sit down."""
        turn, number = divmod(block, self.lineups)
        members = combination(len(self.bots), self.players, spread(number, self.lineups))
        # Each time a line-up plays, the next order: after two times everyone was as often before as behind the others.
        order = self._orders[(2 * number + turn) % len(self._orders)]
        return tuple(members[index] for index in order)

    def __getitem__(self, game: int) -> GameSpec:
        if not 0 <= game < self.games:
            raise IndexError(f"game {game} of {self.games}")
        block, rotation = divmod(game, self.players)
        lineup = self.lineup(block)
        return GameSpec(game, block, lineup[rotation:] + lineup[:rotation])

    def __iter__(self) -> Iterator[GameSpec]:
        return (self[game] for game in range(self.games))

    def seatings(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Deals int64 [games] and seatings int64 [games, players] of the games first to last - 1."""
        players = self.players
        blocks = range(first // players, -(-last // players))
        lineups = np.array([self.lineup(block) for block in blocks], np.int64)
        rotations = (np.arange(players)[:, None] + np.arange(players)) % players
        seatings = lineups[:, rotations].reshape(-1, players)
        begin = first - blocks.start * players
        deals = np.repeat(np.arange(blocks.start, blocks.stop), players)
        return deals[begin : begin + last - first], seatings[begin : begin + last - first]

    @property
    def command(self) -> str:
        """The command line that plays this plan again."""
        import shlex

        options = ["--map", self.map, "--players", self.players, "--games", self.games, "--seed", self.seed]
        for name, value in self.settings.items():
            options += ["--set", f"{name}={value}"]
        return shlex.join(["arena", "run", *self.bots, *map(str, options)])

    def to_json(self) -> str:
        """The plan as a JSON document."""
        return json.dumps({**asdict(self), "command": self.command}, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Plan":
        """The plan of a document that `to_json` wrote; some error if it is none."""
        data = json.loads(text)
        del data["command"]
        plan = cls(**{**data, "bots": tuple(data["bots"]), "names": tuple(data["names"])})
        if cls.of_size(**vars(plan)) != plan or len(plan.names) != len(plan.bots):
            raise ValueError("the parts of the plan do not fit together")
        return plan


def spread(index: int, count: int) -> int:
    """A permutation of 0 ... count - 1 whose neighbors lie far apart: no part of it leaves anything out for long."""
    stride = max(1, round(0.618 * count))  # the golden section
    while math.gcd(stride, count) > 1:
        stride += 1
    return index * stride % count


def combination(n: int, k: int, index: int) -> tuple[int, ...]:
    """The index-th, in lexicographic order, of the ways to choose k of n things."""
    chosen = []
    for thing in range(n):
        if k == 0:
            break
        with_it = math.comb(n - thing - 1, k - 1)
        if index < with_it:
            chosen.append(thing)
            k -= 1
        else:
            index -= with_it
    return tuple(chosen)
