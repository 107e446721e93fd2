"""Contested routes: which claims block another player, whose ticket then costs more or is lost."""

import numpy as np

from arena.rules.compiler import kernel
from arena.rules.sets import EMPTY, add, has

FAR = 1 << 20
"""The cost of a ticket that can no longer be completed."""
OPEN, CLOSED, SHARED = -1, -2, -3
"""Owners of routes besides seats: nobody yet, nobody ever, everybody."""


@kernel
def find_hits(board, games, claims, held, hits):
    """Write for each claim how many other seats it hits.

    board: (ends int64 [routes, 2], lengths, twins int64 [routes], cities, whether both twins may be claimed).
    games: int64 [games + 1, 2], where claims and held tickets of each begin. claims: (turn, seat, route, whether for
    everybody), held: (turn, seat, city, city), each int64 [claims] or [tickets], in order.
    """
    ends, _, twins, _, both = board
    owner = np.empty(len(ends), np.int64)
    cost = np.empty(len(held[0]), np.int64)
    way = np.empty((len(held[0]), 2), np.uint64)
    for game in range(len(games) - 1):
        owner[:] = OPEN
        first, last = games[game, 1], games[game + 1, 1]
        cost[first:last] = -1
        for claim in range(games[game, 0], games[game + 1, 0]):
            turn, seat, route = claims[0][claim], claims[1][claim], claims[2][claim]
            for ticket in range(first, last):
                if cost[ticket] < 0 and held[0][ticket] < turn:
                    cost[ticket] = cheapest(board, owner, held, ticket, way)
            owner[route] = SHARED if claims[3][claim] else seat
            twin = twins[route]
            shut = twin >= 0 and not both and owner[twin] == OPEN
            if shut:
                owner[twin] = CLOSED
            hits[claim] = count_hits(
                board, owner, held, (first, last), (seat, route, twin if shut else route), cost, way
            )


@kernel
def count_hits(board, owner, held, tickets, claim, cost, way):
    """Update the costs that a claim may have changed; return how many other seats have a ticket that costs more."""
    seat, route, twin = claim
    hit = 0
    for ticket in range(tickets[0], tickets[1]):
        if 0 < cost[ticket] < FAR:
            other = held[1][ticket]
            on_way = has(way[ticket], route) or has(way[ticket], twin)
            if other == seat or on_way or owner[route] == SHARED:
                before = cost[ticket]
                cost[ticket] = cheapest(board, owner, held, ticket, way)
                if other != seat and cost[ticket] > before:
                    hit |= 1 << other
    count = 0
    while hit:
        count += hit & 1
        hit >>= 1
    return count


@kernel
def cheapest(board, owner, held, ticket, way):
    """The fewest trains that a ticket still takes; writes the routes of such a way (Bellman and Ford)."""
    ends, lengths, _, cities, _ = board
    seat, start, goal = held[1][ticket], held[2][ticket], held[3][ticket]
    cost, by = np.full(cities, FAR), np.full(cities, -1)
    cost[start] = 0
    changed = True
    while changed:
        changed = False
        for route in range(len(ends)):
            if owner[route] in (OPEN, SHARED, seat):
                trains = lengths[route] if owner[route] == OPEN else 0
                a, b = ends[route, 0], ends[route, 1]
                if cost[a] + trains < cost[b]:
                    cost[b], by[b], changed = cost[a] + trains, route, True
                elif cost[b] + trains < cost[a]:
                    cost[a], by[a], changed = cost[b] + trains, route, True
    way[ticket] = EMPTY
    city = goal
    while cost[goal] < FAR and city != start:
        route = by[city]
        add(way[ticket], route)
        city = ends[route, 0] + ends[route, 1] - city
    return cost[goal]
