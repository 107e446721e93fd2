"""A map in human words: cities, routes, tickets and rule numbers, read from TOML. No NumPy, no compiled code."""

import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from arena.errors import UsageError

COLORS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
ROUTE_COLORS = (*COLORS, "gray")
LIMITS = {"cities": 64, "routes": 128, "tickets": 96}
MAX_LENGTH = 9
MAX_POINTS = 100
DECK_LIMIT = 127


class City(NamedTuple):
    """A city and where it is drawn (y downwards)."""

    name: str
    x: float
    y: float


class Route(NamedTuple):
    """One physical track: two cities, its spaces and its color (`gray`: any one color pays)."""

    a: str
    b: str
    length: int
    color: str

    def __str__(self) -> str:
        return f"{self.a}-{self.b}"


class Ticket(NamedTuple):
    """A destination ticket: the two cities to connect and its value."""

    a: str
    b: str
    points: int

    def __str__(self) -> str:
        return f"{self.a}-{self.b} ({self.points})"


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The numbers of the rules; the defaults are the base game's (see docs/rules.md)."""

    trains: int = 45
    """Trains of each player (B1)."""
    cards_per_color: int = 12
    """Train cards of each of the eight colors (B1)."""
    locomotives: int = 14
    """Locomotives among the train cards (B1)."""
    hand: int = 4
    """Train cards dealt to each player (B2)."""
    tickets_dealt: int = 3
    """Tickets dealt to each player (B3)."""
    tickets_keep: int = 2
    """How many of the dealt tickets must be kept at least (B3)."""
    tickets_drawn: int = 3
    """Tickets drawn in a turn (B17)."""
    tickets_drawn_keep: int = 1
    """How many of the drawn tickets must be kept at least (B17)."""
    flush_at: int = 3
    """So many face-up locomotives clear the row (B11)."""
    flush_limit: int = 3
    """How often in a row it is cleared at most (B11)."""
    twins_from: int = 4
    """From this number of players on both tracks of a double route may be claimed (B16)."""
    last_round_trains: int = 2
    """A supply this small at the end of a turn begins the last round (B19)."""
    longest_path: int = 10
    """Points for the longest path (B21)."""
    route_points: tuple[int, ...] = (1, 2, 4, 7, 10, 15)
    """Points of a route by its length, from 1 on (B14)."""

    RANGES: ClassVar[dict[str, tuple[int, int]]] = {
        "trains": (3, 60),  # the search for the longest path doubles its time with every two or three more
        "cards_per_color": (1, 15),
        "locomotives": (0, 30),
        "hand": (0, 10),
        "tickets_dealt": (1, 6),
        "tickets_keep": (0, 6),
        "tickets_drawn": (1, 6),
        "tickets_drawn_keep": (1, 6),
        "flush_at": (2, 6),
        "flush_limit": (0, 10),
        "twins_from": (2, 6),
        "last_round_trains": (0, 20),
        "longest_path": (0, 100),
    }

    def problems(self) -> Iterator[str]:
        """What is wrong with the numbers, one sentence each."""
        for name, (low, high) in self.RANGES.items():
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                yield f"rule {name} is {value!r}; it takes a whole number from {low} to {high}"
        numbers = all(type(points) is int and 0 <= points <= MAX_POINTS for points in self.route_points)
        if not numbers or not 1 <= len(self.route_points) <= MAX_LENGTH:
            yield f"rule route_points takes 1 to {MAX_LENGTH} whole numbers up to {MAX_POINTS}, for lengths 1, 2, ..."
        if not 5 * self.hand < 8 * self.cards_per_color + self.locomotives <= DECK_LIMIT:
            yield f"the train cards must be more than five hands of {self.hand} and at most {DECK_LIMIT}"


