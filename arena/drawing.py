"""A map as an SVG picture: every space of every track in its color, parallel tracks side by side."""

import math
from collections.abc import Iterator
from html import escape

from arena.mapspec import MapSpec, Route

WIDTH, HEIGHT = 1200, 1440
"""Pixels that a map may take, without the margin."""
MARGIN = 60
TRACK = 11
"""Thickness of a track."""
LABEL = 15
"""Size of the cities' names."""
COLORS = {
    "purple": "#c77dbb", "blue": "#3f7fbf", "orange": "#e08a35", "white": "#ffffff", "green": "#5f9e4a",
    "yellow": "#f0d94a", "black": "#3a3a3a", "red": "#c8463c", "gray": "#b4b4b4",
}  # fmt: skip
DARK = ("black", "blue", "red", "green")
EDGE = 'stroke="#555" stroke-width="0.8"'
STRIPE = "#22437a"
INK, LIGHT = "#222", "#fff"
CELL, ROW = 26, 22
"""Width of a position of the province mat, and height of a line."""

Point = tuple[float, float]
Box = tuple[float, float, float, float]
Places = dict[tuple[str, str], Point]
"""Where the cities stand, by name and inset; some stand in two places."""


def draw(spec: MapSpec) -> str:
    """The SVG document."""
    places = _places(spec)
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
            f"<title>{escape(spec.title)}</title>",
            f'<rect width="{width}" height="{height:.0f}" fill="#f6f3ea"/>',
            f'<text x="{MARGIN / 2:.0f}" y="32" font-size="22" font-weight="bold">{escape(spec.title)}</text>',
            *_insets(places),
            *_tracks(spec, places),
            *_cities(places),
            *legend,
            "</svg>",
            "",
        ]
    )


def _places(spec: MapSpec) -> Places:
    """Where each city stands in the picture."""
    points: Places = {}
    for city in spec.cities:
        points[city.name, city.inset] = (city.x, city.y)
        points.update({(city.name, place.inset): (place.x, place.y) for place in city.also})
    left, right = min(x for x, _ in points.values()), max(x for x, _ in points.values())
    top, bottom = min(y for _, y in points.values()), max(y for _, y in points.values())
    scale = min(WIDTH / max(right - left, 1e-9), HEIGHT / max(bottom - top, 1e-9))
    return {key: (MARGIN + (x - left) * scale, MARGIN + 30 + (y - top) * scale) for key, (x, y) in points.items()}


def _insets(places: Places) -> Iterator[str]:
    """A frame around the cities of each inset."""
    for inset in sorted({inset for _, inset in places} - {""}):
        xs, ys = zip(*(point for (_, where), point in places.items() if where == inset), strict=True)
        left, top = min(xs) - 45, min(ys) - 35
        yield (
            f'<rect x="{left:.0f}" y="{top:.0f}" width="{max(xs) + 45 - left:.0f}" '
            f'height="{max(ys) + 35 - top:.0f}" rx="14" fill="#eae4d3" stroke="#8a8067" stroke-dasharray="6 4"/>'
        )


def _tracks(spec: MapSpec, places: Places) -> Iterator[str]:
    """The tracks of each connection beside each other, each space a rectangle."""
    connections: dict[frozenset[str], list[Route]] = {}
    for route in spec.routes:
        connections.setdefault(frozenset(route[:2]), []).append(route)
    insets = sorted({inset for _, inset in places} - {""})
    first = {city: point for (city, _), point in reversed(places.items())}  # for a route that leads out of an inset
    for tracks in connections.values():
        inset = next((inset for inset in insets if _is_in(tracks[0], inset, places)), "")
        for place, route in enumerate(tracks):
            start, end = sorted(places.get((city, inset)) or first[city] for city in route[:2])
            shift = (place - (len(tracks) - 1) / 2) * (TRACK + 3)
            yield f"<g><title>{escape(str(route))}: {route.length} {'bullet' if route.bullet else route.color}</title>"
            yield from _spaces(route, start, end, shift)
            yield "</g>"


def _is_in(route: Route, inset: str, places: Places) -> bool:
    """Whether a route lies in an inset: both of its cities stand there."""
    return all((city, inset) in places for city in route[:2])


def _spaces(route: Route, start: Point, end: Point, shift: float) -> Iterator[str]:
    """The spaces of a track, each a rectangle; a stripe marks those of a bullet route."""
    distance = max(math.dist(start, end), 1e-9)
    ux, uy = (end[0] - start[0]) / distance, (end[1] - start[1]) / distance
    gap = min(10.0, distance / 6)  # free of track around the cities
    step = (distance - 2 * gap) / route.length
    turn = f"rotate({math.degrees(math.atan2(uy, ux)):.1f})"
    for space in range(route.length):
        along = gap + (space + 0.5) * step
        x, y = start[0] + ux * along - uy * shift, start[1] + uy * along + ux * shift
        yield (
            f'<rect x="{-0.45 * step:.1f}" y="{-TRACK / 2}" width="{0.9 * step:.1f}" height="{TRACK}" rx="2" '
            f'fill="{COLORS[route.color]}" {EDGE} transform="translate({x:.1f} {y:.1f}) {turn}"/>'
        )
        if route.bullet:
            yield (
                f'<path d="M{-0.38 * step:.1f} 0H{0.38 * step:.1f}" stroke="{STRIPE}" stroke-width="3" '
                f'stroke-linecap="round" transform="translate({x:.1f} {y:.1f}) {turn}"/>'
            )


def _bullet_legend(spec: MapSpec, y: float) -> Iterator[str]:
    """What the stripe means."""
    if any(route.bullet for route in spec.routes):
        yield from _spaces(Route("", "", 2, "gray", bullet=True), (MARGIN, y + 12), (MARGIN + 80, y + 12), 0)
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
        name = escape(line.name or line.color)
        yield f'<text x="{MARGIN}" y="{y + ROW * row + 14:.0f}" font-size="{LABEL}">{name}</text>'


def _cities(places: Places) -> Iterator[str]:
    """A dot and a name for each city, the name where it covers least."""
    taken: list[Box] = [(x - 8, y - 8, x + 8, y + 8) for x, y in places.values()]
    for (name, _), (x, y) in places.items():
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" fill="#fff" stroke="#333" stroke-width="2"/>'
        width = 0.56 * LABEL * len(name)
        options = [
            (x - width / 2, y - 12), (x - width / 2, y + 12 + 0.8 * LABEL), (x + 12, y + 0.35 * LABEL),
            (x - 12 - width, y + 0.35 * LABEL), (x + 8, y - 10), (x + 8, y + 20), (x - 8 - width, y - 10),
            (x - 8 - width, y + 20),
        ]  # fmt: skip
        boxes = [(left, base - LABEL, left + width, base + 3) for left, base in options]
        best = min(range(len(boxes)), key=lambda option: (sum(_overlap(boxes[option], box) for box in taken), option))
        taken.append(boxes[best])
        yield (
            f'<text x="{options[best][0]:.1f}" y="{options[best][1]:.1f}" font-size="{LABEL}" paint-order="stroke" '
            f'stroke="#f6f3ea" stroke-width="4">{escape(name)}</text>'
        )


def _overlap(one: Box, other: Box) -> float:
    """The area that two boxes share."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, width) * max(0.0, height)
