"""A map as an SVG picture: every space of every track in its color, parallel tracks side by side."""

import math
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from types import MappingProxyType
from typing import NamedTuple

from arena.boards.spec import MapSpec, Route
from arena.texts import plain

WIDTH, HEIGHT = 1200, 1440
"""Pixels that a map may take, without the margin."""
MARGIN = 60
TRACK = 11
"""Thickness of a track."""
APART = TRACK + 3
"""From the middle of a track to that of the one beside it."""
DOT = 7
"""Radius of a city."""
LABEL = 15
"""Size of the cities' names."""
COLORS = {
    "purple": "#c77dbb", "blue": "#3f7fbf", "orange": "#e08a35", "white": "#ffffff", "green": "#5f9e4a",
    "yellow": "#f0d94a", "black": "#3a3a3a", "red": "#c8463c", "gray": "#b4b4b4",
}  # fmt: skip
DARK = ("black", "blue", "red", "green")
EDGE = 'stroke="#555" stroke-width="0.8"'
STRIPE = "#22437a"
PAPER = "#f6f3ea"
INK, LIGHT = "#222", "#fff"
CELL, ROW = 26, 22
"""Width of a position of the province mat, and height of a line."""

KEPT = "\n\u00a0\u202f"
"""What texts may hold though it cannot be printed: the end of a line, and spaces where no line may end."""

Point = tuple[float, float]
Box = tuple[float, float, float, float]
Places = dict[tuple[str, str], Point]
"""Where the cities stand, by name and inset; some stand in two places."""


class Track(NamedTuple):
    """Where the track of a route lies: from one point to another, or so far beside that."""

    route: int
    start: Point
    end: Point
    shift: float = 0


class Space(NamedTuple):
    """A space of a track: how long it is, where its middle lies, and by how many degrees it is turned."""

    length: float
    middle: Point
    turn: float

    @property
    def transform(self) -> str:
        """What moves a picture of it there."""
        return f"translate({self.middle[0]:.1f} {self.middle[1]:.1f}) rotate({self.turn:.1f})"


class Spot(NamedTuple):
    """Where the name of a city stands."""

    x: float
    """Where it begins if letters are as wide as expected."""
    y: float
    anchored: float
    anchor: str
    """Where its start, middle or end stands, however wide they are."""


def draw(spec: MapSpec) -> str:
    """The SVG document."""
    places = places_of(spec)
    bottom = max(y for _, y in places.values())
    rows = len(spec.provinces) + any(route.bullet for route in spec.routes)
    legend = [*_mat(spec, bottom + MARGIN), *_bullet_legend(spec, bottom + MARGIN + ROW * len(spec.provinces))]
    width = round(max(x for x, _ in places.values())) + MARGIN
    if rows:
        cells = max([line.positions for line in spec.provinces] or [0])
        width = max(width, round(MARGIN + _indent(spec) + cells * (CELL + 2) + MARGIN))
    height = bottom + MARGIN + (ROW * rows + MARGIN / 2 if rows else 0)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:.0f}" width="{width}" '
            f'height="{height:.0f}" font-family="sans-serif" role="img">',
            f"<title>{printed(spec.title)}</title>",
            f'<rect width="{width}" height="{height:.0f}" fill="{PAPER}"/>',
            f'<text x="{MARGIN / 2:.0f}" y="32" font-size="22" font-weight="bold">{printed(spec.title)}</text>',
            *frames(places),
            *_tracks(spec, places),
            *_cities(places),
            *legend,
            "</svg>",
            "",
        ]
    )


def places_of(spec: MapSpec) -> Places:
    """Where each city stands in the picture."""
    points: Places = {}
    for city in spec.cities:
        points[city.name, city.inset] = (city.x, city.y)
        points.update({(city.name, place.inset): (place.x, place.y) for place in city.also})
    left, right = min(x for x, _ in points.values()), max(x for x, _ in points.values())
    top, bottom = min(y for _, y in points.values()), max(y for _, y in points.values())
    scale = min(WIDTH / max(right - left, 1e-9), HEIGHT / max(bottom - top, 1e-9))
    return {key: (MARGIN + (x - left) * scale, MARGIN + 30 + (y - top) * scale) for key, (x, y) in points.items()}


