"""The sequential test (SPRT) of `arena regress`, and the estimate and interval after it has stopped.

The generalized sequential probability ratio test: Wald (1945), Sequential tests of statistical hypotheses, Annals of
Mathematical Statistics 16, 117-186, for its bounds; the ratio for an unknown variance as in fishtest (Van den Bergh
2020, Comments on normalized Elo, and A practical introduction to the GSPRT).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from arena.stats.brownian import passes_above

OVERSHOOT = 0.583
"""Steps of a random walk that end a test pass the bound by this many standard deviations of a step on average
(Siegmund 1985, section X.2)."""
PSEUDO_BLOCKS = 3
"""Added to the variance at a distance of 1, which no block is likely to exceed."""
CHANCES = (0.025, 0.5, 0.975)
"""The chance of something as extreme above, if the mean is the lower end, the estimate or the upper end."""
NODES = np.polynomial.legendre.leggauss(48)
FAR = 8.0
"""Standard deviations of a normal law beyond which nothing lies."""


@dataclass(frozen=True)
class Outcome:
    """What a sequential test says of the blocks seen so far."""

    decision: str
    """"h0", "h1", or "" while undecided."""
    blocks: int
    """Where it stopped; only these count."""
    llr: float
    """The log likelihood ratio there."""
    bounds: tuple[float, float]
    """h0 is accepted at or below the first, h1 at or above the second."""
    estimate: float | None
    """The median-unbiased estimate of the mean, corrected for where the test stopped; None without blocks."""
    low: float | None
    """The 95 % interval of the mean, corrected likewise."""
    high: float | None
    raw: float | None
    """The plain mean of the blocks."""


@dataclass(frozen=True)
class Sprt:
    """Tests whether the mean of block differences is at most m0 (H0) or at least m1 (H1).

    m0 < m1: in units of the differences, which lie in [-1, 1]. alpha: the chance of "h1" if the mean is m0 (or less);
    beta: that of "h0" if it is m1 (or more). least: no decision is taken before so many blocks. ValueError for numbers
    that make no test.
    """

    m0: float
    m1: float
    alpha: float = 0.05
    beta: float = 0.05
    least: int = 30

    def __post_init__(self) -> None:
        if not (-1 <= self.m0 < self.m1 <= 1 and 0 < self.alpha < 0.5 and 0 < self.beta < 0.5 and self.least >= 2):
            raise ValueError("a test needs -1 <= m0 < m1 <= 1, 0 < alpha, beta < 0.5 and two blocks or more")

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's: log(beta / (1 - alpha)) and log((1 - beta) / alpha)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def path(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The log likelihood ratio after each block, and two variances: [..., blocks] each, like the values in order.

        n (m1 - m0) (mean - (m0 + m1) / 2) / variance. The first variance, that of a block, is for the interval:
        from the blocks so far and half of the pseudo-blocks, at a distance of 1 from their mean, so that it is never 0.
        The second one, with all of them, is what the ratio is divided by: the variance that blocks would have with
        their mean between the hypotheses. In the exponential family through the data it grows by third moment / second
        moment a unit that the mean moves (Morris 1982, Natural exponential families with quadratic variance functions,
        Annals of Statistics 10, 65-80, section 2). Without it a test of many small losses and a rare great win decides
        while there was no win yet. A move that would lower the variance is not made, nor one by more than m1 - m0. The
        pseudo-blocks stand on the side of the hypotheses: what was not seen yet.
        """
        count = np.arange(1, values.shape[-1] + 1)
        first, second, third = (np.cumsum(values**power, axis=-1) for power in (1, 2, 3))
        mean = first / count
        gap = (self.m0 + self.m1) / 2 - mean
        within = np.maximum(second - first * mean, 0)
        spread = within + PSEUDO_BLOCKS
        skew = third - 3 * mean * second + 2 * mean**2 * first + PSEUDO_BLOCKS * np.sign(gap)
        variance = (within + PSEUDO_BLOCKS / 2) / (count - 1 + PSEUDO_BLOCKS / 2)
        moved = spread / (count - 1 + PSEUDO_BLOCKS) + np.maximum(
            0, skew / spread * np.clip(gap, self.m0 - self.m1, self.m1 - self.m0)
        )
        return (self.m0 - self.m1) * count * gap / moved, variance, moved

    def decide(self, values: np.ndarray) -> Outcome:
        """The decision on block differences in the order played, [blocks], and the corrected estimate.

        The bounds are looked at after every block from the least number on; what comes after the first crossing is
        left out. So a call with more blocks says the same once a decision was reached.
        """
        values = np.asarray(values, float)
        low, high = self.bounds
        if not len(values):
            return Outcome("", 0, 0.0, self.bounds, None, None, None, None)
        llr, variance, moved = self.path(values)
        crossed = (llr <= low) | (llr >= high)
        crossed[: self.least - 1] = False
        blocks = int(np.argmax(crossed)) + 1 if crossed.any() else len(values)
        end = float(llr[blocks - 1])
        decision = "" if not crossed.any() else "h1" if end >= high else "h0"
        ends = self._corrected(blocks, end, decision, float(variance[blocks - 1]), float(moved[blocks - 1]))
        raw = float(values[:blocks].mean())
        return Outcome(decision, blocks, end, self.bounds, ends[1], ends[0], ends[2], raw)

    def _corrected(self, blocks: int, llr: float, decision: str, variance: float, moved: float) -> tuple[float, ...]:
        """The means under which something as extreme has the chances 2.5, 50 and 97.5 %.

        More extreme is what leaves earlier through the same barrier (stagewise ordering: Siegmund 1985, section III.4;
        Jennison & Turnbull 2000, section 8.4). The sum is taken for a Brownian motion, its barriers moved outward by
        the mean overshoot. At the first look it is the normal law alone.
        """
        middle, unit = (self.m0 + self.m1) / 2, moved / (self.m1 - self.m0)
        reach = OVERSHOOT * math.sqrt(variance)
        low, high = self.bounds[0] * unit - reach, self.bounds[1] * unit + reach
        place = llr * unit
        if decision and blocks > self.least:
            place = high if decision == "h1" else low
        guess, error = place / blocks, math.sqrt(variance / blocks)

        def score(mean: float) -> float:
            above = _above(mean - middle, blocks, place, (low, high), variance, self.least)
            return float(ndtri(min(max(above, 1e-300), 1 - 1e-16)))

        return tuple(_root(score, float(ndtri(chance)), middle + guess, error) for chance in CHANCES)


