"""VIEW: what one seat may know, copied out of the state. A bot is handed this record and nothing behind it."""

import numpy as np

from arena.rules.board import BOARD, CARD_KINDS, COLOR_COUNT, MAX_OFFER, MAX_SEATS, SET_WORDS
from arena.rules.compiler import exported, kernel
from arena.rules.state import DRAFT, ROW, STATE
from arena.rules.tickets import tickets_held

VIEW = np.dtype(
    (np.record, [
        ("routes_claimed", "u8", (MAX_SEATS, SET_WORDS)),  # routes each seat has claimed
        ("open", "u8", (MAX_SEATS, SET_WORDS)),  # routes each seat may still claim (B16)
        ("tickets", "u8", (SET_WORDS,)),  # own tickets
        ("shared", "u8", (SET_WORDS,)),  # bullet routes claimed, which everybody may use (J4)
        ("mat", "u8", (COLOR_COUNT,)),  # lines of the province mat, see provinces.py
        ("express", "i2", (MAX_SEATS,)),  # bit n: the seat still holds the express card +n
        ("progress", "i2", (MAX_SEATS,)),  # with bullet trains
        ("bullets_left", "i2"),
        ("pending_route", "i2"), ("paid", "i2"),  # in phase PLACE: the route just claimed and the card it was paid with
        ("seats", "i2"), ("seat", "i2"),  # how many sit at the table, and which seat is one's own
        ("to_move", "i2"), ("phase", "i2"),  # whose decision it is, and about what
        ("last_turns", "i2"),  # turns left in the last round; -1 before it
        ("turns", "i2", (MAX_SEATS,)),
        ("trains", "i2", (MAX_SEATS,)), ("route_points", "i2", (MAX_SEATS,)),
        ("cards", "i2", (MAX_SEATS,)),  # number of train cards in each hand
        ("tickets_kept", "i2", (MAX_SEATS,)),  # number of tickets of each seat
        ("known", "i2", (MAX_SEATS, CARD_KINDS)),  # cards known to be in each hand, because they were taken face up
        ("hand", "i2", (CARD_KINDS,)),  # own train cards
        ("discards", "i2", (CARD_KINDS,)),
        ("deck_count", "i2"), ("ticket_count", "i2"),
        ("offer_size", "i2"),  # number of tickets one must choose from now
        ("offer", "i1", (MAX_OFFER,)),
        ("picked", "i1", (MAX_OFFER,)),  # in the draft: the tickets picked so far, -1 beyond
        ("row", "i1", (ROW,)),  # face-up cards, -1 for an empty slot
    ])
)  # fmt: skip
VIEW_BYTES = VIEW.itemsize + 8 - VIEW.itemsize % 8
"""Where the legal actions begin (int32) in what a seat is shown: a VIEW, then they."""


@exported(STATE, BOARD, "i8", VIEW)
def observe(state, board, seat, view):
    """Fill a VIEW with what a seat knows: all of it is overwritten, nothing of another seat's view can remain."""
    view.seats = board.seats
    view.seat = seat
    view.to_move = state.seat
    view.phase = state.phase
    view.last_turns = state.last_turns
    view.deck_count = state.deck_count
    view.ticket_count = state.ticket_count
    for word in range(SET_WORDS):
        view.tickets[word] = state.tickets[seat, word]
        view.shared[word] = state.shared[word]
    view.bullets_left = state.bullets_left
    view.pending_route = state.pending_route
    view.paid = state.paid
    for line in range(COLOR_COUNT):
        view.mat[line] = state.mat[line]
    for card in range(CARD_KINDS):
        view.hand[card] = state.hand[seat, card]
        view.discards[card] = state.discards[card]
    for slot in range(ROW):
        view.row[slot] = state.row[slot]
    offer_size = state.offer_size[seat]
    view.offer_size = offer_size
    for position in range(MAX_OFFER):
        view.offer[position] = state.offer[seat, position] if position < offer_size else -1
        view.picked[position] = -1
    if state.phase == DRAFT:
        for position in range(offer_size, board.tickets_dealt):
            view.picked[board.tickets_dealt - 1 - position] = state.offer[seat, position]
    for other in range(MAX_SEATS):
        observe_seat(state, other, view)


@kernel
def observe_seat(state, other, view):
    """What everyone sees of a seat: all but its tickets and the cards that it drew blind."""
    view.turns[other] = state.turns[other]
    view.trains[other] = state.trains[other]
    view.route_points[other] = state.route_points[other]
    view.progress[other] = state.progress[other]
    view.express[other] = state.express[other]
    view.tickets_kept[other] = tickets_held(state, other)
    for word in range(SET_WORDS):
        view.routes_claimed[other, word] = state.routes_claimed[other, word]
        view.open[other, word] = state.open[other, word]
    cards = 0
    for card in range(CARD_KINDS):
        cards += state.hand[other, card]
        view.known[other, card] = state.known[other, card]
    view.cards[other] = cards
