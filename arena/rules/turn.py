"""The course of a game: start reading here. One step is one decision, and the phase says about what (B3-B19)."""

import numpy as np

from arena.rules.actions import (
    CLAIM,
    DRAFT_TICKET,
    DRAW_BLIND,
    DRAW_EXTRA,
    DRAW_TICKETS,
    KEEP_TICKETS,
    PASS,
    PLACE_TRAIN,
    TAKE_CARD,
    card_of,
    encode,
    express_of,
    kept_of,
    kind_of,
    locomotives_of,
    route_of,
)  # fmt: skip
from arena.rules.board import BOARD, LOCOMOTIVE, MAX_OFFER
from arena.rules.claims import claim, count_claims, is_claim, list_claims, set_out_routes
from arena.rules.compiler import exported, kernel
from arena.rules.deal import DEAL
from arena.rules.deck import deal_cards, replenish, take_blind, take_from_row
from arena.rules.draws import DRAWS, draw_action, draw_index, drawable
from arena.rules.express import deal_express, draw_extra, spend_express
from arena.rules.provinces import (
    can_place,
    clear_mat,
    forget_claim,
    is_placement,
    list_placements,
    place,
    remember_claim,
)  # fmt: skip
from arena.rules.sets import EMPTY, ONE, lowest
from arena.rules.shared import set_out_bullets
from arena.rules.state import (
    DRAFT,
    END_FORFEIT,
    END_STALL,
    END_TRAINS,
    FIRST_CARD,
    KEEP,
    NOT_ENDED,
    OVER,
    PLACE,
    SECOND_CARD,
    SETUP,
    STATE,
    STREAM_DECK,
    STREAM_RESHUFFLES,
    STREAM_TICKETS,
    TURN,
)  # fmt: skip
from arena.rules.tickets import (
    choose_initially,
    deal_tickets,
    force_ticket,
    is_choice,
    keep_all_chosen,
    keep_offered,
    lay_out_picks,
    offer_tickets,
    pass_packs,
)  # fmt: skip


@exported(STATE, BOARD, DEAL)
def new_game(state, board, deal):
    """Set up a game (B1-B5, J1, K1)."""
    state.streams[STREAM_DECK] = deal.train_deck
    state.streams[STREAM_RESHUFFLES] = deal.reshuffles
    state.streams[STREAM_TICKETS] = deal.tickets
    set_out_routes(state, board)
    set_out_bullets(state, board)
    clear_mat(state)
    deal_express(state, board)
    deal_cards(state, board)
    deal_tickets(state, board)
    if deal.forced_seat >= 0:
        force_ticket(state, board, deal.forced_seat, deal.forced_ticket)
    for seat in range(state.turns.shape[0]):
        state.turns[seat] = 0
    state.phase = DRAFT if board.tickets_draft else SETUP
    state.seat = 0
    state.last_turns = -1
    state.passes = 0
    state.end = NOT_ENDED


@kernel
def forfeit(states):
    """End the game, which is alone in an array, at once."""
    states[0].end = END_FORFEIT
    states[0].phase = OVER


@kernel
def is_ticket_phase(state):
    """Whether the decision is about tickets on offer."""
    return state.phase == SETUP or state.phase == KEEP or state.phase == DRAFT


@kernel
def is_ticket_choice(state, board, keep_mask):
    """Whether these bits may be taken from the offer: at set-up (B3, K2), of tickets drawn (B17), in the draft (K2)."""
    offer_size = state.offer_size[state.seat]
    if state.phase == SETUP:
        return is_choice(keep_mask, offer_size, board.tickets_keep, board.tickets_keep_most)
    if state.phase == KEEP:
        return is_choice(keep_mask, offer_size, board.tickets_drawn_keep, MAX_OFFER)
    return is_choice(keep_mask, offer_size, 1, 1)


@kernel
def ticket_action(state, keep_mask):
    """The action that takes these bits of the offer."""
    return encode(DRAFT_TICKET if state.phase == DRAFT else KEEP_TICKETS, 0, 0, 0) | keep_mask


@exported(STATE, BOARD, "i4[]", returns="i8")
def legal_actions(state, board, actions):
    """Write every legal action of the seat to move into `actions` (length `max_actions`); their number."""
    count = 0
    if is_ticket_phase(state):
        for keep_mask in range(1 << state.offer_size[state.seat]):
            if is_ticket_choice(state, board, keep_mask):
                actions[count] = ticket_action(state, keep_mask)
                count += 1
        return count
    if state.phase == OVER:
        return 0
    if state.phase == PLACE:
        return list_placements(state, board, state.seat, actions)
    kinds = np.uint64(drawable(state))
    while kinds != EMPTY:
        actions[count] = draw_action(lowest(kinds))
        kinds &= kinds - ONE
        count += 1
    if state.phase == TURN:
        count = list_claims(state, board, state.seat, actions, count)
        if count == 0:
            actions[0] = encode(PASS, 0, 0, 0)  # B18
            count = 1
    return count


