"""What `mcts` does inside: worlds sampled to fit a view, played on by planners, and what each candidate brings there."""

import numpy as np

from arena.bot import CLAIM, MEMORY, kernel, kind_of, next_below, route_of
from arena.rules.board import MAX_ROUTES, MAX_SEATS
from arena.rules.determinize import determinize, ticket_weights
from arena.rules.scoring import SCORE, score_game
from arena.rules.state import OVER, TURN
from arena.rules.turn import apply, legal_actions
from arena.rules.view import observe
from bots.planner import decide, make_ready, price_actions

LIMIT = 60.0
"""Points of a lead beyond which more hardly matters."""


@kernel
def propose(views, boards, actions, memory, candidates, values):
    """The legal actions of most value to the planner, one payment for each route, best first; their number."""
    prices = np.empty(len(actions))
    price_actions(views[0], boards[0], actions, memory, prices)
    count = 0
    for _ in range(len(candidates)):
        best = -1
        for index in range(len(actions)):
            if prices[index] > -1e8 and (best < 0 or prices[index] > prices[best]):
                best = index
        if best < 0:
            break
        candidates[count], values[count] = actions[best], prices[best]
        count += 1
        prices[best] = -1e9
        if kind_of(actions[best]) == CLAIM:
            for index in range(len(actions)):
                if kind_of(actions[index]) == CLAIM and route_of(actions[index]) == route_of(actions[best]):
                    prices[index] = -1e9
    return count


@kernel
def play_on(state, board, view, actions, memories):
    """Play a game to its end with a planner in every seat."""
    while state.phase != OVER:
        count = legal_actions(state, board, actions)
        action = actions[0]
        if count > 1:
            observe(state, board, state.seat, view)
            action = decide(view, board, actions[:count], memories[state.seat])
        apply(state, board, action)


@kernel
def lead(score, seats, seat):
    """The points of a seat less the best other's, squeezed so that a lead that is safe gets no safer."""
    best = -10000
    for other in range(seats):
        if other != seat:
            best = max(best, score.score[other])
    ahead = float(score.score[seat] - best)
    return LIMIT * ahead / (LIMIT + abs(ahead)) + (10.0 if score.rank[seat] == 1 else -10.0)


@kernel
def deal_world(view, board, memory, weights, chances, luck, world, scratch, memories):
    """Sample a world that a view fits, and the memory of a planner in each seat."""
    ticket_weights(view, board, chances)
    determinize(view, board, luck, world, chances)
    for seat in range(board.seats):
        memories[seat] = weights
        if seat == view.seat:
            memories[seat] = memory
        elif world.phase == TURN:
            observe(world, board, seat, scratch[0])
            make_ready(scratch[0], board, memories[seat])


@kernel
def sample_worlds(views, boards, memory, weights, candidates, alive, sums, worlds, luck, states, scratch, actions):
    """Play every candidate that is alive on in the same sampled worlds, and add up the leads it comes to.

    states: STATE [2]; scratch: VIEW [1]; memory: the own planner's, weights: a planner's at the start of a game.
    """
    view, board, world, state = views[0], boards[0], states[0], states[1]
    chances = np.empty((MAX_SEATS, board.ticket_points.shape[0]))
    start, memories = np.empty((MAX_SEATS, MEMORY)), np.empty((MAX_SEATS, MEMORY))
    scores = np.zeros(1, SCORE)
    for _ in range(worlds):
        deal_world(view, board, memory, weights, chances, luck, world, scratch, start)
        for index in range(len(candidates)):
            if alive[index]:
                states[1] = states[0]
                memories[:] = start
                apply(state, board, candidates[index])
                play_on(state, board, scratch[0], actions, memories)
                score_game(state, board, scores[0])
                sums[index] += lead(scores[0], board.seats, view.seat)
