"""The idea of `python_bot` as a compiled function: numbers instead of objects, a hundred times as fast."""

import numpy as np

from arena.bot import (
    CLAIM,
    DRAW_BLIND,
    EMPTY,
    GRAY,
    MAX_CITIES,
    PLACE_TRAIN,
    TAKE_CARD,
    add,
    card_of,
    cheapest_path,
    extra_of,
    has,
    kept_of,
    kernel,
    kind_of,
    locomotives_of,
    placement_gain,
    policy,
    route_of,
)


@kernel
def routes_wanted(view, board):
    """The routes missing on the cheapest paths of the tickets, as a set: two words."""
    wanted = np.zeros(2, np.uint64)
    path = np.empty(MAX_CITIES, np.int16)
    for ticket in range(board.tickets):
        if has(view.tickets, ticket):
            count = cheapest_path(view, board, board.ticket_a[ticket], board.ticket_b[ticket], path)
            for index in range(count):  # none if there is no path any more: count is NO_PATH, -1
                add(wanted, path[index])
    return wanted


@kernel
def is_wanted(wanted, route):
    """Whether a route is in the set, or the set is empty: then any will do."""
    return has(wanted, route) or (wanted[0] == EMPTY and wanted[1] == EMPTY)


@kernel
def value_of(view, board, action, wanted):
    """What an action is worth, 0 for none: tickets of few points, long routes, trains on the province mat."""
    if kind_of(action) == CLAIM and is_wanted(wanted, route_of(action)):
        return 1 + 16 * board.length[route_of(action)] - locomotives_of(action)
    if kind_of(action) == PLACE_TRAIN:
        return placement_gain(view, board, action) - extra_of(action)
    if view.offered > 0:
        points = 0
        for position in range(view.offered):
            if (kept_of(action) >> position) & 1:
                points += board.ticket_points[view.offer[position]]
        return 1000 - points
    return 0


@kernel
def color_needed(view, board, wanted):
    """The color for which the fewest cards are missing to pay a wanted route."""
    best, fewest = 0, 100
    for route in range(board.routes):
        if has(view.open[view.seat], route) and is_wanted(wanted, route):
            for color in range(8):
                missing = board.length[route] - view.hand[color]
                if (board.color[route] == color or board.color[route] == GRAY) and missing < fewest:
                    best, fewest = color, missing
    return best


@policy
def compiled_bot(view, board, actions, memory, luck):
    """Claims the cheapest paths of its tickets, then long routes; draws the color that is nearest to enough."""
    wanted = routes_wanted(view, board)
    best, most = -1, 0
    for action in actions:
        value = value_of(view, board, action, wanted)
        if value > most:
            best, most = action, value
    if best >= 0:
        return best
    answer = actions[0]
    card = color_needed(view, board, wanted)
    for action in actions:
        if kind_of(action) == TAKE_CARD and card_of(action) == card:
            return action
        if kind_of(action) == DRAW_BLIND:
            answer = action
    return answer
