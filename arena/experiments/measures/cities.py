"""Cities: how often they are used, and how often a path ends there."""

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.columns import columns
from arena.experiments.measures.findings import LEAST
from arena.experiments.measures.game_arrays import Lot
from arena.experiments.measures.networks import route_ends
from arena.stats.ratio_estimates import RatioSums


class CityMeasures:
    """What is summed up of each city over the games.

    used: share of the players who claim a route there. dead_ends: share of these who claim only one.
    """

    def __init__(self, spec: MapSpec) -> None:
        self.spec = spec
        self.ends = route_ends(spec)
        self.used, self.dead_ends = (RatioSums.none(len(spec.cities)) for _ in range(2))

    def add(self, lot: Lot) -> None:
        """Add the games of a lot."""
        claims, count = lot.claims, len(self.spec.cities)
        places = [(claims.game * lot.seats + claims.seat) * count + ends for ends in self.ends[claims.route].T]
        routes = np.bincount(np.concatenate(places), minlength=lot.games * lot.seats * count)
        routes = routes.reshape(lot.games, lot.seats, count)
        users = lot.deal_sums((routes > 0).sum(axis=1))
        self.used.add(users, np.full(users.shape, lot.block * lot.seats))
        self.dead_ends.add(lot.deal_sums((routes == 1).sum(axis=1)), users)

    def table(self) -> pd.DataFrame:
        """A row for each city."""
        return pd.DataFrame({
            "city": [city.name for city in self.spec.cities],
            **columns("used", self.used, share=True),
            **columns("dead_ends", self.dead_ends, LEAST, share=True),
        })  # fmt: skip
