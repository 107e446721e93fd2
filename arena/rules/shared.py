"""Bullet routes: paid by one player, used by all, with a supply of trains in common (J3-J6, J10)."""

from arena.rules.board import SET_WORDS
from arena.rules.compiler import kernel
from arena.rules.sets import EMPTY, add, has


@kernel
def set_out_bullets(state, board):
    """Before the first turn all bullet trains are in the supply and no one has made progress (J1)."""
    state.bullets_left = board.bullet_trains
    for word in range(SET_WORDS):
        state.shared[word] = EMPTY
    for seat in range(state.progress.shape[0]):
        state.progress[seat] = 0


@kernel
def is_bullet(state, board, route):
    """Whether a route is built with a bullet train; without one in the supply it is an ordinary one (J5)."""
    return state.bullets_left > 0 and has(board.bullet_routes, route)


@kernel
def share_route(state, board, seat, route):
    """A bullet route becomes everybody's; who paid for it advances by its cards (J3, J4)."""
    state.bullets_left -= 1
    state.progress[seat] += board.length[route]
    add(state.shared, route)


@kernel
def bullet_points(progress, board, seat):
    """The bonus of a seat by the rank of its progress, which equal seats share; another one for none (J10)."""
    if progress[seat] == 0:
        return board.bullet_none
    ahead = 0
    for other in range(board.seats):
        ahead += progress[other] > progress[seat]
    return board.bullet_bonus[ahead]
