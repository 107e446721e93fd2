"""Routes, double routes and cities: how often they are used, when, by whom, and what a claim is worth."""

import numpy as np
import pandas as pd

from arena.boards.spec import MapSpec
from arena.experiments.measures.course import bot_names, bot_numbers
from arena.experiments.measures.findings import LEAST
from arena.experiments.measures.game_arrays import Batch
from arena.experiments.measures.networks import hits, joined_by_others, route_ends
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


def route_names(spec: MapSpec) -> list[str]:
    """The routes, told apart from those beside them."""
    return [f"{route} ({'bullet' if route.bullet else route.color})" for route in spec.routes]


def route_table(spec: MapSpec, sums: dict[str, RatioSums]) -> pd.DataFrame:
    """A row for each route, the most contested first; of what is rarely claimed only how often.

    points: for a claim; points_per_turn: if two cards are drawn in a turn for it. Neither is said of bullet routes,
    which pay in progress (J3).
    """
    routes, bullets = spec.routes, spec.rules.bullet_trains > 0
    points = np.array([np.nan if route.bullet and bullets else spec.points(route.length) for route in routes])
    lengths = np.array([route.length for route in routes])
    frame = pd.DataFrame({
        "name": route_names(spec),
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
    return frame.sort_values("contested", ascending=False, kind="stable", ignore_index=True)


def loss_table(spec: MapSpec, sums: dict[str, RatioSums], takers: tuple[str, ...]) -> pd.DataFrame:
    """A row for each route, the most often lost first: how often somebody loses it, when and mostly to whom."""
    shares = sums["lost_to"].columns("to", LEAST)["to"].reshape(-1, len(takers))
    frame = pd.DataFrame({
        "name": route_names(spec),
        "route": range(len(shares)),
        **sums["lost"].columns("lost", share=True),
        **sums["lost_when"].columns("lost_when", LEAST, share=True),
        **{f"to_{taker}": shares[:, place] for place, taker in enumerate(takers)},
        "lost_to": [None if np.isnan(row).any() else f"{takers[row.argmax()]} {row.max():.0%}" for row in shares],
    })  # fmt: skip
    return frame.sort_values("lost", ascending=False, kind="stable", ignore_index=True)


def twin_pairs(spec: MapSpec) -> list[tuple[int, int]]:
    """The two tracks of each double route."""
    return [(route, twin) for route, twin in enumerate(spec.twins) if route < twin]


def twin_ratios(batch: Batch, spec: MapSpec) -> Ratios:
    """How each double route is used.

    one: share of the games in which one track is claimed. both: share in which both are, by two players: nobody may
    have both (B16). missed: share in which the rule shuts the second track, for there are few players, and another
    player still comes to connect the two cities, by other tracks: it would have had a use for it.
    """
    pair_of = np.full(len(spec.routes), -1)
    for number, pair in enumerate(pairs := twin_pairs(spec)):
        pair_of[list(pair)] = number
    count, pairs_claimed = len(pairs), pair_of[batch.claims.route]
    places = (batch.claims.game * count + pairs_claimed)[pairs_claimed >= 0]
    tracks = np.bincount(places, minlength=batch.games * count).reshape(batch.games, count)
    joined = np.bincount(places, joined_by_others(batch, spec)[pairs_claimed >= 0], batch.games * count)
    missed = (tracks == 1) & (joined.reshape(batch.games, count) > 0) & (batch.seats < spec.rules.twins_from)
    return {
        name: (batch.deal_sums(values), batch.block)
        for name, values in (("one", tracks == 1), ("both", tracks == 2), ("missed", missed))
    }


def twin_table(spec: MapSpec, sums: dict[str, RatioSums], players: int) -> pd.DataFrame:
    """A row for each double route, those that are used most first.

    The rule (B16) allows either that both tracks are claimed or that a second one is missed: only that is told.
    """
    told = "both" if players >= spec.rules.twins_from else "missed"
    tracks = [(spec.routes[route], spec.routes[twin]) for route, twin in twin_pairs(spec)]
    colors = ["-".join(sorted({route.color, twin.color})) for route, twin in tracks]
    frame = pd.DataFrame({
        "route": [route for route, _ in twin_pairs(spec)],
        "twin": [twin for _, twin in twin_pairs(spec)],
        "from": [route.a for route, _ in tracks],
        "to": [route.b for route, _ in tracks],
        "length": [route.length for route, _ in tracks],
        "colors": colors,
        **sums["one"].columns("one", share=True),
        **sums[told].columns(told, share=True),
        "name": [f"{route.a}-{route.b} ({color})" for (route, _), color in zip(tracks, colors, strict=True)],
    })  # fmt: skip
    return frame.sort_values(told, ascending=False, kind="stable", ignore_index=True)


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
    """A row for each city, the most used first."""
    frame = pd.DataFrame({
        "city": [city.name for city in spec.cities],
        **sums["used"].columns("used", share=True),
        **sums["dead_ends"].columns("dead_ends", LEAST, share=True),
    })  # fmt: skip
    return frame.sort_values("used", ascending=False, kind="stable", ignore_index=True)
