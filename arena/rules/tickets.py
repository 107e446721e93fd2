"""Destination tickets: how they are dealt, drafted, offered, kept and returned (B3, B17, J2, K2)."""

import numpy as np

from arena.rules.board import MAX_TICKETS, RETURNED_RESHUFFLED, RETURNED_UNDER
from arena.rules.compiler import kernel
from arena.rules.rng import next_below, shuffle
from arena.rules.sets import EMPTY, add, lowest, popcount
from arena.rules.state import STREAM_TICKETS


@kernel
def deal_tickets(state, board):
    """Shuffle the tickets and offer each seat its first ones (B3)."""
    for ticket in range(board.tickets):
        state.ticket_deck[ticket] = ticket
    shuffle(state.ticket_deck, board.tickets, state.streams, STREAM_TICKETS)
    state.ticket_top = 0
    state.ticket_count = board.tickets
    for seat in range(state.tickets.shape[0]):
        state.tickets[seat, 0] = EMPTY
        state.tickets[seat, 1] = EMPTY
        state.offer_size[seat] = 0
        state.choice_mask[seat] = 0
    for seat in range(board.seats):
        offer_tickets(state, seat, board.tickets_dealt)


@kernel
def offer_tickets(state, seat, wanted):
    """Put the top tickets, as many as there are, before a seat (B17)."""
    count = min(wanted, state.ticket_count)
    for position in range(count):
        state.offer[seat, position] = state.ticket_deck[state.ticket_top]
        state.ticket_top = (state.ticket_top + 1) % MAX_TICKETS
    state.ticket_count -= count
    state.offer_size[seat] = count


@kernel
def force_ticket(state, board, seat, ticket):
    """Let the first ticket before a seat and another one change places, wherever that lies: a deal made for a study."""
    before = state.offer[seat, 0]
    for other in range(board.seats):
        for position in range(state.offer_size[other]):
            if state.offer[other, position] == ticket:
                state.offer[other, position] = before
    for count in range(state.ticket_count):
        place = (state.ticket_top + count) % MAX_TICKETS
        if state.ticket_deck[place] == ticket:
            state.ticket_deck[place] = before
    state.offer[seat, 0] = ticket


@kernel
def keep_offered(state, seat, keep_mask):
    """The seat keeps the tickets whose bits are set; the others go under the deck in the order drawn (B3, B17)."""
    for position in range(state.offer_size[seat]):
        ticket = state.offer[seat, position]
        if (keep_mask >> position) & 1:
            add(state.tickets[seat], ticket)
        else:
            state.ticket_deck[(state.ticket_top + state.ticket_count) % MAX_TICKETS] = ticket
            state.ticket_count += 1
    state.offer_size[seat] = 0


@kernel
def choose_initially(state, seat, keep_mask):
    """Remember, unseen by anyone, which of the dealt tickets a seat will keep, or which it picks (B3, K2)."""
    state.choice_mask[seat] = keep_mask


@kernel
def keep_all_chosen(state, board):
    """All initial choices take effect together, so that none could depend on another (B3)."""
    undealt = state.ticket_count
    for seat in range(board.seats):
        keep_offered(state, seat, state.choice_mask[seat])
        state.choice_mask[seat] = 0
    if board.tickets_returned == RETURNED_RESHUFFLED:
        shuffle_lowest(state, state.ticket_count)
    elif board.tickets_returned != RETURNED_UNDER:
        shuffle_lowest(state, state.ticket_count - undealt)


@kernel
def shuffle_lowest(state, count):
    """Shuffle the lowest tickets of the deck, with the stream that shuffled it at first (J2, K2)."""
    first = state.ticket_top + state.ticket_count - count
    for last in range(count - 1, 0, -1):
        other = (first + next_below(state.streams, STREAM_TICKETS, last + 1)) % MAX_TICKETS
        place = (first + last) % MAX_TICKETS
        ticket = state.ticket_deck[place]
        state.ticket_deck[place] = state.ticket_deck[other]
        state.ticket_deck[other] = ticket


@kernel
def pass_packs(state, board):
    """All picks take effect, each behind what is left of its pack, and the packs go to the left (K2)."""
    left = state.offer_size[0] - 1
    for seat in range(board.seats):
        position = lowest(np.uint64(state.choice_mask[seat]))
        picked = state.offer[seat, position]
        for place in range(position, left):
            state.offer[seat, place] = state.offer[seat, place + 1]
        state.offer[seat, left] = picked
        state.offer_size[seat] = left
        state.choice_mask[seat] = 0
    for place in range(left):
        last = state.offer[board.seats - 1, place]
        for seat in range(board.seats - 1, 0, -1):
            state.offer[seat, place] = state.offer[seat - 1, place]
        state.offer[0, place] = last


@kernel
def lay_out_picks(state, board):
    """After the draft each seat chooses from what it has picked (K2)."""
    for seat in range(board.seats):
        state.offer_size[seat] = board.tickets_dealt


@kernel
def is_choice(keep_mask, offer_size, at_least, at_most):
    """Whether these bits are an allowed choice from that many tickets (B3, B17, K2)."""
    return 0 <= keep_mask < (1 << offer_size) and min(at_least, offer_size) <= count_bits(keep_mask) <= at_most


@kernel
def count_bits(bits):
    """How many bits of a small number are set."""
    count = 0
    while bits > 0:
        count += bits & 1
        bits >>= 1
    return count


@kernel
def tickets_held(state, seat):
    """How many tickets a seat has kept."""
    return popcount(state.tickets[seat, 0]) + popcount(state.tickets[seat, 1])
