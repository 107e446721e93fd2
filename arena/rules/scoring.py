"""Final points by source, and the ranks (B19-B22, J10, K10)."""

import numpy as np

from arena.rules.board import BOARD, MAX_SEATS, SET_WORDS, WORD_BITS
from arena.rules.compiler import exported, kernel
from arena.rules.network import cities_of, longest_in_part, longest_path, part_of, tickets_within
from arena.rules.provinces import province_points
from arena.rules.sets import EMPTY, ONE, lowest, popcount
from arena.rules.shared import bullet_points
from arena.rules.state import STATE

ROUTES, TICKETS, LONGEST_PATH, BULLET, PROVINCES = range(5)
SOURCES = ("routes", "tickets", "longest_path", "bullet", "provinces")

SCORE = np.dtype(
    (np.record, [
        ("points", "i2", (MAX_SEATS, len(SOURCES))),  # by seat and source
        ("score", "i2", (MAX_SEATS,)),
        ("rank", "i2", (MAX_SEATS,)),  # 1 + the number of seats that are better; equal seats share a rank (B22)
        ("longest", "i2", (MAX_SEATS,)),  # spaces of the seat's longest path
        ("tickets_completed", "i2", (MAX_SEATS,)),
        ("tickets_kept", "i2", (MAX_SEATS,)),
    ])
)  # fmt: skip


@exported(STATE, BOARD, SCORE)
def score_game(state, board, score):
    """Fill a SCORE record from a state; during a game, what it would be worth if it ended now."""
    for seat in range(board.seats):
        for source in range(score.points.shape[1]):
            score.points[seat, source] = 0
        score_network(state, board, seat, score)
        score.points[seat, ROUTES] = state.route_points[seat]
        if board.bullet_trains > 0:
            score.points[seat, BULLET] = bullet_points(state.progress, board, seat)
        if board.lines > 0:
            score.points[seat, PROVINCES] = province_points(state.mat, board, seat)
    give_longest_path(board, score)
    for seat in range(board.seats):
        total = 0
        for source in range(score.points.shape[1]):
            total += score.points[seat, source]
        score.score[seat] = total
    rank_seats(board, score)


@kernel
def score_network(state, board, seat, score):
    """Tickets completed and failed (B20, J6) and the longest path (B21), part by part of what the seat may use."""
    low = state.routes_claimed[seat, 0] | state.shared[0]
    high = state.routes_claimed[seat, 1] | state.shared[1]
    all_own = state.shared[0] | state.shared[1] == EMPTY
    open_low = state.tickets[seat, 0]
    open_high = state.tickets[seat, 1]
    kept = popcount(open_low) + popcount(open_high)
    longest = 0
    cities = cities_of(board, low, high)
    while cities != EMPTY:
        part = part_of(board, lowest(cities), low, high)
        cities &= ~part
        if all_own:
            longest = longest_in_part(board, part, low, high, longest)
        open_low &= ~tickets_within(board, open_low, 0, part)
        open_high &= ~tickets_within(board, open_high, 1, part)
    value = 0
    for word in range(SET_WORDS):
        held = state.tickets[seat, word]
        failed = open_high if word else open_low
        while held != EMPTY:
            ticket = lowest(held)
            points = board.ticket_points[WORD_BITS * word + ticket]
            value += -points if (failed >> np.uint64(ticket)) & ONE != EMPTY else points
            held &= held - ONE
    score.points[seat, TICKETS] = value
    score.tickets_kept[seat] = kept
    score.tickets_completed[seat] = kept - popcount(open_low) - popcount(open_high)
    score.longest[seat] = (
        longest if all_own else longest_path(board, state.routes_claimed[seat, 0], state.routes_claimed[seat, 1])
    )


@kernel
def give_longest_path(board, score):
    """Everyone who has the longest path gets the bonus; without any route there is none (B21)."""
    longest = 1
    for seat in range(board.seats):
        longest = max(longest, score.longest[seat])
    for seat in range(board.seats):
        if score.longest[seat] == longest:
            score.points[seat, LONGEST_PATH] = board.longest_path


@kernel
def is_better(score, one, other):
    """Whether a seat beats another: points, then completed tickets, then the longest-path bonus (B22)."""
    if score.score[one] != score.score[other]:
        return score.score[one] > score.score[other]
    if score.tickets_completed[one] != score.tickets_completed[other]:
        return score.tickets_completed[one] > score.tickets_completed[other]
    return score.points[one, LONGEST_PATH] > score.points[other, LONGEST_PATH]


@kernel
def rank_seats(board, score):
    """1 for the best, shared by equal seats (B22)."""
    for seat in range(board.seats):
        better = 0
        for other in range(board.seats):
            better += is_better(score, other, seat)
        score.rank[seat] = 1 + better
