"""Intervals from blocks. A block is one deal in all its seatings: games within one are not independent."""

import numpy as np
from scipy.special import ndtri


def share_interval(blocks: np.ndarray, confidence: float = 0.95) -> tuple[float, float]:
    """An interval for the mean of block values between 0 and 1 (win shares), from independent blocks.

    Agresti and Coull's (1998) pseudo-observations, here of whole blocks: z**2 / 2 blocks at 0 and as many at 1 are
    added before mean and variance are taken. So the interval keeps its coverage near 0 and 1, has a positive length
    when all blocks are alike, and exists for a single block.
    """
    z = float(ndtri(0.5 + confidence / 2))
    count = len(blocks)
    total = count + z**2
    center = (blocks.sum() + z**2 / 2) / total
    variance = (((blocks - center) ** 2).sum() + z**2 / 2 * (center**2 + (1 - center) ** 2)) / total
    half = z * float(np.sqrt(variance / total))
    return max(0.0, float(center) - half), min(1.0, float(center) + half)
