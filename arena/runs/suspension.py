"""The warm-up games of each bot: one that fails in all of them is suspended, and not asked any more (docs/faults.md).

Which bots these are follows from the plan and the bots, not from who is fast: the same in every run of a plan.
"""

import numpy as np

from arena.engine.loop import NO_FAULT
from arena.tournament.plan import Plan

WARM_UP_GAMES = 8
"""How many games, in whole blocks, a bot warms up."""


class WarmUp:
    """What is known of the warm-up games of each bot."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.size = plan.block_games
        self.length = -(-WARM_UP_GAMES // self.size)
        self._blocks = self._warm_up_blocks()
        self.last = 1 + max(block for blocks in self._blocks for block in blocks)
        """One more than the last block with a warm-up game."""
        self._failed: dict[tuple[int, int], bool] = {}  # by block and bot: whether each game of it went wrong
        self._verdicts: dict[int, bool] = {}

    def _warm_up_blocks(self) -> list[list[int]]:
        """The first blocks of each bot; fewer if there are no more in the plan."""
        blocks: list[list[int]] = [[] for _ in self.plan.names]
        for block in range(self.plan.blocks):
            if all(len(own) == self.length for own in blocks):
                break
            for bot in self.plan.lineup(block):
                if len(blocks[bot]) < self.length:
                    blocks[bot].append(block)
        return blocks

    def add(self, first: int, faults: np.ndarray) -> None:
        """Take the faults (codes of `play.FAULTS`) of some successive games in whole blocks, int [games, seats]."""
        for block in range(first // self.size, min(self.last, (first + len(faults)) // self.size)):
            begin = block * self.size
            _, seatings = self.plan.seatings(begin, begin + self.size)
            wrong = faults[begin - first : begin - first + self.size, : self.plan.players] != NO_FAULT
            for bot in self.plan.lineup(block):
                self._failed[block, bot] = bool(wrong[seatings == bot].all())

    def missing(self) -> list[tuple[int, int]]:
        """The blocks with warm-up games that are not known yet, as ranges of games."""
        blocks = {(block, bot) for bot, blocks in enumerate(self._blocks) for block in blocks} - self._failed.keys()
        return [(block * self.size, (block + 1) * self.size) for block in sorted({block for block, _ in blocks})]

    def suspended(self, game: int) -> list[int] | None:
        """The bots that are not asked in the block of a game, or from it on; None if one of them still warms up."""
        block = game // self.size
        bots = self.plan.lineup(block) if block < self.last else range(len(self.plan.names))
        found = []
        for bot in bots:
            if block in self._blocks[bot]:
                continue
            verdict = self.verdict(bot)
            if verdict is None:
                return None
            if verdict:
                found.append(bot)
        return found

    def verdict(self, bot: int) -> bool | None:
        """Whether all warm-up games of a bot went wrong; None if that is open."""
        if bot not in self._verdicts:
            known = [self._failed[block, bot] for block in self._blocks[bot] if (block, bot) in self._failed]
            if all(known) and len(known) < len(self._blocks[bot]):
                return None
            self._verdicts[bot] = all(known) and len(known) == self.length
        return self._verdicts[bot]

    def all_suspended(self) -> list[str]:
        """The names of the bots that are known to be suspended."""
        return [name for bot, name in enumerate(self.plan.names) if self.verdict(bot)]
