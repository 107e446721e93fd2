"""The province mat: a train may go on a line after a claim, farther the more cards were played (K5-K8, K10).

A line is one word of four bits a position, the first position lowest: 0 if it is free, else 1 + the seat.
"""

import numpy as np

from arena.rules.actions import (
    PLACE_TRAIN,
    SKIP,
    card_of,
    encode,
    encode_placement,
    express_of,
    extra_of,
    kind_of,
    locomotives_of,
    route_of,
)  # fmt: skip
from arena.rules.board import COLOR_COUNT, LOCOMOTIVE, MAX_EXPRESS, MAX_POSITIONS
from arena.rules.claims import use_trains
from arena.rules.compiler import kernel
from arena.rules.deck import pay
from arena.rules.express import holds_express, spend_express
from arena.rules.sets import EMPTY

FOUR_BITS = np.uint64(15)


@kernel
def clear_mat(state):
    """Before the first turn every position is free."""
    for line in range(state.mat.shape[0]):
        state.mat[line] = EMPTY
    forget_claim(state)


@kernel
def owner_at(line, position):
    """1 + the seat whose train stands on a position (from 1) of a line, or 0."""
    return int((line >> np.uint64(4 * position - 4)) & FOUR_BITS)


@kernel
def free_at_or_below(line, position):
    """The highest free position up to one, or 0 (K7)."""
    while position > 0 and owner_at(line, position) > 0:
        position -= 1
    return position


@kernel
def lowest_free(line, positions):
    """The lowest free position of a line, or too high a number if no position is free."""
    position = 1
    while position <= positions and owner_at(line, position) > 0:
        position += 1
    return position if position <= positions else 2 * MAX_POSITIONS


@kernel
def remember_claim(state, route, card):
    """What was claimed with which card decides what may be placed (K5, K6)."""
    state.pending_route = route
    state.paid = card


@kernel
def forget_claim(state):
    """The placement is decided."""
    state.pending_route = -1
    state.paid = -1


@kernel
def is_line(state, board, line):
    """Whether the route claimed allows a train on a line: its color's, or any if it is gray (K5)."""
    color = board.color[state.pending_route]
    return board.positions[line] > 0 and (color == line or color >= LOCOMOTIVE)


@kernel
def is_extra_color(state, board, color):
    """Whether more cards of a color may be played: what was paid with, or what the route could take (K6)."""
    if state.paid < LOCOMOTIVE:
        return color == state.paid
    return board.color[state.pending_route] == color or board.color[state.pending_route] >= LOCOMOTIVE


@kernel
def most_extra(state, board, line):
    """How many more cards a line has positions for (K6)."""
    return max(0, board.positions[line] - board.length[state.pending_route])


@kernel
def ways_to_pay(state, board, seat, extra):
    """In how many ways the seat can play so many more cards: of one color, locomotives among them (K6)."""
    spare = state.hand[seat, LOCOMOTIVE]
    ways = 1 if extra <= spare else 0
    for color in range(COLOR_COUNT):
        if is_extra_color(state, board, color):
            ways += max(0, min(extra, state.hand[seat, color]) - max(1, extra - spare) + 1)
    return ways


@kernel
def least_extra(state, board, line, express):
    """How many more cards it takes to come to a free position of a line; too many if no position is free (K7)."""
    target = board.length[state.pending_route] + express
    return max(0, lowest_free(state.mat[line], board.positions[line]) - target)


@kernel
def count_placements(state, board, seat):
    """The number of legal decisions about a placement, including that to place no train."""
    upto = np.zeros(MAX_POSITIONS + 2, np.int64)  # ways to play fewer than so many extra cards
    for extra in range(MAX_POSITIONS + 1):
        ways = ways_to_pay(state, board, seat, extra)
        if ways == 0:
            upto[extra + 1 :] = upto[extra]
            break
        upto[extra + 1] = upto[extra] + ways
    count = 1
    for line in range(COLOR_COUNT):
        if is_line(state, board, line):
            for express in range(MAX_EXPRESS + 1):
                if express == 0 or holds_express(state, seat, express):
                    least = least_extra(state, board, line, express)
                    most = most_extra(state, board, line)
                    if least <= most:
                        count += upto[most + 1] - upto[least]
    return count


@kernel
def nth_placement(state, board, seat, n):
    """The n-th (from 0) decision in the order of `list_placements`."""
    if n == 0:
        return encode(SKIP, 0, 0, 0)
    n -= 1
    for line in range(COLOR_COUNT):
        if not is_line(state, board, line):
            continue
        for express in range(MAX_EXPRESS + 1):
            if express > 0 and not holds_express(state, seat, express):
                continue
            for extra in range(least_extra(state, board, line, express), most_extra(state, board, line) + 1):
                ways = ways_to_pay(state, board, seat, extra)
                if n < ways:
                    return nth_payment(state, board, seat, line, extra, express, n)
                n -= ways
                if ways == 0:
                    break
    return encode(SKIP, 0, 0, 0)


