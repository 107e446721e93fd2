"""What `mcts` does inside: sampled worlds that fit its view, played on by planners, and where each candidate leads."""

from typing import NamedTuple

import numpy as np

from arena.bot import CLAIM, MEMORY, kernel, kind_of, route_of
from arena.rules.board import MAX_SEATS, MAX_TICKETS
from arena.rules.determinize import determinize, ticket_weights
from arena.rules.scoring import SCORE, score_game
from arena.rules.state import DRAFT, OVER, SETUP, STATE
from arena.rules.turn import apply, legal_actions
from arena.rules.view import VIEW, observe
from bots.planner import UNTHINKABLE, decide, make_ready, price_actions

LIMIT = 60.0
WIN = 10.0
"""A lead counts in full while it is small, hardly beyond LIMIT points; and winning counts as WIN points."""


class Desk(NamedTuple):
    """Everything that a search needs, as arrays that kernels can be handed together."""

    views: np.ndarray
    """VIEW [1]: of the seat that searches."""
    boards: np.ndarray
    """BOARD [1]."""
    memory: np.ndarray
    """The planner's memory of the seat that searches, with its plan."""
    fresh: np.ndarray
    """A planner's memory at the start of a game."""
    random_state: np.ndarray
    """The random stream of the sampled worlds, uint64 [1]."""
    actions: np.ndarray
    """Room for the legal actions of any decision."""
    chances: np.ndarray
    """How plausible each ticket is in each other hand (see `determinize`)."""
    worlds: np.ndarray
    """STATE [2]: a sampled world, and the one that is played on."""
    seen: np.ndarray
    """VIEW [1]: of the seat that decides in that world."""
    dealt: np.ndarray
    """The memories of the planners in a sampled world, float64 [MAX_SEATS, MEMORY]."""
    memories: np.ndarray
    """Those in the world that is played on."""


def new_desk(boards: np.ndarray, fresh: np.ndarray, seed: int, room: int) -> Desk:
    """A desk for one game: `room` is the largest number of legal actions."""
    return Desk(
        views=np.zeros(1, VIEW),
        boards=boards,
        memory=fresh.copy(),
        fresh=fresh,
        random_state=np.array([seed], np.uint64),
        actions=np.zeros(room, np.int32),
        chances=np.ones((MAX_SEATS, MAX_TICKETS)),
        worlds=np.zeros(2, STATE),
        seen=np.zeros(1, VIEW),
        dealt=np.zeros((MAX_SEATS, MEMORY)),
        memories=np.zeros((MAX_SEATS, MEMORY)),
    )


@kernel
def propose(view, board, actions, memory, candidates, values):
    """The legal actions of most value to the planner, one payment for each route, best first; their number."""
    prices = np.empty(len(actions))
    price_actions(view, board, actions, memory, prices)
    count = 0
    while count < len(candidates):
        best = 0
        for index in range(len(actions)):
            if prices[index] > prices[best]:
                best = index
        if count > 0 and prices[best] == UNTHINKABLE:  # the first one in any case: something must be done
            break
        candidates[count], values[count] = actions[best], prices[best]
        count += 1
        for index in range(len(actions)):
            same_kind = kind_of(actions[index]) == CLAIM and kind_of(actions[best]) == CLAIM
            if index == best or (same_kind and route_of(actions[index]) == route_of(actions[best])):
                prices[index] = UNTHINKABLE
    return count


@kernel
def begin(desk, actions, candidates, values):
    """Prepare the search of one decision: its candidates, and how plausible others' tickets are."""
    ticket_weights(desk.views[0], desk.boards[0], desk.chances)
    return propose(desk.views[0], desk.boards[0], actions, desk.memory, candidates, values)


@kernel
def deal_world(desk):
    """Sample a world that the view fits, and the memory of a planner in each seat."""
    view, board, world = desk.views[0], desk.boards[0], desk.worlds[0]
    determinize(view, board, desk.random_state, world, desk.chances)
    for seat in range(board.seats):
        desk.dealt[seat] = desk.fresh
        if seat == view.seat:
            desk.dealt[seat] = desk.memory
        elif world.phase != SETUP and world.phase != DRAFT:
            observe(world, board, seat, desk.seen[0])
            make_ready(desk.seen[0], board, desk.dealt[seat])


@kernel
def enter_world(desk):
    """Put the sampled world on the desk to be played on."""
    desk.worlds[1] = desk.worlds[0]
    desk.memories[:] = desk.dealt


@kernel
def play_on(desk, score):
    """Play the world to its end with a planner in every seat, and score it."""
    board, state, seen = desk.boards[0], desk.worlds[1], desk.seen[0]
    while state.phase != OVER:
        count = legal_actions(state, board, desk.actions)
        action = desk.actions[0]
        if count > 1:
            observe(state, board, state.seat, seen)
            action = decide(seen, board, desk.actions[:count], desk.memories[state.seat])
        apply(state, board, action)
    score_game(state, board, score)


@kernel
def lead(score, seats, seat):
    """By how many points a seat leads the best other one, a large lead squeezed; more if it wins."""
    best = -(1 << 15)
    for other in range(seats):
        if other != seat:
            best = max(best, int(score.score[other]))
    ahead = float(score.score[seat] - best)
    return LIMIT * ahead / (LIMIT + abs(ahead)) + (WIN if score.rank[seat] == 1 else -WIN)


@kernel
def try_out(desk, candidates, worlds, leads):
    """Play each candidate on in the same sampled worlds and add up the leads."""
    board, scores = desk.boards[0], np.zeros(1, SCORE)
    for _ in range(worlds):
        deal_world(desk)
        for index in range(len(candidates)):
            enter_world(desk)
            apply(desk.worlds[1], board, candidates[index])
            play_on(desk, scores[0])
            leads[index] += lead(scores[0], board.seats, desk.views[0].seat)
