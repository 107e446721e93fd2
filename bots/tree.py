"""An information-set tree: one tree over many sampled worlds (Cowling, Powley and Whitehouse, 2012).

A node stands for the decisions that led to it, whatever the hidden cards are. Each iteration samples a world, walks
down by the bounds of what was seen so far, adds one node and lets planners play the game on. Every seat prefers what is
best for itself.
"""

import numpy as np

from arena.bot import kernel
from arena.rules.scoring import SCORE
from arena.rules.state import OVER
from arena.rules.turn import apply, legal_actions
from arena.rules.view import observe
from bots.search import LIMIT, deal_world, enter_world, lead, play_on, propose

WIDEN = 1.5  # a node has 1 + WIDEN * sqrt(visits) children
DEEPEST = 32
NODE = np.dtype(
    (np.record, [
        ("action", "i4"), ("seat", "i4"),  # what was decided by whom
        ("child", "i4"), ("sibling", "i4"),  # the first node below, the next one beside; 0 for none
        ("visits", "f8"), ("total", "f8"),  # the sum of the leads of `seat`
    ])
)  # fmt: skip


@kernel
def child_of(tree, node, action):
    """The node that an action leads to, or 0."""
    below = tree[node].child
    while below > 0 and tree[below].action != action:
        below = tree[below].sibling
    return below


@kernel
def add_node(tree, count, parent, action, seat):
    """Put the node number `count` below another."""
    node = tree[count]
    node.action, node.seat = action, seat
    node.child, node.sibling = 0, tree[parent].child
    node.visits, node.total = 0.0, 0.0
    tree[parent].child = count


@kernel
def best_child(tree, parent, candidates, values, curiosity):
    """The candidate to follow: an untried one once the parent was visited often enough, else that of the best bound.

    The bound is PUCT's (Silver et al., 2017); what the planner values less is explored less.
    """
    often = np.sqrt(tree[parent].visits)
    best, best_bound = 0, 0.0
    for index in range(min(len(candidates), 1 + int(WIDEN * often))):
        node = child_of(tree, parent, candidates[index])
        if node == 0:
            return index
        weight = 1.0 / (1.0 + 0.3 * (values[0] - values[index]))
        mean = tree[node].total / (LIMIT * max(1.0, tree[node].visits))
        bound = mean + curiosity * weight * often / (1.0 + tree[node].visits)
        if index == 0 or bound > best_bound:
            best, best_bound = index, bound
    return best


@kernel
def descend(desk, tree, count, candidates, values, curiosity, path):
    """Walk down the tree in a world until a node is new or the game is over; the length of the path."""
    board, state, node, length = desk.boards[0], desk.worlds[1], 0, 1
    path[0] = 0
    while state.phase != OVER and length < len(path):
        options = legal_actions(state, board, desk.actions)
        if options == 1:
            apply(state, board, desk.actions[0])
            continue
        observe(state, board, state.seat, desk.seen[0])
        memory = desk.memories[state.seat]
        found = propose(desk.seen[0], board, desk.actions[:options], memory, candidates, values)
        action = candidates[best_child(tree, node, candidates[:found], values, curiosity)]
        below = child_of(tree, node, action)
        if below == 0:
            add_node(tree, count, node, action, state.seat)
            below = count
        path[length] = below
        length += 1
        apply(state, board, action)
        node = below
        if node == count:
            break
    return length


@kernel
def grow(desk, tree, count, sims, curiosity, width):
    """Walk down the tree in so many sampled worlds and add a node in each; how many nodes it has then."""
    candidates, values = np.empty(width, np.int32), np.empty(width)
    path, scores = np.empty(DEEPEST, np.int64), np.zeros(1, SCORE)
    for _ in range(sims):
        if count == len(tree):
            break
        deal_world(desk)
        enter_world(desk)
        length = descend(desk, tree, count, candidates, values, curiosity, path)
        count += path[length - 1] == count
        play_on(desk, scores[0])
        for place in range(length):
            tree[path[place]].visits += 1.0
            if place > 0:
                tree[path[place]].total += lead(scores[0], desk.boards[0].seats, tree[path[place]].seat)
    return count
