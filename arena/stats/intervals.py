"""Intervals from blocks. A block is one deal in all its seatings: games within one are not independent."""

import math

from scipy.special import ndtri


def share_interval(blocks: int, total: float, squares: float, confidence: float = 0.95) -> tuple[float, float]:
    """An interval for the mean of values between 0 and 1, one for each of some independent blocks (win shares).

    blocks: how many; total, squares: the sums of the values and of their squares.

    Agresti and Coull's (1998) pseudo-observations, here of whole blocks: z**2 / 2 blocks at 0 and as many at 1 are
    added before mean and variance are taken. So the interval keeps its coverage near 0 and 1, has a positive length
    when all blocks are alike, and exists for a single block.
    """
    z = float(ndtri(0.5 + confidence / 2))
    count = blocks + z**2
    center = (total + z**2 / 2) / count
    variance = max(0.0, (squares + z**2 / 2) / count - center**2)
    half = z * math.sqrt(variance / count)
    return max(0.0, center - half), min(1.0, center + half)
