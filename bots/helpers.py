"""What the simple compiled bots share: which tickets, which claim, which card."""

from arena.bot import (
    CLAIM,
    DRAW_BLIND,
    GRAY,
    KEEP_TICKETS,
    LOCOMOTIVE,
    TAKE_CARD,
    card_of,
    count_bits,
    has,
    kept_of,
    kernel,
    kind_of,
    locomotives_of,
    route_of,
)  # fmt: skip


@kernel
def is_ticket_choice(actions):
    """Whether the decision is about which tickets to keep."""
    return kind_of(actions[0]) == KEEP_TICKETS


@kernel
def fewest_tickets(view, board, actions):
    """Keep as few tickets as allowed, the ones of least value: least is lost when they fail."""
    best, best_cost = actions[0], 1 << 30
    for action in actions:
        kept = kept_of(action)
        cost = 1000 * count_bits(kept)
        for position in range(view.offered):
            if (kept >> position) & 1:
                cost += board.ticket_points[view.offer[position]]
        if cost < best_cost:
            best, best_cost = action, cost
    return best


@kernel
def best_claim(board, actions, shortest):
    """The claim of most points among routes of a length and up, with the fewest locomotives; -1 if there is none."""
    best, best_value = -1, -1
    for action in actions:
        if kind_of(action) == CLAIM and board.length[route_of(action)] >= shortest:
            value = 16 * board.route_points[board.length[route_of(action)]] - locomotives_of(action)
            if value > best_value:
                best, best_value = action, value
    return best


@kernel
def longest_open(view, board):
    """The length of the longest route that the seat may still claim with the trains it has."""
    longest = 0
    for route in range(board.routes):
        length = board.length[route]
        if longest < length <= view.trains[view.seat] and has(view.open[view.seat], route):
            longest = length
    return longest


@kernel
def most_useful_card(view, board, shortest):
    """The color that brings the best open route (points per card still missing) nearer to being paid."""
    best, best_value = LOCOMOTIVE, -1.0
    for route in range(board.routes):
        length = board.length[route]
        if not shortest <= length <= view.trains[view.seat] or not has(view.open[view.seat], route):
            continue
        for color in range(8):
            if board.color[route] == color or board.color[route] == GRAY:
                missing = max(1, length - view.hand[color] - view.hand[LOCOMOTIVE])
                value = board.route_points[length] / missing
                if value > best_value:
                    best, best_value = color, value
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
