"""A measure as columns of a table."""

import numpy as np

from arena.stats.ratios import RatioSums


def columns(name: str, sums: RatioSums, least: int = 0) -> dict[str, np.ndarray]:
    """A measure with its interval; NaN where fewer things than `least` stand behind it."""
    shown = sums.under >= least
    values = (sums.value, *sums.interval())
    names = (name, f"{name}_low", f"{name}_high")
    return {each: np.where(shown, value, np.nan) for each, value in zip(names, values, strict=True)}
