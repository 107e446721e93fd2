"""What is worth saying of a map: sentences, the surest and largest first, corrected for how many things were asked."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from arena.stats.ratios import RatioSums, p_values, q_values

RATE = 0.05
"""Of the findings that are made, this share at most is due to chance."""
LEAST = 30
"""So many deals, or things in them, must stand behind a finding: below, the normal law is no guide."""


class Candidate(NamedTuple):
    """Something that could be a finding."""

    table: str
    text: str
    """What is so, in a sentence; `{}` stands for the interval."""
    effect: float
    """How far it is from what it should be, in units that can be compared within its table."""
    p: float
    """How probable so much would be by chance."""
    sample: int


def found(candidates: Iterable[Candidate], rate: float = RATE) -> list[Candidate]:
    """Those that hold at a false discovery rate, the largest first; thin samples are not asked."""
    asked = [candidate for candidate in candidates if candidate.sample >= LEAST and not np.isnan(candidate.p)]
    q = q_values(np.array([candidate.p for candidate in asked]))
    kept = [candidate for candidate, value in zip(asked, q, strict=True) if value < rate]
    return sorted(kept, key=lambda candidate: -abs(candidate.effect))


def candidates_of(
    table: str, texts: Iterable[str], sums: RatioSums, expected: float, scale: float = 1.0
) -> list[Candidate]:
    """A candidate for each item: how far its ratio is from what is expected. scale: what an effect is multiplied by."""
    p = p_values(sums.value, sums.error, expected)
    low, high = sums.interval()
    return [
        Candidate(table, text.format(f"{low[i]:.3g} to {high[i]:.3g}"), scale * (sums.value[i] - expected), float(p[i]),
                  int(sums.under[i]))
        for i, text in enumerate(texts)
    ]  # fmt: skip
