"""Head to head: how often each bot of a pair finishes before the other, in the games that both play."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.special import ndtri

from arena.stats.blocks import Blocks
from arena.stats.intervals import pseudo_moments, share_interval

PSEUDO_BLOCKS = float(ndtri(0.975)) ** 2 / 2
"""Blocks at 0, and as many at 1, with which `share_interval` is cautious, and `games_needed` as well."""
LEAD = 0.95
"""The probability of a lead in `blocks_needed`."""
ERROR = 0.05
"""The chance, over all pairs of a run, that a contradiction is flagged by mistake."""


def pair_table(blocks: Blocks, names: Sequence[str]) -> pd.DataFrame:
    """A row for each two bots that met.

    bot, other; games; ahead: how often `bot` finished before `other`, a shared place half; low, high: 95 % over
    blocks; games_needed: see `blocks_needed`, NaN while it is not clear who is better.
    """
    count, total, squares = _sums(blocks, len(names))
    rows = []
    for one, other in np.argwhere(np.triu(count > 0, 1)).tolist():
        number, mean = int(count[one, other]), total[one, other] / count[one, other]
        low, high = share_interval(number, total[one, other], squares[one, other])
        needed = math.nan
        if not low <= 0.5 <= high:
            _, variance = pseudo_moments(number, total[one, other], squares[one, other], PSEUDO_BLOCKS)
            needed = blocks.games * blocks_needed(mean - 0.5, math.sqrt(variance), 1 / blocks.games)
        rows.append({
            "bot": names[one],
            "other": names[other],
            "games": number * blocks.games,
            "ahead": mean,
            "low": low,
            "high": high,
            "games_needed": needed,
        })  # fmt: skip
    return pd.DataFrame(rows, columns=["bot", "other", "games", "ahead", "low", "high", "games_needed"])


def blocks_needed(difference: float, sd: float, step: float = 0.0, probability: float = LEAD) -> int:
    """The number of blocks after which the better bot leads with this probability, at least one.

    difference: the mean of a block's value, not 0; sd: its standard deviation. The blocks' sum is taken as normal
    (Cohen 1988, section 2.4, with that power at a test size of one half). step: between the values that it can
    have; it must pass half of one, for a tie is no lead.
    """
    distance, spread = abs(difference), float(ndtri(probability)) * sd
    root = (spread + math.sqrt(spread**2 + 2 * distance * step)) / (2 * distance)
    return max(1, math.ceil(root**2 - 1e-9))


def crosstable(blocks: Blocks, names: Sequence[str]) -> pd.DataFrame:
    """How often the bot of the row finished before the bot of the column, NaN where they did not meet."""
    count, total, _ = _sums(blocks, len(names))
    shares = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
    np.fill_diagonal(shares, np.nan)
    index = pd.Index(list(names), name="bot")
    return pd.DataFrame(shares, index=index, columns=list(names))


def contradictions(blocks: Blocks, names: Sequence[str], ratings: np.ndarray) -> list[tuple[str, str, float]]:
    """Pairs in which the lower rated bot finishes first more often: (higher rated, lower rated, share of the higher).

    ratings: float64 [bots], NaN for a bot without one. Only what is significant over all pairs together (Bonferroni
    1936): among bots that are ranked right, some pair is flagged in at most ERROR of the runs. Every circle of three
    bots of which each beats the next one contains such a pair.
    """
    count, total, squares = _sums(blocks, len(names))
    pairs = [(a, b) for a, b in np.argwhere(count > 0).tolist() if ratings[a] > ratings[b]]
    found = []
    for one, other in pairs:
        level = 1 - ERROR / len(pairs)
        _, high = share_interval(int(count[one, other]), total[one, other], squares[one, other], level)
        if high < 0.5:
            found.append((names[one], names[other], float(total[one, other] / count[one, other])))
    return found


def _sums(blocks: Blocks, bots: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each ordered pair: the number of blocks, the sum of `ahead` and of its square; each [bots, bots]."""
    one, other = np.nonzero(~np.eye(blocks.members.shape[1], dtype=bool))
    pairs = (blocks.members.astype(np.int64)[:, one] * bots + blocks.members[:, other]).ravel()
    ahead = blocks.ahead[:, one, other].ravel()
    count, total, squares = (np.bincount(pairs, values, bots * bots) for values in (None, ahead, ahead**2))
    return count.reshape(bots, bots), total.reshape(bots, bots), squares.reshape(bots, bots)
