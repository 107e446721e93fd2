"""Colors: how many cards there are, how many are paid, how many are left over."""

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.columns import columns
from arena.experiments.measures.game_arrays import Lot
from arena.rules.board import CARDS, GRAY, LOCOMOTIVE, ROUTE_COLORS
from arena.stats.ratio_estimates import RatioSums


class ColorMeasures:
    """What is summed up of the cards of each color, and of locomotives, over the games.

    paid_own: cards paid a game, by all players together, for routes of their own color; locomotives: for any color.
    paid_gray: those paid for gray routes. paid: both; what is played for the province mat (K6) is not recorded. left:
    cards in all hands at the end of a game, which nobody has used. claimed: share of the routes of the color that
    somebody has.
    """

    def __init__(self, spec: MapSpec, players: int) -> None:
        self.spec, self.players = spec, players
        self.lengths = np.array([route.length for route in spec.routes])
        self.colors = np.array([ROUTE_COLORS.index(route.color) for route in spec.routes])
        self.own, self.gray, self.paid, self.left, self.claimed = (RatioSums.none(len(CARDS)) for _ in range(5))

    def add(self, lot: Lot) -> None:
        """Add the games of a lot."""
        claims, count = lot.claims, len(CARDS)
        is_gray = self.colors[claims.route] == GRAY
        games = np.full((lot.games // lot.block, count), lot.block)
        for sums, counted in ((self.own, ~is_gray), (self.gray, is_gray), (self.paid, np.ones(len(is_gray), bool))):
            colored = (self.lengths[claims.route] - claims.locomotives) * counted
            wild = np.full(len(is_gray), LOCOMOTIVE)
            paid = lot.by_deal(claims.game, claims.card, count, colored)
            sums.add(paid + lot.by_deal(claims.game, wild, count, claims.locomotives * counted), games)
        self.left.add(lot.deal_sums(lot.outcomes["cards_left"]), games)
        routes = np.bincount(self.colors[self.colors != GRAY], minlength=count)
        colors = self.colors[claims.route[~is_gray]]
        self.claimed.add(lot.by_deal(claims.game[~is_gray], colors, count), games * routes)

    def table(self) -> pd.DataFrame:
        """A row for each color and one for locomotives.

        supply: cards in the deck; supply_share: of all. spaces: of the routes of the color; open_spaces: those that can
        all be claimed by so many players: of a double route of which only one track can (B16), half of each.
        """
        supply = np.array(self.spec.rules.supply)
        return pd.DataFrame({
            "color": CARDS,
            "supply": supply,
            "supply_share": supply / supply.sum(),
            "spaces": self.spaces,
            "open_spaces": self._spaces(self._parts()),
            **columns("paid_own", self.own),
            **columns("paid_gray", self.gray),
            **columns("paid", self.paid),
            **columns("left", self.left),
            **columns("claimed", self.claimed, share=True),
        })  # fmt: skip

    @property
    def spaces(self) -> np.ndarray:
        """Of the routes of each color."""
        return self._spaces(np.ones(len(self.lengths)))

    def _spaces(self, parts: np.ndarray) -> np.ndarray:
        """Of the routes of each color, such a part of each; none for locomotives."""
        spaces = np.bincount(self.colors, self.lengths * parts, minlength=len(CARDS))
        return np.where(np.arange(len(CARDS)) == LOCOMOTIVE, 0, spaces)

    def _parts(self) -> np.ndarray:
        """How much of each route can be claimed, if all are."""
        shut = self.players < self.spec.rules.twins_from
        return np.where((np.array(self.spec.twins) >= 0) & shut, 0.5, 1.0)