def frames(places: Places) -> Iterator[str]:
    """A frame around the cities of each inset."""
    for inset in sorted({inset for _, inset in places} - {""}):
        xs, ys = zip(*(point for (_, where), point in places.items() if where == inset), strict=True)
        left, top = min(xs) - 45, min(ys) - 35
        yield (
            f'<rect x="{left:.0f}" y="{top:.0f}" width="{max(xs) + 45 - left:.0f}" '
            f'height="{max(ys) + 35 - top:.0f}" rx="14" fill="#eae4d3" stroke="#8a8067" stroke-dasharray="6 4"/>'
        )


def tracks(spec: MapSpec, places: Places, apart: float) -> Iterator[Track]:
    """The tracks, those of each connection beside each other."""
    connections: dict[frozenset[str], list[int]] = {}
    for index, route in enumerate(spec.routes):
        connections.setdefault(frozenset(route[:2]), []).append(index)
    insets = sorted({inset for _, inset in places} - {""})
    first = {city: point for (city, _), point in reversed(places.items())}  # for a route that leads out of an inset
    for beside in connections.values():
        inset = next((inset for inset in insets if _is_in(spec.routes[beside[0]], inset, places)), "")
        for place, index in enumerate(beside):
            start, end = sorted(places.get((city, inset)) or first[city] for city in spec.routes[index][:2])
            yield Track(index, start, end, (place - (len(beside) - 1) / 2) * apart)


def _is_in(route: Route, inset: str, places: Places) -> bool:
    """Whether a route lies in an inset: both of its cities stand there."""
    return all((city, inset) in places for city in route[:2])


def spaces(track: Track, number: int) -> Iterator[Space]:
    """A track cut into so many spaces."""
    (left, top), (right, bottom) = track.start, track.end
    distance = max(math.dist(track.start, track.end), 1e-9)
    ux, uy = (right - left) / distance, (bottom - top) / distance
    gap = min(10.0, distance / 6)  # free of track around the cities
    step = (distance - 2 * gap) / number
    turn = math.degrees(math.atan2(uy, ux))
    for space in range(number):
        along = gap + (space + 0.5) * step
        yield Space(step, (left + ux * along - uy * track.shift, top + uy * along + ux * track.shift), turn)


def _tracks(spec: MapSpec, places: Places) -> Iterator[str]:
    """Every track with what it costs."""
    for track in tracks(spec, places, APART):
        route = spec.routes[track.route]
        yield f"<g><title>{printed(cost(route))}</title>"
        yield from _spaces(route, track)
        yield "</g>"


def cost(route: Route) -> str:
    """A route and what it takes: `Denver-Omaha: 4 purple`."""
    return f"{route}: {route.length} {'bullet' if route.bullet else route.color}"


def _spaces(route: Route, track: Track) -> Iterator[str]:
    """The spaces of a track, each a rectangle; a stripe marks those of a bullet route."""
    for space in spaces(track, route.length):
        step, transform = space.length, space.transform
        yield (
            f'<rect x="{-0.45 * step:.1f}" y="{-TRACK / 2}" width="{0.9 * step:.1f}" height="{TRACK}" rx="2" '
            f'fill="{COLORS[route.color]}" {EDGE} transform="{transform}"/>'
        )
        if route.bullet:
            yield (
                f'<path d="M{-0.38 * step:.1f} 0H{0.38 * step:.1f}" stroke="{STRIPE}" stroke-width="3" '
                f'stroke-linecap="round" transform="{transform}"/>'
            )


