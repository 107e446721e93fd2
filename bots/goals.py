"""What the four bots with goals share: the routes they want, kept in memory, the claims and the cards for them.

`memory[WANTED + route]` says how much a route is wanted, 0 for not at all. A bot plans anew only when there is news:
a route has been claimed, or it has kept tickets.
"""

import numpy as np

from arena.bot import (
    CARD_KINDS,
    CLAIM,
    COLOR_COUNT,
    DRAW_TICKETS,
    GRAY,
    LOCOMOTIVE,
    NO_PATH,
    TAKE_CARD,
    card_of,
    cheapest_path,
    count_bits,
    express_of,
    is_bullet,
    kept_of,
    kernel,
    kind_of,
    locomotives_of,
    popcount,
    route_of,
)  # fmt: skip
from bots.helpers import best_claim, draw, most_extra_cards, most_useful_card

SEEN = 126
"""Here memory holds what the news are compared with (two numbers); a policy's own numbers lie below."""
WANTED = 128


@kernel
def is_news(view, memory):
    """Whether routes have been claimed, or own tickets kept, since this was asked last."""
    claimed = 1 + popcount(view.shared[0]) + popcount(view.shared[1])
    for seat in range(view.seats):
        claimed += popcount(view.routes_claimed[seat, 0]) + popcount(view.routes_claimed[seat, 1])
    tickets = view.tickets_kept[view.seat]
    if memory[SEEN] == claimed and memory[SEEN + 1] == tickets:
        return False
    memory[SEEN] = claimed
    memory[SEEN + 1] = tickets
    return True


@kernel
def forget_wishes(board, memory):
    """No route is wanted any more."""
    memory[WANTED : WANTED + board.routes] = 0.0


@kernel
def has_wishes(board, memory):
    """Whether any route is wanted."""
    return memory[WANTED : WANTED + board.routes].any()


@kernel
def missing_routes(view, board, ticket, routes):
    """Write the routes missing on the path of a ticket: their number, 0 if it is complete, NO_PATH if it cannot be."""
    count = cheapest_path(view, board, board.ticket_a[ticket], board.ticket_b[ticket], routes)
    trains = 0
    for index in range(count):
        if not is_bullet(view, board, routes[index]):
            trains += board.length[routes[index]]
    return count if trains <= view.trains[view.seat] else NO_PATH


@kernel
def most_tickets(view, board, actions):
    """Keep as many tickets as allowed, the ones of most value."""
    best, best_value = actions[0], -1
    for action in actions:
        kept = kept_of(action)
        value = 1000 * count_bits(kept)
        for position in range(view.offer_size):
            if (kept >> position) & 1:
                value += board.ticket_points[view.offer[position]]
        if value > best_value:
            best, best_value = action, value
    return best


@kernel
def ticket_draw(actions):
    """Draw tickets, without an express card; -1 if that cannot be done now."""
    for action in actions:
        if kind_of(action) == DRAW_TICKETS and express_of(action) == 0:
            return action
    return -1


@kernel
def is_last_turn(view):
    """Whether the seat has no turn after this one."""
    return view.last_turns >= 0


@kernel
def best_wanted(view, actions, memory):
    """The claim of the most wanted route: fewest locomotives, then the color held most; -1 if none can be paid."""
    best, best_value = -1, 0.0
    for action in actions:
        if kind_of(action) == CLAIM and memory[WANTED + route_of(action)] > 0:
            thrift = view.hand[card_of(action)] - 100 * locomotives_of(action)
            value = 1e6 * memory[WANTED + route_of(action)] + thrift
            if best < 0 or value > best_value:
                best, best_value = action, value
    return best


@kernel
def draw_for_most_wanted(view, board, actions, memory):
    """Take a face-up card of the most wanted route's color (a gray one's: held most), else a locomotive, else blind."""
    color = int(board.color[memory[WANTED : WANTED + board.routes].argmax()])
    if color == GRAY:
        color = int(view.hand[:COLOR_COUNT].argmax())
    for action in actions:
        if kind_of(action) == TAKE_CARD and card_of(action) == color:
            return action
    return draw(actions, LOCOMOTIVE)


@kernel
def without_goal(view, board, actions):
    """The payable route of most value, else the card that brings one nearer."""
    claim = best_claim(view, board, actions, 1)
    if claim >= 0:
        return claim
    extra = most_extra_cards(actions)
    if extra >= 0:
        return extra
    return draw(actions, most_useful_card(view, board, 1))


@kernel
def count_lacking(view, board, memory, lacking):
    """Write how many cards of each color the wanted routes of that color lack; below 0: to spare for gray ones."""
    lacking[:COLOR_COUNT] = -view.hand[:COLOR_COUNT]
    lacking[LOCOMOTIVE] = -100
    for route in range(board.routes):
        if memory[WANTED + route] > 0 and board.color[route] != GRAY:
            lacking[board.color[route]] += board.length[route]


@kernel
def draw_lacking(view, board, actions, memory):
    """Take a face-up card of the color that the wanted routes lack most, else a locomotive, else draw blind."""
    lacking = np.empty(CARD_KINDS, np.int64)
    count_lacking(view, board, memory, lacking)
    for route in range(board.routes):
        if memory[WANTED + route] > 0 and board.color[route] == GRAY:
            lacking[lacking[:COLOR_COUNT].argmin()] += board.length[route]
    best, most = LOCOMOTIVE, 0
    for action in actions:
        if kind_of(action) == TAKE_CARD and lacking[card_of(action)] > most:
            best, most = card_of(action), lacking[card_of(action)]
    return draw(actions, best)


@kernel
def pursue(view, board, actions, memory, whole):
    """Claim the most wanted route that can be paid, else draw for it, or for the whole of the wanted routes.

    Without a goal, or without another turn, take what is best by itself.
    """
    claim = best_wanted(view, actions, memory)
    if claim >= 0:
        return claim
    if is_last_turn(view) or not has_wishes(board, memory):
        return without_goal(view, board, actions)
    extra = most_extra_cards(actions)
    if extra >= 0:
        return extra
    if whole:
        return draw_lacking(view, board, actions, memory)
    return draw_for_most_wanted(view, board, actions, memory)
