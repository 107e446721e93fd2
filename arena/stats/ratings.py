"""Elo ratings: the Plackett-Luce model with seat effects, fitted to all games at once, with their errors.

A bot's strength in a game is its own and that of its seat. Ranks are choices one after the other (`choices`). What is
returned are maximum likelihood ratings but for a weak prior, with errors from blocks.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from scipy.sparse.csgraph import breadth_first_order, connected_components
from scipy.special import ndtr

from arena.stats.plackett_luce import CHUNK, aggregate, derivatives, log_likelihood, scores

ELO = 400 / math.log(10)
"""Elo points in a natural unit of strength."""
RIDGE = 0.01
"""The precision of the normal prior of each bot's strength around their mean: a standard deviation of 10 natural units,
1,737 Elo. It moves a rating by far less than its error."""
SEAT_ELO = 100
"""The standard deviation of the normal prior of a seat's effect: seats are worth tens of points. Without it, two lost
games of 100, by chance in one seat, made -203 +- 63 of a seat worth +18 and -957 +- 125 of a bot worth -447."""
LEAST_BLOCKS = 10
"""The fewest blocks of a bot, and of all together, from which an error is computed."""
STEPS = 100


@dataclass(frozen=True, eq=False)
class Ratings:
    """What the games of a run say of its entrants. Elo: 400 points are odds of 10 to 1 to be ahead in a game of two."""

    rating: np.ndarray
    """[entrants] Elo above the anchor, whose rating is 0; NaN if the games leave it open."""
    covariance: np.ndarray
    """[entrants, entrants] of the ratings, Elo squared; NaN for those without an error."""
    seat: np.ndarray
    """[seats] Elo that a seat adds; their mean is 0."""
    seat_error: np.ndarray
    """[seats] the standard error of that."""
    unrated: dict[int, str]
    """Why an entrant has no rating: "never met ...", to be read after its name."""
    doubt: str
    """Why there are no errors at all; empty if there are."""
    components: tuple[tuple[int, ...], ...]
    """Entrants who met, directly or through others; more than one such part: they cannot all be compared."""

    @property
    def error(self) -> np.ndarray:
        """[entrants] the standard error of each rating; 0 for the anchor."""
        return np.asarray(np.sqrt(np.maximum(np.diag(self.covariance), 0)))

    @property
    def superiority(self) -> np.ndarray:
        """The likelihood of superiority, [entrants, entrants]: that the row is stronger than the column.

        The normal law of the difference over its standard error: the chance, under a flat prior, that the row's
        strength is the greater one. NaN on the diagonal, for unrated entrants, and where there is no error.
        """
        variance = np.diag(self.covariance)
        spread = variance[:, None] + variance - 2 * self.covariance
        with np.errstate(invalid="ignore", divide="ignore"):
            chance = ndtr((self.rating[:, None] - self.rating) / np.sqrt(spread))
        return np.where((spread > 0) & ~np.eye(len(spread), dtype=bool), chance, np.nan)


def fit(bots: np.ndarray, ranks: np.ndarray, block: np.ndarray, entrants: int, anchor: int) -> Ratings:
    """Rate the entrants of a run.

    bots: [games, seats] the entrant in each seat. ranks: [games, seats] 1 is best, equal ones share a place. block:
    [games] ids; games of a block stand together. entrants: how many there are. anchor: the one rated 0. ValueError if
    there is no such entrant.

    The rated are those of the anchor's strongly connected part of the graph "finished ahead of" (a shared place counts
    both ways): Hunter (2004), MM algorithms for generalized Bradley-Terry models, Annals of Statistics 32, 384-406,
    Assumption 1; otherwise some rating would be infinite. Leaving the others out of the finishing orders is exact in
    this model. Errors are the sandwich of White (1982) and Liang & Zeger (1986) over blocks, times B / (B - 1), and the
    prior in it: where games say little of a seat, its error is that of the prior.
    """
    if not 0 <= anchor < entrants:
        raise ValueError(f"there is no entrant {anchor} to be the anchor of {entrants}")
    ahead = finished_ahead(bots, ranks, entrants)
    components = _components(ahead, np.bincount(bots.ravel(), minlength=entrants) > 0)
    rated, unrated = _rated(ahead, anchor, components)
    index = np.zeros(entrants, np.int64)
    index[rated] = np.arange(len(rated))
    if unrated:
        ranks = np.where(np.isin(bots, rated), ranks, 0)
    counted = (ranks > 0).sum(axis=1) > 1
    if not counted.all():
        bots, ranks, block = bots[counted], ranks[counted], block[counted]
    seats = ranks.shape[1]
    rating, covariance = np.full(entrants, np.nan), np.full((entrants, entrants), np.nan)
    rating[anchor] = 0.0
    if len(rated) < 2:
        nothing = np.full(seats, np.nan)
        doubt = "the anchor cannot be compared with another bot"
        return Ratings(rating, covariance, nothing, nothing, unrated, doubt, components)
    strength, information = _newton(index[bots], ranks, len(rated))
    products, played, blocks = _block_products(strength, index[bots], ranks, block, len(rated))
    free, place = len(strength) - 2, index[anchor]
    doubt = ""
    if blocks < max(LEAST_BLOCKS, 2 * free):
        doubt = f"they need {max(LEAST_BLOCKS, 2 * free)} deals, and there are only {blocks}"
    elif played[place] < LEAST_BLOCKS:
        doubt = f"they need {LEAST_BLOCKS} deals of the anchor, and it played only {played[place]}"
    inverse = np.linalg.inv(information)
    noise = blocks / max(1, blocks - 1) * products + _prior_noise(len(rated), seats)
    cover = ELO**2 * inverse @ noise @ inverse
    rating[rated] = ELO * (strength[: len(rated)] - strength[place])
    near = cover[: len(rated), : len(rated)]
    relative = near - near[[place]] - near[:, [place]] + near[place, place]
    seat_error = np.sqrt(np.maximum(np.diag(cover)[len(rated) :], 0))
    if doubt:
        seat_error[:] = np.nan
    else:
        known = np.flatnonzero(played >= LEAST_BLOCKS)
        covariance[np.ix_(rated[known], rated[known])] = relative[np.ix_(known, known)]
    return Ratings(rating, covariance, ELO * strength[len(rated) :], seat_error, unrated, doubt, components)


def finished_ahead(bots: np.ndarray, ranks: np.ndarray, entrants: int) -> np.ndarray:
    """[entrants, entrants] whether the row ever finished ahead of the column or shared a place with it."""
    counts = np.zeros(entrants**2, np.int64)
    for one, other in permutations(range(bots.shape[1]), 2):
        won = ranks[:, one] <= ranks[:, other]
        counts += np.bincount(bots[won, one].astype(np.int64) * entrants + bots[won, other], minlength=entrants**2)
    return counts.reshape(entrants, entrants) > 0


def _components(ahead: np.ndarray, played: np.ndarray) -> tuple[tuple[int, ...], ...]:
    """Entrants who met, directly or through others, the largest group first; who played no game is left out."""
    number, part = connected_components(ahead, directed=False)
    parts = [tuple(np.flatnonzero((part == one) & played).tolist()) for one in range(number)]
    return tuple(sorted(filter(None, parts), key=lambda one: (-len(one), one)))


def _rated(
    ahead: np.ndarray, anchor: int, components: tuple[tuple[int, ...], ...]
) -> tuple[np.ndarray, dict[int, str]]:
    """The anchor's strongly connected part, and why each other entrant is not of it."""
    below, above = (
        set(breadth_first_order(graph, anchor, return_predecessors=False).tolist()) for graph in (ahead, ahead.T)
    )  # whom a chain of finishes ahead leads to from the anchor, and from whom one leads to it
    home = next((part for part in components if anchor in part), (anchor,))
    played = {bot for part in components for bot in part}
    unrated = {}
    for bot in set(range(len(ahead))) - (below & above):
        if bot not in played:
            unrated[bot] = "played no game"
        elif bot not in home:
            unrated[bot] = "never met the anchor, not even through others"
        elif bot in below:
            unrated[bot] = "never finished ahead of a rated bot"
        elif bot in above:
            unrated[bot] = "never finished behind a rated bot"
        else:
            unrated[bot] = "met rated bots only through bots that have no rating themselves"
    return np.array(sorted(below & above)), unrated


