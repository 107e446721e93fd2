"""Train cards: the deck, the row of face-up cards, the discards and the hands (B2, B6-B13)."""

from arena.rules.board import CARD_KINDS, LOCOMOTIVE
from arena.rules.compiler import kernel
from arena.rules.rng import next_word, shuffle
from arena.rules.state import EMPTY_SLOT, ROW, STREAM_DECK, STREAM_RESHUFFLES, STREAM_SHUFFLE


@kernel
def deal_cards(state, board):
    """Shuffle the train cards, deal the hands and turn up the row (B1, B2)."""
    count = 0
    for card in range(CARD_KINDS):
        for _ in range(board.supply[card]):
            state.deck[count] = card
            count += 1
    shuffle(state.deck, count, state.streams, STREAM_DECK)
    state.deck_count = count
    state.discard_count = 0
    for card in range(CARD_KINDS):
        state.discards[card] = 0
        for seat in range(state.hand.shape[0]):
            state.hand[seat, card] = 0
            state.known[seat, card] = 0
    for seat in range(board.seats):
        for _ in range(board.hand):
            state.hand[seat, pop_card(state)] += 1
    for seat in range(board.seats):  # after all hands, which are then the same without extra cards
        for _ in range(board.extra_cards[seat]):
            state.hand[seat, pop_card(state)] += 1
    for slot in range(ROW):
        state.row[slot] = EMPTY_SLOT
    refill_row(state, board)


@kernel
def pop_card(state):
    """Take the top card of a deck that has one; an emptied deck is made new from the discards at once (B10)."""
    count = state.deck_count - 1
    card = state.deck[count]
    state.deck_count = count
    if count == 0:
        reshuffle(state)
    return card


@kernel
def reshuffle(state):
    """If the deck is empty the discards, shuffled, become the deck (B10). Each reshuffle has a stream of its own."""
    if state.deck_count > 0 or state.discard_count == 0:
        return
    count = 0
    for card in range(CARD_KINDS):
        for _ in range(state.discards[card]):
            state.deck[count] = card
            count += 1
        state.discards[card] = 0
    state.discard_count = 0
    state.streams[STREAM_SHUFFLE] = next_word(state.streams, STREAM_RESHUFFLES)
    shuffle(state.deck, count, state.streams, STREAM_SHUFFLE)
    state.deck_count = count


@kernel
def refill_row(state, board):
    """Turn cards into the empty slots, lowest first; flush while too many are locomotives (B6, B11)."""
    if not turn_up(state):
        return
    for _ in range(board.flush_limit):
        if face_up(state, LOCOMOTIVE) < board.flush_at:
            return
        for slot in range(ROW):
            card = state.row[slot]
            if card != EMPTY_SLOT:
                state.discards[card] += 1
                state.discard_count += 1
                state.row[slot] = EMPTY_SLOT
        reshuffle(state)
        turn_up(state)


@kernel
def turn_up(state):
    """Fill the empty slots of the row as far as the deck goes; whether any card was turned."""
    turned = False
    for slot in range(ROW):
        if state.row[slot] == EMPTY_SLOT and state.deck_count > 0:
            state.row[slot] = pop_card(state)
            turned = True
    return turned


@kernel
def face_up(state, card):
    """How many of the face-up cards are of a kind."""
    count = 0
    for slot in range(ROW):
        count += state.row[slot] == card
    return count


@kernel
def row_cards(state):
    """The kinds of card in the row, as bits 0 to 8."""
    kinds = 0
    for slot in range(ROW):
        if state.row[slot] != EMPTY_SLOT:
            kinds |= 1 << int(state.row[slot])  # interpreted, a shift would stay within 8 bits
    return kinds


@kernel
def take_from_row(state, board, card):
    """The seat takes a face-up card, which everyone sees; its slot is refilled at once (B6)."""
    slot = 0
    while state.row[slot] != card:
        slot += 1
    state.row[slot] = EMPTY_SLOT
    state.hand[state.seat, card] += 1
    state.known[state.seat, card] += 1
    refill_row(state, board)


@kernel
def take_blind(state):
    """The seat draws the top card of the deck, unseen by the others (B6, B8)."""
    state.hand[state.seat, pop_card(state)] += 1


@kernel
def pay(state, board, card, count):
    """The seat discards cards of one kind (B14)."""
    seat = state.seat
    state.hand[seat, card] -= count
    state.known[seat, card] = max(0, state.known[seat, card] - count)
    state.discards[card] += count
    state.discard_count += count


@kernel
def replenish(state, board):
    """If the deck had run out with no discards, what was paid since is the new deck; it fills the row (B10, B11)."""
    if state.deck_count == 0:
        reshuffle(state)
        refill_row(state, board)
