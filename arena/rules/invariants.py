"""What must hold in every game: each card, train and ticket is somewhere, and each point was earned.

If it does not hold, the game was not played by the rules: the arena is wrong, or something wrote into its memory.
"""

import numpy as np

from arena.rules.board import BOARD, CARD_KINDS, DECK_SIZE, LOCOMOTIVE, MAX_OFFER, MAX_TICKETS, SET_WORDS, WORD_BITS
from arena.rules.compiler import exported, kernel
from arena.rules.provinces import FOUR_BITS
from arena.rules.sets import EMPTY, ONE, add, bit, popcount
from arena.rules.state import EMPTY_SLOT, ROW, STATE
from arena.rules.tickets import tickets_held

INVARIANTS = {
    "none": "",
    "cards": "deck, row, discards and hands do not hold the cards that there are",
    "routes": "the routes claimed are not those that nobody can claim any more, or have two owners",
    "trains": "the trains left and those on the board are not as many as there are",
    "points": "the points of a seat are not those of its routes",
    "tickets": "a ticket is in no place, or in two",
}
"""The invariants by name, and what is wrong if one does not hold."""
NONE, CARDS, ROUTES, TRAINS, POINTS, TICKETS = range(len(INVARIANTS))

SEVEN_BITS = np.uint64(127)


def what_is_broken(invariant: int) -> str:
    """What the result of `broken` means, in words."""
    name = list(INVARIANTS)[invariant]
    return f"invariant `{name}`: {INVARIANTS[name]}"


@exported(STATE, BOARD, returns="i8")
def broken(state, board):
    """The first of INVARIANTS, by its place, that a game breaks at its end or between two decisions; 0 if none."""
    if not are_cards_there(state, board):
        return CARDS
    if not are_routes_owned(state, board):
        return ROUTES
    if not are_bullets_there(state, board) or not is_mat_sound(state, board):
        return TRAINS
    for seat in range(board.seats):
        spaces, points = worth(board, state.routes_claimed[seat, 0], state.routes_claimed[seat, 1])
        if board.lines > 0:
            spaces += trains_on_mat(state, seat)
        if state.trains[seat] < 0 or state.trains[seat] + spaces != board.trains:
            return TRAINS
        if state.route_points[seat] != points:
            return POINTS
    if not is_progress_sound(state, board):
        return POINTS
    return NONE if are_tickets_there(state, board) else TICKETS


@kernel
def are_cards_there(state, board):
    """Whether there are as many cards of each kind as the map says (B1), and no express cards but its own (K1)."""
    if state.deck_count < 0 or state.deck_count > DECK_SIZE:
        return False
    piled = cards_of_piles(state)
    discards = 0
    for card in range(CARD_KINDS):
        count = state.discards[card] + int((piled >> np.uint64(7 * card)) & SEVEN_BITS)
        for seat in range(board.seats):
            count += state.hand[seat, card]
            if state.hand[seat, card] < 0:
                return False
        if count != board.supply[card] or state.discards[card] < 0:
            return False
        discards += state.discards[card]
    for seat in range(board.seats):
        if state.express[seat] & ~board.express != 0:
            return False
    return state.discard_count == discards


@kernel
def cards_of_piles(state):
    """The cards of deck and row, seven bits a kind, the first lowest; far too many if a card does not exist."""
    piled = EMPTY
    for place in range(state.deck_count):
        card = int(state.deck[place])
        if card < 0 or card > LOCOMOTIVE:
            return ~EMPTY
        piled += ONE << np.uint64(7 * card)
    for slot in range(ROW):
        card = int(state.row[slot])
        if card < EMPTY_SLOT or card > LOCOMOTIVE:
            return ~EMPTY
        if card != EMPTY_SLOT:
            piled += ONE << np.uint64(7 * card)
    return piled


