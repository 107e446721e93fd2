"""The best route that can be paid now, else the card that helps most: no plan, no tickets beyond the first."""

from arena.bot import policy
from bots.helpers import (
    best_claim,
    best_placement,
    draw,
    fewest_tickets,
    is_placement,
    is_ticket_choice,
    most_useful_card,
)


@policy
def greedy(view, board, actions, memory, random_state):
    """Claim the affordable route of most points; otherwise draw the most useful card."""
    if is_ticket_choice(actions):
        return fewest_tickets(view, board, actions)
    if is_placement(actions):
        return best_placement(view, board, actions)
    claim = best_claim(view, board, actions, 1)
    if claim >= 0:
        return claim
    return draw(actions, most_useful_card(view, board, 1))
