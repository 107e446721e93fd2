"""A map as an SVG picture: every space of every track in its color, parallel tracks side by side."""

import math
from collections.abc import Iterator
from html import escape

from arena.mapspec import MapSpec

WIDTH = 1200
"""Pixels, without the margin."""
MARGIN = 60
TRACK = 11
"""Thickness of a track."""
LABEL = 15
"""Size of the cities' names."""
COLORS = {
    "purple": "#c77dbb", "blue": "#3f7fbf", "orange": "#e08a35", "white": "#ffffff", "green": "#5f9e4a",
    "yellow": "#f0d94a", "black": "#3a3a3a", "red": "#c8463c", "gray": "#b4b4b4",
}  # fmt: skip

Point = tuple[float, float]
Box = tuple[float, float, float, float]


def draw(spec: MapSpec) -> str:
    """The SVG document."""
    places, height = _places(spec)
    title = spec.name + (f" ({spec.label})" if spec.label else "")
    width, full_height = WIDTH + 2 * MARGIN, height + 2 * MARGIN + 30
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {full_height:.0f}" width="{width}" '
            f'height="{full_height:.0f}" font-family="sans-serif" role="img">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{full_height:.0f}" fill="#f6f3ea"/>',
            f'<text x="{MARGIN / 2:.0f}" y="32" font-size="22" font-weight="bold">{escape(title)}</text>',
            *_tracks(spec, places),
            *_cities(places),
            "</svg>",
            "",
        ]
    )


def _places(spec: MapSpec) -> tuple[dict[str, Point], float]:
    """Where each city stands in the picture, and how high the map is."""
    left, right = min(city.x for city in spec.cities), max(city.x for city in spec.cities)
    top, bottom = min(city.y for city in spec.cities), max(city.y for city in spec.cities)
    scale = WIDTH / max(right - left, 1e-9, (bottom - top) / 1.5)
    places = {
        city.name: (MARGIN + (city.x - left) * scale, MARGIN + 30 + (city.y - top) * scale) for city in spec.cities
    }
    return places, (bottom - top) * scale


def _tracks(spec: MapSpec, places: dict[str, Point]) -> Iterator[str]:
    """The tracks of each connection beside each other, each space a rectangle."""
    connections: dict[frozenset[str], list[int]] = {}
    for index, route in enumerate(spec.routes):
        connections.setdefault(frozenset(route[:2]), []).append(index)
    for tracks in connections.values():
        for place, index in enumerate(tracks):
            route = spec.routes[index]
            (ax, ay), (bx, by) = sorted((places[route.a], places[route.b]))
            distance = max(math.dist((ax, ay), (bx, by)), 1e-9)
            ux, uy = (bx - ax) / distance, (by - ay) / distance
            shift = (place - (len(tracks) - 1) / 2) * (TRACK + 3)
            gap = min(10.0, distance / 6)  # free of track around the cities
            step = (distance - 2 * gap) / route.length
            yield f"<g><title>{escape(str(route))}: {route.length} {route.color}</title>"
            for space in range(route.length):
                along = gap + (space + 0.5) * step
                x, y = ax + ux * along - uy * shift, ay + uy * along + ux * shift
                yield (
                    f'<rect x="{-0.45 * step:.1f}" y="{-TRACK / 2}" width="{0.9 * step:.1f}" height="{TRACK}" rx="2" '
                    f'fill="{COLORS[route.color]}" stroke="#555" stroke-width="0.8" '
                    f'transform="translate({x:.1f} {y:.1f}) rotate({math.degrees(math.atan2(uy, ux)):.1f})"/>'
                )
            yield "</g>"


def _cities(places: dict[str, Point]) -> Iterator[str]:
    """A dot and a name for each city, the name where it covers least."""
    taken: list[Box] = [(x - 8, y - 8, x + 8, y + 8) for x, y in places.values()]
    for name, (x, y) in places.items():
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