def _pair(record: dict[str, Any]) -> tuple[str, str]:
    a, b = record["between"]
    return a, b


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
    label: str = ""
    """What must be said wherever the map is shown, for example that it is not the official board."""

    @classmethod
    def from_toml(cls, text: str, key: str) -> "MapSpec":
        """Read a map; UsageError lists everything that is wrong with it."""
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"map {key}: {error}") from None
        try:
            spec = cls._from_data(data, key)
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"map {key}: a record is malformed: {error!r}") from None
        if problems := spec.problems():
            raise UsageError(f"map {key}: " + "; ".join(problems))
        return spec

    @classmethod
    def _from_data(cls, data: dict[str, Any], key: str) -> "MapSpec":
        rules = dict(data.get("rules", {}))
        if unknown := sorted(set(rules) - {field.name for field in fields(Rules)}):
            raise ValueError(f"unknown rule {unknown[0]}")
        if "route_points" in rules:
            rules["route_points"] = tuple(rules["route_points"])
        return cls(
            key=key,
            name=data["name"],
            about=data.get("about", ""),
            label=data.get("label", ""),
            cities=tuple(City(city["name"], city["x"], city["y"]) for city in data["cities"]),
            routes=tuple(Route(*_pair(route), route["length"], route["color"]) for route in data["routes"]),
            tickets=tuple(Ticket(*_pair(ticket), ticket["points"]) for ticket in data["tickets"]),
            rules=Rules(**rules),
        )

    def problems(self) -> list[str]:
        """Everything that keeps the map from being played, one sentence each."""
        found = list(self.rules.problems())
        for kind, limit in LIMITS.items():
            count = len(getattr(self, kind))
            if not 1 <= count <= limit:
                found.append(f"{count} {kind}; it takes 1 to {limit}")
        known = {city.name for city in self.cities}
        if len(known) < len(self.cities):
            found.append("two cities have the same name")
        places: list[Route | Ticket] = [*self.routes, *self.tickets]
        for place in places:
            found += [f"{place}: no city is called {city!r}" for city in (place.a, place.b) if city not in known]
            if place.a == place.b:
                found.append(f"{place} leads from a city to itself")
        for ticket in self.tickets:
            if type(ticket.points) is not int or not 1 <= ticket.points <= MAX_POINTS:
                found.append(f"{ticket}: points take a whole number from 1 to {MAX_POINTS}")
        for route in self.routes:
            if route.color not in ROUTE_COLORS:
                found.append(f"{route}: color {route.color!r} is none of {', '.join(ROUTE_COLORS)}")
            if type(route.length) is not int or not 1 <= route.length <= len(self.rules.route_points):
                found.append(f"{route}: length {route.length!r} has no points in rule route_points")
        tracks = Counter((frozenset(route[:2]), route.length) for route in self.routes)
        found += [
            f"{'-'.join(sorted(pair))}: more than two tracks of length {n}" for (pair, n), t in tracks.items() if t > 2
        ]
        if (
            self.rules.tickets_keep > self.rules.tickets_dealt
            or self.rules.tickets_drawn_keep > self.rules.tickets_drawn
        ):
            found.append("more tickets must be kept than are dealt or drawn")
        if len(self.tickets) < 5 * self.rules.tickets_dealt:
            found.append(
                f"{len(self.tickets)} tickets are too few to deal {self.rules.tickets_dealt} to each of five players"
            )
        return found

    def points(self, length: int) -> int:
        """The points of a route of so many spaces (B14)."""
        return self.rules.route_points[length - 1]

    @cached_property
    def city_index(self) -> Mapping[str, int]:
        """The index of each city by its name."""
        return MappingProxyType({city.name: index for index, city in enumerate(self.cities)})

    @cached_property
    def twins(self) -> tuple[int, ...]:
        """For each route the index of its parallel track of equal length, or -1 (B16)."""
        groups: dict[tuple[frozenset[str], int], list[int]] = {}
        for index, route in enumerate(self.routes):
            groups.setdefault((frozenset(route[:2]), route.length), []).append(index)
        twin = [-1] * len(self.routes)
        for group in groups.values():
            if len(group) == 2:
                twin[group[0]], twin[group[1]] = group[1], group[0]
        return tuple(twin)

    @cached_property
    def digest(self) -> str:
        """A digest of every fact that bears on play; drawing coordinates and texts do not."""
        facts = [[city.name for city in self.cities], self.routes, self.tickets, asdict(self.rules)]
        return hashlib.blake2b(json.dumps(facts, sort_keys=True).encode(), digest_size=8).hexdigest()
