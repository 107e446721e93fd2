"""What each ticket causes, from runs in which every ticket is forced before a seat, deal by deal.

Who keeps a good ticket may win for other reasons: an observation. Here all else is equal: the deck, the players, the
other tickets as far as they can be. Only what lies first before one seat is another ticket, and the one that lay there
is where the other would have been.
"""

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.findings import LEAST
from arena.experiments.measures.game_arrays import Batch
from arena.stats.ratio_estimates import Ratios, RatioSums


def effect_ratios(batch: Batch, spec: MapSpec) -> Ratios:
    """By how much each ticket changes the win share (`wins`) and the score of the seat that it lies before.

    Against the mean of all tickets on the same deal: what the deal does is the same for all of them, the two-way
    analysis of variance without replication (Scheffe, *The Analysis of Variance*, 1959, section 4.2).
    """
    tickets = len(spec.tickets)
    games, seats = np.arange(batch.games), batch.deals % batch.seats
    by_ticket = (
        values[games, seats].reshape(-1, batch.block // tickets, tickets).mean(axis=1)
        for values in (batch.wins, batch.scores)
    )
    wins, scores = (values - values.mean(axis=1, keepdims=True) for values in by_ticket)
    return {"wins": (wins, 1), "scores": (scores, 1)}


def effect_table(spec: MapSpec, sums: dict[str, RatioSums]) -> pd.DataFrame:
    """A row for each ticket; NaN where there are few deals."""
    return pd.DataFrame({
        "ticket": range(len(spec.tickets)),
        **sums["wins"].columns("causes_wins", LEAST),
        **sums["scores"].columns("causes_points", LEAST),
    })  # fmt: skip
