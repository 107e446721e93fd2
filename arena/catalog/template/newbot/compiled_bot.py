"""The bot of `python_bot` as a compiled function: the same decisions, with numbers instead of objects."""

import numpy as np

from arena.bot import (
    CLAIM,
    COLOR_COUNT,
    DRAW_BLIND,
    EMPTY,
    GRAY,
    MAX_CITIES,
    NO_PATH,
    PLACE,
    SET_WORDS,
    TAKE_CARD,
    add,
    card_of,
    cheapest_path,
    express_of,
    extra_of,
    has,
    is_bullet,
    kept_of,
    kernel,
    kind_of,
    locomotives_of,
    placement_gain,
    policy,
    route_of,
    within_trains,
)


@kernel
def path_of(view, board, ticket, routes):
    """Write the routes missing for a ticket into `routes`; their number and their trains, 1000 if there is no path."""
    count = cheapest_path(view, board, board.ticket_a[ticket], board.ticket_b[ticket], routes)
    trains = 1000 if count == NO_PATH else 0
    for index in range(count):
        if not is_bullet(view, board, routes[index]):
            trains += board.length[routes[index]]
    return count, trains


@kernel
def promise(view, board, choice):
    """What some of the tickets offered are worth: their points, if there will be trains for them all."""
    routes = np.empty(MAX_CITIES, np.int16)
    points = trains = 0
    for position in range(view.offer_size):
        if (kept_of(choice) >> position) & 1:
            points += board.ticket_points[view.offer[position]]
            trains += path_of(view, board, view.offer[position], routes)[1]
    return points - 0.5 * trains if trains <= 0.6 * view.trains[view.seat] else -1.0 * points


@kernel
def routes_wanted(view, board, least):
    """The routes missing for the tickets; without any, those of `least` spaces, or what there is. A set: two words."""
    wanted = np.zeros(SET_WORDS, np.uint64)
    routes = np.empty(MAX_CITIES, np.int16)
    for ticket in range(board.tickets):
        if has(view.tickets, ticket):
            count, trains = path_of(view, board, ticket, routes)
            if trains <= view.trains[view.seat]:
                for index in range(count):
                    add(wanted, routes[index])
    if wanted[0] | wanted[1] == EMPTY:
        add_buildable(view, board, least, wanted)
    if wanted[0] | wanted[1] == EMPTY:
        add_buildable(view, board, 0, wanted)
    return wanted


@kernel
def add_buildable(view, board, least, wanted):
    """Add the routes of `least` spaces and more that there are trains for."""
    buildable = np.array([within_trains(view, board, view.seat, 0), within_trains(view, board, view.seat, 1)])
    for route in range(board.routes):
        if has(buildable, route) and board.length[route] >= least:
            add(wanted, route)


@kernel
def color_needed(view, board, wanted):
    """The color for which the fewest cards are missing to pay a wanted route; -1 if nothing is wanted."""
    best, fewest = -1, 100
    for route in range(board.routes):
        if has(wanted, route):
            for color in range(COLOR_COUNT):
                missing = board.length[route] - view.hand[color]
                if (board.color[route] == color or board.color[route] == GRAY) and missing < fewest:
                    best, fewest = color, missing
    return best


@kernel
def worth(view, board, action, wanted):
    """What an action is worth, for comparison with others of the same phase; nothing for a draw."""
    if view.offer_size > 0:  # tickets to choose from
        return promise(view, board, action)
    if view.phase == PLACE:  # a train for the province mat, on maps that have one
        return 1.0 * placement_gain(view, board, action) - extra_of(action) - express_of(action)
    if kind_of(action) == CLAIM and has(wanted, route_of(action)):
        return 16.0 * board.length[route_of(action)] - locomotives_of(action)
    return -1e9


@kernel
def draw(actions, card):
    """Take the card from the row, else the top of the deck."""
    answer = actions[0]
    for action in actions:
        if kind_of(action) == TAKE_CARD and card_of(action) == card:
            return action
        if kind_of(action) == DRAW_BLIND:
            answer = action
    return answer


@policy(least=3)
def compiled_bot(view, board, actions, memory, random_state):
    """Claims the cheapest paths of its tickets, then long routes; draws the color that is nearest to enough."""
    wanted = routes_wanted(view, board, memory[0])  # the parameter: `arena run newbot_compiled:least=4 newbot`
    best, most = -1, -1e9
    for action in actions:
        value = worth(view, board, action, wanted)
        if value > most:
            best, most = action, value
    return best if best >= 0 else draw(actions, color_needed(view, board, wanted))
