"""Where everything lies in a picture of a map: cities, tracks side by side, their spaces, and the cities' names."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from arena.boards.spec import MapSpec

WIDTH, HEIGHT = 1200, 1440
"""Pixels that a map may take, without the margin."""
MARGIN = 60
DOT = 7
"""Radius of a city."""
LABEL = 15
"""Size of the cities' names."""

Point = tuple[float, float]
Box = tuple[float, float, float, float]
Places = dict[tuple[str, str], Point]
"""Where the cities stand, by name and inset; some stand in two places."""


class Track(NamedTuple):
    """Where the track of a route lies: from one point to another, or so far beside that line."""

    route: int
    start: Point
    end: Point
    shift: float = 0


class Space(NamedTuple):
    """A space of a track: how long it is, where its middle lies, and by how many degrees it is turned."""

    length: float
    middle: Point
    turn: float


class Spot(NamedTuple):
    """Where the name of a city stands: a point, and whether it starts, has its middle or ends there."""

    x: float
    y: float
    anchor: str


ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""How much of a text stands to the left of its point."""


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


def tracks(spec: MapSpec, places: Places, apart: float) -> Iterator[Track]:
    """The tracks, those of each connection beside each other."""
    connections: dict[frozenset[str], list[int]] = {}
    for index, route in enumerate(spec.routes):
        connections.setdefault(frozenset(route[:2]), []).append(index)
    insets = sorted({inset for _, inset in places} - {""})
    first = {city: point for (city, _), point in reversed(places.items())}  # for a route that leads out of an inset
    for beside in connections.values():
        cities = spec.routes[beside[0]][:2]
        inset = next((inset for inset in insets if all((city, inset) in places for city in cities)), "")
        for place, index in enumerate(beside):
            start, end = sorted(places.get((city, inset)) or first[city] for city in spec.routes[index][:2])
            yield Track(index, start, end, (place - (len(beside) - 1) / 2) * apart)


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


def spots_of_names(places: Places, radii: Mapping[str, float], avoided: Iterable[Box]) -> Iterator[Spot]:
    """Where the name of each city stands: where it covers least of other names and of what is to be avoided.

    radii: those of the cities' dots, by name.
    """
    taken = list(avoided)
    for (name, _), (x, y) in places.items():
        width, more = 0.56 * LABEL * len(name), radii[name] - DOT
        side, edge, level = 12 + more, 8 + more, y + 0.35 * LABEL
        spots = [
            Spot(x, y - side, "middle"), Spot(x, y + side + 0.8 * LABEL, "middle"),
            Spot(x + side, level, "start"), Spot(x - side, level, "end"),
            Spot(x + edge, y - 2 - edge, "start"), Spot(x + edge, y + 12 + edge, "start"),
            Spot(x - edge, y - 2 - edge, "end"), Spot(x - edge, y + 12 + edge, "end"),
        ]  # fmt: skip
        starts = [spot.x - ANCHORS[spot.anchor] * width for spot in spots]
        boxes = [(start, spot.y - LABEL, start + width, spot.y + 3) for start, spot in zip(starts, spots, strict=True)]
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
