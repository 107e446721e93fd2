"""Who wins, and the course of the games: how long they take, how often the lead changes, where the points come from."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.game_arrays import Batch
from arena.rules.game_log import RARE
from arena.rules.state import END_STALL
from arena.stats.ratio_estimates import Ratios, RatioSums
from arena.store.seat_tables import SOURCES
from arena.tournament.plan import Plan

COURSE = {
    "turns": ("turns", "turns, all players together"),
    "turns_winner_leads": ("led to the end", "part of the game in which the last leader led"),
    "lead_changes": ("lead changes", "changes of the lead on the scoring track"),
    "comebacks": ("comebacks", "winner was not the last leader on the track"),
    "margin": ("winning margin", "points between first and second"),
    "stalls": ("stalls (B18)", "ended in a stall: nobody could move (B18)"),
    "longest_path_decides": ("longest path decides", "another would have won without the longest path"),
    "tickets_decide": ("tickets decide", "another would have won without tickets"),
}
"""What is said of a game as a whole: its short name, and what it is in words. The leader leads on the scoring track."""
WORDS = {
    **COURSE,
    "pass": ("passes (B18)", "games with a pass (B18)"),
    "one_card_turn": ("one-card turns (B13)", "games with a turn of one card (B13)"),
    "row_of_locomotives": ("locomotive rows (B11)", "games in which a row kept its locomotives (B11)"),
    "full_line": ("full mat lines (K5)", "games with a full line of the mat (K5)"),
    "routes": ("points: routes", "points for routes"),
    "tickets": ("points: tickets", "points for tickets"),
    "longest_path": ("points: longest path", "points for the longest path"),
    "bullet": ("points: bullet trains", "points by bullet trains"),
    "provinces": ("points: mat", "points of the mat"),
}
"""Everything that is said of a game: its short name, and what it is in words."""
PARTS = {"course": tuple(COURSE), "rare": RARE, "points": SOURCES}
"""Everything that is said of a game: its course, rare events, and the points of a player by source."""
AMOUNTS = frozenset(("turns", "lead_changes", "margin", *SOURCES))
"""What is not a share, but a number of turns, changes or points."""


def seat_ratios(batch: Batch, spec: MapSpec) -> Ratios:
    """The win share and the score of each seat."""
    return {"wins": (batch.deal_sums(batch.wins), batch.block), "scores": (batch.deal_sums(batch.scores), batch.block)}


def bot_names(plan: Plan) -> tuple[str, ...]:
    """The bots of a plan; copies of one bot count as one."""
    return tuple(dict.fromkeys(plan.bots))


def bot_numbers(batch: Batch) -> np.ndarray:
    """Which of `bot_names` sits in each seat, int64 [games, seats]."""
    names = bot_names(batch.plan)
    return np.asarray(np.array([names.index(bot) for bot in batch.plan.bots])[batch.seatings])


def bot_ratios(batch: Batch, spec: MapSpec) -> Ratios:
    """The win share and the score of each of `bot_names`."""
    count, bots = len(bot_names(batch.plan)), bot_numbers(batch).ravel()
    games = np.repeat(np.arange(batch.games), batch.seats)
    played = batch.by_deal(games, bots, count)
    return {
        name: (batch.by_deal(games, bots, count, values.ravel()), played)
        for name, values in (("wins", batch.wins), ("scores", batch.scores))
    }


def win_table(key: str, names: Sequence[object], sums: dict[str, RatioSums]) -> pd.DataFrame:
    """A row for each seat, or each bot."""
    low, high = sums["wins"].share_interval()
    return pd.DataFrame({
        key: names, "win_share": sums["wins"].value, "low": low, "high": high, "mean_score": sums["scores"].value,
    })  # fmt: skip


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


def course_table(spec: MapSpec, sums: dict[str, RatioSums]) -> pd.DataFrame:
    """A row for each thing that is said of a game; events and points that never came up are left out."""
    frames = []
    for part, names in PARTS.items():
        is_share = ~np.isin(names, list(AMOUNTS))
        bounds = np.where(is_share, sums[part].share_interval(), sums[part].interval())
        frames.append(pd.DataFrame({
            "part": part, "what": names, "mean": sums[part].value, "low": bounds[0], "high": bounds[1],
            "text": [WORDS[name][1] for name in names], "is_share": is_share,
        }))  # fmt: skip
    frame = pd.concat(frames)
    frame = frame[(frame["mean"] != 0) | (frame["part"] == "course")]
    if not spec.rules.longest_path:
        frame = frame[frame["what"] != "longest_path_decides"]
    return frame.reset_index(drop=True)
