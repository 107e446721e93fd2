"""Routes: how often they are claimed, when, by whom, and what it is worth."""

import numpy as np
import pandas as pd

from arena.balance.columns import columns
from arena.balance.findings import LEAST
from arena.balance.lots import Lot
from arena.balance.networks import hits
from arena.mapspec import MapSpec
from arena.stats.ratios import RatioSums


class RouteMeasures:
    """What is summed up of each route over the games.

    claimed: share of the games in which somebody has it. when: the part of the game that was over when it was claimed.
    lift: win share of those who have it, beyond an equal share. contested: share of its claims that hit somebody: one
    of the tickets that another player holds then needs more trains than before, or cannot be completed any more.
    """

    def __init__(self, spec: MapSpec) -> None:
        self.spec = spec
        self.claimed, self.when, self.lift, self.contested = (RatioSums.none(len(spec.routes)) for _ in range(4))

    def add(self, lot: Lot) -> None:
        """Add the games of a lot."""
        claims, count = lot.claims, len(self.spec.routes)
        each = lot.by_deal(claims.game, claims.route, count)
        self.claimed.add(each, np.full(each.shape, lot.block))
        self.when.add(lot.by_deal(claims.game, claims.route, count, claims.turn / lot.turns[claims.game]), each)
        lift = lot.wins[claims.game, claims.seat] - 1 / lot.seats
        self.lift.add(lot.by_deal(claims.game, claims.route, count, lift), each)
        self.contested.add(lot.by_deal(claims.game, claims.route, count, hits(lot, self.spec) > 0), each)

    def table(self) -> pd.DataFrame:
        """A row for each route; of what is rarely claimed only how often.

        points: for a claim; points_per_turn: if two cards are drawn in a turn for it. Neither is said of bullet routes,
        which pay in progress (J3).
        """
        routes, bullets = self.spec.routes, self.spec.rules.bullet_trains > 0
        points = np.array([np.nan if route.bullet and bullets else self.spec.points(route.length) for route in routes])
        lengths = np.array([route.length for route in routes])
        return pd.DataFrame({
            "route": range(len(routes)),
            "from": [route.a for route in routes],
            "to": [route.b for route in routes],
            "length": lengths,
            "color": [route.color for route in routes],
            "points": points,
            "points_per_turn": points / (1 + lengths / 2),
            **columns("claimed", self.claimed),
            **columns("when", self.when, LEAST),
            **columns("lift", self.lift, LEAST),
            **columns("contested", self.contested, LEAST),
        })  # fmt: skip
