"""Colors: how many cards there are, how many are paid, how many are left over."""

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.game_arrays import Batch
from arena.rules.board import CARDS, GRAY, LOCOMOTIVE, ROUTE_COLORS
from arena.stats.ratio_estimates import Ratios, RatioSums


def color_ratios(batch: Batch, spec: MapSpec) -> Ratios:
    """How the cards of each color, and locomotives, are used.

    paid_own: cards paid a game, by all players together, for routes of their own color; locomotives: for any color.
    paid_gray: those paid for gray routes. paid: both; what is played for the province mat (K6) is not recorded. left:
    cards in all hands at the end of a game, which nobody has used. claimed: share of the routes of the color that
    somebody has.
    """
    claims, count = batch.claims, len(CARDS)
    lengths, colors = _routes(spec)
    is_gray = colors[claims.route] == GRAY
    wild = np.full(len(is_gray), LOCOMOTIVE)
    ratios: dict[str, tuple[np.ndarray, np.ndarray | int]] = {}
    for name, counted in (("paid_own", ~is_gray), ("paid_gray", is_gray), ("paid", np.ones(len(is_gray), bool))):
        colored = (lengths[claims.route] - claims.locomotives) * counted
        paid = batch.by_deal(claims.game, claims.card, count, colored)
        ratios[name] = paid + batch.by_deal(claims.game, wild, count, claims.locomotives * counted), batch.block
    routes = np.bincount(colors[colors != GRAY], minlength=count)
    claimed = batch.by_deal(claims.game[~is_gray], colors[claims.route[~is_gray]], count)
    left = batch.deal_sums(batch.outcomes["cards_left"])
    return {**ratios, "left": (left, batch.block), "claimed": (claimed, batch.block * routes)}


def color_table(spec: MapSpec, sums: dict[str, RatioSums], players: int) -> pd.DataFrame:
    """A row for each color and one for locomotives.

    supply: cards in the deck; supply_share: their share of the deck. spaces: spaces of the routes of the color;
    open_spaces: those that so many players can claim: half of each double route of which only one track is open (B16).
    """
    supply = np.array(spec.rules.supply)
    is_half = (np.array(spec.twins) >= 0) & (players < spec.rules.twins_from)
    return pd.DataFrame({
        "color": CARDS,
        "supply": supply,
        "supply_share": supply / supply.sum(),
        "spaces": spaces_of(spec),
        "open_spaces": spaces_of(spec, np.where(is_half, 0.5, 1.0)),
        **sums["paid_own"].columns("paid_own"),
        **sums["paid_gray"].columns("paid_gray"),
        **sums["paid"].columns("paid"),
        **sums["left"].columns("left"),
        **sums["claimed"].columns("claimed", share=True),
    })  # fmt: skip


def spaces_of(spec: MapSpec, weights: np.ndarray | float = 1.0) -> np.ndarray:
    """The spaces of the routes of each color, each route with its weight; 0 for locomotives."""
    lengths, colors = _routes(spec)
    spaces = np.bincount(colors, lengths * weights, minlength=len(CARDS))
    return np.where(np.arange(len(CARDS)) == LOCOMOTIVE, 0, spaces)


def _routes(spec: MapSpec) -> tuple[np.ndarray, np.ndarray]:
    """The length and the color of each route, int64 [routes]."""
    lengths = [route.length for route in spec.routes]
    return np.array(lengths), np.array([ROUTE_COLORS.index(route.color) for route in spec.routes])
