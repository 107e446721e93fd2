"""The difference between two runs, bot by bot, from the deals that both have or from all of them."""

import math

import numpy as np
import pandas as pd

from arena.stats.games import Blocks
from arena.stats.intervals import mean_interval

COLUMNS = ("bot", "before", "after", "difference", "low", "high", "score_difference", "deals", "paired")


def change_table(before: Blocks, after: Blocks, bots: dict[str, tuple[int, int]], same_deals: bool) -> pd.DataFrame:
    """A row a bot: its win share in both runs, the difference with its 95 % interval, and that of its mean score.

    bots: its number in the first and in the second run. same_deals: whether a deal of the same number has the same
    cards in both. Over deals that a bot played in both runs, if there are two or more (`paired`), the interval is that
    of the mean of the differences (Student's t); else that of two independent means (Welch 1947). NaN: cannot be told.
    """
    rows = []
    for name, (one, other) in bots.items():
        first, second = _of_bot(before, one), _of_bot(after, other)
        shared = first.index.intersection(second.index) if same_deals else first.index[:0]
        paired = len(shared) > 1
        if paired:
            first, second = first.loc[shared], second.loc[shared]
        difference = second.mean() - first.mean()
        low, high = _paired(second - first) if paired else _independent(first["share"], second["share"])
        deals = len(shared) if paired else min(len(first), len(second))
        rows.append((name, first["share"].mean(), second["share"].mean(), difference["share"], low, high,
                     difference["score"], deals, paired))  # fmt: skip
    return pd.DataFrame(rows, columns=COLUMNS)


def _of_bot(blocks: Blocks, bot: int) -> pd.DataFrame:
    """Mean win share and score of a bot by deal."""
    block, seat = np.nonzero(blocks.members == bot)
    return pd.DataFrame(
        {"share": blocks.shares[block, seat], "score": blocks.scores[block, seat]}, index=blocks.deals[block]
    )


def _paired(differences: pd.DataFrame) -> tuple[float, float]:
    values = differences["share"].to_numpy()
    found = mean_interval(len(values), float(values.sum()), float((values**2).sum()))
    return found or (math.nan, math.nan)


def _independent(first: pd.Series, second: pd.Series) -> tuple[float, float]:
    from scipy.special import stdtrit

    if min(len(first), len(second)) < 2:
        return math.nan, math.nan
    errors = np.array([first.var() / len(first), second.var() / len(second)])
    if errors.sum() == 0:
        return math.nan, math.nan
    freedom = errors.sum() ** 2 / (errors**2 / np.array([len(first) - 1, len(second) - 1])).sum()
    half = float(stdtrit(freedom, 0.975)) * math.sqrt(errors.sum())
    difference = float(second.mean() - first.mean())
    return difference - half, difference + half
