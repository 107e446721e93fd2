"""Win shares from ranks, and the order of a game's members that all counts of blocks use."""

import numpy as np


def win_shares(ranks: np.ndarray) -> np.ndarray:
    """The win share of each seat, float64 [games, seats]: a first place shared by k seats is 1 / k for each of them.

    ranks: [games, seats], 1 the best, shared places alike.
    """
    winners = ranks == 1
    return np.asarray(winners / winners.sum(axis=1, keepdims=True))


def member_order(bots: np.ndarray) -> np.ndarray:
    """The seats of each game in the order of their entrants' numbers, [games, seats]; for `numpy.take_along_axis`."""
    return np.argsort(bots, axis=1, kind="stable")
