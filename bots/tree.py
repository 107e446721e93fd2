"""An information-set tree: one tree over many sampled worlds (Cowling, Powley and Whitehouse, 2012).

A node stands for the decisions that led to it, whatever the hidden cards are. Each iteration samples a world, walks down
by the upper bounds of what was seen so far, adds one node and plays the game on with planners. Each seat prefers
what is best for itself.
"""

import numpy as np

from arena.bot import kernel
from arena.rules.board import MAX_SEATS
from arena.rules.scoring import SCORE, score_game
from arena.rules.state import OVER
from arena.rules.turn import apply, legal_actions
from arena.rules.view import observe
from bots.search import LIMIT, deal_world, lead, play_on, propose

NODE = np.dtype(
    (np.record, [
        ("action", "i4"), ("seat", "i4"),  # what was decided by whom
        ("child", "i4"), ("sibling", "i4"),  # the first node below, the next one beside; -1 for none
        ("visits", "f8"), ("total", "f8"),  # the sum of the leads of `seat`
    ])
)  # fmt: skip


@kernel
def child_of(tree, node, action):
    """The node that an action leads to, or -1."""
    below = tree[node].child
    while below >= 0 and tree[below].action != action:
        below = tree[below].sibling
    return below


@kernel
def add_node(tree, used, parent, action, seat):
    """Put a new node below another; its index."""
    node = used[0]
    used[0] += 1
    tree[node].action, tree[node].seat = action, seat
    tree[node].child, tree[node].sibling = -1, tree[parent].child
    tree[node].visits, tree[node].total = 0.0, 0.0
    tree[parent].child = node
    return node


@kernel
def best_child(tree, used, parent, seat, candidates, values, curiosity):
    """The candidate to follow: an untried one as soon as the parent was visited often enough, else by upper bound."""
    wide = 1 + int(1.5 * np.sqrt(tree[parent].visits))
    best, best_bound = -1, 0.0
    for index in range(min(len(candidates), wide)):
        node = child_of(tree, parent, candidates[index])
        if node < 0:
            return add_node(tree, used, parent, candidates[index], seat)
        seen = tree[node].visits
        weight = 1.0 / (1.0 + 0.3 * (values[0] - values[index]))
        bound = tree[node].total / max(1.0, seen) / LIMIT + curiosity * weight * np.sqrt(tree[parent].visits) / (1 + seen)
        if best < 0 or bound > best_bound:
            best, best_bound = node, bound
    return best


@kernel
def descend(tree, used, state, views, boards, actions, memories, candidates, values, curiosity, path):
    """Walk down the tree in a world until a node is new or the game is over; the length of the path."""
    board, node, length = boards[0], 0, 0
    path[0] = 0
    while state.phase != OVER and length < len(path) - 1:
        count = legal_actions(state, board, actions)
        action = actions[0]
        if count > 1:
            observe(state, board, state.seat, views[0])
            found = propose(views, boards, actions[:count], memories[state.seat], candidates, values)
            node = best_child(tree, used, node, state.seat, candidates[:found], values, curiosity)
            length += 1
            path[length] = node
            action = tree[node].action
        apply(state, board, action)
        if count > 1 and tree[node].visits == 0.0:
            break
    return length


@kernel
def grow(views, boards, memory, weights, tree, used, sims, curiosity, width, luck, states, scratch, actions):
    """Add so many nodes to a tree whose root is its first node, by as many sampled worlds."""
    view, board = views[0], boards[0]
    chances, memories = np.empty((MAX_SEATS, board.ticket_points.shape[0])), np.empty((MAX_SEATS, len(memory)))
    candidates, values = np.empty(width, np.int32), np.empty(width)
    path, scores = np.empty(64, np.int64), np.zeros(1, SCORE)
    for _ in range(sims):
        if used[0] >= len(tree):
            break
        deal_world(view, board, memory, weights, chances, luck, states[1], scratch, memories)
        length = descend(
            tree, used, states[1], scratch, boards, actions, memories, candidates, values, curiosity, path
        )
        play_on(states[1], board, scratch[0], actions, memories)
        score_game(states[1], board, scores[0])
        for place in range(length + 1):
            node = path[place]
            tree[node].visits += 1.0
            if place > 0:
                tree[node].total += lead(scores[0], board.seats, tree[node].seat)
