"""The Plackett-Luce model of finishing orders: each rank goes to the strongest of those who remain.

Plackett (1975), The analysis of permutations, Applied Statistics 24, 193-202; Luce (1959), Individual Choice Behavior.
A set of those who remain is a mask of seats; bit s is set if seat s is in it.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp, softmax

CHUNK = 1 << 17
"""Games worked on at a time: memory does not grow with the run."""
FULL_TABLE = 1 << 22
"""Seatings of a mask are counted in a table of up to so many cells, and sorted if there are more."""


class Choices(NamedTuple):
    """All choices in some games, each distinct set once: what the likelihood depends on."""

    entrants: int
    seats: int
    sets: list[tuple[tuple[int, ...], np.ndarray, np.ndarray]]
    """For each mask its seats, the distinct seatings of them [sets, seats], and how often each was chosen from."""
    won: np.ndarray
    """[entrants + seats] how often each entrant, then each seat, was chosen."""


def masks(seats: int) -> list[tuple[int, ...]]:
    """The sets of two or more seats, in which there is something to choose."""
    return [members for size in range(2, seats + 1) for members in combinations(range(seats), size)]


@cache
def stage_weights(ranks: tuple[int, ...]) -> np.ndarray:
    """How often each of `masks` is chosen from in a game with these ranks, then how often each seat is chosen.

    ranks: one a seat, 1 is best, equal ones share a place, 0 does not count. A place shared by t seats is the mean
    over their t! orders: with j of them gone, every choice of these j is as likely.
    """
    seats = len(ranks)
    weights = dict.fromkeys(masks(seats), 0.0)
    chosen = [float(rank > 0) for rank in ranks]
    for rank in set(ranks) - {0}:
        tied = [seat for seat in range(seats) if ranks[seat] == rank]
        below = {seat for seat in range(seats) if ranks[seat] > rank}
        for gone in range(len(tied)):
            for left in combinations(tied, len(tied) - gone):
                members = tuple(sorted(below | set(left)))
                if len(members) > 1:
                    weights[members] += 1 / comb(len(tied), gone)
                else:  # nobody else is left: no choice
                    chosen[members[0]] -= 1 / len(tied)
    return np.array([*weights.values(), *chosen])


def weights_of(ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`stage_weights` of many games: [games, seats] -> [games, masks], [games, seats]."""
    seats = ranks.shape[1]
    base = (seats + 1) ** np.arange(seats)
    found, place = _distinct(ranks.astype(np.int64) @ base, (seats + 1) ** seats)
    patterns = found[:, None] // base % (seats + 1)
    table = np.array([stage_weights(tuple(pattern)) for pattern in patterns.tolist()]).reshape(len(found), -1)
    return table[place, :-seats], table[place, -seats:]


def aggregate(bots: np.ndarray, ranks: np.ndarray, entrants: int) -> Choices:
    """The choices of games: bots, ranks [games, seats]; entrants: how many bots there are."""
    seats = ranks.shape[1]
    weights = np.empty((len(ranks), len(masks(seats))), np.float32)
    won = np.zeros(entrants + seats)
    for part in chunks(len(ranks)):
        weights[part], chosen = weights_of(ranks[part])
        won[:entrants] += np.bincount(bots[part].ravel(), chosen.ravel(), minlength=entrants)
        won[entrants:] += chosen.sum(axis=0)
    sets = []
    for number, members in enumerate(masks(seats)):
        used = np.flatnonzero(weights[:, number])
        codes = np.zeros(len(used), np.int64)
        for seat in members:
            codes = codes * entrants + bots[used, seat]
        cells, place = _distinct(codes, entrants ** len(members))
        counts = np.bincount(place, weights[used, number], minlength=len(cells))
        digits = entrants ** np.arange(len(members) - 1, -1, -1)
        sets.append((members, cells[:, None] // digits % entrants, counts))
    return Choices(entrants, seats, sets, won)


def chunks(games: int) -> Iterator[slice]:
    """Slices of the games."""
    for first in range(0, games, CHUNK):
        yield slice(first, min(first + CHUNK, games))


def _distinct(codes: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The distinct codes below `size`, and which of them each is: what `numpy.unique` says, mostly without sorting."""
    if size > FULL_TABLE:
        found, place = np.unique(codes, return_inverse=True)
        return found, place
    cells = np.flatnonzero(np.bincount(codes, minlength=size))
    index = np.zeros(size, np.int64)
    index[cells] = np.arange(len(cells))
    return cells, index[codes]


def log_likelihood(choices: Choices, strength: np.ndarray) -> float:
    """The log likelihood of strengths in natural units, [entrants + seats]: of each entrant, then of each seat."""
    value = float(choices.won @ strength)
    for members, seatings, counts in choices.sets:
        value -= float(counts @ logsumexp(_strengths(choices, members, seatings, strength), axis=1))
    return value


def derivatives(choices: Choices, strength: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The gradient of the log likelihood and its information, the negative matrix of second derivatives."""
    entrants, size = choices.entrants, len(strength)
    gradient = choices.won.copy()
    information = np.zeros((size, size))
    for members, seatings, counts in choices.sets:
        chance = softmax(_strengths(choices, members, seatings, strength), axis=1)
        for one, seat in enumerate(members):
            expected = counts * chance[:, one]
            gradient[:entrants] -= np.bincount(seatings[:, one], expected, minlength=entrants)
            gradient[entrants + seat] -= expected.sum()
            for other, beside in enumerate(members):
                part = expected * ((one == other) - chance[:, other])
                cells = np.bincount(seatings[:, one] * entrants + seatings[:, other], part, minlength=entrants**2)
                information[:entrants, :entrants] += cells.reshape(entrants, entrants)
                column = np.bincount(seatings[:, one], part, minlength=entrants)
                information[:entrants, entrants + beside] += column
                information[entrants + seat, entrants + beside] += part.sum()
    information[entrants:, :entrants] = information[:entrants, entrants:].T
    return gradient, information


def _strengths(choices: Choices, members: tuple[int, ...], seatings: np.ndarray, strength: np.ndarray) -> np.ndarray:
    return np.asarray(strength[seatings] + strength[choices.entrants + np.array(members)])


def scores(strength: np.ndarray, entrants: int, bots: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """What each entry adds to the gradient, [games, seats]: the choices that it won less those it was expected to win.

    strength: as in `log_likelihood`. bots, ranks: [games, seats].
    """
    seats = ranks.shape[1]
    logs = strength[bots] + strength[entrants:]
    power = np.exp(logs - logs.max(axis=1, keepdims=True))
    weights, won = weights_of(ranks)
    rate = np.zeros(power.shape)
    for number, members in enumerate(masks(seats)):
        total = power[:, members[0]].copy()
        for seat in members[1:]:
            total += power[:, seat]
        share = weights[:, number] / total
        for seat in members:
            rate[:, seat] += share
    return np.asarray(won - power * rate)
