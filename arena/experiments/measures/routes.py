"""Routes: how often they are claimed, when, by whom, and what a claim is worth."""

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.columns import columns
from arena.experiments.measures.findings import LEAST
from arena.experiments.measures.game_arrays import Lot
from arena.experiments.measures.networks import hits
from arena.experiments.measures.seats import BotMeasures
from arena.stats.ratio_estimates import RatioSums


class RouteMeasures:
    """What is summed up of each route over the games.

    claimed: share of the games in which somebody has it. when: the part of the game that was over when it was claimed.
    lift: win share of those who have it, beyond an equal share. contested: share of its claims that hit somebody: one
    of the tickets that another player holds then needs more trains than before, or cannot be completed any more.
    lost: share of the games in which a claim of it hits somebody. lost_when: the part of the game that was over then.
    takers: who makes these claims, bots or, if copies of one bot play, seats. lost_to: the share of each taker in them.
    """

    def __init__(self, spec: MapSpec, bots: tuple[str, ...], players: int) -> None:
        self.spec, self.bots = spec, BotMeasures(bots)
        self.of_bots = len(self.bots.names) > 1
        self.takers = self.bots.names if self.of_bots else tuple(f"seat {seat}" for seat in range(players))
        count = len(spec.routes)
        self.claimed, self.when, self.lift, self.contested, self.lost, self.lost_when = (
            RatioSums.none(count) for _ in range(6)
        )
        self.lost_to = RatioSums.none(count * len(self.takers))

    def add(self, lot: Lot) -> None:
        """Add the games of a lot."""
        claims, count = lot.claims, len(self.spec.routes)
        each = lot.by_deal(claims.game, claims.route, count)
        self.claimed.add(each, np.full(each.shape, lot.block))
        self.when.add(lot.by_deal(claims.game, claims.route, count, claims.turn / lot.turns[claims.game]), each)
        lift = lot.wins[claims.game, claims.seat] - 1 / lot.seats
        self.lift.add(lot.by_deal(claims.game, claims.route, count, lift), each)
        self._add_losses(lot, hits(lot, self.spec) > 0, each)

    def _add_losses(self, lot: Lot, hit: np.ndarray, each: np.ndarray) -> None:
        """Add which claims hit somebody, bool [claims]; each: claims of each route, [deals, routes]."""
        claims, count, takers = lot.claims, len(self.spec.routes), len(self.takers)
        lost = lot.by_deal(claims.game, claims.route, count, hit)
        self.contested.add(lost, each)
        self.lost.add(lost, np.full(each.shape, lot.block))
        self.lost_when.add(
            lot.by_deal(claims.game, claims.route, count, hit * claims.turn / lot.turns[claims.game]), lost
        )
        taker = self.bots.index[lot.seatings[claims.game, claims.seat]] if self.of_bots else claims.seat
        taken = lot.by_deal(claims.game, claims.route * takers + taker, count * takers, hit)
        self.lost_to.add(taken, np.repeat(lost, takers, axis=1))

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
            **columns("claimed", self.claimed, share=True),
            **columns("when", self.when, LEAST, share=True),
            **columns("lift", self.lift, LEAST),
            **columns("contested", self.contested, LEAST, share=True),
        })  # fmt: skip

    def losses(self) -> pd.DataFrame:
        """A row for each route: how often somebody loses it, when and to whom."""
        shares = columns("to", self.lost_to, LEAST)["to"].reshape(-1, len(self.takers))
        return pd.DataFrame({
            "route": range(len(self.spec.routes)),
            **columns("lost", self.lost, share=True),
            **columns("lost_when", self.lost_when, LEAST, share=True),
            **{f"to_{taker}": shares[:, place] for place, taker in enumerate(self.takers)},
        })  # fmt: skip
