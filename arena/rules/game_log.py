"""GAME_LOG: the record of what happens in a game: claims, tickets, draws, the lead. Whoever plays the game fills it.

Nothing in the rules reads it. A new log is 0 in all fields but `leader`. Turns are counted over all seats, from 1; 0 is
before the first.
"""

from arena.rules.actions import (
    CLAIM,
    DRAW_BLIND,
    DRAW_TICKETS,
    KEEP_TICKETS,
    PASS,
    TAKE_CARD,
    card_of,
    kept_of,
    kind_of,
    locomotives_of,
    route_of,
)  # fmt: skip
from arena.rules.board import CARD_KINDS, LOCOMOTIVE, MAX_ROUTES, MAX_SEATS
from arena.rules.compiler import kernel
from arena.rules.deck import face_up
from arena.rules.network import are_connected
from arena.rules.provinces import lowest_free
from arena.rules.state import OVER, SETUP, TURN

MOST_OFFERS = 160
"""How many tickets offered in one game are logged; further ones are only counted."""
NOBODY = -1

DRAWS = ("blind", "color", "locomotive", "tickets")
"""What is drawn from: the deck, a color or a locomotive of the row, the ticket deck."""
BLIND, COLOR, WILD, TICKETS = range(4)

RARE = ("pass", "one_card_turn", "row_of_locomotives", "full_line")
"""What rarely happens: a pass (B18), a turn that ends after one card for want of another (B13), a row that keeps too
many locomotives after all flushes (B11), a full line of the province mat (K5)."""
PASSED, ONE_CARD, LOCOMOTIVES, FULL_LINE = range(4)

GAME_LOG = [
    # Claims in their order: who, which route, paid with which color and how many locomotives
    ("claims", "i2"),
    ("claim_turn", "i2", (MAX_ROUTES,)),
    ("claim_seat", "i1", (MAX_ROUTES,)), ("claim_route", "u1", (MAX_ROUTES,)),
    ("claim_card", "i1", (MAX_ROUTES,)), ("claim_locomotives", "i1", (MAX_ROUTES,)),
    # Tickets that a seat chose from, in their order
    ("offers", "i2"),  # may be more than MOST_OFFERS
    ("offer_turn", "i2", (MOST_OFFERS,)),
    ("offer_seat", "i1", (MOST_OFFERS,)), ("offer_ticket", "i1", (MOST_OFFERS,)),
    ("offer_kept", "i1", (MOST_OFFERS,)), ("offer_completed", "i1", (MOST_OFFERS,)),
    ("draws", "i2", (MAX_SEATS, len(DRAWS))),
    # Who alone has the most points on the track, or NOBODY; how often the lead changed; in which turn last
    ("leader", "i2"), ("lead_changes", "i2"), ("lead_turn", "i2"),
    ("rare", "i2", (len(RARE),)),
    ("cards_left", "i1", (CARD_KINDS,)),  # of each kind, in all hands together at the end
]  # fmt: skip
"""Fields of a record: int16 counts, then as many entries as these say."""


@kernel
def turn_number(state, board):
    """The turn that is being played."""
    number = 0
    if state.phase != SETUP:
        number = 1
        for seat in range(board.seats):
            number += state.turns[seat]
    return number


@kernel
def log_before(log, state, board, action):
    """Log an action that is about to be played."""
    kind = kind_of(action)
    if kind == DRAW_BLIND:
        log.draws[state.seat, BLIND] += 1
    elif kind == TAKE_CARD:
        log.draws[state.seat, WILD if card_of(action) == LOCOMOTIVE else COLOR] += 1
    elif kind == CLAIM:
        log_claim(log, state, board, action)
    elif kind == KEEP_TICKETS:
        log_offer(log, state, board, action)
    elif kind == DRAW_TICKETS:
        log.draws[state.seat, TICKETS] += 1
    elif kind == PASS:
        log.rare[PASSED] += 1


@kernel
def log_claim(log, state, board, action):
    """Log a claim."""
    place = log.claims
    log.claim_turn[place] = turn_number(state, board)
    log.claim_seat[place] = state.seat
    log.claim_route[place] = route_of(action)
    log.claim_card[place] = card_of(action)
    log.claim_locomotives[place] = locomotives_of(action)
    log.claims += 1


@kernel
def log_offer(log, state, board, action):
    """Log the tickets on offer and which of them are kept."""
    turn = turn_number(state, board)
    for position in range(state.offer_size[state.seat]):
        place = log.offers
        log.offers += 1
        if place < MOST_OFFERS:
            log.offer_turn[place] = turn
            log.offer_seat[place] = state.seat
            log.offer_ticket[place] = state.offer[state.seat, position]
            log.offer_kept[place] = (kept_of(action) >> position) & 1
            log.offer_completed[place] = 0


@kernel
def log_after(log, state, board, action, seat, phase):
    """Log what came of an action that a seat played in a phase."""
    kind = kind_of(action)
    if kind == CLAIM:
        log_lead(log, state, board)
    elif kind in (TAKE_CARD, DRAW_BLIND):
        is_over = state.phase in (TURN, OVER)
        locomotive = kind == TAKE_CARD and card_of(action) == LOCOMOTIVE
        log.rare[ONE_CARD] += phase == TURN and is_over and not locomotive
        log.rare[LOCOMOTIVES] += kind == TAKE_CARD and face_up(state, LOCOMOTIVE) >= board.flush_at


@kernel
def log_lead(log, state, board):
    """Log who has the most points on the track after a claim."""
    best = 0
    for seat in range(1, board.seats):
        if state.route_points[seat] > state.route_points[best]:
            best = seat
    for seat in range(board.seats):
        if seat != best and state.route_points[seat] == state.route_points[best]:
            return
    if best != log.leader:
        log.lead_changes += log.leader != NOBODY
        log.leader = best
        log.lead_turn = log.claim_turn[log.claims - 1]


@kernel
def end_log(log, state, board):
    """Log which of the tickets kept are completed (B20), full lines of the mat (K5), and the cards left in hand."""
    for place in range(min(log.offers, MOST_OFFERS)):
        if log.offer_kept[place]:
            seat, ticket = log.offer_seat[place], log.offer_ticket[place]
            low, high = state.routes_claimed[seat, 0] | state.shared[0], state.routes_claimed[seat, 1] | state.shared[1]
            log.offer_completed[place] = are_connected(board, low, high, board.ticket_a[ticket], board.ticket_b[ticket])
    for card in range(CARD_KINDS):
        log.cards_left[card] = 0
        for seat in range(board.seats):
            log.cards_left[card] += state.hand[seat, card]
    for line in range(state.mat.shape[0]):
        log.rare[FULL_LINE] += 0 < board.positions[line] <= lowest_free(state.mat[line], board.positions[line])
