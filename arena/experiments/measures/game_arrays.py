"""The games of a run, read in batches of whole deals, as the arrays that all measures start from."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from arena.engine.loop import NO_FAULT
from arena.errors import ArenaError, UsageError
from arena.rules.game_log import MOST_OFFERS
from arena.stats.win_shares import win_shares
from arena.store import run_directory
from arena.store.ranges import Range, shards
from arena.store.reader import Recorded
from arena.tournament.plan import Plan


class Claims(NamedTuple):
    """Every claim of some games, each int64 [claims]."""

    game: np.ndarray
    """An index into the lot."""
    turn: np.ndarray
    seat: np.ndarray
    route: np.ndarray
    card: np.ndarray
    locomotives: np.ndarray


class Offers(NamedTuple):
    """Every ticket that a seat chose from in some games, each int64 [offers]."""

    game: np.ndarray
    turn: np.ndarray
    seat: np.ndarray
    ticket: np.ndarray
    kept: np.ndarray
    completed: np.ndarray


@dataclass(frozen=True)
class Lot:
    """Successive deals, each with all its games."""

    outcomes: np.ndarray
    """OUTCOME [games]."""
    seatings: np.ndarray
    """The bot (its number) in each seat, int64 [games, seats]."""
    block: int
    """Games of a deal."""
    deals: np.ndarray
    """The deal of each game, int64 [games]."""

    @property
    def games(self) -> int:
        """How many there are."""
        return len(self.outcomes)

    @property
    def seats(self) -> int:
        """Of each game."""
        return int(self.seatings.shape[1])

    @cached_property
    def wins(self) -> np.ndarray:
        """Win shares, float64 [games, seats]."""
        return win_shares(self.outcomes["rank"][:, : self.seats])

    @cached_property
    def turns(self) -> np.ndarray:
        """How many turns each game took, all seats together, int64 [games]."""
        return np.asarray(self.outcomes["turns"][:, : self.seats].sum(axis=1, dtype=np.int64))

    @cached_property
    def claims(self) -> Claims:
        """All claims, in their order."""
        names = ("claim_turn", "claim_seat", "claim_route", "claim_card", "claim_locomotives")
        return Claims(*self._flat(self.outcomes["claims"], names))

    @cached_property
    def offers(self) -> Offers:
        """All tickets offered, in their order."""
        names = ("offer_turn", "offer_seat", "offer_ticket", "offer_kept", "offer_completed")
        return Offers(*self._flat(np.minimum(self.outcomes["offers"], MOST_OFFERS), names))

    def _flat(self, counts: np.ndarray, names: tuple[str, ...]) -> list[np.ndarray]:
        """The games, and the entries of list fields as far as they are taken."""
        there = np.arange(self.outcomes[names[0]].shape[1]) < counts[:, None]
        return [np.nonzero(there)[0], *(self.outcomes[name][there].astype(np.int64) for name in names)]

    def part(self, first: int, last: int) -> "Lot | None":
        """Its games of the deals first to last - 1; None if it has none."""
        begin, end = np.searchsorted(self.deals, [first, last]).tolist()
        if begin == end:
            return None
        games = slice(begin, end)
        return Lot(self.outcomes[games], self.seatings[games], self.block, self.deals[games])

    def by_deal(self, games: np.ndarray, items: np.ndarray, count: int, values: np.ndarray | None = None) -> np.ndarray:
        """Sums of values (1 each, if none are given) of things that happened in games, float64 [deals, count]."""
        deals = self.games // self.block
        sums = np.bincount(games // self.block * count + items, values, deals * count)
        return np.asarray(sums.reshape(deals, count), float)

    def deal_sums(self, values: np.ndarray) -> np.ndarray:
        """Sums over the games of each deal, float64 [deals, items], of values [games, items]."""
        deals = self.games // self.block
        return np.asarray(values.reshape(deals, self.block, values.shape[1]).sum(axis=1), float)


def lots_of(run: Path, plan: Plan, played: Range | None = None) -> Iterator[Lot]:
    """The games of a run, a shard at a time; deals in which a bot had a fault are left out.

    UsageError if the run has no details.
    """
    if not plan.detail:
        raise UsageError(
            f"{run} has no details, which balance needs: play it again without --no-detail: "
            + plan.command.replace(" --no-detail", "")
        )
    recorded = Recorded.of(run, plan)
    for first, last in shards(plan, *(played or (0, plan.games))):
        outcomes, there = recorded.load(first, last)
        sound = there & (outcomes["fault"][:, : plan.players] == NO_FAULT).all(axis=1)
        whole = np.repeat(sound.reshape(-1, plan.block_games).all(axis=1), plan.block_games)
        if whole.any():
            deals, seatings = plan.seatings(first, last)
            yield Lot(outcomes[whole], seatings[whole], plan.block_games, deals[whole])


def read_lots(run: Path) -> tuple[Plan, Iterator[Lot]]:
    """The plan of a run directory and its games; UsageError if it is none, ArenaError if it holds no game."""
    plan = run_directory.read_plan(run)
    if not Recorded.of(run, plan).games:
        raise ArenaError(f"{run} holds no finished games")
    return plan, lots_of(run, plan)
