"""Tickets: how often they are kept and completed, what they bring, and how those games go."""

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.columns import columns
from arena.experiments.measures.findings import LEAST
from arena.experiments.measures.game_arrays import Lot, Offers
from arena.stats.ratio_estimates import RatioSums


def ticket_names(spec: MapSpec) -> list[str]:
    """The tickets without their points."""
    return [f"{ticket.a}-{ticket.b}" for ticket in spec.tickets]


class TicketMeasures:
    """What is summed up of each ticket over the games.

    kept: share of the times that it was on offer. completed: share of the times that it was kept. net: points that it
    brought a player who kept it, failures subtracted. lift: win share of who kept it, beyond an equal share.
    """

    def __init__(self, spec: MapSpec) -> None:
        self.spec = spec
        self.points = np.array([ticket.points for ticket in spec.tickets])
        self.kept, self.completed, self.net, self.lift = (RatioSums.none(len(spec.tickets)) for _ in range(4))

    def add(self, lot: Lot) -> None:
        """Add the games of a lot."""
        offers, count = lot.offers, len(self.spec.tickets)
        offered = lot.by_deal(offers.game, offers.ticket, count)
        self.kept.add(lot.by_deal(offers.game, offers.ticket, count, offers.kept), offered)
        held = Offers(*(values[offers.kept == 1] for values in offers))
        each = lot.by_deal(held.game, held.ticket, count)
        self.completed.add(lot.by_deal(held.game, held.ticket, count, held.completed), each)
        net = np.where(held.completed == 1, 1, -1) * self.points[held.ticket]
        self.net.add(lot.by_deal(held.game, held.ticket, count, net), each)
        lift = lot.wins[held.game, held.seat] - 1 / lot.seats
        self.lift.add(lot.by_deal(held.game, held.ticket, count, lift), each)

    def table(self) -> pd.DataFrame:
        """A row for each ticket; of what is rarely kept only how often."""
        return pd.DataFrame({
            "ticket": range(len(self.points)),
            "name": ticket_names(self.spec),
            "points": self.points,
            "offered": self.kept.under.astype(int),
            **columns("kept", self.kept, share=True),
            **columns("completed", self.completed, LEAST, share=True),
            **columns("net", self.net, LEAST),
            **columns("lift", self.lift, LEAST),
        })  # fmt: skip
