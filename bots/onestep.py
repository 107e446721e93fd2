"""One ticket at a time, by the shortest way.

The one-step thinker of de Mesentier Silva, Lee, Togelius and Nealen, "AI-based Playtesting of Contemporary Board
Games" (FDG 2017), from its description: it keeps tickets, follows the cheapest path of the most valuable open one,
plans anew only when the board has changed, claims the first route of the path that it can pay, draws its color, else
a locomotive, else blind, and takes new tickets when none is open and everyone has at least 8 trains.

Decided here, where the description is silent: it keeps every ticket it may keep; paths count spaces; a ticket that its
trains cannot complete is not open; "its color" is the one that the path lacks most. Without an open ticket, and in its
last turn, it plays for the routes alone. Express cards are played for cards.
"""

import numpy as np

from arena.bot import MAX_CITIES, has, kernel, policy
from bots.goals import (
    WANTED,
    forget_wishes,
    has_wishes,
    is_news,
    missing_routes,
    most_tickets,
    pursue,
    ticket_draw,
)
from bots.helpers import best_placement, is_placement, is_ticket_choice


@kernel
def plan(view, board, memory):
    """Want the routes missing for the most valuable ticket that is open, the first ones most."""
    forget_wishes(board, memory)
    path, best_path = np.empty(MAX_CITIES, np.int16), np.empty(MAX_CITIES, np.int16)
    best, best_points = 0, 0
    for ticket in range(board.tickets):
        if has(view.tickets, ticket) and board.ticket_points[ticket] > best_points:
            count = missing_routes(view, board, ticket, path)
            if count > 0:
                best, best_points = count, board.ticket_points[ticket]
                best_path[:] = path
    for index in range(best):  # a path is written from its end
        memory[WANTED + best_path[index]] = 1.0 + index


@policy(early=8)
def onestep(view, board, actions, memory, random_state):
    """Complete the most valuable open ticket, then the next; draw new ones while everyone has `early` trains."""
    if is_ticket_choice(actions):
        return most_tickets(view, board, actions)
    if is_placement(actions):
        return best_placement(view, board, actions)
    if is_news(view, memory):
        plan(view, board, memory)
    if not has_wishes(board, memory) and view.trains[: view.seats].min() >= memory[0]:
        tickets = ticket_draw(actions)
        if tickets >= 0:
            return tickets
    return pursue(view, board, actions, memory, True)