def precision(entrants: int, seats: int) -> np.ndarray:
    """The precision of the prior of each strength, [entrants + seats]."""
    return np.concatenate([np.full(entrants, RIDGE), np.full(seats, (ELO / SEAT_ELO) ** 2)])


def _prior_noise(entrants: int, seats: int) -> np.ndarray:
    """The prior's part in the variance of the gradient, but for the sums, which are 0 by definition.

    The estimate is biased by -H**-1 P theta; over the prior, theta has the variance P**-1.
    """
    noise = np.diag(precision(entrants, seats))
    noise[:entrants, :entrants] -= RIDGE / entrants
    noise[entrants:, entrants:] -= noise[-1, -1] / seats
    return noise


def _newton(bots: np.ndarray, ranks: np.ndarray, entrants: int) -> tuple[np.ndarray, np.ndarray]:
    """The strengths [entrants + seats] that maximize the likelihood and the prior, and the information there.

    Neither the entrants nor the seats have an origin in the likelihood; the prior makes both sums 0.
    """
    choices = aggregate(bots, ranks, entrants)
    strength, prior = np.zeros(entrants + choices.seats), precision(entrants, choices.seats)
    value = log_likelihood(choices, strength)
    for _ in range(STEPS):
        gradient, information = derivatives(choices, strength)
        information[np.diag_indices_from(information)] += prior
        step = np.linalg.solve(information, gradient - prior * strength)
        scale = 1.0
        while True:
            wanted = strength + scale * step
            reached = log_likelihood(choices, wanted) - float(prior @ wanted**2) / 2
            if reached >= value - 1e-9 * abs(value) or scale < 1e-6:
                break
            scale /= 2
        strength, value = wanted, reached
        if np.abs(step).max() < 1e-8:
            break
    return strength, information


