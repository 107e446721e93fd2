"""Long routes only, and the game over before the others have completed their tickets."""

from arena.bot import policy
from bots.helpers import (
    best_claim,
    best_placement,
    draw,
    fewest_tickets,
    is_placement,
    is_ticket_choice,
    longest_open,
    most_extra_cards,
    most_useful_card,
)


@policy(shortest=5)
def racer(view, board, actions, memory, random_state):
    """Claim routes of `shortest` spaces and more (shorter ones once none of these is left) as fast as possible."""
    if is_ticket_choice(actions):
        return fewest_tickets(view, board, actions)
    if is_placement(actions):
        return best_placement(view, board, actions)
    shortest = min(int(memory[0]), longest_open(view, board))
    claim = best_claim(view, board, actions, shortest)
    if claim >= 0:
        return claim
    extra = most_extra_cards(actions)
    if extra >= 0:
        return extra
    return draw(actions, most_useful_card(view, board, shortest))
