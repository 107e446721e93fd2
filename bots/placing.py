"""What trains on the province mat promise the planner."""

from arena.bot import (
    COLOR_COUNT,
    GRAY,
    PLACE_TRAIN,
    express_of,
    extra_of,
    kernel,
    kind_of,
    line_strength,
    locomotives_of,
    route_of,
    with_train,
)
from bots.weights import CONTEST, EXPRESS, EXTRA, MAT, SUPPLY, WILD


@kernel
def line_prospect(view, board, memory, line, time):
    """What the own trains on a line of the mat promise: of the bonus, by the lead over each of the others."""
    own = line_strength(line, view.seat)
    if own == 0:
        return 0.0
    width = 1.0 + memory[CONTEST] * time
    ahead = 0.0
    for other in range(view.seats):
        if other != view.seat:
            lead = (own - line_strength(line, other)) / 16.0
            ahead += min(1.0, max(0.0, 0.5 + 0.5 * lead / width))
    return board.province_bonus[0] * ahead / (view.seats - 1)


@kernel
def placement_prospect(view, board, memory, line, target, time):
    """By how much a train on a position of a line, or below it (K7), raises what the line promises."""
    before = view.mat[line]
    after = with_train(before, board.positions[line], target, view.seat)
    return line_prospect(view, board, memory, after, time) - line_prospect(view, board, memory, before, time)


@kernel
def mat_worths(view, board, memory, fade, time, worths):
    """Fill what a train on the mat could bring after a claim by the route's color and length, less the train."""
    worths[:] = 0.0
    train = fade * memory[SUPPLY] / board.trains
    for line in range(COLOR_COUNT):
        if board.positions[line] > 0:
            for length in range(1, board.longest_route + 1):
                gain = placement_prospect(view, board, memory, line, length, time)
                worths[line, length] = memory[MAT] * max(0.0, gain - train)
                worths[GRAY, length] = max(worths[GRAY, length], worths[line, length])


@kernel
def price_placements(view, board, actions, memory, fade, time, values):
    """Fill the values of trains for the province mat: what its line promises more, less what it takes."""
    train = fade * memory[SUPPLY] / board.trains
    for index in range(len(actions)):
        action = actions[index]
        if kind_of(action) == PLACE_TRAIN:
            extra, locomotives, express = extra_of(action), locomotives_of(action), express_of(action)
            cards = memory[EXTRA] * extra + memory[WILD] * locomotives + memory[EXPRESS] * express
            target = board.length[view.pending_route] + extra + locomotives + express
            gain = placement_prospect(view, board, memory, route_of(action), target, time)
            values[index] = gain - train - fade * cards
        else:
            values[index] = 0.0
