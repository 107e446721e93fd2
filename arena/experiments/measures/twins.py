"""Double routes: how often one track is claimed, or both, and whom the rule bars from the second."""

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.columns import columns
from arena.experiments.measures.game_arrays import Lot
from arena.experiments.measures.networks import joined_by_others
from arena.stats.ratio_estimates import RatioSums


class TwinMeasures:
    """What is summed up of each double route over the games.

    one: share of the games in which one track is claimed. both: share in which both are, by two players: nobody may
    have both (B16). missed: share in which the rule shuts the second track, for there are few players, and another
    player still comes to connect the two cities, by other tracks: it would have had a use for it.
    """

    def __init__(self, spec: MapSpec) -> None:
        self.spec = spec
        self.pairs = [(route, twin) for route, twin in enumerate(spec.twins) if route < twin]
        self.pair_of = np.full(len(spec.routes), -1)
        for pair, tracks in enumerate(self.pairs):
            self.pair_of[list(tracks)] = pair
        self.one, self.both, self.missed = (RatioSums.none(len(self.pairs)) for _ in range(3))

    def add(self, lot: Lot) -> None:
        """Add the games of a lot."""
        claims, count = lot.claims, len(self.pairs)
        pair = self.pair_of[claims.route]
        places = (claims.game * count + pair)[pair >= 0]
        tracks = np.bincount(places, minlength=lot.games * count).reshape(lot.games, count)
        joined = np.bincount(places, joined_by_others(lot, self.spec)[pair >= 0], lot.games * count)
        missed = (tracks == 1) & (joined.reshape(lot.games, count) > 0) & (lot.seats < self.spec.rules.twins_from)
        games = np.full((lot.games // lot.block, count), lot.block)
        for sums, values in ((self.one, tracks == 1), (self.both, tracks == 2), (self.missed, missed)):
            sums.add(lot.deal_sums(values), games)

    def table(self) -> pd.DataFrame:
        """A row for each double route."""
        routes = self.spec.routes
        return pd.DataFrame({
            "route": [route for route, _ in self.pairs],
            "twin": [twin for _, twin in self.pairs],
            "from": [routes[route].a for route, _ in self.pairs],
            "to": [routes[route].b for route, _ in self.pairs],
            "length": [routes[route].length for route, _ in self.pairs],
            "colors": ["-".join(sorted({routes[route].color, routes[twin].color})) for route, twin in self.pairs],
            **columns("one", self.one, share=True),
            **columns("both", self.both, share=True),
            **columns("missed", self.missed, share=True),
        })  # fmt: skip
