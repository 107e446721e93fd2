"""The color scales of heat maps, which every kind of eye can tell apart."""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

MORE = ("#f1e7a7", "#a2d090", "#34b09d", "#0f84a4", "#1e5297", "#3a2364")
"""The colors from little to much. Lightness falls by equal steps, so the order shows without telling hues apart."""
BELOW = ("#dddad0", "#68a6dc", "#1073bd", "#004696")
ABOVE = ("#dddad0", "#da904b", "#b55814", "#7d3207")
"""The colors from a middle down and up; blue and orange are told apart with any lack of color vision."""
STEPS = (1, 2, 5, 4, 10, 20, 50, 40)
"""Distances of two written numbers, the best first, in powers of ten."""
MOST_TICKS = 6


class ColorScale(NamedTuple):
    """Colors for the numbers from one to another."""

    low: float
    high: float
    middle: float | None = None
    """Colors tell the distance from here, below and above."""

    def share(self, value: float) -> float:
        """Where a number lies on the way from low to high: 0 to 1."""
        return (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5

    def strength(self, value: float) -> float:
        """How strong its color is: 0 to 1."""
        if self.middle is None:
            return self.share(value)
        reach = max(self.high - self.middle, self.middle - self.low)
        return abs(value - self.middle) / reach if reach else 0.0

    def color(self, value: float) -> str:
        """The color of a number, as `#rrggbb`."""
        if self.middle is None:
            return mixed(MORE, self.strength(value))
        return mixed(ABOVE if value > self.middle else BELOW, self.strength(value))


def scale_of(values: Iterable[float], middle: float | None = None, holds: Sequence[float] = ()) -> ColorScale | None:
    """The scale that just holds these numbers, the middle, and what else is wanted; None if none of them is known.

    Numbers that differ by what computing leaves of equal ones only are taken as equal.
    """
    known = [float(value) for value in values if not math.isnan(value)]
    if not known:
        return None
    known += [*holds, *([] if middle is None else [float(middle)])]
    low, high = min(known), max(known)
    if not math.isfinite(high - low):
        raise ValueError("an infinite number has no color")
    if math.isclose(low, high, rel_tol=1e-9, abs_tol=1e-12):
        low = high = known[-1]
    return ColorScale(low, high, middle)


def mixed(colors: tuple[str, ...], share: float) -> str:
    """The color that lies after this share of the way along some."""
    along = min(max(share, 0.0), 1.0) * (len(colors) - 1)
    first = min(int(along), len(colors) - 2)
    parts = (
        round(int(one, 16) + (int(other, 16) - int(one, 16)) * (along - first))
        for one, other in (
            (colors[first][digit : digit + 2], colors[first + 1][digit : digit + 2]) for digit in (1, 3, 5)
        )
    )
    return "#" + "".join(f"{part:02x}" for part in parts)


def ticks(scale: ColorScale, write: Callable[[float], str], fit: Callable[[Sequence[float]], bool]) -> Sequence[float]:
    """Round numbers to be written beside a scale, with its middle: as many as fit beside each other.

    None are closer than how they are written can tell. Where no two round ones fit, the ends stand for them.
    """
    if scale.low == scale.high:
        return (scale.low,)
    power = 10.0 ** math.floor(math.log10((scale.high - scale.low) / MOST_TICKS))
    for step in (power * times for times in STEPS):
        chosen = multiples(scale.low, scale.high, step)
        if scale.middle is not None:
            chosen = sorted([tick for tick in chosen if abs(tick - scale.middle) > step / 2] + [scale.middle])
        halves = sorted([*chosen, *((low + high) / 2 for low, high in pairwise(chosen))])
        told = all(write(low) != write(high) for low, high in pairwise(halves))
        if 2 <= len(chosen) <= MOST_TICKS and told and fit(chosen):
            return chosen
    ends = (scale.low, scale.high)
    return ends if write(scale.low) != write(scale.high) and fit(ends) else ends[1:]


def multiples(low: float, high: float, step: float) -> list[float]:
    """The multiples of a step from one number to another; of too many to be written, only the first."""
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{number * step:.12g}") for number in range(first, min(last, first + 9 * MOST_TICKS) + 1)]
