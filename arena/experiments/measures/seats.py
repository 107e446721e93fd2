"""Who wins: the win share and the score of each seat and each bot."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.game_arrays import Batch
from arena.stats.ratio_estimates import Ratios, RatioSums
from arena.tournament.plan import Plan


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