def _block_products(
    strength: np.ndarray, bots: np.ndarray, ranks: np.ndarray, block: np.ndarray, entrants: int
) -> tuple[np.ndarray, np.ndarray, int]:
    """The sum over blocks of the outer products of their scores, the blocks of each entrant, and all blocks."""
    seats, size = ranks.shape[1], len(strength)
    total, played = np.zeros((size, size)), np.zeros(entrants, np.int64)
    number = np.concatenate([[0], np.cumsum(block[1:] != block[:-1])])
    for part in _whole_blocks(number, max(1, 8 * CHUNK // size)):
        rows = number[part] - number[part.start]
        count = int(rows[-1]) + 1
        added = scores(strength, entrants, bots[part], ranks[part])
        cells = (rows[:, None] * entrants + bots[part]).ravel()
        matrix = np.empty((count, size))
        matrix[:, :entrants] = np.bincount(cells, added.ravel(), minlength=count * entrants).reshape(count, entrants)
        for seat in range(seats):
            matrix[:, entrants + seat] = np.bincount(rows, added[:, seat], minlength=count)
        total += matrix.T @ matrix
        there = np.bincount(cells[(ranks[part] > 0).ravel()], minlength=count * entrants) > 0
        played += there.reshape(count, entrants).sum(axis=0)
    return total, played, int(number[-1]) + 1


def _whole_blocks(number: np.ndarray, most: int) -> Iterator[slice]:
    """Slices of about `most` games that end where blocks end."""
    first = 0
    while first < len(number):
        last = min(first + most, len(number))
        last = int(np.searchsorted(number, number[last - 1], side="right"))
        yield slice(first, last)
        first = last
