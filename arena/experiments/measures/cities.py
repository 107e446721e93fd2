"""Cities: how often they are used, and how often a path ends there."""

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.findings import LEAST
from arena.experiments.measures.game_arrays import Batch
from arena.experiments.measures.networks import route_ends
from arena.stats.ratio_estimates import Ratios, RatioSums


def city_ratios(batch: Batch, spec: MapSpec) -> Ratios:
    """How each city is used.

    used: share of the players who claim a route there. dead_ends: share of these who claim only one.
    """
    claims, count = batch.claims, len(spec.cities)
    places = [(claims.game * batch.seats + claims.seat) * count + ends for ends in route_ends(spec)[claims.route].T]
    routes = np.bincount(np.concatenate(places), minlength=batch.games * batch.seats * count)
    routes = routes.reshape(batch.games, batch.seats, count)
    users = batch.deal_sums((routes > 0).sum(axis=1))
    return {
        "used": (users, batch.block * batch.seats),
        "dead_ends": (batch.deal_sums((routes == 1).sum(axis=1)), users),
    }


def city_table(spec: MapSpec, sums: dict[str, RatioSums]) -> pd.DataFrame:
    """A row for each city."""
    return pd.DataFrame({
        "city": [city.name for city in spec.cities],
        **sums["used"].columns("used", share=True),
        **sums["dead_ends"].columns("dead_ends", LEAST, share=True),
    })  # fmt: skip
