"""The tables of a report, from the seat rows of a run: per bot, by source, by seat, and the score distribution."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from arena.stats.intervals import share_interval

MEANS = ("tickets_kept", "tickets_completed", "trains_left", "longest", "turns")
QUARTILES = (0.25, 0.5, 0.75)
LEAST_SCORE = -10_000
SCORES = 30_000
"""Scores are counted one by one from LEAST_SCORE on: quantiles are exact, and memory does not grow with the games."""


class Summary(NamedTuple):
    """The tables of a run, each indexed by bot, best win share first."""

    games: int
    """Games in the tables."""
    deals: int
    """Blocks they form: the sample size behind the intervals."""
    stalls: int
    """Games that ended because nobody could move."""
    scored: frozenset[str]
    """Sources that gave anybody points."""
    bots: pd.DataFrame
    """games, win_share, low, high (95 % over blocks), mean_score, sd_score, q25, q50, q75, mean_rank, faults."""
    details: pd.DataFrame
    """Means: points by source, tickets_kept, tickets_completed, trains_left, longest, turns."""
    seats: pd.DataFrame
    """Win share by seat."""
    scores: pd.DataFrame
    """Games by score, a column for each ten points, named by their lower end."""


class Tally:
    """Adds up seat rows (see `arena.records.seat_table`), shard by shard; a shard holds whole blocks."""

    def __init__(self, names: Sequence[str], seats: int, sources: Sequence[str]) -> None:
        self.names = list(names)
        self.means = (*sources, *MEANS)
        bots = len(self.names)
        self.games = self.deals = self.stalls = 0
        self.sources = sources
        self.scored: set[str] = set()
        self.rows = np.zeros((bots, seats), np.int64)
        self.wins = np.zeros((bots, seats))
        self.sums = {name: np.zeros(bots) for name in (*self.means, "rank", "faults")}
        self.scores = np.zeros((bots, SCORES), np.int64)
        self.blocks = np.zeros((bots, 3))  # their number, the sum of their win shares, the sum of the squares

    def add(self, rows: pd.DataFrame) -> None:
        """Count the rows of a shard."""
        if rows.empty:
            return
        bots = len(self.names)
        categories = rows["bot"].cat.categories
        bot = np.array([self.names.index(name) for name in categories])[rows["bot"].cat.codes]
        seats = self.rows.shape[1]
        place = bot * seats + rows["seat"].to_numpy()
        share = rows["win_share"].to_numpy()
        self.rows += np.bincount(place, minlength=bots * seats).reshape(bots, seats)
        self.wins += np.bincount(place, share, minlength=bots * seats).reshape(bots, seats)
        for name in (*self.means, "rank"):
            self.sums[name] += np.bincount(bot, rows[name].to_numpy(), minlength=bots)
        self.scored |= {source for source in self.sources if rows[source].any()}
        self.sums["faults"] += np.bincount(bot, (rows["fault"] != "none").to_numpy(), minlength=bots)
        score = rows["score"].to_numpy().astype(np.int64) - LEAST_SCORE
        self.scores += np.bincount(bot * SCORES + score, minlength=bots * SCORES).reshape(bots, SCORES)
        self._add_blocks(rows["deal"].to_numpy(), bot, share)
        self.games += len(rows) // seats
        self.stalls += int((rows["end"] == "stall").sum()) // seats

    def _add_blocks(self, deal: np.ndarray, bot: np.ndarray, share: np.ndarray) -> None:
        first = int(deal.min())
        width = int(deal.max()) - first + 1
        key = bot * width + deal - first
        games = np.bincount(key, minlength=len(self.names) * width).reshape(-1, width)
        wins = np.bincount(key, share, minlength=len(self.names) * width).reshape(-1, width)
        means = np.divide(wins, games, out=np.zeros_like(wins), where=games > 0)
        self.blocks += np.stack([(games > 0).sum(axis=1), means.sum(axis=1), (means**2).sum(axis=1)], axis=1)
        self.deals += int((games.sum(axis=0) > 0).sum())

    def summary(self) -> Summary:
        """The tables of everything added so far."""
        played = [bot for bot in range(len(self.names)) if self.rows[bot].any()]
        bots = {bot: self._bot_row(bot) for bot in played}
        played.sort(key=lambda bot: (bots[bot]["win_share"], bots[bot]["mean_score"]), reverse=True)
        index = pd.Index([self.names[bot] for bot in played], name="bot")
        games = self.rows.sum(axis=1)
        details = {name: self.sums[name][played] / games[played] for name in self.means}
        return Summary(
            games=self.games,
            deals=self.deals,
            stalls=self.stalls,
            scored=frozenset(self.scored),
            bots=pd.DataFrame([bots[bot] for bot in played], index=index),
            details=pd.DataFrame(details, index=index),
            seats=pd.DataFrame(self.wins[played] / np.maximum(self.rows[played], 1), index=index),
            scores=self._distribution(played, index),
        )

    def _bot_row(self, bot: int) -> dict[str, float]:
        games = int(self.rows[bot].sum())
        low, high = share_interval(int(self.blocks[bot, 0]), self.blocks[bot, 1], self.blocks[bot, 2])
        values = np.arange(SCORES) + LEAST_SCORE
        mean = float(self.scores[bot] @ values) / games
        q25, q50, q75 = (_quantile(self.scores[bot], share) + LEAST_SCORE for share in QUARTILES)
        return {
            "games": games,
            "win_share": float(self.wins[bot].sum()) / games,
            "low": low,
            "high": high,
            "mean_score": mean,
            "sd_score": float(np.sqrt(self.scores[bot] @ (values - mean) ** 2 / games)),
            "q25": q25,
            "q50": q50,
            "q75": q75,
            "mean_rank": float(self.sums["rank"][bot]) / games,
            "faults": int(self.sums["faults"][bot]),
        }

    def _distribution(self, played: list[int], index: pd.Index) -> pd.DataFrame:
        tens = self.scores[played].reshape(len(played), -1, 10).sum(axis=2)
        used = np.flatnonzero(tens.any(axis=0))
        columns = range(int(used[0]), int(used[-1]) + 1)
        return pd.DataFrame(tens[:, columns], index=index, columns=[LEAST_SCORE + 10 * ten for ten in columns])


def _quantile(counts: np.ndarray, share: float) -> float:
    """The quantile of values 0, 1, ... that occur `counts` times, between neighbors linear as in `numpy.quantile`."""
    ends = np.cumsum(counts)
    position = share * (ends[-1] - 1)
    below, above = np.searchsorted(ends, [np.floor(position), np.ceil(position)], side="right")
    return float(below + (above - below) * (position - np.floor(position)))
