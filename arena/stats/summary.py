"""The tables of a report from the seat rows of a run: per bot, by source, by seat, and the score distribution."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from arena.stats.intervals import share_interval

QUARTILES = (0.25, 0.5, 0.75)


class Summary(NamedTuple):
    """The tables of a run, each indexed by bot, best win share first."""

    games: int
    """Games in the tables."""
    deals: int
    """Blocks they form: the sample size behind the intervals."""
    stalls: int
    """Games that ended because nobody could move."""
    bots: pd.DataFrame
    """games, win_share, low, high (95 % over blocks), mean_score, sd_score, q25, q50, q75, mean_rank, faults."""
    details: pd.DataFrame
    """Means: points by source, tickets_kept, tickets_completed, trains_left, longest, turns."""
    seats: pd.DataFrame
    """Win share by seat."""
    scores: pd.DataFrame
    """Games by score, a column for each ten points, named by their lower end."""


def columns(sources: Sequence[str]) -> list[str]:
    """The columns of the seat rows that a summary needs."""
    return ["game", "deal", "seat", "bot", "score", *sources, "rank", "win_share", "tickets_kept", "tickets_completed",
            "trains_left", "longest", "turns", "end", "fault"]  # fmt: skip


def summarize(rows: pd.DataFrame, sources: Sequence[str]) -> Summary:
    """Aggregate seat rows (see `arena.records.seat_table`)."""
    names = list(rows["bot"].cat.categories)
    bot = rows["bot"].cat.codes.to_numpy()
    present = np.bincount(bot, minlength=len(names)) > 0
    shares = _block_shares(rows, bot, len(names))
    frame = pd.DataFrame(
        [_bot_row(rows[bot == index], shares[index]) for index in range(len(names)) if present[index]],
        index=pd.Index([name for index, name in enumerate(names) if present[index]], name="bot"),
    )
    frame = frame.sort_values(["win_share", "mean_score"], ascending=False, kind="stable")
    details = [*sources, "tickets_kept", "tickets_completed", "trains_left", "longest", "turns"]
    grouped = rows.groupby("bot", observed=True)
    return Summary(
        games=int(rows["game"].nunique()),
        deals=int(rows["deal"].nunique()),
        stalls=int(rows.loc[rows["end"] == "stall", "game"].nunique()),
        bots=frame,
        details=grouped[details].mean().loc[frame.index],
        seats=rows.pivot_table(index="bot", columns="seat", values="win_share", observed=True).loc[frame.index],
        scores=_distribution(rows, bot, names).loc[frame.index],
    )


def _block_shares(rows: pd.DataFrame, bot: np.ndarray, bots: int) -> list[np.ndarray]:
    """For each bot its mean win share in every block it played."""
    deal = rows["deal"].to_numpy()
    blocks = int(deal.max()) + 1
    share = rows["win_share"].to_numpy()
    found = []
    for index in range(bots):
        mine = bot == index
        games = np.bincount(deal[mine], minlength=blocks)
        wins = np.bincount(deal[mine], weights=share[mine], minlength=blocks)
        found.append(wins[games > 0] / games[games > 0])
    return found


def _bot_row(rows: pd.DataFrame, shares: np.ndarray) -> dict[str, float]:
    low, high = share_interval(shares)
    score = rows["score"].to_numpy()
    q25, q50, q75 = np.quantile(score, QUARTILES)
    return {
        "games": len(rows),
        "win_share": float(rows["win_share"].mean()),
        "low": low,
        "high": high,
        "mean_score": float(score.mean()),
        "sd_score": float(score.std()),
        "q25": float(q25),
        "q50": float(q50),
        "q75": float(q75),
        "mean_rank": float(rows["rank"].mean()),
        "faults": int((rows["fault"] != "none").sum()),
    }


def _distribution(rows: pd.DataFrame, bot: np.ndarray, names: list[str]) -> pd.DataFrame:
    tens = np.floor_divide(rows["score"].to_numpy(), 10)
    first = int(tens.min())
    width = int(tens.max()) - first + 1
    counts = np.bincount(bot.astype(np.int64) * width + tens - first, minlength=len(names) * width)
    return pd.DataFrame(
        counts.reshape(len(names), width),
        index=pd.Index(names, name="bot"),
        columns=[10 * (first + step) for step in range(width)],
    )
