"""A map as an SVG picture: plain, or as a heat map whose colors show a number for each route or city."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from textwrap import wrap
from typing import NamedTuple

from arena.boards.colors import ColorScale, scale_of, ticks
from arena.boards.layout import LABEL, MARGIN, Box, Track, places_of, spaces, spots_of_names, tracks
from arena.boards.marks import COLORS, INK, LARGE, LARGEST, LIGHT, PAPER, PLAIN, SMALL, WIDE, Marks, Style
from arena.boards.spec import MapSpec, Route
from arena.texts import in_markup

NOT_KNOWN = "not known"
SLICES = 32
"""Steps of the bar of colors."""
LEADING = 1.2
"""The distance of two lines, in heights of letters."""
WEIGHT = 9
"""How much worse it is that a name covers a city, or leaves the paper, than that it covers a track."""
CELL, ROW = 28, 22
"""The distance of two positions of the province mat, and of two of its lines."""
DARK = ("black", "blue", "red", "green")
"""Colors on which letters are light."""


class Heat(NamedTuple):
    """A number for each route, each city or both; NaN where it is not known."""

    title: str
    """What the numbers are."""
    routes: Sequence[float] | None
    """The numbers in the order of the map's routes; None if this is about cities."""
    cities: Sequence[float] | None
    """The numbers in the order of the map's cities; None if this is about routes."""
    write: Callable[[float], str]
    """How a number is written."""
    middle: float | None = None
    """The number from which colors tell the distance, above and below; None if they tell how large a number is."""
    holds: Sequence[float] = ()
    """Numbers that the scale holds in any case, so that pictures beside each other can be compared."""


def draw(spec: MapSpec, heat: Heat | None = None, small: bool = False) -> str:
    """The SVG document; small: a heat map to be put beside others, without names of cities.

    ValueError if there is not one number for each route or city, or one that is infinite.
    """
    if heat is None:
        return _Picture(spec, Heat(spec.title, None, None, str), PLAIN).document()
    for given, of, kind in ((heat.routes, spec.routes, "routes"), (heat.cities, spec.cities, "cities")):
        if given is not None and len(given) != len(of):
            raise ValueError(f"{len(given)} numbers for {len(of)} {kind}")
    return _Picture(spec, heat, SMALL if small else LARGE).document()


