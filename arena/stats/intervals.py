"""How confidence intervals are computed: from blocks, because the games of one deal are not independent."""

import math

import numpy as np
from scipy.special import ndtri


def share_interval(blocks: int, total: float, squares: float, confidence: float = 0.95) -> tuple[float, float]:
    """An interval for the mean of values between 0 and 1, one for each of some independent blocks (win shares).

    blocks: how many; total, squares: the sums of the values and of their squares. Without blocks it is (0, 1).

    Agresti and Coull's (1998) pseudo-observations, here of whole blocks: z**2 / 2 blocks at 0 and as many at 1 are
    added before mean and variance are taken. So the interval keeps its coverage near 0 and 1, has a positive length
    when all blocks are alike, and exists for a single block.
    """
    z = float(ndtri(0.5 + confidence / 2))
    mean, variance = pseudo_moments(blocks, total, squares, z**2 / 2)
    half = z * math.sqrt(variance / (blocks + z**2))
    return max(0.0, mean - half), min(1.0, mean + half)


def pseudo_moments(blocks: int, total: float, squares: float, each: float) -> tuple[float, float]:
    """The mean and the variance of values between 0 and 1, with `each` more blocks at 0 and as many at 1."""
    count = blocks + 2 * each
    mean = (total + each) / count
    return mean, max(0.0, (squares + each) / count - mean**2)


def stratified_interval(
    counts: np.ndarray, totals: np.ndarray, squares: np.ndarray, confidence: float = 0.95
) -> tuple[float, float]:
    """`share_interval` for a bot that plays in several line-ups, each of them equally often by design.

    counts, totals, squares: [line-ups] number of the bot's blocks in each line-up, and the sums of their values and
    of the squares; line-ups without a block are left out.

    The line-ups are fixed strata (Cochran 1977, Sampling Techniques, section 5.4, with proportional allocation): that
    some opponents are easier than others is no chance, so only the spread of the blocks within their line-ups counts,
    times n / (n - L) for the L means taken from n blocks. The pseudo-blocks are those of `share_interval`. With fewer
    than two blocks a line-up on average the spread within is not known, and the plain interval is returned, which
    counts the difference between opponents as chance and is wider.
    """
    played = np.asarray(counts) > 0
    number, total, square = (np.asarray(values, float)[played] for values in (counts, totals, squares))
    blocks, line_ups = round(number.sum()), len(number)
    if blocks < 2 * line_ups or not blocks:
        return share_interval(blocks, float(total.sum()), float(square.sum()), confidence)
    within = float(np.maximum(square - total**2 / number, 0).sum())
    spread = within * blocks / (blocks - line_ups)
    mean_squares = float(total.sum()) ** 2 / blocks
    return share_interval(blocks, float(total.sum()), mean_squares + spread, confidence)
