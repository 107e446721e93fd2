"""What can be drawn in a turn, as bits, and the actions that draw it (B6-B12, B17, K4, K9)."""

from arena.rules.actions import (
    DRAW_BLIND,
    DRAW_EXTRA,
    DRAW_TICKETS,
    TAKE_CARD,
    card_of,
    encode,
    encode_draw,
    express_of,
    kind_of,
)  # fmt: skip
from arena.rules.board import LOCOMOTIVE, MAX_EXPRESS
from arena.rules.compiler import kernel
from arena.rules.deck import row_cards
from arena.rules.state import SECOND_CARD, TURN

BLIND = LOCOMOTIVE + 1
TICKETS = BLIND + 1
EXTRA = TICKETS + MAX_EXPRESS
DRAWS = EXTRA + MAX_EXPRESS + 1
"""Bits of `drawable` behind the kinds of face-up card, and how many there are. With an express card +n: bit + n."""


@kernel
def drawable(state):
    """What can be drawn now, as bits: a kind of face-up card (0 to 8), BLIND, TICKETS; + n with express +n."""
    kinds = row_cards(state)
    express = int(state.express[state.seat])
    if state.phase == SECOND_CARD:
        kinds &= ~(1 << LOCOMOTIVE)  # B7
    elif state.phase == TURN and state.ticket_count > 0:
        kinds |= (1 | express) << TICKETS  # B17, K9
    if state.deck_count > 0:
        kinds |= 1 << BLIND  # B12
        if state.phase == TURN:
            kinds |= express << EXTRA  # K4
    return kinds


@kernel
def draw_action(index):
    """The action that draws what a bit of `drawable` stands for."""
    if index <= LOCOMOTIVE:
        return encode(TAKE_CARD, 0, index, 0)
    if index == BLIND:
        return encode(DRAW_BLIND, 0, 0, 0)
    if index <= EXTRA:
        return encode_draw(DRAW_TICKETS, index - TICKETS)
    return encode_draw(DRAW_EXTRA, index - EXTRA)


@kernel
def draw_index(action):
    """The bit of `drawable` that a drawing action would stand for; DRAWS if the action does not draw."""
    kind = kind_of(action)
    if kind == TAKE_CARD:
        return card_of(action)
    if kind == DRAW_BLIND:
        return BLIND
    if kind == DRAW_TICKETS:
        return TICKETS + min(express_of(action), MAX_EXPRESS)
    return EXTRA + min(express_of(action), MAX_EXPRESS) if kind == DRAW_EXTRA else DRAWS