@exported(STATE, BOARD, "i8", returns="b1")
def is_legal(state, board, action):
    """Whether an integer is a legal action now, whatever it is."""
    if action < 0 or action > encode(PASS, 0, 0, 0):
        return False
    kind = kind_of(action)
    if is_ticket_phase(state):
        keep_mask = kept_of(action)
        return action == ticket_action(state, keep_mask) and is_ticket_choice(state, board, keep_mask)
    if state.phase == OVER:
        return False
    if state.phase == PLACE:
        return is_placement(state, board, state.seat, action)
    if kind == CLAIM:
        route, card, locomotives = route_of(action), card_of(action), locomotives_of(action)
        known_form = action == encode(CLAIM, route, card, locomotives)
        return known_form and state.phase == TURN and is_claim(state, board, state.seat, route, card, locomotives)
    if kind == PASS:
        return state.phase == TURN and drawable(state) == 0 and count_claims(state, board, state.seat) == 0
    index = draw_index(action)
    return index < DRAWS and (drawable(state) >> index) & 1 == 1 and action == draw_action(index)


@exported(STATE, BOARD, "i8")
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
        after_claim(state, board, route_of(action), card_of(action))
    elif kind == DRAW_TICKETS:
        spend_express(state, state.seat, express_of(action))
        offer_tickets(state, state.seat, board.tickets_drawn + express_of(action))
        state.phase = KEEP
    elif kind == KEEP_TICKETS:
        choose_tickets(state, board, kept_of(action))
    elif kind == PASS:
        end_turn(state, board, True)
    else:
        apply_of_mechanisms(state, board, action)


@kernel
def apply_of_mechanisms(state, board, action):
    """Play an action that the base game does not have (K2, K4, K5)."""
    kind = kind_of(action)
    if kind == DRAFT_TICKET:
        pick_ticket(state, board, kept_of(action))
    elif kind == DRAW_EXTRA:
        spend_express(state, state.seat, express_of(action))
        draw_extra(state, express_of(action))
        state.phase = FIRST_CARD
        if drawable(state) == 0:
            end_turn(state, board, False)
    else:
        if kind == PLACE_TRAIN:
            place(state, board, action)
        forget_claim(state)
        replenish(state, board)
        end_turn(state, board, False)


@kernel
def after_claim(state, board, route, card):
    """A train may be placed on the mat, if there is one and a place for it (K5); else the turn ends."""
    if board.lines > 0:
        remember_claim(state, route, card)
        if can_place(state, board, state.seat):
            state.phase = PLACE
            return
        forget_claim(state)
    replenish(state, board)
    end_turn(state, board, False)


@kernel
def after_card(state, board, only_card):
    """A face-up locomotive is the only card of its turn (B7); else a second card is drawn if there is one (B13)."""
    is_last = state.phase == SECOND_CARD or only_card
    state.phase = SECOND_CARD
    if is_last or drawable(state) == 0:
        end_turn(state, board, False)


@kernel
def choose_tickets(state, board, keep_mask):
    """Keep some of the offered tickets; at the start nothing happens until the last seat has chosen (B3, B17)."""
    if state.phase == KEEP:
        keep_offered(state, state.seat, keep_mask)
        end_turn(state, board, False)
        return
    choose_initially(state, state.seat, keep_mask)
    state.seat += 1
    if state.seat == board.seats:
        keep_all_chosen(state, board)
        state.seat = 0
        state.phase = TURN


@kernel
def pick_ticket(state, board, picked):
    """Pick a ticket of one's pack; the packs are passed on when the last seat has picked (K2)."""
    choose_initially(state, state.seat, picked)
    state.seat += 1
    if state.seat == board.seats:
        pass_packs(state, board)
        state.seat = 0
        if state.offer_size[0] == 0:
            lay_out_picks(state, board)
            state.phase = SETUP


@kernel
def is_last_round(state, board):
    """Whether some player has few trains left and few bullet trains are in the supply (B19, J9)."""
    fewest = state.trains[state.seat]
    if board.bullet_trains > 0:  # without them the others' supplies are no news
        for seat in range(board.seats):
            fewest = min(fewest, state.trains[seat])
    return fewest <= board.last_round_trains and state.bullets_left <= board.last_round_bullets


@kernel
def end_turn(state, board, passed):
    """The next seat's turn, the last round, or the end of the game (B4, B18, B19)."""
    seat = state.seat
    state.turns[seat] += 1
    state.passes = state.passes + 1 if passed else 0
    if state.last_turns > 0:
        state.last_turns -= 1
    elif is_last_round(state, board):
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
