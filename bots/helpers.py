"""What the simple compiled bots share: which tickets, which claim, which card."""

from arena.bot import (
    CLAIM,
    COLOR_COUNT,
    DRAFT_TICKET,
    DRAW_BLIND,
    DRAW_EXTRA,
    EMPTY,
    GRAY,
    KEEP_TICKETS,
    LOCOMOTIVE,
    ONE,
    PLACE_TRAIN,
    SET_WORDS,
    TAKE_CARD,
    WORD_BITS,
    card_of,
    count_bits,
    express_of,
    extra_of,
    is_bullet,
    kept_of,
    kernel,
    kind_of,
    locomotives_of,
    lowest,
    placement_gain,
    route_of,
    within_trains,
)  # fmt: skip

BULLET_SPACE = 2
"""Points that a card of progress with bullet trains is worth: the bonus differs by some 20 points for some 10 cards."""
EXTRA_CARD = 1.0
EXPRESS = 1.0
"""What more cards, and an express card for each of its points, cost a placement."""
TRAIN = 2.0
"""Points that a train brings on a route, so that it costs them on the mat."""


@kernel
def is_ticket_choice(actions):
    """Whether the decision is about which tickets to keep."""
    return kind_of(actions[0]) == KEEP_TICKETS or kind_of(actions[0]) == DRAFT_TICKET


@kernel
def fewest_tickets(view, board, actions):
    """Keep as few tickets as allowed, the ones of least value: least is lost when they fail."""
    best, best_cost = actions[0], 1 << 30
    for action in actions:
        kept = kept_of(action)
        cost = 1000 * count_bits(kept)
        for position in range(view.offer_size):
            if (kept >> position) & 1:
                cost += board.ticket_points[view.offer[position]]
        if cost < best_cost:
            best, best_cost = action, cost
    return best


@kernel
def route_value(view, board, route):
    """What a route is worth by itself: its points, or the progress it makes."""
    length = board.length[route]
    return BULLET_SPACE * length if is_bullet(view, board, route) else int(board.route_points[length])


@kernel
def best_claim(view, board, actions, shortest):
    """The claim of most value among routes of a length and up, with the fewest locomotives; -1 if there is none."""
    best, best_value = -1, -1
    for action in actions:
        if kind_of(action) == CLAIM and board.length[route_of(action)] >= shortest:
            value = 16 * route_value(view, board, route_of(action)) - locomotives_of(action)
            if value > best_value:
                best, best_value = action, value
    return best


@kernel
def is_placement(actions):
    """Whether the decision is about a train for the province mat."""
    return kind_of(actions[len(actions) - 1]) == PLACE_TRAIN


@kernel
def best_placement(view, board, actions):
    """The placement that raises the own bonus most for what it costs; none (the first action) if none pays."""
    best, best_value = actions[0], 0.0
    for action in actions:
        if kind_of(action) == PLACE_TRAIN:
            cost = TRAIN + EXTRA_CARD * (extra_of(action) + locomotives_of(action)) + EXPRESS * express_of(action)
            value = placement_gain(view, board, action) - cost
            if value > best_value:
                best, best_value = action, value
    return best


@kernel
def longest_open(view, board):
    """The length of the longest route that the seat may still claim with the trains there are."""
    longest = 0
    for word in range(SET_WORDS):
        routes = within_trains(view, board, view.seat, word)
        while routes != EMPTY:
            longest = max(longest, board.length[WORD_BITS * word + lowest(routes)])
            routes &= routes - ONE
    return longest


@kernel
def most_useful_card(view, board, shortest):
    """The color that brings the best open route (value per card still missing) nearer to being paid."""
    best, best_value = LOCOMOTIVE, -1.0
    for word in range(SET_WORDS):
        routes = within_trains(view, board, view.seat, word)
        while routes != EMPTY:
            route = WORD_BITS * word + lowest(routes)
            routes &= routes - ONE
            length = board.length[route]
            if length < shortest:
                continue
            worth = route_value(view, board, route)
            own = board.color[route]
            first, last = (0, COLOR_COUNT) if own == GRAY else (own, own + 1)
            for color in range(first, last):
                missing = max(1, length - view.hand[color] - view.hand[LOCOMOTIVE])
                value = worth / missing
                if value > best_value:
                    best, best_value = color, value
    return best


@kernel
def most_extra_cards(actions):
    """Play the highest express card for more cards; -1 if there is none."""
    best = -1
    for action in actions:
        if kind_of(action) == DRAW_EXTRA:
            best = action
    return best


@kernel
def draw(actions, card):
    """Take a face-up card of that kind if one lies there, else draw blind, else do the first thing allowed."""
    blind = actions[0]
    for action in actions:
        if kind_of(action) == TAKE_CARD and card_of(action) == card:
            return action
        if kind_of(action) == DRAW_BLIND:
            blind = action
    return blind
