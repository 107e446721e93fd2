"""Routes and cities: how often they are used, when, by whom, and what it is worth."""

import numpy as np
import pandas as pd

from arena.balance.lots import Lot
from arena.mapspec import MapSpec
from arena.stats.ratios import RatioSums


class RouteMeasures:
    """What is summed up of each route over the games.

    claimed: share of the games in which somebody has it. when: the part of the game that was over when it was claimed.
    lift: win share of those who have it, beyond an equal share. wanted: share of its claims after which another player
    still comes to connect its two cities, by other tracks: it had to go round.
    """

    def __init__(self, spec: MapSpec) -> None:
        self.spec = spec
        count = len(spec.routes)
        self.ends = np.array([[spec.city_index[route.a], spec.city_index[route.b]] for route in spec.routes])
        self.claimed, self.when, self.lift, self.wanted = (RatioSums.none(count) for _ in range(4))
        self.cities = RatioSums.none(len(spec.cities))

    def add(self, lot: Lot) -> None:
        """Add the games of a lot."""
        claims, count = lot.claims, len(self.spec.routes)
        each = lot.by_deal(claims.game, claims.route, count)
        self.claimed.add(each, np.full(each.shape, lot.block))
        self.when.add(lot.by_deal(claims.game, claims.route, count, claims.turn / lot.turns[claims.game]), each)
        lift = lot.wins[claims.game, claims.seat] - 1 / lot.seats
        self.lift.add(lot.by_deal(claims.game, claims.route, count, lift), each)
        self.wanted.add(lot.by_deal(claims.game, claims.route, count, self._wanted(lot)), each)
        self._add_cities(lot)

    def _wanted(self, lot: Lot) -> np.ndarray:
        """For each claim whether another seat connects its two cities at the end, float64 [claims]."""
        parts = parts_of(lot, self.ends, len(self.spec.cities))
        a, b = self.ends[lot.claims.route].T
        joined = parts[lot.claims.game, :, a] == parts[lot.claims.game, :, b]
        joined[np.arange(len(joined)), lot.claims.seat] = False
        return np.asarray(joined.any(axis=1), float)

    def _add_cities(self, lot: Lot) -> None:
        """A city is used by a player who has a route there."""
        claims, count = lot.claims, len(self.spec.cities)
        used = np.zeros((lot.games, lot.seats, count), bool)
        for end in (0, 1):
            used[claims.game, claims.seat, self.ends[claims.route, end]] = True
        each = lot.deal_sums(used.sum(axis=1))
        self.cities.add(each, np.full(each.shape, lot.block * lot.seats))

    def table(self) -> pd.DataFrame:
        """A row for each route."""
        routes = self.spec.routes
        return pd.DataFrame({
            "route": range(len(routes)),
            "from": [route.a for route in routes],
            "to": [route.b for route in routes],
            "length": [route.length for route in routes],
            "color": [route.color for route in routes],
            **columns("claimed", self.claimed),
            **columns("when", self.when),
            **columns("lift", self.lift),
            **columns("wanted", self.wanted),
        })  # fmt: skip

    def city_table(self) -> pd.DataFrame:
        """A row for each city: the share of the players who use it."""
        return pd.DataFrame({"city": [city.name for city in self.spec.cities], **columns("used", self.cities)})


def columns(name: str, sums: RatioSums) -> dict[str, np.ndarray]:
    """A measure with its interval, as columns of a table."""
    low, high = sums.interval()
    return {name: sums.value, f"{name}_low": low, f"{name}_high": high}


def parts_of(lot: Lot, ends: np.ndarray, cities: int) -> np.ndarray:
    """The part of its network that each city belongs to for each seat, at the end, int16 [games, seats, cities].

    Cities of one part have one number: the least of them. Joined as in the first rounds of Shiloach and Vishkin: as
    often as it takes, each city takes the least number among its neighbors.
    """
    parts = np.broadcast_to(np.arange(cities, dtype=np.int16), (lot.games, lot.seats, cities)).copy()
    flat = parts.reshape(-1, cities)
    rows = lot.claims.game * lot.seats + lot.claims.seat
    a, b = ends[lot.claims.route].T
    while True:
        least = np.minimum(flat[rows, a], flat[rows, b])
        before = flat.copy()
        np.minimum.at(flat, (rows, a), least)
        np.minimum.at(flat, (rows, b), least)
        flat[:] = np.take_along_axis(flat, flat.astype(np.int64), axis=1)
        if np.array_equal(before, flat):
            return parts
