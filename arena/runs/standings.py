"""The standings while a run is played: win shares with intervals that hold at every look."""

from typing import NamedTuple

import numpy as np

from arena.runs.worker import Chunk
from arena.stats.confidence_sequence import ConfidenceSequence
from arena.stats.win_shares import member_order, win_shares
from arena.tournament.plan import Plan


class Standing(NamedTuple):
    """The place of one bot in the standings."""

    bot: str
    share: float
    low: float
    high: float
    """The 95 % confidence sequence: over the whole run it leaves the truth out with 5 % at most."""


class Standings:
    """Takes chunks in any order and counts them in that of the plan: who is fast must not be seen first."""

    def __init__(self, plan: Plan, first: int = 0) -> None:
        self.plan = plan
        self.next = first
        self.waiting: dict[int, Chunk] = {}
        bots = len(plan.names)
        blocks = plan.blocks * plan.players / bots
        self.sequence = ConfidenceSequence(bots, blocks, guess=1 / plan.players)

    def add(self, chunk: Chunk) -> None:
        """Count a chunk, and those that waited for it."""
        self.waiting[chunk.first] = chunk
        while self.next in self.waiting:
            chunk = self.waiting.pop(self.next)
            self.next += len(chunk.outcomes)
            self._count(chunk)

    def _count(self, chunk: Chunk) -> None:
        players, size = self.plan.players, self.plan.block_games
        _, seatings = self.plan.seatings(chunk.first, chunk.first + len(chunk.outcomes))
        shares = win_shares(chunk.outcomes["rank"][:, :players])
        order = member_order(seatings)
        by_member = np.take_along_axis(shares, order, axis=1).reshape(-1, size, players).mean(axis=1)
        members = np.take_along_axis(seatings, order, axis=1)[::size]
        self.sequence.add(members.ravel(), by_member.ravel())

    def lines(self) -> list[Standing]:
        """The bots that have played, the best first."""
        low, high = self.sequence.interval()
        share = self.sequence.total / np.maximum(1, self.sequence.count)
        played = [bot for bot in np.argsort(-share, kind="stable").tolist() if self.sequence.count[bot]]
        return [Standing(self.plan.names[bot], float(share[bot]), float(low[bot]), float(high[bot])) for bot in played]
