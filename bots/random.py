"""Uniformly random play: the floor that every bot should stand on, and the arena's fastest."""

from arena.bot import next_below, policy


@policy
def random(view, board, actions, memory, random_state):
    """Any legal action, each equally likely."""
    return actions[next_below(random_state, 0, len(actions))]