@kernel
def are_routes_owned(state, board):
    """Whether each route claimed has one owner, or is everybody's (J3), and nobody can claim it again."""
    for word in range(SET_WORDS):
        claimed = state.shared[word]
        if claimed & ~board.bullet_routes[word] != EMPTY:
            return False
        for seat in range(board.seats):
            if claimed & state.routes_claimed[seat, word] != EMPTY:
                return False
            claimed |= state.routes_claimed[seat, word]
        if claimed & ~board.all_routes[word] != EMPTY:
            return False
        for seat in range(board.seats):
            if state.open[seat, word] & (claimed | ~board.all_routes[word]) != EMPTY:
                return False
    return True


@kernel
def worth(board, low, high):
    """The spaces of a set of routes, and the points for claiming them (B14)."""
    spaces, points = 0, 0
    for length in range(1, board.longest_route + 1):
        upto, below = board.payable[LOCOMOTIVE, length], board.payable[LOCOMOTIVE, length - 1]
        count = popcount(low & upto[0] & ~below[0]) + popcount(high & upto[1] & ~below[1])
        spaces += count * length
        points += count * board.route_points[length]
    return spaces, points


@kernel
def are_bullets_there(state, board):
    """Whether a bullet train is in the supply or on a route (J3)."""
    used = popcount(state.shared[0]) + popcount(state.shared[1])
    return 0 <= state.bullets_left == board.bullet_trains - used


@kernel
def is_progress_sound(state, board):
    """Whether the seats have advanced by as much as the bullet routes are long (J4)."""
    spaces, _ = worth(board, state.shared[0], state.shared[1])
    for seat in range(board.seats):
        spaces -= state.progress[seat]
    return spaces == 0


@kernel
def is_mat_sound(state, board):
    """Whether trains stand on positions that there are, and each is somebody's (K5)."""
    for line in range(state.mat.shape[0]):
        trains = state.mat[line]
        if trains >> np.uint64(4 * board.positions[line]) != EMPTY:
            return False
        while trains != EMPTY:
            if int(trains & FOUR_BITS) > board.seats:
                return False
            trains >>= np.uint64(4)
    return True


@kernel
def trains_on_mat(state, seat):
    """How many trains of a seat stand on the province mat (K5)."""
    count = 0
    for line in range(state.mat.shape[0]):
        trains = state.mat[line]
        while trains != EMPTY:
            count += int(trains & FOUR_BITS) == seat + 1
            trains >>= np.uint64(4)
    return count


@kernel
def are_tickets_there(state, board):
    """Whether each ticket is in the deck, on offer or with a seat: as many as there are, and none of them missing."""
    count = int(state.ticket_count)
    if count < 0 or count > MAX_TICKETS:
        return False
    found = np.zeros(SET_WORDS, np.uint64)
    for place in range(count):
        find_ticket(found, state.ticket_deck[(state.ticket_top + place) % MAX_TICKETS])
    for seat in range(board.seats):
        laid = laid_out(state, board, seat)
        if laid < 0 or laid > MAX_OFFER:
            return False
        for position in range(laid):
            find_ticket(found, state.offer[seat, position])
        for word in range(SET_WORDS):
            found[word] |= state.tickets[seat, word]
        count += laid + tickets_held(state, seat)
    return count == board.tickets and is_full(found[0], found[1], board.tickets)


@kernel
def laid_out(state, board, seat):
    """How many tickets a seat chooses from; in the draft, when all do, also those picked behind its pack (K2)."""
    if board.tickets_draft > 0 and state.offer_size[0] > 0 and state.offer_size[1] > 0:
        return board.tickets_dealt
    return state.offer_size[seat]


@kernel
def find_ticket(found, ticket):
    """Put a ticket into a set, if there is such a ticket."""
    if 0 <= ticket < MAX_TICKETS:
        add(found, ticket)


@kernel
def is_full(low, high, count):
    """Whether a set holds the first `count` indices and no other."""
    if count < WORD_BITS:
        return low == bit(count) - ONE and high == EMPTY
    return low == ~EMPTY and high == bit(count - WORD_BITS) - ONE
