"""The games of a run as arrays, and what each block (one deal in all its seatings) gives each of its bots."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from arena.stats.win_shares import member_order, win_shares


class Games(NamedTuple):
    """Who sat where in each game, and how it ended; the games of a block are neighbors."""

    bots: np.ndarray
    """The entrant (its number) in each seat, int16 [games, seats]."""
    ranks: np.ndarray
    """Places, 1 the best, shared places alike, int8 [games, seats]."""
    scores: np.ndarray
    """Points, int16 [games, seats]."""
    deals: np.ndarray
    """int32 [games]."""

    @classmethod
    def of_rows(cls, rows: pd.DataFrame, names: Sequence[str], seats: int) -> "Games":
        """Make them from seat rows (`store.run_directory.seat_table`), which come game by game and seat by seat."""
        number = np.array([names.index(name) for name in rows["bot"].cat.categories], np.int16)

        def by_seat(values: np.ndarray, kind: type) -> np.ndarray:
            return values.astype(kind).reshape(-1, seats)

        return cls(
            by_seat(number[rows["bot"].cat.codes.to_numpy()], np.int16),
            by_seat(rows["rank"].to_numpy(), np.int8),
            by_seat(rows["score"].to_numpy(), np.int16),
            rows["deal"].to_numpy()[::seats].astype(np.int32),
        )

    @classmethod
    def joined(cls, parts: Sequence["Games"]) -> "Games":
        """The games of several parts in a row."""
        return cls(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


class Blocks(NamedTuple):
    """The results of blocks, one row each, with the members of its line-up in the order of their numbers."""

    deals: np.ndarray
    """int32 [blocks]."""
    members: np.ndarray
    """int16 [blocks, seats]."""
    lineups: np.ndarray
    """Which line-up plays, a number from 0 on, int64 [blocks]."""
    games: int
    """The number of games in each block."""
    shares: np.ndarray
    """Mean win share of each member, float64 [blocks, seats]."""
    scores: np.ndarray
    """Mean score of each member, float64 [blocks, seats]."""
    ahead: np.ndarray
    """How often member i finished before member j, a shared place half, float64 [blocks, seats, seats]."""

    @classmethod
    def of_games(cls, games: Games) -> "Blocks":
        """Make them from games in whole blocks of equal size; ValueError for other games."""
        size = _block_size(games)
        seats = games.bots.shape[1]
        order = member_order(games.bots)
        members = np.take_along_axis(games.bots, order, axis=1).reshape(-1, size, seats)
        if (members != members[:, :1]).any():
            raise ValueError("the games of a block are not of one line-up")
        ranks = np.take_along_axis(games.ranks, order, axis=1)
        shares = win_shares(ranks)
        scores = np.take_along_axis(games.scores, order, axis=1)
        ahead = np.empty((len(members), seats, seats))
        for one, other in np.ndindex(seats, seats):
            less, same = ranks[:, one] < ranks[:, other], ranks[:, one] == ranks[:, other]
            ahead[:, one, other] = (less + 0.5 * same).reshape(-1, size).mean(axis=1)
        return cls(
            games.deals[::size],
            members[:, 0],
            _lineup_numbers(members[:, 0]),
            size,
            shares.reshape(-1, size, seats).mean(axis=1),
            scores.reshape(-1, size, seats).mean(axis=1),
            ahead,
        )


def _block_size(games: Games) -> int:
    changes = np.flatnonzero(np.diff(games.deals)) + 1
    size = int(changes[0]) if len(changes) else len(games.deals)
    if len(games.deals) % size or (changes % size).any() or len(changes) != len(games.deals) // size - 1:
        raise ValueError("the games are not in whole blocks")
    return size


def _lineup_numbers(members: np.ndarray) -> np.ndarray:
    """Equal numbers for equal rows, int64 [rows]."""
    numbers = np.zeros(len(members), np.int64)
    for column in members.T:  # after each column there are no more numbers than rows: nothing overflows
        numbers = np.unique(numbers * (int(members.max()) + 1) + column, return_inverse=True)[1]
    return numbers
