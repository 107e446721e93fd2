"""Samples a whole game that fits what one seat knows, for bots that search by playing on.

What the view holds is copied; the rest is drawn at random. The view holds no memory: tickets that the seat once
returned or passed on in the draft may turn up anywhere (B3, B17, K2), and passes before its turn do not count (B18).
"""

import numpy as np

from arena.rules.board import (
    BOARD,
    CARD_KINDS,
    COLOR_COUNT,
    DECK_SIZE,
    MAX_CITIES,
    MAX_OFFER,
    MAX_SEATS,
    MAX_TICKETS,
    SET_WORDS,
)
from arena.rules.claims import within_trains
from arena.rules.compiler import exported, kernel
from arena.rules.deck import face_up
from arena.rules.network import cities_of, part_of
from arena.rules.rng import next_below, next_word, shuffle
from arena.rules.sets import EMPTY, ONE, add, bit, has, lowest
from arena.rules.state import DRAFT, NOT_ENDED, ROW, SETUP, STATE
from arena.rules.turn import is_ticket_choice
from arena.rules.view import VIEW

TO_FRACTION = 1.0 / (1 << 53)

# How plausible a ticket is in a seat's hand, by what the seat's routes do for it. In the middle of games of a bot that
# plans by its tickets, those held were so many times as frequent as others: 0.3 or less, 1, 4 to 13, 10 to 40; blocked
# ones were hardly ever held. The numbers say less than that, for not every bot plans.
UNTOUCHED = 1.0  # none ends in one of its cities
ONE_CITY = 4.0
BOTH_CITIES = 16.0
CONNECTED = 64.0  # completed
BLOCKED = 0.25  # times this if the seat cannot connect its cities any more


@exported(VIEW, BOARD, "u8[]", STATE, "f8[,]")
def determinize(view, board, random_state, state, weights):
    """Overwrite a state with a game that the view fits, sampled from the stream `random_state[0]`.

    view: of the seat whose decision it is, before the end of the game. weights: float64 [MAX_SEATS, MAX_TICKETS], none
    negative: how plausible each ticket is in each other seat's hand.
    """
    copy_table(view, state)
    for seat in range(MAX_SEATS):
        copy_seat(view, state, seat)
    deal_unseen_cards(view, board, random_state, state)
    deal_unseen_tickets(view, board, random_state, state, weights)
    choose_secretly(view, board, random_state, state)
    for stream in range(state.streams.shape[0]):
        state.streams[stream] = next_word(random_state, 0)


@kernel
def copy_table(view, state):
    """What lies on the table, and whose decision it is about what."""
    for word in range(SET_WORDS):
        state.shared[word] = view.shared[word]
    state.bullets_left = view.bullets_left
    for line in range(COLOR_COUNT):
        state.mat[line] = view.mat[line]
    state.pending_route = view.pending_route
    state.paid = view.paid
    for slot in range(ROW):
        state.row[slot] = view.row[slot]
    state.discard_count = 0
    for card in range(CARD_KINDS):
        state.discards[card] = view.discards[card]
        state.discard_count += view.discards[card]
    state.phase = view.phase
    state.seat = view.to_move
    state.last_turns = view.last_turns
    state.passes = 0
    state.end = NOT_ENDED


@kernel
def copy_seat(view, state, seat):
    """What is known of a seat; of the own one that is everything."""
    own = seat == view.seat
    for word in range(SET_WORDS):
        state.routes_claimed[seat, word] = view.routes_claimed[seat, word]
        state.open[seat, word] = view.open[seat, word]
        state.tickets[seat, word] = view.tickets[word] if own else EMPTY
    state.route_points[seat] = view.route_points[seat]
    state.trains[seat] = view.trains[seat]
    state.progress[seat] = view.progress[seat]
    state.express[seat] = view.express[seat]
    state.turns[seat] = view.turns[seat]
    for card in range(CARD_KINDS):
        state.known[seat, card] = view.known[seat, card]
        state.hand[seat, card] = view.hand[card] if own else view.known[seat, card]
    state.choice_mask[seat] = 0
    state.offer_size[seat] = view.offer_size if own else 0
    for position in range(MAX_OFFER):
        state.offer[seat, position] = view.offer[position] if own else -1
    if own and view.phase == DRAFT:  # the picks lie behind the pack, the last one first
        last = view.offer_size - 1
        for position in range(MAX_OFFER):
            last += view.picked[position] >= 0
        for position in range(last - view.offer_size + 1):
            state.offer[seat, last - position] = view.picked[position]


@kernel
def deal_unseen_cards(view, board, random_state, state):
    """Shuffle the cards that the seat does not see: they fill the others' hands, and the rest is the deck."""
    count = 0
    for card in range(CARD_KINDS):
        unseen = int(board.supply[card])
        unseen -= view.discards[card] + face_up(view, card)
        for seat in range(board.seats):
            unseen -= state.hand[seat, card]
        for _ in range(unseen):
            state.deck[count] = card
            count += 1
    shuffle(state.deck, count, random_state, 0)
    for seat in range(board.seats):
        missing = int(view.cards[seat])
        for card in range(CARD_KINDS):
            missing -= state.hand[seat, card]
        for _ in range(missing):
            count -= 1
            state.hand[seat, state.deck[count]] += 1
    state.deck_count = count
    for place in range(count, DECK_SIZE):
        state.deck[place] = 0


