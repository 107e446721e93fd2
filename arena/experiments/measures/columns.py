"""Turns a measure into the columns of a table."""

import numpy as np

from arena.stats.ratio_estimates import RatioSums


def columns(name: str, sums: RatioSums, least: int = 0, share: bool = False) -> dict[str, np.ndarray]:
    """A measure with its interval, that of a share if it is one; NaN where fewer things than `least` are behind it."""
    shown = sums.under >= least
    values = (sums.value, *(sums.share_interval() if share else sums.interval()))
    names = (name, f"{name}_low", f"{name}_high")
    return {each: np.where(shown, value, np.nan) for each, value in zip(names, values, strict=True)}
