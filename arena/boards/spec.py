"""What a map holds, in human words: cities, routes, tickets, provinces and rule numbers."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from arena.boards.rule_numbers import COLORS, Rules

ROUTE_COLORS = (*COLORS, "gray")
LIMITS = {"cities": 64, "routes": 128, "tickets": 96}
MAX_POSITIONS = 15


class Place(NamedTuple):
    """A second place of a city: in an inset of the board."""

    inset: str
    x: float
    y: float


class City(NamedTuple):
    """A city and where it is drawn (y downwards)."""

    name: str
    x: float
    y: float
    inset: str = ""
    """The inset of the board that it stands in; empty for the main board."""
    also: tuple[Place, ...] = ()
    """Where it stands again: it is one city all the same (J8)."""


class Route(NamedTuple):
    """One physical track: two cities, its spaces and its color (`gray`: any one color pays)."""

    a: str
    b: str
    length: int
    color: str
    bullet: bool = False
    """Built with a bullet train and used by all (J3)."""
    single: bool = False
    """Not one of a double route, whatever runs beside it (J7)."""

    def __str__(self) -> str:
        return f"{self.a}-{self.b}"


class Ticket(NamedTuple):
    """A destination ticket: the two cities to connect and its value."""

    a: str
    b: str
    points: int

    def __str__(self) -> str:
        return f"{self.a}-{self.b} ({self.points})"


class Line(NamedTuple):
    """A line of the province mat: a train goes there after a claim in its color (K5)."""

    color: str
    positions: int
    name: str = ""
    """The province."""


@dataclass(frozen=True)
class MapSpec:
    """A map as its author wrote it."""

    key: str
    """The short name by which commands call it."""
    name: str
    about: str
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]
    rules: Rules
    provinces: tuple[Line, ...] = ()
    label: str = ""
    """What must be said wherever the map is shown, for example that it is not the official board."""

    @property
    def title(self) -> str:
        """The name, with the label if there is one."""
        return self.name + (f" ({self.label})" if self.label else "")

    def points(self, length: int) -> int:
        """The points of a route of so many spaces (B14)."""
        return self.rules.route_points[length - 1]

    @cached_property
    def city_index(self) -> Mapping[str, int]:
        """The index of each city by its name."""
        return MappingProxyType({city.name: index for index, city in enumerate(self.cities)})

    @cached_property
    def twins(self) -> tuple[int, ...]:
        """For each route the index of the other track of its double route, or -1 (B16, J7)."""
        groups: dict[tuple[frozenset[str], int], list[int]] = {}
        for index, route in enumerate(self.routes):
            if not route.bullet and not route.single:
                groups.setdefault((frozenset(route[:2]), route.length), []).append(index)
        twin = [-1] * len(self.routes)
        for group in groups.values():
            if len(group) == 2:
                twin[group[0]], twin[group[1]] = group[1], group[0]
        return tuple(twin)

    def connected_by(self, routes: Iterable[Route]) -> dict[str, frozenset[str]]:
        """For each city those that some routes connect it with, itself included."""
        parts = {city.name: frozenset([city.name]) for city in self.cities}
        for route in routes:
            joined = parts[route.a] | parts[route.b]
            parts.update(dict.fromkeys(joined, joined))
        return parts

    @cached_property
    def digest(self) -> str:
        """A digest of every fact that bears on play; drawing coordinates and texts do not."""
        lines = [line[:2] for line in self.provinces]
        # Without the rules that say nothing: a map that does not use a new one keeps its digest.
        rules = {name: value for name, value in asdict(self.rules).items() if value != ()}
        facts = [[city.name for city in self.cities], self.routes, self.tickets, lines, rules]
        return hashlib.blake2b(json.dumps(facts, sort_keys=True).encode(), digest_size=8).hexdigest()