@kernel
def deal_unseen_tickets(view, board, random_state, state, weights):
    """Give the others as many tickets as they keep, by the weights, and at set-up their offers; the rest is the deck.

    The seats draw theirs one after the other, from a random one on.
    """
    count = collect_unseen_tickets(view, board, state)
    seat = next_below(random_state, 0, board.seats)
    for _ in range(board.seats):
        if seat != view.seat:
            for _ in range(view.tickets_kept[seat]):
                place = draw_plausible(state, count, weights, seat, random_state)
                add(state.tickets[seat], state.ticket_deck[place])
                count -= 1
                state.ticket_deck[place] = state.ticket_deck[count]
        seat = seat + 1 if seat + 1 < board.seats else 0
    shuffle(state.ticket_deck, count, random_state, 0)
    if view.phase == SETUP or view.phase == DRAFT:
        for seat in range(board.seats):
            if seat != view.seat:
                state.offer_size[seat] = view.offer_size
                for position in range(board.tickets_dealt):
                    count -= 1
                    state.offer[seat, position] = state.ticket_deck[count]
    state.ticket_top = 0
    state.ticket_count = count
    for place in range(count, MAX_TICKETS):
        state.ticket_deck[place] = 0


@kernel
def collect_unseen_tickets(view, board, state):
    """Write the tickets that the seat does not hold, choose from or pick into the ticket deck; their number."""
    seen = np.zeros(SET_WORDS, np.uint64)
    for word in range(SET_WORDS):
        seen[word] = view.tickets[word]
    for position in range(MAX_OFFER):
        if state.offer[view.seat, position] >= 0:
            add(seen, state.offer[view.seat, position])
    count = 0
    for ticket in range(board.tickets):
        if not has(seen, ticket):
            state.ticket_deck[count] = ticket
            count += 1
    return count


@kernel
def draw_plausible(state, count, weights, seat, random_state):
    """The place of one of the first tickets in the deck, drawn by a seat's weights; if all are 0, any."""
    total = 0.0
    for place in range(count):
        total += weights[seat, state.ticket_deck[place]]
    if total <= 0.0:
        return next_below(random_state, 0, count)
    left = np.float64(next_word(random_state, 0) >> np.uint64(11)) * TO_FRACTION * total
    drawn = 0
    for place in range(count):
        weight = weights[seat, state.ticket_deck[place]]
        if weight > 0.0:
            drawn = place  # sums are rounded: the last one remains if none is found
            if left < weight:
                break
            left -= weight
    return drawn


@kernel
def choose_secretly(view, board, random_state, state):
    """At set-up the seats before this one have decided, unseen (B3, K2): any legal choice, each equally likely."""
    if view.phase != SETUP and view.phase != DRAFT:
        return
    for seat in range(view.to_move):
        state.seat = seat
        choice_mask = next_below(random_state, 0, 1 << state.offer_size[seat])
        while not is_ticket_choice(state, board, choice_mask):
            choice_mask = next_below(random_state, 0, 1 << state.offer_size[seat])
        state.choice_mask[seat] = choice_mask
    state.seat = view.to_move


@exported(VIEW, BOARD, "f8[,]")
def ticket_weights(view, board, weights):
    """Write how plausible each ticket is in each other seat's hand, by its network; the own row stays as it is."""
    network = np.empty(MAX_CITIES, np.uint64)  # for each city, those connected with it
    reach = np.empty(MAX_CITIES, np.uint64)
    for seat in range(board.seats):
        if seat == view.seat:
            continue
        low, high = view.routes_claimed[seat, 0] | view.shared[0], view.routes_claimed[seat, 1] | view.shared[1]
        write_parts(board, low, high, network)
        low |= within_trains(view, board, seat, 0)
        high |= within_trains(view, board, seat, 1)
        write_parts(board, low, high, reach)
        for ticket in range(board.tickets):
            a, b = board.ticket_a[ticket], board.ticket_b[ticket]
            weight = UNTOUCHED
            if network[a] & bit(b) != EMPTY:
                weight = CONNECTED
            elif network[a] != EMPTY and network[b] != EMPTY:
                weight = BOTH_CITIES
            elif network[a] != EMPTY or network[b] != EMPTY:
                weight = ONE_CITY
            weights[seat, ticket] = weight if reach[a] & bit(b) != EMPTY else weight * BLOCKED


@kernel
def write_parts(board, low, high, parts):
    """For each city the cities that the routes of a set connect with it, itself included; empty where none ends."""
    for city in range(board.cities):
        parts[city] = EMPTY
    cities = cities_of(board, low, high)
    while cities != EMPTY:
        part = part_of(board, lowest(cities), low, high)
        cities &= ~part
        rest = part
        while rest != EMPTY:
            parts[lowest(rest)] = part
            rest &= rest - ONE
