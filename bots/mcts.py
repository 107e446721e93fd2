"""Search under hidden information: candidates of the planner, tried out in worlds sampled to fit the view."""

import time

import numpy as np

from arena.bot import MEMORY, Action, Bot, View, max_actions
from arena.rules.actions import decode
from arena.rules.state import STATE
from arena.rules.view import VIEW
from bots.search import propose, sample_worlds
from bots.tree import NODE, grow
from bots.weights import WEIGHTS


class Mcts(Bot):
    """Plays the planner's best moves on in sampled worlds and takes the one that leads furthest."""

    def __init__(self, sims: int = 100, ms: float = 0, width: int = 6, trust: float = 60.0, tree: int = 0, curiosity: float = 0.3) -> None:
        self.sims, self.ms, self.width, self.trust = sims, ms, width, trust
        self.tree, self.curiosity = tree, curiosity
        self.weights = np.zeros(MEMORY)
        self.weights[: len(WEIGHTS)] = list(WEIGHTS.values())
        self.memory = self.weights.copy()
        self.luck = np.array([self.rng.getrandbits(64)], np.uint64)
        self.states, self.scratch = np.zeros(2, STATE), np.zeros(1, VIEW)
        self.buffer: np.ndarray | None = None

    def choose(self, view: View) -> Action:
        codes = np.array(view.actions.codes, np.int32)
        begun = time.perf_counter()
        views = np.array([view.record], VIEW)
        candidates, values = np.empty(self.width, np.int32), np.empty(self.width)
        count = propose(views, view._boards, codes, self.memory, candidates, values)
        if count <= 1:
            return decode(int(candidates[0]))
        if self.buffer is None:
            self.buffer = np.zeros(max_actions(view.map), np.int32)
        candidates, values = candidates[:count].copy(), values[:count].copy()
        if self.tree:
            nodes = np.zeros(self.sims + 2, NODE)
            nodes["child"] = nodes["sibling"] = -1
            used = np.ones(1, np.int64)
            grow(views, view._boards, self.memory, self.weights, nodes, used, self.sims, self.curiosity, self.width, self.luck, self.states, self.scratch, self.buffer)
            best, child = 0, nodes[0]["child"]
            while child >= 0:
                if not best or nodes[child]["visits"] > nodes[best]["visits"]:
                    best = child
                child = nodes[child]["sibling"]
            return decode(int(nodes[best]["action"]))
        alive, sums, played = np.ones(count, np.bool_), np.zeros(count), np.zeros(count)
        rounds = int(np.ceil(np.log2(count)))
        for turn in range(rounds):
            left = int(alive.sum())
            def run(worlds):
                sample_worlds(views, view._boards, self.memory, self.weights, candidates, alive, sums, worlds, self.luck, self.states, self.scratch, self.buffer)
                played[alive] += worlds
            if self.ms:
                until = begun + self.ms / 1000 * (turn + 1) / rounds
                while True:
                    run(1)
                    if time.perf_counter() >= until:
                        break
            else:
                run(max(1, self.sims // (rounds * left)))
            score = (sums + self.trust * values) / (played + self.trust)
            # among those alive, compare leads relative to the mean of the alive ones
            mean = sums[alive] / played[alive]
            best = values.max()
            score = np.full(count, -np.inf)
            score[alive] = (played[alive] * (mean - mean.mean()) + self.trust * (values[alive] - best)) / (played[alive] + self.trust)
            keep = np.argsort(-score, kind="stable")[: (left + 1) // 2]
            alive[:] = False
            alive[keep] = True
        return decode(int(candidates[np.argmax(np.where(alive, score, -np.inf))]))
