"""Search under hidden information: the planner's best moves, tried out in worlds sampled to fit the view.

By sequential halving (Karnin, Koren and Somekh, 2013): all candidates are played on in the same worlds, the worse half
of them is dropped, and so on. Planners play the worlds on to their ends. Or, with tree=1, by an information-set tree.
docs/bots.md tells how the two compare.
"""

import math
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from arena.bot import PASS, Action, Bot, View, max_actions
from arena.rules.actions import decode
from arena.rules.board import BOARD
from bots.planner import planner
from bots.search import Desk, begin, new_desk, try_out
from bots.tree import NODE, grow

MOST_NODES = 20_000
BATCH = 4  # iterations of a tree between two looks at the clock


class Mcts(Bot):
    """Tries the planner's best moves out in sampled worlds and takes the one that leads furthest.

    sims: games played on for a decision, about: at least one world a round. ms: milliseconds for it instead, if not 0
    (then a run cannot be repeated exactly). width: candidates; trust: sampled games that the planner's own judgment
    weighs as much as.
    """

    def __init__(
        self, sims: int = 64, ms: float = 0, width: int = 6, trust: float = 60, tree: int = 0, curiosity: float = 0.3
    ) -> None:
        whole = all(type(number) is int for number in (sims, width, tree))
        real = all(isinstance(number, int | float) and math.isfinite(number) for number in (ms, trust, curiosity))
        if not (whole and real) or sims < 1 or width < 1 or ms < 0 or trust < 0:
            raise ValueError("mcts takes whole numbers of sims and width from 1 on, ms and trust from 0 on")
        self.sims, self.ms, self.width, self.trust = sims, ms, width, trust
        self.tree, self.curiosity = tree, float(curiosity)
        self.desk: Desk | None = None

    @classmethod
    def repeatable(cls, ms: float = 0, **others: float) -> bool:
        """Only without a clock."""
        return ms == 0

    @classmethod
    def prepare(cls) -> None:
        """Compile what a search runs through, on an empty board."""
        boards = np.zeros(1, BOARD)
        boards["trains"] = 1
        boards.flags.writeable = False  # as that of a view: to Numba this is part of the type
        desk = new_desk(boards, planner.memory(), 0, 1)
        nothing, values = np.zeros(0, np.int32), np.zeros(0)
        begin(desk, np.array([PASS << 24], np.int32), nothing, values)
        try_out(desk, nothing, 0, values)
        grow(desk, np.zeros(1, NODE), 1, 0, 0.0, 1)

    def choose(self, view: View) -> Action:
        """The best of the candidates; without a choice, no time is spent."""
        until = time.perf_counter() + self.ms / 1000
        codes = np.array(view.actions.codes, np.int32)
        if len(codes) == 1:
            return decode(int(codes[0]))
        desk = self.desk = self.desk or self._new_desk(view)
        desk.views[0] = view.record
        candidates, values = np.empty(self.width, np.int32), np.empty(self.width)
        count = begin(desk, codes, candidates, values)
        search = self._by_tree if self.tree else self._by_halving
        return decode(search(desk, candidates[:count], values[:count], until) if count > 1 else int(candidates[0]))

    def _new_desk(self, view: View) -> Desk:
        return new_desk(view.boards, planner.memory(), self.rng.getrandbits(64), max_actions(view.map))

    def _by_halving(self, desk: Desk, candidates: np.ndarray, values: np.ndarray, until: float) -> int:
        """Play all candidates on in the same worlds, drop the worse half, and go on with the others."""
        leads = np.zeros(len(candidates))
        rounds = (len(candidates) - 1).bit_length()
        for left in range(rounds, 0, -1):
            if self.ms:
                round_until = until - (left - 1) / rounds * self.ms / 1000
                self._until(round_until, partial(try_out, desk, candidates, 1, leads))
            else:
                try_out(desk, candidates, max(1, self.sims // (rounds * len(candidates))), leads)
            # The planner's judgment weighs as much as `trust` games; both are in points, against the best or the mean.
            scores = leads - leads.mean() + self.trust * (values - values.max())
            kept = np.sort(np.argsort(-scores, kind="stable")[: (len(candidates) + 1) // 2])
            candidates, values, leads = candidates[kept], values[kept], leads[kept]
        return int(candidates[0])

    def _by_tree(self, desk: Desk, candidates: np.ndarray, values: np.ndarray, until: float) -> int:
        """Grow a tree and take the move that was followed most often."""
        tree = np.zeros(MOST_NODES if self.ms else self.sims + 1, NODE)
        count = 1

        def more(sims: int) -> None:
            nonlocal count
            count = grow(desk, tree, count, sims, self.curiosity, self.width)

        if self.ms:
            self._until(until, lambda: more(BATCH))
        else:
            more(self.sims)
        below = tree["child"][0]
        best = below
        while below:
            if tree["visits"][below] > tree["visits"][best]:
                best = below
            below = tree["sibling"][below]
        return int(tree["action"][best])

    @staticmethod
    def _until(moment: float, work: Callable[[], object]) -> None:
        """Do some work, and again until a moment."""
        work()
        while time.perf_counter() < moment:
            work()
