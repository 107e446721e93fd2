"""The course of games: how long they take, how often the lead changes, where the points come from."""

import numpy as np
import pandas as pd

from arena.experiments.measures.game_arrays import Lot
from arena.rules.game_log import RARE
from arena.rules.state import END_STALL
from arena.stats.ratio_estimates import RatioSums
from arena.store.seat_tables import SOURCES

COURSE = (
    "turns", "turns_winner_leads", "lead_changes", "comebacks", "margin", "stalls", "longest_path_decides",
    "tickets_decide",
)  # fmt: skip
"""What is said of a game as a whole.

turns: of all players. turns_winner_leads: the part of the game in which the last leader on the scoring track led.
comebacks: whether the winner was not that leader. margin: points between the first and the second. stalls: whether
nobody could move (B18). longest_path_decides, tickets_decide: whether another player would have won without the points
for the longest path, or for tickets.
"""

AMOUNTS = frozenset(("turns", "lead_changes", "margin", *SOURCES))
"""What is said of a game that is no share: turns, changes, points."""


class CourseMeasures:
    """The course of the games: each of COURSE, rare events and points by source."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.course = RatioSums.none(len(COURSE))
        self.rare = RatioSums.none(len(RARE))
        self.sources = RatioSums.none(len(SOURCES))
        self.lengths = np.zeros(1 << 12, np.int64)
        """How many games took so many turns."""

    def add(self, lot: Lot) -> None:
        """Add the games of a lot."""
        outcomes, deals = lot.outcomes, lot.games // lot.block
        points = outcomes["points"][:, : lot.seats].astype(float)
        scores = np.sort(outcomes["score"][:, : lot.seats], axis=1)
        won = outcomes["rank"][:, : lot.seats] == 1
        leader = outcomes["leader"].astype(np.int64)
        led = won[np.arange(lot.games), np.maximum(leader, 0)] & (leader >= 0)
        values = np.stack([
            lot.turns,
            1 - outcomes["lead_turn"] / np.maximum(lot.turns, 1),
            outcomes["lead_changes"],
            ~led,
            scores[:, -1] - scores[:, -2],
            outcomes["end"] == END_STALL,
            self._decides(points, won, "longest_path"),
            self._decides(points, won, "tickets"),
        ], axis=1).astype(float)  # fmt: skip
        self.course.add(lot.deal_sums(values), np.full((deals, len(COURSE)), lot.block))
        self.rare.add(lot.deal_sums(outcomes["rare"] > 0), np.full((deals, len(RARE)), lot.block))
        self.sources.add(lot.deal_sums(points.sum(axis=1)), np.full((deals, len(SOURCES)), lot.block * lot.seats))
        self.lengths += np.bincount(np.minimum(lot.turns, len(self.lengths) - 1), minlength=len(self.lengths))

    def _decides(self, points: np.ndarray, won: np.ndarray, source: str) -> np.ndarray:
        """Whether no winner would be among the best without a source of points."""
        left = points.sum(axis=2) - points[:, :, SOURCES.index(source)]
        return np.asarray(~(won & (left == left.max(axis=1, keepdims=True))).any(axis=1))

    def quantile(self, share: float) -> int:
        """So many turns, or fewer, took this share of the games."""
        return int(np.searchsorted(np.cumsum(self.lengths), share * self.lengths.sum()))

    def table(self) -> pd.DataFrame:
        """A row for each thing that is said of a game."""
        parts = {
            "course": (COURSE, self.course),
            "rare": (RARE, self.rare),
            "points": (SOURCES, self.sources),
        }
        rows = []
        for part, (names, sums) in parts.items():
            intervals = {True: sums.share_interval(), False: sums.interval()}
            for i, name in enumerate(names):
                low, high = intervals[name not in AMOUNTS]
                rows.append({"part": part, "what": name, "mean": sums.value[i], "low": low[i], "high": high[i]})
        return pd.DataFrame(rows)
