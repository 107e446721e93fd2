"""Who sits where, by arithmetic: `plan[i]` is the i-th game, whoever plays it, wherever and whenever.

The unit is the block: one deal, played by one line-up in some seatings that put everyone in each seat. Successive
blocks take successive deals; line-ups take turns, and so do the cyclic orders in which a line-up sits.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from arena.tournament import designs


class GameSpec(NamedTuple):
    """One game of a plan."""

    game: int
    deal: int
    """The deal is also the block: games with the same deal are the seatings of one line-up."""
    seating: tuple[int, ...]
    """The entrant (index into `plan.names`) in each seat."""


class Schedule:
    """The games of a plan. It stands apart from the plan because it decides them: the engine's digest covers it."""

    bots: tuple[str, ...]
    players: int
    games: int
    format: str
    seating: str
    design: str
    forced: int

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
