"""What the claimed routes connect at the end of a game."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from arena.boards.spec import MapSpec
from arena.experiments.measures.contested import find_hits
from arena.experiments.measures.game_arrays import Batch
from arena.store.detail_tables import shared_claims


def route_ends(spec: MapSpec) -> np.ndarray:
    """The two cities of each route, int64 [routes, 2]."""
    return np.array([[spec.city_index[route.a], spec.city_index[route.b]] for route in spec.routes])


def built_for_all(batch: Batch, spec: MapSpec) -> np.ndarray:
    """Which claims are of bullet routes that everybody may use (J4), bool [claims]."""
    bullets = np.array([index for index, route in enumerate(spec.routes) if route.bullet])
    outcomes = batch.outcomes
    there = np.arange(outcomes["claim_route"].shape[1]) < outcomes["claims"][:, None]
    return np.asarray(shared_claims(outcomes, bullets, spec.rules.bullet_trains)[there])


def parts_of(batch: Batch, spec: MapSpec) -> np.ndarray:
    """The part of its network that each city belongs to for each seat, at the end, int [games, seats, cities].

    Cities of one part have one number, which no other seat has.
    """
    cities, claims, seats = len(spec.cities), batch.claims, np.arange(batch.seats)
    shared = built_for_all(batch, spec)
    own = claims.game[~shared] * batch.seats + claims.seat[~shared]
    rows = np.concatenate([own, (claims.game[shared][:, None] * batch.seats + seats).ravel()])
    routes = np.concatenate([claims.route[~shared], np.repeat(claims.route[shared], batch.seats)])
    a, b = (rows[:, None] * cities + route_ends(spec)[routes]).T
    size = max(1, batch.games * batch.seats * cities)  # SciPy has no graph without nodes
    _, parts = connected_components(coo_array((np.ones(len(rows)), (a, b)), shape=(size, size)), directed=False)
    return np.asarray(parts[: batch.games * batch.seats * cities].reshape(batch.games, batch.seats, cities))


def joined_by_others(batch: Batch, spec: MapSpec) -> np.ndarray:
    """For each claim whether another seat has to go round: it connects the two cities at the end, bool [claims].

    Not by the other track of a double route, which is as good.
    """
    parts, claims = parts_of(batch, spec), batch.claims
    a, b = route_ends(spec)[claims.route].T
    joined = parts[claims.game, :, a] == parts[claims.game, :, b]
    _, between = np.unique(np.sort(route_ends(spec), axis=1), axis=0, return_inverse=True)
    direct = np.zeros((batch.games, batch.seats, len(spec.routes)), bool)
    direct[claims.game, claims.seat, between[claims.route]] = True
    shared = built_for_all(batch, spec)
    direct[claims.game[shared], :, between[claims.route[shared]]] = True
    joined &= ~direct[claims.game, :, between[claims.route]]
    return np.asarray(joined.any(axis=1))


def hits(batch: Batch, spec: MapSpec) -> np.ndarray:
    """For each claim how many other seats it hits: a ticket that they hold takes more trains than before, or for ever.

    int64 [claims]. A ticket counts from the turn in which it was kept until it is completed.
    """
    claims, held = batch.claims, batch.offers[batch.offers.kept == 1]
    cities = np.array([[spec.city_index[ticket.a], spec.city_index[ticket.b]] for ticket in spec.tickets])[held.ticket]
    games = np.arange(batch.games + 1)
    begins = np.column_stack([np.searchsorted(claims.game, games), np.searchsorted(held.game, games)])
    lengths = np.array([route.length for route in spec.routes])
    board = (route_ends(spec), lengths, np.array(spec.twins), len(spec.cities), batch.seats >= spec.rules.twins_from)
    made = tuple(map(np.ascontiguousarray, (claims.turn, claims.seat, claims.route, built_for_all(batch, spec))))
    wanted = tuple(map(np.ascontiguousarray, (held.turn, held.seat, cities[:, 0], cities[:, 1])))
    found = np.zeros(len(claims), np.int64)
    find_hits(board, begins, made, wanted, found)
    return found
