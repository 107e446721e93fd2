"""The difference between two runs for each bot, paired by deal where both runs have it."""

import math

import numpy as np
import pandas as pd
from scipy.special import ndtri

from arena.stats.blocks import Blocks
from arena.stats.intervals import pseudo_moments, share_interval

COLUMNS = ("bot", "before", "after", "difference", "low", "high", "score_difference", "deals", "paired")
QUANTILE = 0.975
"""The quantile of the normal law for a 95 % interval."""


def change_table(before: Blocks, after: Blocks, bots: dict[str, tuple[int, int]], same_deals: bool) -> pd.DataFrame:
    """A row for each bot: its win share in both runs, the difference with a 95 % interval, and that of its mean score.

    bots: its number in the first and in the second run. same_deals: whether a deal of the same number has the same
    cards in both. If the bot has the same opponents in each of the deals that it plays within the shorter run
    (`paired`), the interval is that of the mean of the differences deal by deal; else that of two independent means,
    over all deals of each run. NaN: cannot be told.
    """
    opponents = _same_lineups(before, after, bots) if same_deals else {}
    rows = []
    for name, (one, other) in bots.items():
        first, second = _of_bot(before, one), _of_bot(after, other)
        shared = _shared_deals(first, second, opponents)
        if paired := len(shared) > 0:
            first, second = first.loc[shared], second.loc[shared]
        difference = second.mean() - first.mean()
        values = first["share"].to_numpy(), second["share"].to_numpy()
        low, high = paired_interval(values[1] - values[0]) if paired else independent_interval(*values)
        deals = len(shared) if paired else min(len(first), len(second))
        rows.append((name, first["share"].mean(), second["share"].mean(), difference["share"], low, high,
                     difference["score"], deals, paired))  # fmt: skip
    return pd.DataFrame(rows, columns=COLUMNS)


def paired_interval(differences: np.ndarray) -> tuple[float, float]:
    """95 % for the mean of differences between win shares, one a block: `share_interval`, stretched to [-1, 1]."""
    values = (1 + differences) / 2
    low, high = share_interval(len(values), float(values.sum()), float((values**2).sum()))
    return 2 * low - 1, 2 * high - 1


def independent_interval(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """95 % for the second mean less the first, of blocks that have nothing in common; values between 0 and 1.

    Agresti and Caffo (2000), here of whole blocks: z**2 / 4 blocks at 0 and as many at 1 are added to each side before
    means and variances are taken. NaN if one side is empty.
    """
    if not len(first) or not len(second):
        return math.nan, math.nan
    z = float(ndtri(QUANTILE))
    (one, variance), (other, other_variance) = (
        pseudo_moments(len(values), float(values.sum()), float((values**2).sum()), z**2 / 4)
        for values in (first, second)
    )
    half = z * math.sqrt(variance / (len(first) + z**2 / 2) + other_variance / (len(second) + z**2 / 2))
    return max(-1.0, other - one - half), min(1.0, other - one + half)


def _of_bot(blocks: Blocks, bot: int) -> pd.DataFrame:
    """Mean win share and score of a bot by deal."""
    block, seat = np.nonzero(blocks.members == bot)
    return pd.DataFrame(
        {"share": blocks.shares[block, seat], "score": blocks.scores[block, seat]}, index=blocks.deals[block]
    )


def _same_lineups(before: Blocks, after: Blocks, bots: dict[str, tuple[int, int]]) -> dict[int, bool]:
    """For each deal of both runs whether the same line-up plays it, bots of the second run under their pairs."""
    number = np.full(1 + max(int(before.members.max()), *(one for one, _ in bots.values())), -1)
    for one, other in bots.values():
        number[one] = other
    deals, mine, others = np.intersect1d(before.deals, after.deals, return_indices=True)
    if before.members.shape[1] != after.members.shape[1]:
        return dict.fromkeys(deals.tolist(), False)
    same = (np.sort(number[before.members[mine]], axis=1) == np.sort(after.members[others], axis=1)).all(axis=1)
    return dict(zip(deals.tolist(), same.tolist(), strict=True))


def _shared_deals(first: pd.DataFrame, second: pd.DataFrame, same: dict[int, bool]) -> list[int]:
    """The deals of both runs in which the bot plays; empty if its opponents differ in any of them."""
    played = [deal for deal in first.index.union(second.index) if deal in same]
    return played if all(same[deal] for deal in played) else []
