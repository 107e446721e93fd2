"""Plays a game to its end with random legal actions: for benchmarks, tests and search bots."""

import numpy as np

from arena.rules.actions import PASS, encode
from arena.rules.claims import count_claims, nth_claim
from arena.rules.compiler import kernel
from arena.rules.draws import draw_action, drawable
from arena.rules.provinces import count_placements, nth_placement
from arena.rules.rng import next_below
from arena.rules.sets import nth, popcount
from arena.rules.state import OVER, PLACE, TURN
from arena.rules.turn import apply, is_ticket_choice, is_ticket_phase, ticket_action


@kernel
def playout(state, board, random_states):
    """Play on to the end, each seat with its own stream `random_states[seat]`; the number of decisions."""
    decisions = 0
    while state.phase != OVER:
        apply(state, board, random_action(state, board, random_states))
        decisions += 1
    return decisions


@kernel
def random_action(state, board, random_states):
    """One of the legal actions, each equally likely, without listing them."""
    seat = state.seat
    if is_ticket_phase(state):
        while True:
            kept = next_below(random_states, seat, 1 << state.offer_size[seat])
            if is_ticket_choice(state, board, kept):
                return ticket_action(state, kept)
    if state.phase == PLACE:
        return nth_placement(state, board, seat, next_below(random_states, seat, count_placements(state, board, seat)))
    kinds = np.uint64(drawable(state))
    draws = popcount(kinds)
    claims = count_claims(state, board, seat) if state.phase == TURN else 0
    if draws + claims == 0:
        return encode(PASS, 0, 0, 0)
    n = next_below(random_states, seat, draws + claims)
    if n < draws:
        return draw_action(nth(kinds, n))
    return nth_claim(state, board, seat, n - draws)
