"""All tickets at once, each by its shortest path.

The path bot of de Mesentier Silva, Lee, Togelius and Nealen, "AI-based Playtesting of Contemporary Board Games" (FDG
2017), from its description: it finds the shortest path of every open ticket; each missing route has the priority route
points + 2 x ticket points; the payable one of highest priority is claimed.

Decided here, where the description is silent: paths count spaces; a route on the paths of several tickets has the
points of all; it keeps every ticket it may keep and draws for the route of highest priority. Looking at nothing but
paths, it draws new tickets whenever none is open and it has trains for one itself, however near the end is; this is
what it loses most points by. In its last turn, and when there are no tickets left, it plays for the routes alone.
Express cards are played for cards.
"""

import numpy as np

from arena.bot import MAX_CITIES, has, kernel, policy
from bots.goals import (
    WANTED,
    forget_wishes,
    has_wishes,
    is_last_turn,
    is_news,
    missing_routes,
    most_tickets,
    pursue,
    ticket_draw,
)
from bots.helpers import best_placement, is_placement, is_ticket_choice, route_value


@kernel
def plan(view, board, memory):
    """Want each route missing for an open ticket: by its points and twice those of the tickets it serves."""
    forget_wishes(board, memory)
    routes = np.empty(MAX_CITIES, np.int16)
    for ticket in range(board.tickets):
        if has(view.tickets, ticket):
            for index in range(missing_routes(view, board, ticket, routes)):
                memory[WANTED + routes[index]] += 2.0 * board.ticket_points[ticket]
    for route in range(board.routes):
        if memory[WANTED + route] > 0:
            memory[WANTED + route] += route_value(view, board, route)


@policy(trains=8)
def path(view, board, actions, memory, random_state):
    """Claim the routes of all tickets' paths by priority; draw tickets when none is open and `trains` are left."""
    if is_ticket_choice(actions):
        return most_tickets(view, board, actions)
    if is_placement(actions):
        return best_placement(view, board, actions)
    if is_news(view, memory):
        plan(view, board, memory)
    if not has_wishes(board, memory) and view.trains[view.seat] >= memory[0] and not is_last_turn(view):
        tickets = ticket_draw(actions)
        if tickets >= 0:
            return tickets
    return pursue(view, board, actions, memory, False)
