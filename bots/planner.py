"""The strongest heuristic here: an exact plan for the tickets, and every action priced in points against it.

The plan is the cheapest Steiner forest (steiner.py) for the subset of tickets that is worth most (planning.py); it is
kept as long as it holds (plans.py). From it follow the worth of cards (outlook.py), of claims and draws (pricing.py)
and of trains on the province mat (placing.py). The numbers are in weights.py, tuned by benchmarks/tune.py.
"""

import numpy as np

from arena.bot import SET_WORDS, TURN, exported, kernel, policy
from bots.helpers import is_placement, is_ticket_choice
from bots.outlook import OUTLOOK, look, tell_time
from bots.placing import price_placements
from bots.planning import price_choices, turns_left
from bots.plans import make_plan
from bots.pricing import price_claims, price_draws, price_tickets
from bots.weights import WEIGHTS

UNTHINKABLE = -1e9


@exported("view", "board", "i4[]", "f8[]", "f8[]")
def price_actions(view, board, actions, memory, values):
    """Fill what each legal action is worth in points (float64); UNTHINKABLE for those that are not considered.

    memory: the weights, and the plan, which is made or made anew if need be.
    """
    values[:] = UNTHINKABLE
    if is_ticket_choice(actions):
        price_choices(view, board, actions, memory, values)
    else:
        price_by_outlook(view, board, actions, memory, np.zeros(1, OUTLOOK), values)


@kernel
def price_by_outlook(view, board, actions, memory, outlooks, values):
    """Fill what actions of a turn are worth. outlooks: room for one, the caller's: a record does not keep its array."""
    now = outlooks[0]
    tell_time(view, board, memory, now)
    if is_placement(actions):
        price_placements(view, board, actions, memory, now.fade, now.time, values)
        return
    look(view, board, memory, now, view.phase == TURN)
    price_draws(view, actions, memory, now, values)
    if view.phase == TURN:
        price_claims(view, board, actions, memory, now, values)
        price_tickets(view, board, actions, memory, now, values)


@exported("view", "board", "i4[]", "f8[]", returns="i8")
def decide(view, board, actions, memory):
    """The action of most value, the first of equal ones."""
    values = np.empty(len(actions))
    price_actions(view, board, actions, memory, values)
    best = 0
    for index in range(len(actions)):
        if values[index] > values[best]:
            best = index
    return actions[best]


@exported("view", "board", "f8[]")
def make_ready(view, board, memory):
    """Make the plan that the first decision would make."""
    plan = np.zeros(SET_WORDS, np.uint64)
    make_plan(view, board, memory, plan, turns_left(view, board, memory))


@policy(**WEIGHTS)
def planner(view, board, actions, memory, random_state):
    """Completes its tickets by an exact plan; claims, cards and more tickets are weighed in points."""
    return decide(view, board, actions, memory)
