"""Which measures are worth a sentence: effects that are large beyond chance, corrected for the number of questions."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from arena.stats.ratio_estimates import RatioSums, p_beyond, q_values

RATE = 0.05
"""At most this share of the findings is due to chance."""
Z95 = 1.96
LEAST = 30
"""A finding needs so many deals, or things in them: with fewer, the normal law is no guide."""


class Topic(NamedTuple):
    """What findings are about."""

    table: str
    players: int


class Candidate(NamedTuple):
    """Something that could be a finding."""

    topic: Topic
    text: str
    """What is so, in a sentence."""
    effect: float
    """How far it is from what it should be, in margins: what is smaller than one margin matters to nobody."""
    bound: float
    """The end of its 95 % interval that is nearer to what it should be, in margins: a confidence bound."""
    p: float
    """How probable so much would be by chance if the truth were within the margin."""
    sample: int


def asked_of(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates with large enough samples to be tested."""
    return [candidate for candidate in candidates if candidate.sample >= LEAST and not np.isnan(candidate.p)]


def found(candidates: Iterable[Candidate], rate: float = RATE) -> list[Candidate]:
    """The candidates that hold at a false discovery rate, the largest confidence bound first."""
    asked = asked_of(candidates)
    q = q_values(np.array([candidate.p for candidate in asked]))
    kept = [candidate for candidate, value in zip(asked, q, strict=True) if value < rate]
    return sorted(kept, key=lambda candidate: -candidate.bound)


def candidates_of(
    topic: Topic, texts: Sequence[str], sums: RatioSums, expected: np.ndarray | float, margin: float,
    step: np.ndarray | float = 1.0,
) -> list[Candidate]:  # fmt: skip
    """A candidate for each deviation of a ratio from what is expected, texts and ratios [items].

    step: by how much one thing can change a numerator, 1 for shares.
    """
    deviations, errors, samples = sums.value - expected, error_floor(sums, step), sums.independent
    p = p_beyond(deviations, errors, margin, samples - 1)
    bounds = np.maximum(np.abs(deviations) - Z95 * errors, 0.0)
    return [
        Candidate(topic, text, float(deviations[i] / margin), float(bounds[i] / margin), float(p[i]), int(samples[i]))
        for i, text in enumerate(texts)
    ]


def error_floor(sums: RatioSums, step: np.ndarray | float = 1.0) -> np.ndarray:
    """The errors of ratios, with a floor: at least that of what happens twice, float64 [items].

    What never happened has no spread: the error is at least 2 over the deals, or over the things if these are fewer,
    so that twice it is more than the rule of three allows something that was not seen once (`share_interval`).
    """
    return np.asarray(np.fmax(sums.error, 2 * np.asarray(step) / np.maximum(sums.independent, 1)))
