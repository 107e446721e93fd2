"""Routes: how often they are claimed, when, by whom, and what a claim is worth."""

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.findings import LEAST
from arena.experiments.measures.game_arrays import Batch
from arena.experiments.measures.networks import hits
from arena.experiments.measures.seats import bot_names, bot_numbers
from arena.stats.ratio_estimates import Ratios, RatioSums
from arena.tournament.plan import Plan


def takers_of(plan: Plan) -> tuple[str, ...]:
    """Who takes routes from others: bots or, if copies of one bot play, seats."""
    bots = bot_names(plan)
    return bots if len(bots) > 1 else tuple(f"seat {seat}" for seat in range(plan.players))


def route_ratios(batch: Batch, spec: MapSpec) -> Ratios:
    """How each route is used.

    claimed: share of the games in which somebody has it. when: the part of the game that was over when it was claimed.
    lift: excess win share of those who have it, over an equal share. contested: share of its claims that hit somebody:
    one of the tickets that another player holds then needs more trains than before, or cannot be completed any more.
    lost: share of the games in which a claim of it hits somebody. lost_when: the part of the game that was over then.
    lost_to: the share of each of `takers_of` in these claims, [deals, routes * takers].
    """
    claims, count, takers = batch.claims, len(spec.routes), len(takers_of(batch.plan))
    over, hit = claims.turn / batch.turns[claims.game], hits(batch, spec) > 0
    lift = batch.wins[claims.game, claims.seat] - 1 / batch.seats
    each, when, lifts, lost, lost_when = (
        batch.by_deal(claims.game, claims.route, count, values) for values in (None, over, lift, hit, hit * over)
    )
    taker = bot_numbers(batch)[claims.game, claims.seat] if len(bot_names(batch.plan)) > 1 else claims.seat
    taken = batch.by_deal(claims.game, claims.route * takers + taker, count * takers, hit)
    return {
        "claimed": (each, batch.block),
        "when": (when, each),
        "lift": (lifts, each),
        "contested": (lost, each),
        "lost": (lost, batch.block),
        "lost_when": (lost_when, lost),
        "lost_to": (taken, np.repeat(lost, takers, axis=1)),
    }


def route_table(spec: MapSpec, sums: dict[str, RatioSums]) -> pd.DataFrame:
    """A row for each route; of what is rarely claimed only how often.

    points: for a claim; points_per_turn: if two cards are drawn in a turn for it. Neither is said of bullet routes,
    which pay in progress (J3).
    """
    routes, bullets = spec.routes, spec.rules.bullet_trains > 0
    points = np.array([np.nan if route.bullet and bullets else spec.points(route.length) for route in routes])
    lengths = np.array([route.length for route in routes])
    return pd.DataFrame({
        "route": range(len(routes)),
        "from": [route.a for route in routes],
        "to": [route.b for route in routes],
        "length": lengths,
        "color": [route.color for route in routes],
        "points": points,
        "points_per_turn": points / (1 + lengths / 2),
        **sums["claimed"].columns("claimed", share=True),
        **sums["when"].columns("when", LEAST, share=True),
        **sums["lift"].columns("lift", LEAST),
        **sums["contested"].columns("contested", LEAST, share=True),
    })  # fmt: skip


def loss_table(sums: dict[str, RatioSums], takers: tuple[str, ...]) -> pd.DataFrame:
    """A row for each route: how often somebody loses it, when and to whom."""
    shares = sums["lost_to"].columns("to", LEAST)["to"].reshape(-1, len(takers))
    return pd.DataFrame({
        "route": range(len(shares)),
        **sums["lost"].columns("lost", share=True),
        **sums["lost_when"].columns("lost_when", LEAST, share=True),
        **{f"to_{taker}": shares[:, place] for place, taker in enumerate(takers)},
    })  # fmt: skip
