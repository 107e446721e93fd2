"""Express cards: each strengthens one action of its owner and leaves the game (K1, K3, K4, K9)."""

from arena.rules.compiler import kernel
from arena.rules.deck import take_blind


@kernel
def deal_express(state, board):
    """Every player begins with the same express cards, open on the table (K1)."""
    for seat in range(state.express.shape[0]):
        state.express[seat] = board.express


@kernel
def holds_express(state, seat, value):
    """Whether a seat still has the express card of a value."""
    return (state.express[seat] >> value) & 1 == 1


@kernel
def spend_express(state, seat, value):
    """An express card leaves the game; 0 stands for none (K3)."""
    state.express[seat] &= ~(1 << int(value))


@kernel
def draw_extra(state, count):
    """The seat to move draws extra cards blind, as many as there are (K4)."""
    for _ in range(count):
        if state.deck_count > 0:
            take_blind(state)
