"""The cheapest path for a seat between two cities: own and shared routes are free, open ones cost their spaces."""

import numpy as np

from arena.rules.board import MAX_CITIES, SET_WORDS, WORD_BITS
from arena.rules.compiler import kernel
from arena.rules.network import far_end
from arena.rules.sets import EMPTY, ONE, has, lowest

UNREACHED = 1 << 30
NO_PATH = -1


@kernel
def cheapest_path(view, board, a, b, routes):
    """Write the routes still to be claimed to connect cities a and b into `routes` (int16, MAX_CITIES); their number.

    Fewest spaces first, then fewest routes, then lower indices. NO_PATH when the cities cannot be connected any more.
    """
    seat = view.seat
    cost = np.full(MAX_CITIES, UNREACHED, np.int32)  # 256 * spaces + routes to claim
    arrived_by = np.full(MAX_CITIES, -1, np.int16)
    done = EMPTY
    cost[a] = 0
    while True:
        here = -1
        for city in range(board.cities):
            if (done >> np.uint64(city)) & ONE == EMPTY and (here < 0 or cost[city] < cost[here]):
                here = city
        if here < 0 or cost[here] >= UNREACHED:
            return NO_PATH
        if here == b:
            break
        done |= ONE << np.uint64(here)
        for word in range(SET_WORDS):
            free = view.routes_claimed[seat, word] | view.shared[word]
            ends = board.city_routes[here, word] & (free | view.open[seat, word])
            while ends != EMPTY:
                route = WORD_BITS * word + lowest(ends)
                ends &= ends - ONE
                there = far_end(board, route, here)
                price = cost[here]
                if (free >> np.uint64(route & 63)) & ONE == EMPTY:
                    price += 256 * board.length[route] + 1
                if price < cost[there]:
                    cost[there] = price
                    arrived_by[there] = route
    count = 0
    here = b
    while here != a:
        route = arrived_by[here]
        if not has(view.routes_claimed[seat], route) and not has(view.shared, route):
            routes[count] = route
            count += 1
        here = far_end(board, route, here)
    return count


@kernel
def path_in(views, boards, a, b, routes):
    """`cheapest_path` for callers in Python, to whom bare records are expensive (see `arena.engine.loop`)."""
    return cheapest_path(views[0], boards[0], a, b, routes)
