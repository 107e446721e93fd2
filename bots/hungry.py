"""As many tickets as one tree of its trains can connect.

The hungry bot of de Mesentier Silva, Lee, Togelius and Nealen, "AI-based Playtesting of Contemporary Board Games" (FDG
2017), from its description: it plans every subset of tickets as one tree (two sets of cities grow from the two that lie
farthest apart, the nearest city joins, and at last the two are joined), keeps the subset with most points of tickets
and routes per train that leaves 5 trains spare, pays gray routes only with colors that the plan does not need, and
draws new tickets when the plan leaves more than 8 trains.

Decided here, where the description is silent: at a choice of tickets every allowed subset is weighed together with the
tickets planned already; if none leaves the trains spare, as few as allowed are kept and no more are drawn, and MOST
tickets in the plan are enough too. A plan is kept until a route of it is lost. Then it is made again for the best
subset of the open tickets held, now by points and without a margin, for held tickets cannot be put back (by points per
train most of them would be given up: 53 points a game instead of 115). All routes of the plan are wanted alike. It
draws the color that the whole plan lacks most, else a locomotive, else blind. Express cards are played for cards.
"""

import numpy as np

from arena.bot import (
    CARD_KINDS,
    CLAIM,
    EMPTY,
    GRAY,
    ONE,
    SET_WORDS,
    WORD_BITS,
    card_of,
    has,
    is_bullet,
    kept_of,
    kernel,
    kind_of,
    locomotives_of,
    lowest,
    policy,
    route_of,
)  # fmt: skip
from bots.goals import (
    WANTED,
    count_lacking,
    draw_lacking,
    forget_wishes,
    has_wishes,
    is_last_turn,
    is_news,
    ticket_draw,
    without_goal,
)  # fmt: skip
from bots.growth import FAR, grow, ways_of
from bots.helpers import (
    best_placement,
    fewest_tickets,
    is_placement,
    is_ticket_choice,
    most_extra_cards,
    route_value,
)  # fmt: skip

MOST = 9
"""The most tickets in a plan: each one more doubles the subsets."""
MARGIN, APPETITE, PLANNED, LEFT, SATED = range(5)
"""Where memory holds the two parameters, the tickets kept when the plan was made, the trains that it leaves, and
whether no more tickets are wanted."""


@kernel
def tree_of(view, board, ways, tickets, routes):
    """Write the routes to be claimed for the tree of some tickets: the trains it takes, -1 if there is no tree."""
    distance, toward = ways
    ends = EMPTY
    for ticket in tickets:
        ends |= (ONE << np.uint64(board.ticket_a[ticket])) | (ONE << np.uint64(board.ticket_b[ticket]))
    routes[:] = EMPTY
    if not grow(board, distance, toward, ends, routes):
        return -1
    trains = 0
    for word in range(SET_WORDS):
        routes[word] &= view.open[view.seat, word] & ~view.shared[word]
        left = routes[word]
        while left != EMPTY:
            route = WORD_BITS * word + lowest(left)
            left &= left - ONE
            if not is_bullet(view, board, route):
                trains += board.length[route]
    return trains


@kernel
def points_of(view, board, tickets, routes):
    """The points of tickets and of the routes of a set, and the spaces of the routes."""
    points, spaces = 0.0, 0
    for ticket in tickets:
        points += board.ticket_points[ticket]
    for word in range(SET_WORDS):
        left = routes[word]
        while left != EMPTY:
            route = WORD_BITS * word + lowest(left)
            left &= left - ONE
            points += route_value(view, board, route)
            spaces += board.length[route]
    return points, spaces


@kernel
def open_tickets(view, board, distance, tickets):
    """Write the own tickets that are not complete but can be, at most MOST: their number."""
    count = 0
    for ticket in range(board.tickets):
        spaces = distance[board.ticket_a[ticket], board.ticket_b[ticket]] >> 8
        if count < MOST and has(view.tickets, ticket) and 0 < spaces < FAR >> 8:
            tickets[count] = ticket
            count += 1
    return count


@kernel
def pick(tickets, subset, picked):
    """Write those of some tickets whose bits are set: their number."""
    count = 0
    for index in range(len(tickets)):
        if (subset >> index) & 1:
            picked[count] = tickets[index]
            count += 1
    return count


