"""Long routes; tickets only along the way.

The long-route junkie of de Mesentier Silva, Lee, Togelius and Nealen, "AI-based Playtesting of Contemporary Board
Games" (FDG 2017), from its description: it wants routes of 3 spaces and more, favors those of 5 and 6, completes its
tickets only along the way and never draws more.

Decided here, where the description is silent: it keeps as few tickets as it may, the ones of least value. Routes of 5
and 6 spaces are wanted by their points, and shorter ones only when no longer one is left; what is missing on the
cheapest paths of its tickets is wanted too, first of all, for a failed ticket costs more than a turn. Cards are drawn
for the route of most worth for each card still lacking. Express cards are played for cards.
"""

import numpy as np

from arena.bot import (
    COLOR_COUNT,
    EMPTY,
    GRAY,
    LOCOMOTIVE,
    MAX_CITIES,
    ONE,
    SET_WORDS,
    WORD_BITS,
    has,
    kernel,
    lowest,
    policy,
    within_trains,
)
from bots.goals import WANTED, best_wanted, forget_wishes, is_last_turn, is_news, missing_routes, without_goal
from bots.helpers import (
    best_placement,
    draw,
    fewest_tickets,
    is_placement,
    is_ticket_choice,
    longest_open,
    most_extra_cards,
    route_value,
)


@kernel
def plan(view, board, memory):
    """Want the favored routes by their value, and what the tickets lack by so much more."""
    favored, along = min(int(memory[0]), longest_open(view, board)), memory[1]
    forget_wishes(board, memory)
    for word in range(SET_WORDS):
        routes = within_trains(view, board, view.seat, word)
        while routes != EMPTY:
            route = WORD_BITS * word + lowest(routes)
            routes &= routes - ONE
            if board.length[route] >= favored:
                memory[WANTED + route] = route_value(view, board, route)
    missing = np.empty(MAX_CITIES, np.int16)
    for ticket in range(board.tickets):
        if has(view.tickets, ticket):
            for index in range(missing_routes(view, board, ticket, missing)):
                route = missing[index]
                memory[WANTED + route] = max(memory[WANTED + route], route_value(view, board, route)) + along


@kernel
def most_useful_color(view, board, memory):
    """The color that brings a wanted route nearer, the one of most worth for each card that it lacks."""
    best, best_value = LOCOMOTIVE, 0.0
    for route in range(board.routes):
        if memory[WANTED + route] > 0:
            own = board.color[route]
            first, last = (0, COLOR_COUNT) if own == GRAY else (own, own + 1)
            for color in range(first, last):
                lacking = max(1, board.length[route] - view.hand[color] - view.hand[LOCOMOTIVE])
                value = memory[WANTED + route] / lacking
                if value > best_value:
                    best, best_value = color, value
    return best


@policy(favored=5, along=20)
def longroute(view, board, actions, memory, random_state):
    """Claim routes of `favored` spaces and more, and those its first tickets lack (worth `along` points more)."""
    if is_ticket_choice(actions):
        return fewest_tickets(view, board, actions)
    if is_placement(actions):
        return best_placement(view, board, actions)
    if is_news(view, memory):
        plan(view, board, memory)
    claim = best_wanted(view, actions, memory)
    if claim >= 0:
        return claim
    if is_last_turn(view):
        return without_goal(view, board, actions)
    extra = most_extra_cards(actions)
    if extra >= 0:
        return extra
    return draw(actions, most_useful_color(view, board, memory))
