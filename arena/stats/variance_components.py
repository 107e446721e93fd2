"""How much of the variance of scores is skill, how much the seat, and how much luck."""

import math
from typing import NamedTuple

import numpy as np
from scipy.special import chndtr, chndtrinc, stdtrit

from arena.stats.blocks import Blocks, Games

GROUPS = 20
"""The jackknife leaves out one of so many groups of deals."""
SOURCES = ("skill", "seat", "luck")


class Component(NamedTuple):
    """A share of the variance of a single score."""

    source: str
    share: float
    low: float
    high: float
    """95 %, over deals."""


def components(games: Games, blocks: Blocks, bots: int) -> list[Component]:
    """The shares of skill, seat and luck; empty if there are fewer than GROUPS deals or all scores are alike.

    skill: the variance of the bots' mean scores, weighted by games; seat: that of the seats' mean scores; luck: the
    rest, which is the cards, and what the others do. Both variances of means are too large by the means' own error: the
    jackknife over groups of deals (Quenouille 1956; Tukey 1958) takes that off, and gives the intervals; that of the
    seat, which is often near 0, is `seat_share`'s. Shares are rounded to a tenth of a percent, so that they add up as
    they are printed.
    """
    if len(blocks.deals) < GROUPS:
        return []
    sums = _sums(games, np.repeat(_groups(blocks.lineups), blocks.games), bots)
    whole = _shares(*(part.sum(axis=0) for part in sums))
    if whole is None:
        return []
    parts = [_shares(*(part.sum(axis=0) - part[left] for part in sums)) for left in range(GROUPS)]
    leave_one_out = np.array([whole if part is None else part for part in parts])
    pseudo = GROUPS * whole - (GROUPS - 1) * leave_one_out
    center = pseudo.mean(axis=0)
    half = float(stdtrit(GROUPS - 1, 0.975)) * pseudo.std(axis=0, ddof=1) / math.sqrt(GROUPS)
    low, high = (np.clip(values, 0.0, 1.0) for values in (center - half, center + half))
    center[1], low[1], high[1] = seat_share(games.scores, blocks.games)
    center = _rounded(center)
    low, high = np.minimum(low, center), np.maximum(high, center)
    return [Component(*row) for row in zip(SOURCES, center.tolist(), low.tolist(), high.tolist(), strict=True)]


def seat_share(scores: np.ndarray, size: int) -> tuple[float, float, float]:
    """The share of the seat in the variance of a score, at least 0, and its 95 % interval.

    scores: [games, seats], in blocks of `size` games. Over n blocks, the deviations of the seats' means from their mean
    are normal with the covariance V / n, V that of a block's. So their sum of squares is about a multiple a of a
    noncentral chi-square with f degrees of freedom, a = tr V² / (n tr V) and f = (tr V)² / tr V² (Satterthwaite 1946).
    The interval holds the noncentralities under which it is in neither tail. A jackknife fails here: where there is
    no effect, the square of a difference is not normal.
    """
    seats = scores.shape[1]
    means = scores.reshape(-1, size, seats).mean(axis=1)
    means -= means.mean(axis=1, keepdims=True)
    square = float((means.mean(axis=0) ** 2).sum())
    covariance = np.cov(means.T) / len(means)
    error, total = float(np.trace(covariance)), seats * float(scores.var())
    if error <= 0:
        return (square / total,) * 3
    unit = float((covariance**2).sum()) / error
    at, freedom = square / unit, error / unit
    low, high = (
        unit * float(chndtrinc(at, freedom, chance)) / total if chndtr(at, freedom, 0) > chance else 0.0
        for chance in (0.975, 0.025)
    )
    return max(0.0, square - error) / total, low, high


def _rounded(shares: np.ndarray) -> np.ndarray:
    """Shares that are not negative and rounded; luck is what the others leave."""
    skill, seat, luck = np.maximum(shares, 0.0)
    skill, seat = np.round(np.array([skill, seat]) / (skill + seat + luck), 3)
    return np.array([skill, seat, round(1 - skill - seat, 3)])


def _groups(lineups: np.ndarray) -> np.ndarray:
    """A group for each block: the line-ups are spread over the groups as evenly as can be."""
    order = np.argsort(lineups, kind="stable")
    group = np.empty(len(lineups), np.int64)
    group[order] = np.arange(len(lineups)) % GROUPS
    return group


def _sums(games: Games, group: np.ndarray, bots: int) -> tuple[np.ndarray, ...]:
    """By group: number and sum of scores of each bot, of each seat, and of all with their squares."""
    seats = games.bots.shape[1]
    scores = games.scores.astype(np.float64)
    key = (group[:, None] * bots + games.bots).ravel()
    by_bot = [np.bincount(key, weights, GROUPS * bots).reshape(GROUPS, bots) for weights in (None, scores.ravel())]
    by_seat = np.stack([np.bincount(group, scores[:, seat], GROUPS) for seat in range(seats)], axis=1)
    number = np.bincount(group, minlength=GROUPS)
    squares = np.bincount(group, (scores**2).sum(axis=1), GROUPS)
    return by_bot[0], by_bot[1], by_seat, number, squares


def _shares(
    games: np.ndarray, points: np.ndarray, seat_points: np.ndarray, number: np.ndarray, squares: np.ndarray
) -> np.ndarray | None:
    """Shares of skill, seat and luck, biased."""
    rows = games.sum()
    mean = points.sum() / rows
    played = games > 0
    skill = games[played] @ (points[played] / games[played] - mean) ** 2 / rows
    seat = (seat_points / number).var()
    total = squares / rows - mean**2
    if total <= 0:
        return None
    shares = np.array([skill, seat]) / total
    return np.array([*shares, 1 - shares.sum()])
