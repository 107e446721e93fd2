"""The course of a game: start reading here. One step is one decision; the phase says what it is about (B3-B19)."""

from arena.rules.actions import (
    CLAIM,
    DRAW_BLIND,
    DRAW_TICKETS,
    KEEP_TICKETS,
    PASS,
    TAKE_CARD,
    card_of,
    encode,
    kept_of,
    kind_of,
    locomotives_of,
    route_of,
)  # fmt: skip
from arena.rules.board import LOCOMOTIVE
from arena.rules.claims import claim, count_claims, is_claim, list_claims, set_out_routes
from arena.rules.deck import deal_cards, row_cards, take_blind, take_from_row
from arena.rules.jit import kernel
from arena.rules.state import END_STALL, END_TRAINS, KEEP, NOT_ENDED, OVER, SECOND_CARD, SETUP, TURN
from arena.rules.tickets import choose_initially, deal_tickets, is_choice, keep_all_chosen, keep_offered, offer_tickets


@kernel
def new_game(state, board, words):
    """Set up a game (B1-B5). `words`: three random words that seed the deck, the reshuffles and the tickets."""
    for stream in range(3):
        state.streams[stream] = words[stream]
    set_out_routes(state, board)
    deal_cards(state, board)
    deal_tickets(state, board)
    for seat in range(state.turns.shape[0]):
        state.turns[seat] = 0
    state.phase = SETUP
    state.seat = 0
    state.last_turns = -1
    state.passes = 0
    state.end = NOT_ENDED


@kernel
def keep_at_least(state, board):
    """How many of the offered tickets must be kept: more at the start (B3) than later (B17)."""
    return board.tickets_keep if state.phase == SETUP else board.tickets_drawn_keep


@kernel
def drawable(state):
    """What can be drawn now, as bits: a kind of face-up card (0 to 8), the top of the deck (9), tickets (10)."""
    kinds = row_cards(state)
    if state.phase == SECOND_CARD:
        kinds &= ~(1 << LOCOMOTIVE)  # B7
    elif state.ticket_count > 0:
        kinds |= 1 << 10  # B17
    if state.deck_count > 0:
        kinds |= 1 << 9  # B12
    return kinds


@kernel
def draw_action(index):
    """The action that draws what a bit of `drawable` stands for."""
    if index <= LOCOMOTIVE:
        return encode(TAKE_CARD, 0, index, 0)
    return encode(DRAW_BLIND, 0, 0, 0) if index == 9 else encode(DRAW_TICKETS, 0, 0, 0)


@kernel
def legal_actions(state, board, actions):
    """Write every legal action of the seat to move into `actions` (length `max_actions`); their number."""
    count = 0
    if state.phase == SETUP or state.phase == KEEP:
        offered = state.offered[state.seat]
        at_least = keep_at_least(state, board)
        for kept in range(1 << offered):
            if is_choice(kept, offered, at_least):
                actions[count] = encode(KEEP_TICKETS, 0, 0, 0) | kept
                count += 1
        return count
    if state.phase == OVER:
        return 0
    kinds = drawable(state)
    for index in range(11):
        if (kinds >> index) & 1:
            actions[count] = draw_action(index)
            count += 1
    if state.phase == TURN:
        count = list_claims(state, board, state.seat, actions, count)
        if count == 0:
            actions[0] = encode(PASS, 0, 0, 0)  # B18
            count = 1
    return count


@kernel
def is_legal(state, board, action):
    """Whether an integer is a legal action now, whatever it is."""
    if action < 0 or action > encode(PASS, 0, 0, 0):
        return False
    kind = kind_of(action)
    if state.phase == SETUP or state.phase == KEEP:
        return kind == KEEP_TICKETS and is_choice(
            kept_of(action), state.offered[state.seat], keep_at_least(state, board)
        )
    if state.phase == OVER or kind == KEEP_TICKETS:
        return False
    if kind == CLAIM:
        return state.phase == TURN and is_claim(
            state, board, state.seat, route_of(action), card_of(action), locomotives_of(action)
        )
    if kind == PASS:
        return state.phase == TURN and drawable(state) == 0 and count_claims(state, board, state.seat) == 0
    index = 10 if kind == DRAW_TICKETS else 9 if kind == DRAW_BLIND else card_of(action)
    return (drawable(state) >> index) & 1 == 1 and action == draw_action(index)


@kernel
def apply(state, board, action):
    """Play a legal action of the seat to move."""
    kind = kind_of(action)
    if kind == TAKE_CARD:
        card = card_of(action)
        take_from_row(state, board, card)
        after_card(state, board, card == LOCOMOTIVE)
    elif kind == DRAW_BLIND:
        take_blind(state)
        after_card(state, board, False)
    elif kind == CLAIM:
        claim(state, board, route_of(action), card_of(action), locomotives_of(action))
        end_turn(state, board, False)
    elif kind == DRAW_TICKETS:
        offer_tickets(state, state.seat, board.tickets_drawn)
        state.phase = KEEP
    elif kind == KEEP_TICKETS:
        choose_tickets(state, board, kept_of(action))
    else:
        end_turn(state, board, True)


@kernel
def after_card(state, board, only_card):
    """A face-up locomotive is the only card of its turn (B7); else a second card is drawn if there is one (B13)."""
    if state.phase == SECOND_CARD or only_card:
        end_turn(state, board, False)
        return
    state.phase = SECOND_CARD
    if drawable(state) == 0:
        end_turn(state, board, False)


@kernel
def choose_tickets(state, board, kept):
    """Keep some of the offered tickets; at the start nothing happens until the last seat has chosen (B3, B17)."""
    if state.phase == KEEP:
        keep_offered(state, state.seat, kept)
        end_turn(state, board, False)
        return
    choose_initially(state, state.seat, kept)
    state.seat += 1
    if state.seat == board.seats:
        keep_all_chosen(state, board)
        state.seat = 0
        state.phase = TURN


@kernel
def end_turn(state, board, passed):
    """The next seat's turn, the last round, or the end of the game (B4, B18, B19)."""
    seat = state.seat
    state.turns[seat] += 1
    state.passes = state.passes + 1 if passed else 0
    if state.last_turns > 0:
        state.last_turns -= 1
    elif state.trains[seat] <= board.last_round_trains:
        state.last_turns = board.seats
    if state.last_turns == 0:
        state.end = END_TRAINS
        state.phase = OVER
    elif state.passes == board.seats:
        state.end = END_STALL
        state.phase = OVER
    else:
        state.phase = TURN
        state.seat = seat + 1 if seat + 1 < board.seats else 0
