"""A first estimate of a bot's strength: duels with other bots, each deal in both seatings."""

from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np

from arena import catalog
from arena.boards.spec import MapSpec
from arena.engine.bots import Entrant, Policy
from arena.engine.table import Table
from arena.rules.deal import make_deals
from arena.stats.intervals import share_interval
from arena.stats.win_shares import win_shares

SEED = 2
MOST_DEALS = 50
"""The most deals in one batch of games."""


class Duel(NamedTuple):
    """How a bot did against another one."""

    opponent: str
    games: int
    share: float
    """The bot's share of the wins; a shared win counts as half of one."""
    low: float
    high: float
    """The 95 % interval, over deals."""
    fault: str
    """The first one of the bot; empty if there was none."""

    @property
    def cells(self) -> tuple[str, ...]:
        """Opponent, games, win share and interval as a row of a table."""
        return self.opponent, f"{self.games:,}", f"{self.share:.1%}", f"{self.low:.1%}-{self.high:.1%}"


def shipped_field(entrant: Entrant) -> list[Entrant]:
    """The shipped bots but for the bot itself, the compiled ones, which are fast, first."""
    field = [catalog.load_entrant(name) for name in catalog.shipped_bots()]
    field.sort(key=lambda other: not isinstance(other.bot, Policy))
    return [other for other in field if (other.bot, other.parameters) != (entrant.bot, entrant.parameters)]


def duel(entrant: Entrant, opponent: Entrant, spec: MapSpec, games: int, seconds: float) -> Duel:
    """Play up to so many games, at least two, but begin none after so many seconds."""
    table = Table(spec, 2, [entrant, opponent])
    deals = max(1, -(-games // 2))
    shares: list[float] = []
    fault = ""
    begun, batch = perf_counter(), 1
    while len(shares) < deals and (not shares or perf_counter() - begun < seconds):
        first = len(shares)
        played, first_fault = play_deals(table, range(first, min(first + batch, deals)))
        shares += played
        fault = fault or first_fault
        left = seconds - (perf_counter() - begun)
        batch = int(min(MOST_DEALS, max(1, left / (perf_counter() - begun) * len(shares) / 2)))
    mean = float(np.mean(shares))
    low, high = share_interval(len(shares), sum(shares), sum(share**2 for share in shares))
    return Duel(opponent.name, 2 * len(shares), mean, low, high, fault)


def play_deals(table: Table, deals: Sequence[int], seed: int = SEED) -> tuple[list[float], str]:
    """The first entrant's mean win share in the two games of each deal, and its first fault in words."""
    dealt = np.repeat(make_deals(seed, deals), 2, axis=0)
    seatings = np.tile([[0, 1], [1, 0]], (len(deals), 1))
    outcomes, faults = table.play(seatings, dealt)
    own = win_shares(outcomes["rank"][:, :2])[np.arange(len(seatings)), seatings.argmin(axis=1)]
    reasons = [
        f"deal {deals[game // 2]}, seat {fault.seat}: {fault.reason}"
        for game, own_faults in faults.items() for fault in own_faults if seatings[game, fault.seat] == 0
    ]  # fmt: skip
    return own.reshape(-1, 2).mean(axis=1).tolist(), "".join(reasons[:1])
