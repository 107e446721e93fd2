"""Ratios of sums, many at once (how often, how much on average), each with its error over the deals.

Games of one deal depend on each other, so a deal is the unit. A ratio of two sums over deals (wins of those who kept a
ticket by how many kept it) has the error of the ratio estimator: Cochran, *Sampling Techniques*, 3rd ed. 1977, section
6.3, with the deals as an infinite population. Only sums are kept: a million games take no more memory than ten.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit


@dataclass
class RatioSums:
    """Sums over deals of numerators, denominators and their products, each float64 [items]."""

    deals: int
    over: np.ndarray
    under: np.ndarray
    over_squared: np.ndarray
    product: np.ndarray
    under_squared: np.ndarray

    @classmethod
    def none(cls, items: int) -> "RatioSums":
        """Of no deal."""
        return cls(0, *(np.zeros(items) for _ in range(5)))

    def add(self, over: np.ndarray, under: np.ndarray) -> None:
        """Add deals: numerators and denominators, both [deals, items]."""
        over, under = over.astype(float), under.astype(float)
        self.deals += len(over)
        self.over += over.sum(axis=0)
        self.under += under.sum(axis=0)
        self.over_squared += np.einsum("ij,ij->j", over, over)
        self.product += np.einsum("ij,ij->j", over, under)
        self.under_squared += np.einsum("ij,ij->j", under, under)

    def of(self, items: Sequence[int]) -> "RatioSums":
        """Those of some of the items."""
        parts = (self.over, self.under, self.over_squared, self.product, self.under_squared)
        return RatioSums(self.deals, *(part[list(items)] for part in parts))

    @property
    def value(self) -> np.ndarray:
        """The ratios, NaN where there is nothing, float64 [items]."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(self.under > 0, self.over / self.under, np.nan))

    @property
    def error(self) -> np.ndarray:
        """Their standard errors, NaN with fewer than two deals or nothing in them, float64 [items]."""
        ratio = np.nan_to_num(self.value)
        squares = self.over_squared - 2 * ratio * self.product + ratio**2 * self.under_squared
        if self.deals < 2:
            return np.full(len(ratio), np.nan)
        with np.errstate(invalid="ignore", divide="ignore"):
            error = np.sqrt(np.maximum(squares, 0) * self.deals / (self.deals - 1)) / self.under
        return np.asarray(np.where(self.under > 0, error, np.nan))

    def interval(self, sure: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """Student's interval around each ratio, with one degree of freedom fewer than deals, float64 [items] each."""
        width = float(stdtrit(max(self.deals - 1, 1), (1 + sure) / 2)) * self.error
        return self.value - width, self.value + width

    def share_interval(self) -> tuple[np.ndarray, np.ndarray]:
        """The same of shares: never below 0 or above 1, and what was not seen once in n deals may be 3/n.

        The rule of three: Hanley and Lippman-Hand, *JAMA* 249, 1983; as much may lack what was always seen.
        """
        low, high = self.interval()
        unseen = 3 / np.maximum(self.independent, 1)
        low = np.where((self.over == self.under) & ~np.isnan(low), 1 - unseen, low)
        high = np.where((self.over == 0) & ~np.isnan(high), unseen, high)
        return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)

    @property
    def independent(self) -> np.ndarray:
        """How many deals stand behind each, or things in them if these are fewer, float64 [items]."""
        return np.asarray(np.minimum(self.under, self.deals))


def p_beyond(value: np.ndarray, error: np.ndarray, margin: float, degrees: np.ndarray) -> np.ndarray:
    """How probable a value so far from 0 would be by chance if the truth were at the edge of a margin around 0.

    The test of a minimum effect: of a hypothesis that is an interval its least favorable point, Lehmann and Romano,
    *Testing Statistical Hypotheses*, 3rd ed. 2005, section 3.7; errors with so many degrees of freedom (Student's t).
    Without an error nothing is known: NaN.
    """
    far, degrees = np.abs(value), np.maximum(degrees, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = stdtr(degrees, (margin - far) / error) + stdtr(degrees, (-margin - far) / error)
    return np.asarray(np.where(error > 0, p, np.nan))


def q_values(p: np.ndarray) -> np.ndarray:
    """The false discovery rate at which each of many findings would just be made; NaN where nothing is known.

    Benjamini and Hochberg, *Journal of the Royal Statistical Society* B 57 (1995).
    """
    from scipy.stats import false_discovery_control

    q = np.full(len(p), np.nan)
    known = ~np.isnan(p)
    if known.any():
        q[known] = false_discovery_control(p[known])
    return q


def joined(sums: Sequence[RatioSums]) -> RatioSums:
    """The sums of several lots of deals."""
    parts = [(s.over, s.under, s.over_squared, s.product, s.under_squared) for s in sums]
    return RatioSums(sum(s.deals for s in sums), *(np.sum(arrays, axis=0) for arrays in zip(*parts, strict=True)))
