"""Tickets: how often they are kept and completed, what they bring, and how those games go."""

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.findings import LEAST
from arena.experiments.measures.game_arrays import Batch, Offers
from arena.stats.ratio_estimates import Ratios, RatioSums


def ticket_names(spec: MapSpec) -> list[str]:
    """The tickets without their points."""
    return [f"{ticket.a}-{ticket.b}" for ticket in spec.tickets]


def ticket_points(spec: MapSpec) -> np.ndarray:
    """The points of each ticket, int64 [tickets]."""
    return np.array([ticket.points for ticket in spec.tickets])


def ticket_ratios(batch: Batch, spec: MapSpec) -> Ratios:
    """How each ticket does.

    kept: share of the times that it was on offer. completed: share of the times that it was kept. net: points that it
    brought a player who kept it, failures subtracted. lift: excess win share of who kept it, over an equal share.
    """
    offers, count = batch.offers, len(spec.tickets)
    offered = batch.by_deal(offers.game, offers.ticket, count)
    held = Offers(*(values[offers.kept == 1] for values in offers))
    each = batch.by_deal(held.game, held.ticket, count)
    values = {
        "completed": held.completed,
        "net": np.where(held.completed == 1, 1, -1) * ticket_points(spec)[held.ticket],
        "lift": batch.wins[held.game, held.seat] - 1 / batch.seats,
    }
    return {
        "kept": (batch.by_deal(offers.game, offers.ticket, count, offers.kept), offered),
        **{name: (batch.by_deal(held.game, held.ticket, count, value), each) for name, value in values.items()},
    }


def ticket_table(spec: MapSpec, sums: dict[str, RatioSums]) -> pd.DataFrame:
    """A row for each ticket; of what is rarely kept only how often."""
    return pd.DataFrame({
        "ticket": range(len(spec.tickets)),
        "name": ticket_names(spec),
        "points": ticket_points(spec),
        "offered": sums["kept"].denominator.astype(int),
        **sums["kept"].columns("kept", share=True),
        **sums["completed"].columns("completed", LEAST, share=True),
        **sums["net"].columns("net", LEAST),
        **sums["lift"].columns("lift", LEAST),
    })  # fmt: skip
