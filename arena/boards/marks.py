"""The pieces of a picture of a map: tracks and cities, plain or in the color of a number, and the words beside them."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from arena.boards.colors import ColorScale
from arena.boards.layout import DOT, Point, Track, spaces
from arena.boards.spec import Route
from arena.texts import in_markup

COLORS = {
    "purple": "#c77dbb", "blue": "#3f7fbf", "orange": "#e08a35", "white": "#ffffff", "green": "#5f9e4a",
    "yellow": "#f0d94a", "black": "#3a3a3a", "red": "#c8463c", "gray": "#b4b4b4",
}  # fmt: skip
PAPER = "#f6f3ea"
INK, LIGHT = "#222", "#fff"
RIM, QUIET, TIES = "#665", "#ebe5d6", "#8a8473"
"""The colors around tracks, on those without numbers, and across those whose number is not known."""
PALE = ' opacity="0.5"'
SMALLEST, LARGEST = 0.7, 1.8
"""Radius of a city whose color is weakest, and of one whose color is strongest, in parts of the usual."""
WIDE = 0.56
"""Width of a letter in parts of its height, about."""


class Style(NamedTuple):
    """Sizes in units of the picture."""

    track: float
    """Thickness of the spaces."""
    rim: float
    """How far the route's own color reaches beyond them; 0 where the spaces have it themselves."""
    gap: float
    """Between two spaces."""
    dot: float
    """Radius of a city."""
    title: float
    text: float
    """Height of letters."""
    top: float
    """How much room the map's name takes below the title."""
    bar: float
    """Length of the bar of colors."""
    names: bool
    """Whether cities have names."""
    zoom: float
    """The size of the picture where a page does not decide it."""
    digits: int
    """Digits of coordinates after the point."""

    @property
    def bed(self) -> float:
        """Thickness of a track with the color of its route."""
        return self.track + 2 * self.rim


PLAIN = Style(track=11, rim=0, gap=4, dot=DOT, title=22, text=15, top=0, bar=0, names=True, zoom=1, digits=1)
LARGE = Style(track=9, rim=2, gap=4, dot=DOT, title=22, text=15, top=6, bar=420, names=True, zoom=1, digits=1)
SMALL = Style(track=15, rim=2.5, gap=5, dot=9, title=46, text=38, top=70, bar=640, names=False, zoom=1 / 3, digits=0)


@dataclass(frozen=True)
class Marks:
    """Draws in one style and on one scale; a value is a number, NaN if it is not known, or None if nothing is shown."""

    style: Style
    scale: ColorScale | None
    """None if no number is known."""

    def at(self, *values: float) -> str:
        """Coordinates as they stand in the picture."""
        return " ".join(f"{round(value, self.style.digits) or 0:g}" for value in values)

    def tracks(self, drawn: Iterable[str], pale: bool = False) -> Iterator[str]:
        """Some tracks, with the rims of all."""
        yield f'<g stroke="{RIM}" stroke-width="0.7"{PALE if pale else ""}>'
        yield from drawn
        yield "</g>"

    def track(self, route: Route, track: Track, value: float | None, title: str = "") -> Iterator[str]:
        """A track in its route's own color, and on it the spaces in the color of the value; drawn along one line."""
        style = self.style
        (bed,) = spaces(track, 1)
        step = bed.length / route.length
        length = max(step - style.gap, step / 2)
        starts = [(space + 0.5) * step - (bed.length + length) / 2 for space in range(route.length)]
        fill = QUIET if value is None else self.color(value)
        told = f"<title>{in_markup(title)}</title>" if title else ""
        yield f'<g transform="translate({self.at(*bed.middle)}) rotate({bed.turn:.1f})">{told}'
        if style.rim:
            yield f'<path d="{self._box(-bed.length / 2, bed.length, style.bed)}" fill="{COLORS[route.color]}"/>'
        else:
            fill = COLORS[route.color]
        yield f'<path d="{"".join(self._box(start, length, style.track) for start in starts)}" fill="{fill}"/>'
        if value is not None and math.isnan(value):
            yield self._lines(starts, length, TIES, style.track, f"{style.rim:g} {1.5 * style.rim:g}")
        if route.bullet:
            inner = [start + 0.1 * length for start in starts]
            yield self._lines(inner, 0.8 * length, LIGHT if self._is_strong(value) else INK, style.track / 5)
        yield "</g>"

    def _box(self, start: float, length: float, thickness: float) -> str:
        """The path around a piece of a track."""
        return f"M{self.at(start)} {-thickness / 2:g}h{self.at(length)}v{thickness:g}h{self.at(-length)}z"

    def _lines(self, starts: Iterable[float], length: float, color: str, thickness: float, dashes: str = "") -> str:
        """A line along the middle of each space."""
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        along = "".join(f"M{self.at(start)} 0h{self.at(length)}" for start in starts)
        return f'<path d="{along}" stroke="{color}" stroke-width="{thickness:g}"{dashed}/>'

    def dots(self, drawn: Iterable[str]) -> Iterator[str]:
        """Some cities, with the rims of all."""
        yield f'<g stroke="#333" stroke-width="{self.style.dot / 4.5:.1f}">'
        yield from drawn
        yield "</g>"

    def dot(self, point: Point, value: float | None, title: str = "") -> str:
        """A city: white, or in the color of its value, and the larger the stronger that is."""
        fill = LIGHT if value is None else self.color(value)
        dashes = ' stroke-dasharray="2.5 2"' if value is not None and math.isnan(value) else ""
        shape = f'<circle cx="{point[0]:.1f}" cy="{point[1]:.1f}" r="{self.radius(value):.1f}" fill="{fill}"{dashes}'
        return f"{shape}><title>{in_markup(title)}</title></circle>" if title else f"{shape}/>"

    def words(self, x: float, y: float, text: str, anchor: str = "start") -> str:
        """A text whose start or middle stands at a point."""
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{self.style.text:g}" text-anchor="{anchor}" '
            f'fill="{INK}">{in_markup(text)}</text>'
        )

    def radius(self, value: float | None) -> float:
        """The radius of a city: its area grows with the strength of the color."""
        if value is None or math.isnan(value) or self.scale is None:
            return self.style.dot
        return self.style.dot * math.sqrt(SMALLEST**2 + (LARGEST**2 - SMALLEST**2) * self.scale.strength(value))

    def color(self, value: float) -> str:
        """The color of a value; that of paper if it is not known."""
        return PAPER if math.isnan(value) or self.scale is None else self.scale.color(value)

    def _is_strong(self, value: float | None) -> bool:
        """Whether a stripe has to be light to be seen."""
        return value is not None and self.scale is not None and self.scale.strength(value) > 0.5
