"""Which measures are worth a sentence: large and sure effects, corrected for the number of questions."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from arena.stats.ratio_estimates import RatioSums, p_beyond, q_values

RATE = 0.05
"""Of the findings that are made, this share at most is due to chance."""
Z95 = 1.96
LEAST = 30
"""So many deals, or things in them, must stand behind a finding: below, the normal law is no guide."""


class Topic(NamedTuple):
    """What findings are about."""

    table: str
    players: int


class Apart(NamedTuple):
    """How far numbers are from what they should be, their errors, and how much stands behind each, all [items]."""

    values: np.ndarray
    errors: np.ndarray
    samples: np.ndarray


class Candidate(NamedTuple):
    """Something that could be a finding."""

    topic: Topic
    text: str
    """What is so, in a sentence."""
    effect: float
    """How far it is from what it should be, in margins: what is smaller than one margin matters to nobody."""
    sure: float
    """The end of its 95 % interval that is nearer to what it should be, in margins."""
    p: float
    """How probable so much would be by chance if the truth were within the margin."""
    sample: int


def asked_of(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Those that can be told: no thin samples."""
    return [candidate for candidate in candidates if candidate.sample >= LEAST and not np.isnan(candidate.p)]


def found(candidates: Iterable[Candidate], rate: float = RATE) -> list[Candidate]:
    """Those that hold at a false discovery rate, those that are surely large first; thin samples are not asked."""
    asked = asked_of(candidates)
    q = q_values(np.array([candidate.p for candidate in asked]))
    kept = [candidate for candidate, value in zip(asked, q, strict=True) if value < rate]
    return sorted(kept, key=lambda candidate: -candidate.sure)


def candidates_of(topic: Topic, texts: Sequence[str], apart: Apart, margin: float) -> list[Candidate]:
    """A candidate for each difference from what should be, texts and numbers [items]."""
    values, errors, samples = apart
    p = p_beyond(values, errors, margin, samples - 1)
    sure = np.maximum(np.abs(values) - Z95 * errors, 0.0)
    return [
        Candidate(topic, text, float(values[i] / margin), float(sure[i] / margin), float(p[i]), int(samples[i]))
        for i, text in enumerate(texts)
    ]


def apart(sums: RatioSums, expected: np.ndarray | float, step: np.ndarray | float = 1.0) -> Apart:
    """How far ratios are from what is expected; errors have a lower limit.

    step: by how much one thing can change what is summed up, 1 of shares.

    What never happened has no spread: the error is at least 2 over the deals, or over the things if these are fewer,
    so that twice it is more than the rule of three allows something that was not seen once (`share_interval`).
    """
    return Apart(sums.value - expected, floored(sums, step), sums.independent)


def floored(sums: RatioSums, step: np.ndarray | float = 1.0) -> np.ndarray:
    """The errors of ratios, not less than that of what happens twice, float64 [items]."""
    return np.asarray(np.fmax(sums.error, 2 * np.asarray(step) / np.maximum(sums.independent, 1)))