def _above(mean: float, blocks: int, place: float, barriers: tuple[float, float], variance: float, least: int) -> float:
    """The chance of an outcome at or above (blocks, place): sums of blocks, looked at from the least number on."""
    low, high = barriers
    if blocks <= least:
        return float(ndtr((mean * blocks - place) / math.sqrt(variance * blocks)))
    reach, root = OVERSHOOT * math.sqrt(variance), math.sqrt(variance * least)
    first, last = ((barrier - mean * least) / root for barrier in (low + reach, high - reach))
    beyond = float(ndtr(-last))
    left, right = max(first, -FAR), min(last, FAR)
    if left >= right:
        return beyond
    nodes = (left + right) / 2 + (right - left) / 2 * NODES[0]
    weights = (right - left) / 2 * NODES[1] * np.exp(-(nodes**2) / 2) / math.sqrt(2 * math.pi)
    starts = mean * least + root * nodes - low
    return beyond + float(weights @ passes_above(starts, high - low, mean, variance, blocks - least, place - low))


def _root(score: Callable[[float], float], target: float, guess: float, error: float) -> float:
    """Where an increasing function of a mean reaches a target, within [-1, 1]; at an end if it does so nowhere."""
    step, low, high = 2 * error, guess, guess
    while low > -1 and score(low) > target:
        low, step = max(-1.0, low - step), 2 * step
    step = 2 * error
    while high < 1 and score(high) < target:
        high, step = min(1.0, high + step), 2 * step
    if score(low) >= target:
        return max(low, -1.0)
    if score(high) <= target:
        return min(high, 1.0)
    return float(brentq(lambda mean: score(mean) - target, low, high, xtol=1e-9 + 1e-3 * error))