@kernel
def nth_payment(state, board, seat, line, extra, express, n):
    """The n-th way to play so many more cards: locomotives only first, then by color and its number."""
    spare = state.hand[seat, LOCOMOTIVE]
    if extra <= spare:
        if n == 0:
            return encode_placement(line, LOCOMOTIVE, 0, extra, express)
        n -= 1
    for color in range(COLOR_COUNT):
        if is_extra_color(state, board, color):
            least = max(1, extra - spare)
            ways = max(0, min(extra, state.hand[seat, color]) - least + 1)
            if n < ways:
                return encode_placement(line, color, least + n, extra - least - n, express)
            n -= ways
    return encode(SKIP, 0, 0, 0)


@kernel
def list_placements(state, board, seat, actions):
    """Write every legal decision about a placement: none, then by line, express card and cards; their number."""
    actions[0] = encode(SKIP, 0, 0, 0)
    count = 1
    for line in range(COLOR_COUNT):
        if not is_line(state, board, line):
            continue
        for express in range(MAX_EXPRESS + 1):
            if express > 0 and not holds_express(state, seat, express):
                continue
            for extra in range(least_extra(state, board, line, express), most_extra(state, board, line) + 1):
                ways = ways_to_pay(state, board, seat, extra)
                for n in range(ways):
                    actions[count] = nth_payment(state, board, seat, line, extra, express, n)
                    count += 1
                if ways == 0:
                    break
    return count


@kernel
def can_place(state, board, seat):
    """Whether a train may be placed at all after the claim: one is left, and some position can be reached (K5, K7)."""
    return state.trains[seat] > 0 and count_placements(state, board, seat) > 1


@kernel
def is_placement(state, board, seat, action):
    """Whether an integer is a legal decision about a placement (K3, K5-K7)."""
    if action == encode(SKIP, 0, 0, 0):
        return True
    line, card, extra = route_of(action), card_of(action), extra_of(action)
    locomotives, express = locomotives_of(action), express_of(action)
    if action != encode_placement(line, card, extra, locomotives, express):
        return False
    if line >= LOCOMOTIVE or not is_line(state, board, line) or locomotives > state.hand[seat, LOCOMOTIVE]:
        return False
    if express > MAX_EXPRESS or (express > 0 and not holds_express(state, seat, express)):
        return False
    if card > LOCOMOTIVE or (card == LOCOMOTIVE) != (extra == 0):
        return False
    if extra > 0 and (not is_extra_color(state, board, card) or extra > state.hand[seat, card]):
        return False
    least = least_extra(state, board, line, express)
    return least <= extra + locomotives <= most_extra(state, board, line)


@kernel
def place(state, board, action):
    """The seat to move plays the extra cards and the express card and puts a train on the mat (K5-K8)."""
    seat, line, extra = state.seat, route_of(action), extra_of(action)
    locomotives, express = locomotives_of(action), express_of(action)
    pay(state, board, card_of(action), extra)
    pay(state, board, LOCOMOTIVE, locomotives)
    spend_express(state, seat, express)
    target = board.length[state.pending_route] + extra + locomotives + express
    state.mat[line] = with_train(state.mat[line], board.positions[line], target, seat)
    use_trains(state, seat, 1)


@kernel
def with_train(line, positions, target, seat):
    """A line with a seat's train on the target, or on the first free position below it (K7)."""
    position = free_at_or_below(line, min(target, positions))
    return line | (np.uint64(seat + 1) << np.uint64(4 * position - 4)) if position > 0 else line


@kernel
def line_strength(line, seat):
    """What ranks a seat on a line: the sum of its positions, then its highest one; 0 without a train (K10)."""
    total, highest, position = 0, 0, 1
    while line != EMPTY:
        if int(line & FOUR_BITS) == seat + 1:
            total += position
            highest = position
        position += 1
        line >>= np.uint64(4)
    return 16 * total + highest


@kernel
def line_points(line, board, seat):
    """The bonus of a seat on a line (K10)."""
    strength = line_strength(line, seat)
    if strength == 0:
        return 0
    ahead = 0
    for other in range(board.seats):
        ahead += line_strength(line, other) > strength
    return board.province_bonus[ahead]


@kernel
def province_points(mat, board, seat):
    """The bonuses of a seat on all lines (K10)."""
    points = 0
    for line in range(COLOR_COUNT):
        if mat[line] != EMPTY:
            points += line_points(mat[line], board, seat)
    return points


@kernel
def placement_gain(view, board, action):
    """The points by which a legal placement raises the own bonus of its line (K10); 0 for other actions."""
    if kind_of(action) != PLACE_TRAIN:
        return 0
    line = route_of(action)
    target = board.length[view.pending_route] + extra_of(action) + locomotives_of(action) + express_of(action)
    after = with_train(view.mat[line], board.positions[line], target, view.seat)
    return line_points(after, board, view.seat) - line_points(view.mat[line], board, view.seat)


@kernel
def placement_gain_in(views, boards, action):
    """`placement_gain` for callers in Python, to whom bare records are expensive (see `arena.engine.loop`)."""
    return placement_gain(views[0], boards[0], action)
