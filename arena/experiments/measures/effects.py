"""What each ticket causes, from runs in which every ticket is forced before a seat, deal by deal.

Who keeps a good ticket may win for other reasons: an observation. Here all else is equal: the deck, the players, the
other tickets as far as they can be. Only what lies first before one seat is another ticket, and the one that lay there
is where the other would have been.
"""

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.columns import columns
from arena.experiments.measures.findings import LEAST
from arena.experiments.measures.game_arrays import Lot
from arena.stats.ratio_estimates import RatioSums


class TicketEffects:
    """By how much each ticket changes the win share and the score of the seat that it lies before.

    Against the mean of all tickets on the same deal: what the deal does is the same for all of them, the two-way
    analysis of variance without replication (Scheffe, *The Analysis of Variance*, 1959, section 4.2).
    """

    def __init__(self, spec: MapSpec) -> None:
        self.spec = spec
        self.wins, self.scores = (RatioSums.none(len(spec.tickets)) for _ in range(2))

    def add(self, lot: Lot) -> None:
        """Add the games of a lot."""
        tickets = len(self.spec.tickets)
        games = np.arange(lot.games)
        seats = lot.deals % lot.seats
        for sums, values in ((self.wins, lot.wins), (self.scores, lot.outcomes["score"].astype(float))):
            by_ticket = values[games, seats].reshape(-1, lot.block // tickets, tickets).mean(axis=1)
            centered = by_ticket - by_ticket.mean(axis=1, keepdims=True)
            sums.add(centered, np.ones(centered.shape))

    def table(self) -> pd.DataFrame:
        """A row for each ticket; from few deals nothing is told."""
        return pd.DataFrame({
            "ticket": range(len(self.spec.tickets)),
            **columns("causes_wins", self.wins, LEAST),
            **columns("causes_points", self.scores, LEAST),
        })  # fmt: skip
