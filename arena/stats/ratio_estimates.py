"""Ratios of sums, many at once (how often, how much on average), each with its error over the deals.

Games of one deal depend on each other, so a deal is the unit. A ratio of two sums over deals (wins of those who kept a
ticket by how many kept it) has the error of the ratio estimator: Cochran, *Sampling Techniques*, 3rd ed. 1977, section
6.3, with the deals as an infinite population. Only sums are kept: a million games take no more memory than ten.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

Ratios = Mapping[str, tuple[np.ndarray, np.ndarray | int]]
"""Numerators and denominators of measures by name, each [deals, items]; a number is the denominator of all."""


@dataclass
class RatioSums:
    """Sums over deals, from which the ratios of many items and their errors follow."""

    deals: int
    moments: np.ndarray
    """Sums of numerators, denominators, numerators squared, products of both, denominators squared, [5, items]."""

    @classmethod
    def zeros(cls, items: int) -> "RatioSums":
        """The sums before any deal."""
        return cls(0, np.zeros((5, items)))

    def add(self, numerator: np.ndarray, denominator: np.ndarray | int) -> None:
        """Add deals: both [deals, items], or a number that is the denominator of all."""
        over = np.asarray(numerator, float)
        under = np.broadcast_to(np.asarray(denominator, float), over.shape)
        products = [np.einsum("ij,ij->j", *pair) for pair in ((over, over), (over, under), (under, under))]
        self.deals += len(over)
        self.moments += np.stack([over.sum(axis=0), under.sum(axis=0), *products])

    def of(self, items: Sequence[int]) -> "RatioSums":
        """The sums of some of the items."""
        return RatioSums(self.deals, self.moments[:, list(items)])

    @property
    def numerator(self) -> np.ndarray:
        """The sums of the numerators, float64 [items]."""
        return np.asarray(self.moments[0])

    @property
    def denominator(self) -> np.ndarray:
        """The sums of the denominators, float64 [items]."""
        return np.asarray(self.moments[1])

    @property
    def value(self) -> np.ndarray:
        """The ratios, NaN where the denominator is 0, float64 [items]."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(self.denominator > 0, self.numerator / self.denominator, np.nan))

    @property
    def error(self) -> np.ndarray:
        """The standard errors, NaN with fewer than two deals or a denominator of 0, float64 [items]."""
        ratio = np.nan_to_num(self.value)
        _, denominator, squares, products, denominator_squares = self.moments
        residuals = squares - 2 * ratio * products + ratio**2 * denominator_squares
        if self.deals < 2:
            return np.full(len(ratio), np.nan)
        with np.errstate(invalid="ignore", divide="ignore"):
            error = np.sqrt(np.maximum(residuals, 0) * self.deals / (self.deals - 1)) / denominator
        return np.asarray(np.where(denominator > 0, error, np.nan))

    def interval(self, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """Student's interval around each ratio, with one degree of freedom fewer than deals, float64 [items] each."""
        width = float(stdtrit(max(self.deals - 1, 1), (1 + confidence) / 2)) * self.error
        return self.value - width, self.value + width

    def share_interval(self) -> tuple[np.ndarray, np.ndarray]:
        """The interval of a share: never below 0 or above 1, and what was not seen once in n deals may be 3/n.

        The rule of three: Hanley and Lippman-Hand, *JAMA* 249, 1983; as much may be missing from what was always seen.
        """
        low, high = self.interval()
        unseen = 3 / np.maximum(self.independent, 1)
        low = np.where((self.numerator == self.denominator) & ~np.isnan(low), 1 - unseen, low)
        high = np.where((self.numerator == 0) & ~np.isnan(high), unseen, high)
        return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)

    def columns(self, name: str, least: int = 0, share: bool = False) -> dict[str, np.ndarray]:
        """The ratios and their intervals as columns of a table; NaN where the denominator is less than `least`."""
        values = (self.value, *(self.share_interval() if share else self.interval()))
        names = (name, f"{name}_low", f"{name}_high")
        return {
            each: np.where(self.denominator >= least, value, np.nan) for each, value in zip(names, values, strict=True)
        }

    @property
    def independent(self) -> np.ndarray:
        """How many deals are behind each ratio, or things in them if these are fewer, float64 [items]."""
        return np.asarray(np.minimum(self.denominator, self.deals))


def add_ratios(sums: dict[str, RatioSums], ratios: Ratios) -> None:
    """Add deals to the sums of measures, which begin at 0."""
    for name, (numerator, denominator) in ratios.items():
        sums.setdefault(name, RatioSums.zeros(numerator.shape[1])).add(numerator, denominator)


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
    """The sums over the deals of all of them."""
    return RatioSums(sum(each.deals for each in sums), np.sum([each.moments for each in sums], axis=0))