class _Picture:
    """A picture while it is drawn."""

    def __init__(self, spec: MapSpec, heat: Heat, style: Style) -> None:
        self.spec, self.heat, self.style = spec, heat, style
        self.is_plain = style is PLAIN
        self.routes = [] if heat.routes is None else [float(value) for value in heat.routes]
        self.cities = [] if heat.cities is None else [float(value) for value in heat.cities]
        self.scale = scale_of([*self.routes, *self.cities], heat.middle, heat.holds)
        self.marks = Marks(style, self.scale)
        places = places_of(spec)
        self.indent = max([WIDE * LABEL * len(line.name or line.color) + 20 for line in spec.provinces] + [0])
        """The room for the names of the province mat's lines."""
        mat = self.indent + CELL * max([line.positions for line in spec.provinces] + [0])
        below = mat if self.is_plain else style.bar
        self.width = max(round(max(x for x, _ in places.values())), MARGIN + round(below)) + MARGIN
        self.title = self._lines(heat.title, style.title)
        self.map = [] if self.is_plain else self._lines(spec.title, style.text)
        more = LEADING * (style.title * len(self.title[1:]) + style.text * len(self.map[1:]))
        self.places = {key: (x, y + style.top + more) for key, (x, y) in places.items()}
        self.tracks = list(tracks(spec, self.places, style.bed + 2))
        self.bottom = max(y for _, y in self.places.values()) + MARGIN
        """Where the legend begins."""

    def document(self) -> str:
        """All of it, from back to front."""
        legend, bottom = self._legend()
        if self.is_plain and self.spec.provinces:
            top = max(bottom, self.bottom)
            legend += self._mat(top)
            bottom = top + ROW * len(self.spec.provinces)
        title = self.heat.title if self.is_plain else f"{self.heat.title}: {self.spec.title}"
        width, height, zoom = self.width, round(bottom + MARGIN / 2), self.style.zoom
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width * zoom:.0f}" '
            f'height="{height * zoom:.0f}" font-family="sans-serif" role="img">',
            f"<title>{in_markup(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
            *self._heading(),
            *self._frames(),
            *self.marks.tracks(self._tracks(), pale=bool(self.cities and not self.routes)),
            *self.marks.dots(self._cities()),
            *(self._names() if self.style.names else ()),
            *legend,
            "</svg>",
            "",
        ]
        return "\n".join(parts)

    def _lines(self, text: str, size: float) -> list[str]:
        """A text in lines that fit into the picture, about equally long."""
        most = max(1, int((self.width - MARGIN) / (WIDE * size)))
        longest = max(map(len, text.split()), default=1)
        lines = wrap(text, most)
        fitting = (wrap(text, letters) for letters in range(min(longest, most), most))
        return next((narrower for narrower in fitting if len(narrower) == len(lines)), lines)

    def _heading(self) -> Iterator[str]:
        """What the numbers are; below it the map, with what must be said wherever it is shown."""
        style, y = self.style, 6.0
        for lines, size, look in (
            (self.title, style.title, f'font-weight="bold" fill="{INK}"'),
            (self.map, style.text, 'fill="#555"'),
        ):
            y += 0.15 * style.title
            for line in lines:
                y += LEADING * size
                yield f'<text x="{MARGIN / 2:.0f}" y="{y:.0f}" font-size="{size:g}" {look}>{in_markup(line)}</text>'

    def _frames(self) -> Iterator[str]:
        """A frame around the cities of each inset."""
        for inset in sorted({inset for _, inset in self.places} - {""}):
            points = [point for (_, where), point in self.places.items() if where == inset]
            xs, ys = zip(*points, strict=True)
            left, top = min(xs) - 45, min(ys) - 35
            yield (
                f'<rect x="{left:.0f}" y="{top:.0f}" width="{max(xs) + 45 - left:.0f}" '
                f'height="{max(ys) + 35 - top:.0f}" rx="14" fill="#eae4d3" stroke="#8a8067" stroke-dasharray="6 4"/>'
            )

    def _tracks(self) -> Iterator[str]:
        """The tracks, each with its route, what it takes and its number."""
        for track in self.tracks:
            route = self.spec.routes[track.route]
            value = self.routes[track.route] if self.routes else None
            cost = f"{route}: {route.length} {'bullet' if route.bullet else route.color}"
            yield from self.marks.track(route, track, value, self._told(cost, value))

    def _told(self, name: str, value: float | None) -> str:
        """A name with the number below it, if there is one."""
        if value is None:
            return name
        return f"{name}\n{NOT_KNOWN if math.isnan(value) else self.heat.write(value)}"

    def _value(self, city: str) -> float | None:
        return self.cities[self.spec.city_index[city]] if self.cities else None

    def _cities(self) -> Iterator[str]:
        """A dot for each city in each of its places."""
        for (name, _), point in self.places.items():
            value = self._value(name)
            yield self.marks.dot(point, value, self._told(name, value))

    def _names(self) -> Iterator[str]:
        """The names of the cities, ink on a rim of paper, off tracks and other cities where that can be."""
        half = self.style.bed / 2
        avoided: list[Box] = []
        for track in self.tracks:
            pieces = spaces(track, max(1, round(math.dist(track.start, track.end) / self.style.bed)))
            avoided += [(x - half, y - half, x + half, y + half) for x, y in (piece.middle for piece in pieces)]
        radii = {name: self.marks.radius(self._value(name)) for name, _ in self.places}
        for (name, _), (x, y) in self.places.items():
            reach = radii[name] + 1
            avoided += WEIGHT * [(x - reach, y - reach, x + reach, y + reach)]
        left, right = 10, self.width - 10
        avoided += WEIGHT * [(-right, 0, left, self.bottom), (right, 0, 2 * right, self.bottom)]
        for (name, _), spot in zip(self.places, spots_of_names(self.places, radii, avoided), strict=True):
            yield (
                f'<text x="{spot.x:.1f}" y="{spot.y:.1f}" font-size="{LABEL}" paint-order="stroke" '
                f'stroke="{PAPER}" stroke-width="4" text-anchor="{spot.anchor}">{in_markup(name)}</text>'
            )

    def _legend(self) -> tuple[list[str], float]:
        """What colors and stripes mean, and how far down that reaches."""
        drawn: list[str] = []
        style, x, line = self.style, float(MARGIN), self.bottom
        if self.scale is not None:
            if self.cities:
                line += (1 + LARGEST) * style.dot + style.text / 2
            drawn += self._bar(self.scale, line)
            x += style.bar + 2 * style.text
        below = 1.7 * style.text * (self.scale is not None)
        for marks, width, text in self._samples():
            wide = width + (0.5 + WIDE * len(text)) * style.text
            if x > MARGIN and x + wide > self.width - MARGIN / 2:
                x, line, below = MARGIN, line + below + 1.5 * style.text, 0.0
            words = self.marks.words(width + style.text / 2, 0.35 * style.text, text)
            drawn += [f'<g transform="translate({x:.1f} {line:.1f})">', *marks, words, "</g>"]
            x += wide + 1.2 * style.text
        return drawn, line + max(below, style.text) if drawn else self.bottom - MARGIN / 2

    def _samples(self) -> Iterator[tuple[list[str], float, str]]:
        """What the legend shows beside the bar: drawn at the origin, how wide it is, what it means."""
        style, long = self.style, 4 * self.style.text
        lying = Track(0, (-10, 0), (long + 10, 0))  # tracks begin that far from their cities
        if any(map(math.isnan, self.routes)):
            yield [*self.marks.tracks(self.marks.track(Route("", "", 2, "gray"), lying, math.nan))], long, NOT_KNOWN
        elif any(map(math.isnan, self.cities)):
            yield [*self.marks.dots([self.marks.dot((style.dot, 0), math.nan)])], 2 * style.dot, NOT_KNOWN
        if any(route.bullet for route in self.spec.routes):
            bullet = Route("", "", 2, "gray", bullet=True)
            yield [*self.marks.tracks(self.marks.track(bullet, lying, None))], long, "bullet route"

    def _bar(self, scale: ColorScale, line: float) -> Iterator[str]:
        """The colors of the scale, cities of their sizes above, numbers below."""
        style, marked = self.style, ticks(scale, self.heat.write, self._fit)
        thick = style.text
        yield '<g shape-rendering="crispEdges">'
        for number in range(SLICES):  # each as far as the end: no paper is seen between them
            value = scale.low + (scale.high - scale.low) * number / (SLICES - 1)
            done = style.bar * number / SLICES
            yield (
                f'<rect x="{MARGIN + done:.1f}" y="{line - thick / 2:.1f}" width="{style.bar - done:.1f}" '
                f'height="{thick}" fill="{scale.color(value)}"/>'
            )
        yield "</g>"
        below = line + thick / 2
        for tick in marked:
            x = self._along(tick)
            if self.cities:
                yield from self.marks.dots([self.marks.dot((x, self.bottom), tick)])
            yield f'<path d="M{x:.1f} {below:.1f}v{thick / 3:.1f}" stroke="{INK}" stroke-width="{thick / 12:.1f}"/>'
            yield self.marks.words(x, below + 1.2 * thick, self.heat.write(tick), "middle")

    def _fit(self, numbers: Sequence[float]) -> bool:
        """Whether these stand beside each other below the bar."""
        written = [(self._along(number), len(self.heat.write(number))) for number in numbers]
        return all(
            right - left >= (WIDE * (one + other) / 2 + 0.3) * self.style.text
            for (left, one), (right, other) in pairwise(written)
        )

    def _along(self, value: float) -> float:
        """Where a number lies on the bar."""
        return MARGIN + self.style.bar * (self.scale.share(value) if self.scale else 0)

    def _mat(self, y: float) -> Iterator[str]:
        """The province mat: a row of positions for each line."""
        for top, line in enumerate(self.spec.provinces):
            middle = y + ROW * (top + 0.5)
            yield self.marks.words(MARGIN, middle + 5, line.name or line.color)
            for position in range(line.positions):
                x = MARGIN + self.indent + CELL * position
                yield (
                    f'<rect x="{x:.0f}" y="{middle - 9:.0f}" width="26" height="18" rx="2" '
                    f'fill="{COLORS[line.color]}" stroke="#555" stroke-width="0.8"/>'
                    f'<text x="{x + 13:.0f}" y="{middle + 4:.0f}" font-size="11" text-anchor="middle" '
                    f'fill="{LIGHT if line.color in DARK else INK}">{position + 1}</text>'
                )
