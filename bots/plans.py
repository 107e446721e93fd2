"""The planner's plan: which routes it still needs for its tickets, kept in its memory until the board changes."""

import numpy as np

from arena.bot import EMPTY, ONE, SET_WORDS, WORD_BITS, add, has, is_bullet, kernel, lowest, popcount
from bots.planning import best_subset, find_forests, lay_out, open_tickets, survey
from bots.steiner import CARDS_AT, GROUP, NEVER, ROUTES_AT, price_of, trains_in

# Where a policy's memory keeps the plan, behind the weights.
TICKETS = 32  # tickets held when it was made, plus one
SHARED = 33  # shared routes then
LAST_ROUND = 34  # whether the last round had begun
POINTS = 35  # what its tickets bring
ROUTE_BITS = 36  # its routes: four numbers of 32 bits
PROSPECT_KEY = 40  # for which routes and tickets the next ones hold
PROSPECT = 41  # by the number of tickets drawn: the expected gain (pricing.py)
DETOUR = 64  # by route: what it would cost to go around it
MOST_DETOUR = 30.0


@kernel
def routes_left(view, memory, routes):
    """Fill the set of the plan's routes that are still to be claimed."""
    for word in range(SET_WORDS):
        high = np.uint64(int(memory[ROUTE_BITS + 2 * word + 1])) << np.uint64(32)
        planned = np.uint64(int(memory[ROUTE_BITS + 2 * word])) | high
        routes[word] = planned & ~view.routes_claimed[view.seat, word] & ~view.shared[word]


@kernel
def remember_routes(memory, routes):
    """Keep the set of the plan's routes."""
    for word in range(SET_WORDS):
        memory[ROUTE_BITS + 2 * word] = float(int(routes[word] & np.uint64(0xFFFFFFFF)))
        memory[ROUTE_BITS + 2 * word + 1] = float(int(routes[word] >> np.uint64(32)))


@kernel
def count_needs(view, board, routes, needs):
    """The cards of each color that the routes of a set take, gray ones last; the cost of all, without its price."""
    needs[:] = 0.0
    cost = 0
    for word in range(SET_WORDS):
        left = routes[word]
        while left != EMPTY:
            route = WORD_BITS * word + lowest(left)
            left &= left - ONE
            length = int(board.length[route])
            needs[board.color[route]] += length
            cost += (1 << ROUTES_AT) + (length << CARDS_AT)
            if not is_bullet(view, board, route):
                cost += length
    return cost


@kernel
def is_plan_good(view, memory, plan, planned):
    """Whether the plan still fits: the same tickets, its routes still open, enough trains for them."""
    if memory[TICKETS] != view.tickets_kept[view.seat] + 1 or memory[LAST_ROUND] != (view.last_turns >= 0):
        return False
    if memory[SHARED] != popcount(view.shared[0]) + popcount(view.shared[1]):
        return False
    if planned == 0 and memory[POINTS] > 0.0:
        return False  # it is done: the tickets left out may be worth it now
    closed = (plan[0] & ~view.open[view.seat, 0]) | (plan[1] & ~view.open[view.seat, 1])
    return closed == EMPTY and trains_in(planned) <= view.trains[view.seat]


@kernel
def open_twin(view, board, route):
    """The twin of a route, which serves a plan as well, or -1 if it cannot be claimed."""
    twin = board.twin[route]
    return twin if twin >= 0 and has(view.open[view.seat], twin) else -1


@kernel
def add_twins(view, board, plan, wanted):
    """Fill the set of a plan's routes and of their open twins."""
    wanted[:] = plan
    for word in range(SET_WORDS):
        left = plan[word]
        while left != EMPTY:
            twin = open_twin(view, board, WORD_BITS * word + lowest(left))
            left &= left - ONE
            if twin >= 0:
                add(wanted, twin)


@kernel
def detour(view, board, ground, route):
    """The points it takes to go around a route, at most MOST_DETOUR."""
    node, cost, _, _ = ground
    start, goal = node[board.a[route]], node[board.b[route]]
    reached = np.full(len(cost), NEVER)
    done = np.zeros(len(cost), np.uint8)
    reached[start] = 0
    while True:
        here = -1
        for part in range(len(cost)):
            if done[part] == 0 and reached[part] < NEVER and (here < 0 or reached[part] < reached[here]):
                here = part
        if here < 0:
            return MOST_DETOUR
        if here == goal:
            return min(MOST_DETOUR, max(0.0, price_of(reached[goal]) - price_of(cost[start, goal])))
        done[here] = 1
        for part in range(len(cost)):
            direct = (here == start and part == goal) or (here == goal and part == start)
            if not direct:
                reached[part] = min(reached[part], reached[here] + cost[here, part])


@kernel
def make_plan(view, board, memory, plan, time):
    """Choose the tickets worth completing and the routes for them, and remember both."""
    ground = survey(view, board, memory)
    tickets = np.empty(GROUP, np.int64)
    count = open_tickets(view, board, ground[0], tickets, 0)
    tickets = tickets[:count]
    found = find_forests(board, ground[0], ground[3], tickets)
    subset, _ = best_subset(view, board, memory, tickets, found[3], (1 << count) - 1, time)
    plan[:] = EMPTY
    lay_out(board, found, ground, tickets, subset, plan)
    points = 0.0
    for index in range(count):
        if (subset >> index) & 1:
            points += 2.0 * board.ticket_points[tickets[index]]
    for word in range(SET_WORDS):
        left = plan[word]
        while left != EMPTY:
            route = WORD_BITS * word + lowest(left)
            left &= left - ONE
            memory[DETOUR + route] = detour(view, board, ground, route)
            if open_twin(view, board, route) >= 0:
                memory[DETOUR + board.twin[route]] = memory[DETOUR + route]
    memory[POINTS] = points
    memory[TICKETS] = view.tickets_kept[view.seat] + 1
    memory[SHARED] = popcount(view.shared[0]) + popcount(view.shared[1])
    memory[LAST_ROUND] = view.last_turns >= 0
    remember_routes(memory, plan)
