"""The games of a run, read in batches of whole deals, as the arrays that all measures start from."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from arena.engine.loop import NO_FAULT, OUTCOME
from arena.errors import ArenaError, UsageError
from arena.rules.game_log import MOST_OFFERS
from arena.stats.win_shares import win_shares
from arena.store import run_directory
from arena.store.ranges import shards
from arena.store.reader import Recorded
from arena.tournament.plan import Plan

Records = np.recarray[Any, Any]
"""Columns of equal length, by name."""


@dataclass(frozen=True)
class Batch:
    """Successive deals of a plan, each with all its games."""

    plan: Plan
    outcomes: np.ndarray
    """OUTCOME [games]."""
    seatings: np.ndarray
    """The bot (its number) in each seat, int64 [games, seats]."""
    deals: np.ndarray
    """The deal of each game, int64 [games]."""

    @classmethod
    def empty(cls, plan: Plan) -> "Batch":
        """A batch without a deal."""
        return cls(plan, np.zeros(0, OUTCOME), np.zeros((0, plan.players), np.int64), np.zeros(0, np.int64))

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self.outcomes)

    @property
    def seats(self) -> int:
        """The seats of each game."""
        return self.plan.players

    @property
    def block(self) -> int:
        """The games of each deal."""
        return self.plan.block_games

    @cached_property
    def wins(self) -> np.ndarray:
        """Win shares, float64 [games, seats]."""
        return win_shares(self.outcomes["rank"][:, : self.seats])

    @cached_property
    def scores(self) -> np.ndarray:
        """Final points, float64 [games, seats]."""
        return np.asarray(self.outcomes["score"][:, : self.seats], float)

    @cached_property
    def turns(self) -> np.ndarray:
        """How many turns each game took, all seats together, int64 [games]."""
        return np.asarray(self.outcomes["turns"][:, : self.seats].sum(axis=1, dtype=np.int64))

    @cached_property
    def claims(self) -> Records:
        """Every claim in its order, int64: game (its number in the batch), turn, seat, route, card, locomotives."""
        return self._records("claim", self.outcomes["claims"], ("turn", "seat", "route", "card", "locomotives"))

    @cached_property
    def offers(self) -> Records:
        """Every ticket that a seat chose from, in order, int64: game, turn, seat, ticket, kept, completed."""
        counts = np.minimum(self.outcomes["offers"], MOST_OFFERS)
        return self._records("offer", counts, ("turn", "seat", "ticket", "kept", "completed"))

    def _records(self, kind: str, counts: np.ndarray, names: tuple[str, ...]) -> Records:
        """The games, and the entries of list fields as far as they are taken."""
        lists = [self.outcomes[f"{kind}_{name}"] for name in names]
        there = np.arange(lists[0].shape[1]) < counts[:, None]
        columns = [np.nonzero(there)[0], *(values[there].astype(np.int64) for values in lists)]
        return np.rec.fromarrays(columns, dtype=[(name, np.int64) for name in ("game", *names)])

    def part(self, first: int, last: int) -> "Batch":
        """The games of the deals first to last - 1."""
        games = slice(*np.searchsorted(self.deals, [first, last]).tolist())
        return Batch(self.plan, self.outcomes[games], self.seatings[games], self.deals[games])

    def by_deal(self, games: np.ndarray, items: np.ndarray, count: int, values: np.ndarray | None = None) -> np.ndarray:
        """Sums of values (by default 1 each) of things that happened in games, float64 [deals, count]."""
        deals = self.games // self.block
        sums = np.bincount(games // self.block * count + items, values, deals * count)
        return np.asarray(sums.reshape(deals, count), float)

    def deal_sums(self, values: np.ndarray) -> np.ndarray:
        """Sums over the games of each deal, float64 [deals, items], of values [games, items]."""
        deals = self.games // self.block
        return np.asarray(values.reshape(deals, self.block, values.shape[1]).sum(axis=1), float)


def read_batches(run: Path) -> tuple[Plan, Iterator[Batch]]:
    """The plan of a run directory and its games, a shard at a time, without the deals in which a bot had a fault.

    UsageError if it is not a run, or has no details; ArenaError if it holds no game.
    """
    plan = run_directory.read_plan(run)
    recorded = Recorded.of(run, plan)
    if not recorded.games:
        raise ArenaError(f"{run} holds no finished games")
    if not plan.detail:
        raise UsageError(
            f"{run} has no details, which balance needs: play it again without --no-detail: "
            + plan.command.replace(" --no-detail", "")
        )
    return plan, _batches(plan, recorded)


def _batches(plan: Plan, recorded: Recorded) -> Iterator[Batch]:
    for first, last in shards(plan, 0, plan.games):
        outcomes, there = recorded.load(first, last)
        sound = there & (outcomes["fault"][:, : plan.players] == NO_FAULT).all(axis=1)
        whole = np.repeat(sound.reshape(-1, plan.block_games).all(axis=1), plan.block_games)
        if whole.any():
            deals, seatings = plan.seatings(first, last)
            yield Batch(plan, outcomes[whole], seatings[whole], deals[whole])
