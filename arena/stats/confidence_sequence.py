"""Confidence sequence: intervals for win shares that stay valid however often you look at them.

Howard, Ramdas, McAuliffe & Sekhon (2021), Time-uniform, nonparametric, nonasymptotic confidence sequences, Annals of
Statistics 49(2), 1055-1080: the empirical-Bernstein bound of Theorem 4, with the gamma-exponential mixture boundary of
Proposition 9.
"""

import math

import numpy as np

TYPICAL_VARIANCE = 0.05
"""The rough variance of a bot's block values in real runs; the sequence is tightest there, and valid anywhere."""


class ConfidenceSequence:
    """Intervals for the running mean of each bot's block values, all of which hold at once with the confidence given.

    bots: their number. blocks: how many blocks of a bot are expected; the intervals are tightest around there. guess:
    what a bot's first block is compared with, best 1 / seats. confidence: of one bot's whole course; the error is
    shared between too low and too high.

    Block values must lie in [0, 1]. Nothing else is assumed: line-ups may alternate, values may depend on earlier
    ones. Then the interval is one for the mean of the expectations of the blocks played, each given those before.
    """

    def __init__(self, bots: int, blocks: float, guess: float = 0.5, confidence: float = 0.95) -> None:
        self.count = np.zeros(bots, np.int64)
        self.total = np.zeros(bots)
        self.squares = np.zeros(bots)
        """[bots] of the distances between each value and the mean of those before it: the time of the boundary."""
        self.guess = guess
        self.alpha = (1 - confidence) / 2
        self.rho = best_rho(max(1.0, blocks * TYPICAL_VARIANCE), self.alpha)

    def add(self, bots: np.ndarray | int, values: np.ndarray) -> None:
        """Count further blocks: values [entries] in the order played; bots [entries], or one bot, whose they are."""
        values = np.asarray(values, float).ravel()
        if not len(values):
            return
        owner = np.broadcast_to(np.asarray(bots, np.int64), values.shape)
        order = np.argsort(owner, kind="stable")
        owner, values = owner[order], values[order]
        sizes = np.bincount(owner, minlength=len(self.count))
        starts = np.repeat((np.cumsum(sizes) - sizes)[sizes > 0], sizes[sizes > 0])
        before = np.cumsum(values) - values
        before += self.total[owner] - before[starts]
        blocks = self.count[owner] + np.arange(len(values)) - starts
        predicted = np.clip((self.guess + before) / (1 + blocks), 0, 1)
        self.count += sizes
        self.total += np.bincount(owner, values, minlength=len(self.count))
        self.squares += np.bincount(owner, (values - predicted) ** 2, minlength=len(self.count))

    def interval(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper ends, [bots] each, in [0, 1]; (0, 1) for a bot without blocks."""
        blocks = np.maximum(self.count, 1)
        half = boundary(self.squares, self.alpha, self.rho) / blocks
        mean = np.where(self.count, self.total / blocks, 0.5)
        half = np.where(self.count, half, 1.0)
        return np.clip(mean - half, 0, 1), np.clip(mean + half, 0, 1)


def best_rho(time: float, alpha: float) -> float:
    """The parameter of the mixture for which the boundary is lowest, nearly, at a time (Proposition 3, one-sided)."""
    logs = 2 * math.log(1 / (2 * alpha))
    return time / (logs + math.log(1 + logs))


def boundary(time: np.ndarray, alpha: float, rho: float) -> np.ndarray:
    """What the sum of deviations passes at any time with probability alpha at most; time: [...], not negative.

    The gamma-exponential mixture (Proposition 9) for scale 1, that of values in [0, 1]. The logarithm of the mixture is
    convex and grows with the sum: Newton's method from above converges without a detour.
    """
    time = np.asarray(time, float)
    target = math.log(1 / alpha)
    sums = np.sqrt(8 * (time + rho) * target) + 4 * target + 4 * rho
    for _ in range(50):
        value, slope = log_mixture(sums, time, rho)
        step = (value - target) / slope
        sums = sums - step
        if np.all(step < 1e-10 * (1 + sums)):
            break
    return np.asarray(sums)


def log_mixture(sums: np.ndarray, time: np.ndarray, rho: float) -> tuple[np.ndarray, np.ndarray]:
    """The logarithm of the mixture supermartingale at a sum and a time, [...] each, and its slope in the sum."""
    from scipy.special import gammainc, gammaln  # not above: a short run is over before it shows any interval

    shape = time + rho
    place = sums + shape
    start = rho * math.log(rho) - float(gammaln(rho)) - math.log(float(gammainc(rho, rho)))
    part = gammainc(shape, place)
    value = start + gammaln(shape) + np.log(part) - shape * np.log(place) + sums + time
    density = np.exp((shape - 1) * np.log(place) - place - gammaln(shape))
    return value, 1 - shape / place + density / part