@kernel
def plan(view, board, ways, memory, tickets):
    """Want the routes of the best tree for held tickets; write these tickets: their number."""
    held, trial = np.empty(MOST, np.int64), np.empty(MOST, np.int64)
    routes, best_routes = np.zeros(SET_WORDS, np.uint64), np.zeros(SET_WORDS, np.uint64)
    count = open_tickets(view, board, ways[0], held)
    best, best_points = 0, 0.0
    memory[LEFT] = view.trains[view.seat]
    for subset in range(1, 1 << count):
        chosen = trial[: pick(held[:count], subset, trial)]
        trains = tree_of(view, board, ways, chosen, routes)
        if 0 <= trains <= view.trains[view.seat]:
            points, _ = points_of(view, board, chosen, routes)
            if points > best_points:
                best, best_points = subset, points
                best_routes[:] = routes
                memory[LEFT] = view.trains[view.seat] - trains
    forget_wishes(board, memory)
    for route in range(board.routes):
        if has(best_routes, route):
            memory[WANTED + route] = 1.0
    return pick(held[:count], best, tickets)


@kernel
def richest_tickets(view, board, actions, memory):
    """Keep the tickets whose tree, joined with the plan, has most points per train (a space, on bullet routes)."""
    ways = ways_of(view, board)
    tickets, routes = np.empty(MOST + 2 * len(view.offer), np.int64), np.zeros(SET_WORDS, np.uint64)
    planned = plan(view, board, ways, memory, tickets)
    for ticket in view.picked:
        if ticket >= 0:
            tickets[planned] = ticket
            planned += 1
    best, best_value = -1, 0.0
    for action in actions:
        count = planned
        for position in range(view.offer_size):
            if (kept_of(action) >> position) & 1:
                tickets[count] = view.offer[position]
                count += 1
        trains = tree_of(view, board, ways, tickets[:count], routes)
        if 0 <= trains <= view.trains[view.seat] - memory[MARGIN]:
            points, spaces = points_of(view, board, tickets[:count], routes)
            if points / max(1, spaces) > best_value:
                best, best_value = action, points / max(1, spaces)
    if best < 0 or planned >= MOST - 1:
        memory[SATED] = 1
    return best if best >= 0 else fewest_tickets(view, board, actions)


@kernel
def is_lost(view, board, memory):
    """Whether a wanted route is another's now; own and shared ones are wanted no longer."""
    for route in range(board.routes):
        if memory[WANTED + route] > 0 and not has(view.open[view.seat], route):
            if not has(view.routes_claimed[view.seat], route) and not has(view.shared, route):
                return True
            memory[WANTED + route] = 0.0
    return False


@kernel
def best_spared(view, board, actions, memory):
    """The claim of the most wanted route, gray ones only with cards to spare; -1 if none can be paid."""
    lacking = np.empty(CARD_KINDS, np.int64)
    count_lacking(view, board, memory, lacking)
    best, best_value = -1, 0.0
    for action in actions:
        if kind_of(action) == CLAIM and memory[WANTED + route_of(action)] > 0:
            route, card, locomotives = route_of(action), card_of(action), locomotives_of(action)
            if board.color[route] == GRAY and lacking[card] + board.length[route] - locomotives > 0:
                continue
            value = 1e6 * memory[WANTED + route] - 1e3 * locomotives - lacking[card]
            if best < 0 or value > best_value:
                best, best_value = action, value
    return best


@kernel
def build(view, board, actions, memory):
    """Claim a route of the plan, else draw for it; without a plan or a next turn, take what is best."""
    claim = best_spared(view, board, actions, memory)
    if claim >= 0:
        return claim
    if is_last_turn(view) or not has_wishes(board, memory):
        return without_goal(view, board, actions)
    extra = most_extra_cards(actions)
    if extra >= 0:
        return extra
    return draw_lacking(view, board, actions, memory)


@policy(margin=5, appetite=8)
def hungry(view, board, actions, memory, random_state):
    """Keep the tickets that make the richest tree, draw more while it leaves over `appetite` trains, and build it."""
    if is_ticket_choice(actions):
        return richest_tickets(view, board, actions, memory)
    if is_placement(actions):
        return best_placement(view, board, actions)
    tickets = view.tickets_kept[view.seat]
    if is_news(view, memory) and (is_lost(view, board, memory) or memory[PLANNED] != tickets):
        memory[PLANNED] = tickets
        plan(view, board, ways_of(view, board), memory, np.empty(MOST, np.int64))
    if memory[LEFT] > memory[APPETITE] and memory[SATED] == 0:
        draw_tickets = ticket_draw(actions)
        if draw_tickets >= 0:
            return draw_tickets
    return build(view, board, actions, memory)
