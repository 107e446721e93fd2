"""The course of games: how long they take, how often the lead changes, where the points come from."""

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.game_arrays import Batch
from arena.rules.notes import RARE
from arena.rules.state import END_STALL
from arena.stats.ratio_estimates import Ratios, RatioSums
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
PARTS = {"course": COURSE, "rare": RARE, "points": SOURCES}
"""Everything that is said of a game: its course, rare events, and the points of a player by source."""
AMOUNTS = frozenset(("turns", "lead_changes", "margin", *SOURCES))
"""What is not a share, but a number of turns, changes or points."""


def course_ratios(batch: Batch, spec: MapSpec) -> Ratios:
    """The course of the games, rare events and points by source, as `PARTS` names them."""
    outcomes, seats = batch.outcomes, batch.seats
    points = outcomes["points"][:, :seats].astype(float)
    scores = np.sort(outcomes["score"][:, :seats], axis=1)
    won = outcomes["rank"][:, :seats] == 1
    leader = outcomes["leader"].astype(np.int64)
    led = won[np.arange(batch.games), np.maximum(leader, 0)] & (leader >= 0)
    values = np.stack([
        batch.turns,
        1 - outcomes["lead_turn"] / np.maximum(batch.turns, 1),
        outcomes["lead_changes"],
        ~led,
        scores[:, -1] - scores[:, -2],
        outcomes["end"] == END_STALL,
        _decides(points, won, "longest_path"),
        _decides(points, won, "tickets"),
    ], axis=1).astype(float)  # fmt: skip
    return {
        "course": (batch.deal_sums(values), batch.block),
        "rare": (batch.deal_sums(outcomes["rare"] > 0), batch.block),
        "points": (batch.deal_sums(points.sum(axis=1)), batch.block * seats),
    }


def _decides(points: np.ndarray, won: np.ndarray, source: str) -> np.ndarray:
    """Whether no winner would be among the best without a source of points."""
    left = points.sum(axis=2) - points[:, :, SOURCES.index(source)]
    return np.asarray(~(won & (left == left.max(axis=1, keepdims=True))).any(axis=1))


def course_table(sums: dict[str, RatioSums]) -> pd.DataFrame:
    """A row for each thing that is said of a game."""
    rows = []
    for part, names in PARTS.items():
        intervals = {True: sums[part].share_interval(), False: sums[part].interval()}
        for i, name in enumerate(names):
            low, high = intervals[name not in AMOUNTS]
            rows.append({"part": part, "what": name, "mean": sums[part].value[i], "low": low[i], "high": high[i]})
    return pd.DataFrame(rows)
