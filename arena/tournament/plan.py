"""The plan of a run: `plan[i]` is the i-th game, computed from its number, whoever plays it.

The unit is the block: one deal, played by one line-up in some seatings that put everyone in each chair. Successive
blocks take successive deals; line-ups take turns, and so do the cyclic orders in which a line-up sits.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from arena.engine.limits import Limits
from arena.errors import UsageError, unknown
from arena.texts import plain
from arena.tournament import designs

MAX_SEATS = 5
MAX_SEED = 2**63 - 1
MAX_GAMES = 1_000_000_000

Settings = dict[str, int | str]
"""Other values of rules, by name."""


class GameSpec(NamedTuple):
    """One game of a plan."""

    game: int
    deal: int
    """The deal is also the block: games with the same deal are the seatings of one line-up."""
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
    format: str = "round-robin"
    """Who meets whom: one of `designs.FORMATS`."""
    seating: str = "rotation"
    """The seatings of a block: one of `designs.SEATINGS`."""
    design: str = "all"
    """The line-ups of the format that are played: one of `designs.DESIGNS`."""
    settings: Settings = field(default_factory=dict)
    """Rule numbers set for this run, over those of the map."""
    limits: Limits = field(default_factory=Limits)
    """What a bot may use up, and what follows a fault."""
    detail: bool = True
    """Whether what happens in the games is recorded too: claims, tickets, draws, the lead (docs/balance.md)."""
    forced: int = 0
    """If not 0, the number of the map's tickets: each game of a block is played with each of them put before a seat."""
    identity: dict[str, Any] = field(default_factory=dict)
    """Digests of rules, map and bots, and versions: what must be equal for the same games."""

    def __post_init__(self) -> None:
        for text in (*self.bots, *self.names, self.map):
            if not text.isprintable():  # it would do something to a terminal, or to a table
                raise UsageError(f"{plain(text)} has characters that cannot be printed: use another name")

    @classmethod
    def of_size(cls, *, bots: tuple[str, ...], names: tuple[str, ...], map: str, players: int, games: int, seed: int,
                format: str = "round-robin", seating: str = "rotation", design: str | None = None,
                settings: Settings | None = None, limits: Limits | None = None, detail: bool = True,
                forced: int = 0, identity: dict[str, Any] | None = None) -> "Plan":  # fmt: skip
        """The plan of at least `games` games, in whole blocks; UsageError if the numbers do not fit the bots.

        Without a design: all line-ups if the games are enough for each of them, else a balanced design.
        """
        for kind, name, known in (
            ("format", format, designs.FORMATS),
            ("seating", seating, designs.SEATINGS),
            ("design", design or "all", designs.DESIGNS),
        ):
            if name not in known:
                raise unknown(kind, name, known)
        _check_seats(len(bots), players, format)
        if games < 1:
            raise UsageError(f"--games {games} is too few: at least one game must be played")
        if not 0 <= seed <= MAX_SEED:
            raise UsageError(f"--seed {seed} is out of range: it takes 0 to 2**63 - 1")
        if games > MAX_GAMES:
            raise UsageError(f"--games is too large: at most {MAX_GAMES:,}; use more seeds")
        block = len(designs.seatings(seating, players)[0]) * max(1, forced)
        blocks = -(-games // block)
        chosen = design or designs.choose_design(format, len(bots), players, blocks)
        if not designs.lineups(format, chosen, len(bots), players).listed:
            chosen = "all"
        return cls(
            bots, names, map, players, blocks * block, seed, format, seating, chosen, settings or {},
            limits or Limits(), detail, forced, identity or {},
        )  # fmt: skip

    def __len__(self) -> int:
        return self.games

    @cached_property
    def _seatings(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        return designs.seatings(self.seating, self.players)

    @cached_property
    def _lineups(self) -> designs.Lineups:
        return designs.lineups(self.format, self.design, len(self.bots), self.players)

    @property
    def block_games(self) -> int:
        """The games of a block: the seatings in which a deal is played, each with all tickets that are forced."""
        return len(self._seatings[0]) * self.variants

    @property
    def variants(self) -> int:
        """How often a deal is played in one seating: once, or with each ticket."""
        return max(1, self.forced)

    @property
    def blocks(self) -> int:
        """The number of deals, each played in all seatings of a block."""
        return self.games // self.block_games

    @property
    def lineups(self) -> int:
        """How many line-ups take turns: one, unless there are more bots than seats."""
        return self._lineups.count

    @property
    def unplayed_rest(self) -> int:
        """By how many blocks the games miss being the same number for every line-up."""
        return -self.blocks % self.lineups

    def lineup(self, block: int) -> tuple[int, ...]:
        """The entrants that play a block, in the order of its first seating."""
        return self[block * self.block_games].seating

    def __getitem__(self, game: int) -> GameSpec:
        if not 0 <= game < self.games:
            raise IndexError(f"game {game} of {self.games}")
        block, place = divmod(game, self.block_games)
        turn, number = divmod(block, self.lineups)
        # Each time a line-up plays, the next order: after two times everyone was as often before as behind the others.
        seated = self._seatings[(2 * number + turn) % len(self._seatings)][place // self.variants]
        members = self._lineups[number]
        return GameSpec(game, block, tuple(members[index] for index in seated))

    def __iter__(self) -> Iterator[GameSpec]:
        return (self[game] for game in range(self.games))

    def seatings(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Deals int64 [games] and seatings int64 [games, players] of the games first to last - 1."""
        size = self.block_games
        blocks = np.arange(first // size, -(-last // size))
        turns, numbers = np.divmod(blocks, self.lineups)
        distinct, index = np.unique(numbers, return_inverse=True)
        members = np.array([self._lineups[number] for number in distinct.tolist()], np.int64)[index]
        seated = np.array(self._seatings)[(2 * numbers + turns) % len(self._seatings)].repeat(self.variants, axis=1)
        seatings = np.take_along_axis(members[:, None, :], seated, axis=2).reshape(-1, self.players)
        begin = first - first // size * size
        return np.repeat(blocks, size)[begin : begin + last - first], seatings[begin : begin + last - first]

    @property
    def command(self) -> str:
        """The command line that plays this plan again."""
        import shlex

        options = ["--map", self.map, "--players", self.players, "--games", self.games, "--seed", self.seed]
        if self.format != "round-robin":
            options += ["--format", self.format]
        if self.seating != "rotation":
            options += ["--seating", self.seating]
        if self.design != designs.choose_design(self.format, len(self.bots), self.players, self.blocks):
            options += ["--design", self.design]
        for name, value in self.settings.items():
            options += ["--set", f"{name}={value}"]
        options += self.limits.options() + ["--no-detail"] * (not self.detail) + ["--force-tickets"] * bool(self.forced)
        return shlex.join(["arena", "run", *self.bots, *map(str, options)])

    def to_json(self) -> str:
        """The plan as a JSON document."""
        return json.dumps({**asdict(self), "command": self.command}, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Plan":
        """The plan of a document that `to_json` wrote; some error if it is none."""
        data = json.loads(text)
        del data["command"]
        limits = Limits(**data["limits"])
        plan = cls(**{**data, "bots": tuple(data["bots"]), "names": tuple(data["names"]), "limits": limits})
        if cls.of_size(**vars(plan)) != plan or len(plan.names) != len(plan.bots):
            raise ValueError("the parts of the plan do not fit together")
        return plan


def _check_seats(bots: int, players: int, format: str) -> None:
    """UsageError if so many bots cannot be seated so."""
    if bots < 2:
        raise UsageError("a run needs at least two bots (the same one may be named twice)")
    if format == "lineup" and bots > MAX_SEATS:
        raise UsageError(f"--format lineup seats all bots in every game: 2 to {MAX_SEATS} of them, not {bots}")
    if format == "lineup" and players != bots:
        raise UsageError(f"--players {players} does not fit --format lineup, which seats all {bots} bots: leave it out")
    if not 2 <= players <= MAX_SEATS:
        raise UsageError(f"--players {players} does not fit: a game has 2 to {MAX_SEATS} players")
    if players > bots:
        raise UsageError(
            f"--players {players} does not fit {bots} bots: use {'2 to ' * (bots > 2)}{bots}, or name a bot again"
        )