def _bullet_legend(spec: MapSpec, y: float) -> Iterator[str]:
    """What the stripe means."""
    if any(route.bullet for route in spec.routes):
        yield from _spaces(Route("", "", 2, "gray", bullet=True), Track(0, (MARGIN, y + 12), (MARGIN + 80, y + 12)))
        yield f'<text x="{MARGIN + 92}" y="{y + 17:.0f}" font-size="{LABEL}">bullet route</text>'


def _indent(spec: MapSpec) -> float:
    """The room for the names of the province mat's lines, or for the legend."""
    return max([0.62 * LABEL * len(line.name or line.color) + 15 for line in spec.provinces] + [130])


def _mat(spec: MapSpec, y: float) -> Iterator[str]:
    """The province mat: a row of positions for each line."""
    for row, line in enumerate(spec.provinces):
        for position in range(line.positions):
            x, top = MARGIN + _indent(spec) + position * (CELL + 2), y + ROW * row
            yield (
                f'<rect x="{x:.0f}" y="{top:.0f}" width="{CELL}" height="18" rx="2" fill="{COLORS[line.color]}" '
                f'{EDGE}/><text x="{x + CELL / 2:.0f}" y="{top + 13:.0f}" font-size="11" '
                f'text-anchor="middle" fill="{LIGHT if line.color in DARK else INK}">{position + 1}</text>'
            )
        name = printed(line.name or line.color)
        yield f'<text x="{MARGIN}" y="{y + ROW * row + 14:.0f}" font-size="{LABEL}">{name}</text>'


def _cities(places: Places) -> Iterator[str]:
    """A dot and a name for each city."""
    for (name, _), (x, y), spot in zip(places, places.values(), spots_of_names(places), strict=True):
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DOT}" fill="#fff" stroke="#333" stroke-width="2"/>'
        yield city_name(name, spot.x, spot.y)


def city_name(name: str, x: float, y: float, more: str = "") -> str:
    """The name of a city, ink on a rim of paper; more: attributes."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{LABEL}" paint-order="stroke" '
        f'stroke="{PAPER}" stroke-width="4"{more}>{printed(name)}</text>'
    )


def spots_of_names(
    places: Places, radii: Mapping[str, float] = MappingProxyType({}), avoided: Iterable[Box] = ()
) -> Iterator[Spot]:
    """Where the name of each city stands: where it covers least of dots, other names and what is to be avoided.

    radii: those of the cities' dots, where they are not the usual.
    """
    taken: list[Box] = list(avoided)
    for (name, _), (x, y) in places.items():
        reach = radii.get(name, DOT) + 1
        taken.append((x - reach, y - reach, x + reach, y + reach))
    for (name, _), (x, y) in places.items():
        width, more = 0.56 * LABEL * len(name), radii.get(name, DOT) - DOT
        side, edge, level = 12 + more, 8 + more, y + 0.35 * LABEL
        spots = [
            Spot(x - width / 2, y - side, x, "middle"), Spot(x - width / 2, y + side + 0.8 * LABEL, x, "middle"),
            Spot(x + side, level, x + side, "start"), Spot(x - side - width, level, x - side, "end"),
            Spot(x + edge, y - 2 - edge, x + edge, "start"), Spot(x + edge, y + 12 + edge, x + edge, "start"),
            Spot(x - edge - width, y - 2 - edge, x - edge, "end"),
            Spot(x - edge - width, y + 12 + edge, x - edge, "end"),
        ]  # fmt: skip
        boxes = [(spot.x, spot.y - LABEL, spot.x + width, spot.y + 3) for spot in spots]
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        around = (min(lefts), min(tops), max(rights), max(bottoms))
        near = [box for box in taken if _overlap(box, around)]
        covered = [sum(_overlap(box, other) for other in near) for box in boxes]
        best = covered.index(min(covered))
        taken.append(boxes[best])
        yield spots[best]


def _overlap(one: Box, other: Box) -> float:
    """The area that two boxes share."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, width) * max(0.0, height)


def printed(text: str) -> str:
    """A text as it stands in the document."""
    return escape(plain(text, KEPT))
