"""Which games are played again: a random sample of a given size and seed, and what it can show."""

import random
import re
import secrets
from bisect import bisect_left
from dataclasses import dataclass
from math import ceil, lgamma, log

import numpy as np

from arena.errors import UsageError

FEWEST = 20
"""Games of a sample that is given in percent, if there are so many."""
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Size:
    """How many games a sample has: a share of all, or a number."""

    share: float | None
    games: int = 0

    @classmethod
    def parse(cls, text: str) -> "Size":
        """The size that `2%` or `200` means; UsageError for anything else."""
        match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,6})?)%|(\d{1,9})", text.replace(" ", ""))
        if not match or (match[1] and float(match[1]) > 100):
            raise UsageError(f"--sample {text!r} is not a valid sample size: write 2%, 100% or a number of games")
        return cls(float(match[1]) / 100) if match[1] else cls(None, int(match[2]))

    def of(self, games: int) -> int:
        """Its size among so many games."""
        if self.share is None:
            return min(self.games, games)
        wanted = ceil(round(self.share * games, 6))
        return min(max(wanted, FEWEST if self.share else 0), games)


def new_seed() -> int:
    """A seed that nobody could know before: whoever wrote a false result could not tell that its game is not drawn."""
    return secrets.randbelow(1_000_000_000)


def draw(games: np.ndarray, size: int, seed: int) -> np.ndarray:
    """So many of the games, ascending; the same ones for the same seed."""
    return games[sorted(random.Random(seed).sample(range(len(games)), size))]


def fewest_shown(games: int, size: int) -> int:
    """The least number of wrong games among all of which a random sample shows at least one with 95 %.

    The chance of a sample without any is hypergeometric: C(games - wrong, size) / C(games, size).
    """
    none_drawn = log(1 - CONFIDENCE) + _log_choices(games, size)
    sizes = range(1, games - size + 1)
    return 1 + bisect_left(sizes, True, key=lambda wrong: _log_choices(games - wrong, size) <= none_drawn)


def _log_choices(things: int, size: int) -> float:
    return lgamma(things + 1) - lgamma(size + 1) - lgamma(things - size + 1)


def meaning(games: int, size: int) -> str:
    """What a sample in which all is right says of the others, in a sentence; empty if there are no others."""
    if size == games or not size:
        return ""
    wrong = fewest_shown(games, size)
    return (
        f"If {wrong / games:.1%} of these {games:,} games were wrong ({wrong:,}), a random sample of {size:,} would "
        f"show it with {CONFIDENCE:.0%}."
    )
