"""What the pictures of `heatmaps` are made of: tracks and cities in the color of a number, and words."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from arena.colorscale import ColorScale
from arena.drawing import COLORS, INK, LIGHT, PAPER, Point, Space, Track, spaces
from arena.mapspec import Route
from arena.texts import plain

KEPT = "\n\u00a0\u202f"
"""What texts may hold though it cannot be printed: the end of a line, and spaces where no line may end."""
RIM, QUIET, TIES = "#6b6656", "#ebe5d6", "#8a8473"
"""Around tracks; on those without numbers; across those whose number is not known."""
SMALLEST, LARGEST = 0.7, 1.8
"""Radius of a city whose color is weakest, and of one whose color is strongest, in parts of the usual."""
WIDE = 0.56
"""Width of a letter in parts of its height, about."""


class Style(NamedTuple):
    """Sizes in units of the picture."""

    track: float
    """Thickness of the spaces."""
    rim: float
    """How far the route's own color reaches beyond them."""
    dot: float
    """Radius of a city."""
    title: float
    text: float
    """Height of letters."""
    top: float
    """How much lower than in a plain picture the map begins."""
    bar: float
    """Length of the bar of colors."""
    names: bool
    """Whether cities have names."""
    zoom: float
    """The size of the picture where a page does not decide it."""

    @property
    def bed(self) -> float:
        """Thickness of a track with the color of its route."""
        return self.track + 2 * self.rim


LARGE = Style(track=9, rim=2, dot=7, title=22, text=15, top=6, bar=420, names=True, zoom=1)
SMALL = Style(track=15, rim=2.5, dot=9, title=46, text=38, top=70, bar=640, names=False, zoom=1 / 3)


@dataclass(frozen=True)
class Marks:
    """Draws in one style and on one scale; a value is a number, NaN if it is not known, None if there is none."""

    style: Style
    scale: ColorScale | None
    """None if no number is known."""

    def track(self, route: Route, track: Track, value: float | None) -> Iterator[str]:
        """A track in its route's own color, and on it the spaces in the color of the value."""
        style = self.style
        (bed,) = spaces(track, 1)
        yield _line(bed, bed.length, RIM, style.bed + 1.4)
        yield _line(bed, bed.length, COLORS[route.color], style.bed)
        for space in spaces(track, route.length):
            length = max(space.length - 2 * style.rim, space.length / 2)
            yield (
                f'<rect x="{-length / 2:.1f}" y="{-style.track / 2:g}" width="{length:.1f}" height="{style.track:g}" '
                f'fill="{QUIET if value is None else self.color(value)}" stroke="{RIM}" stroke-width="0.7" '
                f'transform="{space.transform}"/>'
            )
            if value is not None and math.isnan(value):
                yield _line(space, length, TIES, style.track, f"{style.rim:g} {1.5 * style.rim:g}")
            if route.bullet:
                yield _line(space, 0.8 * length, LIGHT if self._is_strong(value) else INK, style.track / 5)

    def dot(self, point: Point, value: float | None, title: str = "") -> str:
        """A city: white, or in the color of its value, and the larger the stronger that is."""
        fill = LIGHT if value is None else self.color(value)
        dashes = ' stroke-dasharray="2.5 2"' if value is not None and math.isnan(value) else ""
        told = f"<title>{printed(title)}</title>" if title else ""
        return (
            f'<circle cx="{point[0]:.1f}" cy="{point[1]:.1f}" r="{self.radius(value):.1f}" fill="{fill}" '
            f'stroke="#333" stroke-width="{self.style.dot / 4.5:.1f}"{dashes}>{told}</circle>'
        )

    def words(self, x: float, y: float, text: str, anchor: str = "start") -> str:
        """A text whose start or middle stands at a point."""
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{self.style.text:g}" text-anchor="{anchor}" '
            f'fill="{INK}">{printed(text)}</text>'
        )

    def radius(self, value: float | None) -> float:
        """Of a city; the area grows with the strength of the color."""
        if value is None or math.isnan(value) or self.scale is None:
            return self.style.dot
        return self.style.dot * math.sqrt(SMALLEST**2 + (LARGEST**2 - SMALLEST**2) * self.scale.strength(value))

    def color(self, value: float) -> str:
        """That of paper, if the value is not known."""
        return PAPER if math.isnan(value) or self.scale is None else self.scale.color(value)

    def _is_strong(self, value: float | None) -> bool:
        """Whether a stripe has to be light to be seen."""
        return value is not None and self.scale is not None and self.scale.strength(value) > 0.5


def printed(text: str) -> str:
    """A text as it stands in the document."""
    return escape(plain(text, KEPT))


def _line(space: Space, length: float, color: str, thickness: float, dashes: str = "") -> str:
    """A line along the middle of a space."""
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<path d="M{-length / 2:.1f} 0H{length / 2:.1f}" stroke="{color}" stroke-width="{thickness:g}"{dashed} '
        f'transform="{space.transform}"/>'
    )
