"""Claiming routes: what may be claimed, with which cards, and what that changes (B14-B16, J3)."""

from arena.rules.actions import CLAIM, NO_ACTION, encode
from arena.rules.board import COLOR_COUNT, LOCOMOTIVE, MAX_LENGTH, SET_WORDS, WORD_BITS
from arena.rules.compiler import kernel
from arena.rules.deck import pay
from arena.rules.sets import EMPTY, ONE, add, has, lowest, nth, popcount, remove
from arena.rules.shared import is_bullet, share_route


@kernel
def set_out_routes(state, board):
    """Before the first turn every route is open and every train in its supply (B1, B5)."""
    for seat in range(state.routes_claimed.shape[0]):
        for word in range(SET_WORDS):
            state.routes_claimed[seat, word] = EMPTY
            state.open[seat, word] = board.all_routes[word]
        state.route_points[seat] = 0
        state.trains[seat] = board.trains


@kernel
def within_trains(state, board, seat, word):
    """A word of the open routes that the seat has trains for: its own (B15), or bullet trains (J3)."""
    routes = board.payable[LOCOMOTIVE, min(state.trains[seat], MAX_LENGTH), word]
    if state.bullets_left > 0:
        routes |= board.bullet_routes[word]
    return state.open[seat, word] & routes


@kernel
def payable_routes(state, board, seat, card, locomotives, word, routes):
    """Those of a word of routes that the seat can pay with its cards of a color and exactly so many locomotives.

    At least one card of the color is part of it (B14). A branch on an empty color would cost 7 % of a random game.
    """
    longest = min(state.hand[seat, card] + locomotives, MAX_LENGTH)
    return routes & board.payable[card, longest, word] & ~board.payable[card, locomotives, word]


@kernel
def routes_for_locomotives(state, board, seat, word, routes):
    """Those of a word of routes that the seat can pay with locomotives only, as many as the route needs (B14)."""
    return routes & board.payable[LOCOMOTIVE, min(state.hand[seat, LOCOMOTIVE], MAX_LENGTH), word]


@kernel
def most_locomotives(state, board, seat):
    """The most locomotives that can stand beside a card of a color in a payment."""
    longest = board.longest_route
    if state.bullets_left == 0:
        longest = min(longest, state.trains[seat])
    return max(0, min(state.hand[seat, LOCOMOTIVE], longest - 1))


@kernel
def count_claims(state, board, seat):
    """The number of legal claims, each payment counted (B14-B16)."""
    count = 0
    low, high = within_trains(state, board, seat, 0), within_trains(state, board, seat, 1)
    for locomotives in range(most_locomotives(state, board, seat) + 1):
        for card in range(COLOR_COUNT):
            count += popcount(payable_routes(state, board, seat, card, locomotives, 0, low))
            count += popcount(payable_routes(state, board, seat, card, locomotives, 1, high))
    count += popcount(routes_for_locomotives(state, board, seat, 0, low))
    return count + popcount(routes_for_locomotives(state, board, seat, 1, high))


@kernel
def nth_claim(state, board, seat, n):
    """The n-th (from 0) legal claim in the order of `list_claims`, or NO_ACTION if there are not so many."""
    within = (within_trains(state, board, seat, 0), within_trains(state, board, seat, 1))
    for locomotives in range(most_locomotives(state, board, seat) + 1):
        for card in range(COLOR_COUNT):
            for word in range(SET_WORDS):
                routes = payable_routes(state, board, seat, card, locomotives, word, within[word])
                if n < popcount(routes):
                    return encode(CLAIM, WORD_BITS * word + nth(routes, n), card, locomotives)
                n -= popcount(routes)
    for word in range(SET_WORDS):
        routes = routes_for_locomotives(state, board, seat, word, within[word])
        if n < popcount(routes):
            route = WORD_BITS * word + nth(routes, n)
            return encode(CLAIM, route, LOCOMOTIVE, board.length[route])
        n -= popcount(routes)
    return NO_ACTION


@kernel
def list_claims(state, board, seat, actions, count):
    """Append every legal claim, by locomotives, card and route, locomotives only last; the new count."""
    within = (within_trains(state, board, seat, 0), within_trains(state, board, seat, 1))
    for locomotives in range(most_locomotives(state, board, seat) + 1):
        for card in range(COLOR_COUNT):
            for word in range(SET_WORDS):
                routes = payable_routes(state, board, seat, card, locomotives, word, within[word])
                while routes != EMPTY:
                    actions[count] = encode(CLAIM, WORD_BITS * word + lowest(routes), card, locomotives)
                    count += 1
                    routes &= routes - ONE
    for word in range(SET_WORDS):
        routes = routes_for_locomotives(state, board, seat, word, within[word])
        while routes != EMPTY:
            route = WORD_BITS * word + lowest(routes)
            actions[count] = encode(CLAIM, route, LOCOMOTIVE, board.length[route])
            count += 1
            routes &= routes - ONE
    return count


@kernel
def is_claim(state, board, seat, route, card, locomotives):
    """Whether this claim is legal (B14-B16, J3)."""
    if not (0 <= route < board.routes and 0 <= card <= LOCOMOTIVE and has(state.open[seat], route)):
        return False
    length = board.length[route]
    if length > state.trains[seat] and not is_bullet(state, board, route):
        return False
    if locomotives > state.hand[seat, LOCOMOTIVE]:
        return False
    if card == LOCOMOTIVE:
        return locomotives == length
    colored = length - locomotives
    right_color = board.color[route] == card or board.color[route] >= LOCOMOTIVE  # gray takes any
    return right_color and locomotives >= 0 and 1 <= colored <= state.hand[seat, card]


@kernel
def claim(state, board, route, card, locomotives):
    """The seat to move claims a route: cards to the discards, trains on the board, points (B14), twins closed (B16).

    Deck and row take what they lack when all cards of the turn are discarded: see `deck.replenish`.
    """
    seat = state.seat
    length = board.length[route]
    if card != LOCOMOTIVE:
        pay(state, board, card, length - locomotives)
    if locomotives > 0:
        pay(state, board, LOCOMOTIVE, locomotives)
    if is_bullet(state, board, route):
        share_route(state, board, seat, route)
    else:
        use_trains(state, seat, length)
        state.route_points[seat] += board.route_points[length]
        add(state.routes_claimed[seat], route)
    for other in range(board.seats):
        remove(state.open[other], route)
    twin = board.twin[route]
    if twin >= 0:
        if board.seats < board.twins_from:
            for other in range(board.seats):
                remove(state.open[other], twin)
        else:
            remove(state.open[seat], twin)


@kernel
def use_trains(state, seat, count):
    """A seat puts trains from its supply on the board, or on the mat (B14, K5)."""
    state.trains[seat] -= count
