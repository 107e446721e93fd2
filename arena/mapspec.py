"""A map in human words: cities, routes, tickets and rule numbers, and what can be wrong with them."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from difflib import get_close_matches
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from arena.errors import UsageError, unknown

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


class Problem(NamedTuple):
    """What is wrong with a map."""

    text: str
    table: str = ""
    """`cities`, `routes` or `tickets`, if it is about one of their records."""
    record: int = -1
    """Which one, from 0."""


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

    @classmethod
    def names(cls) -> list[str]:
        """The names of all rules."""
        return [field.name for field in fields(cls)]

    def changed(self, name: str, value: int) -> "Rules":
        """These rules with another number for one; `route_points.N` is the points of length N."""
        rule, _, length = name.partition(".")
        if rule not in self.names():
            raise unknown("rule", name, self.names())
        if rule != "route_points":
            if length:
                raise UsageError(f"rule {rule} is one number: write {rule}={value}")
            change: dict[str, Any] = {rule: value}
            return replace(self, **change)
        if not length.isdecimal() or not 1 <= int(length) <= len(self.route_points):
            raise UsageError(f"rule {name}: write route_points.N=... for a length N from 1 to {len(self.route_points)}")
        points = list(self.route_points)
        points[int(length) - 1] = value
        return replace(self, route_points=tuple(points))

    def problems(self) -> Iterator[str]:
        """What is wrong with the numbers, one sentence each."""
        wrong = [
            f"rule {name} is {getattr(self, name)!r}; it takes a whole number from {low} to {high}"
            for name, (low, high) in self.RANGES.items()
            if type(getattr(self, name)) is not int or not low <= getattr(self, name) <= high
        ]
        yield from wrong
        numbers = all(type(points) is int and 0 <= points <= MAX_POINTS for points in self.route_points)
        if not numbers or not 1 <= len(self.route_points) <= MAX_LENGTH:
            yield f"rule route_points takes 1 to {MAX_LENGTH} whole numbers up to {MAX_POINTS}, for lengths 1, 2, ..."
        if wrong:
            return
        if not self.tickets_keep <= self.tickets_dealt or not self.tickets_drawn_keep <= self.tickets_drawn:
            yield "more tickets must be kept than are dealt or drawn"
        if not 5 * self.hand < 8 * self.cards_per_color + self.locomotives <= DECK_LIMIT:
            yield f"the train cards must be more than five hands of {self.hand} and at most {DECK_LIMIT}"


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

    def problems(self) -> list[Problem]:
        """Everything that keeps the map from being played."""
        found = [Problem(text) for text in self.rules.problems()]
        for table, limit in LIMITS.items():
            count = len(getattr(self, table))
            if not 1 <= count <= limit:
                found.append(Problem(f"{count} {table}; a map has 1 to {limit}"))
        for index, city in enumerate(self.cities):
            if city.name in [other.name for other in self.cities[:index]]:
                found.append(Problem(f"{city.name} stands there twice", "cities", index))
        for index, route in enumerate(self.routes):
            found += [
                Problem(text, "routes", index) for text in (*self._end_problems(route), *self._route_problems(route))
            ]
        for index, ticket in enumerate(self.tickets):
            texts = (*self._end_problems(ticket), *self._ticket_problems(ticket, index))
            found += [Problem(text, "tickets", index) for text in texts]
        found += self._track_problems()
        if len(self.tickets) < 5 * self.rules.tickets_dealt:
            few = f"{len(self.tickets)} tickets are too few to deal {self.rules.tickets_dealt} to each of five players"
            found.append(Problem(few))
        return found or self._reach_problems()

    def _end_problems(self, place: "Route | Ticket") -> Iterator[str]:
        for city in (place.a, place.b):
            if city not in self.city_index:
                near = get_close_matches(city, list(self.city_index), n=1, cutoff=0.5)
                yield f"{place}: no city is called {city!r}" + (f"; did you mean {near[0]}?" if near else "")
        if place.a == place.b:
            yield f"{place} leads from a city to itself"

    def _route_problems(self, route: Route) -> Iterator[str]:
        if route.color not in ROUTE_COLORS:
            yield f"{route}: color {route.color!r} is none of {', '.join(ROUTE_COLORS)}"
        if not 1 <= route.length <= len(self.rules.route_points):
            yield f"{route}: length {route.length} has no points in rule route_points"
        elif route.length > self.rules.cards_per_color + self.rules.locomotives:
            yield f"{route}: nobody can ever pay {route.length} spaces with the cards there are"
        elif route.length > self.rules.trains:
            yield f"{route}: nobody has the {route.length} trains it takes"

    def _ticket_problems(self, ticket: Ticket, index: int) -> Iterator[str]:
        if not 1 <= ticket.points <= MAX_POINTS:
            yield f"{ticket}: points take a whole number from 1 to {MAX_POINTS}"
        if any(other == ticket for other in self.tickets[:index]):
            yield f"{ticket} stands there twice"

    def _track_problems(self) -> Iterator[Problem]:
        tracks: Counter[tuple[frozenset[str], int]] = Counter()
        for index, route in enumerate(self.routes):
            tracks[frozenset(route[:2]), route.length] += 1
            if tracks[frozenset(route[:2]), route.length] == 3:
                yield Problem(f"{route}: more than two tracks of length {route.length}", "routes", index)

    def _reach_problems(self) -> list[Problem]:
        """Cities and tickets that no route leads to."""
        reached = {self.cities[0].name}
        while more := {city for route in self.routes for city in route[:2] if reached & set(route[:2])} - reached:
            reached |= more
        found = [
            Problem(f"{city.name} cannot be reached from {self.cities[0].name}", "cities", index)
            for index, city in enumerate(self.cities)
            if city.name not in reached
        ]
        return found + [
            Problem(f"{ticket} can never be completed", "tickets", index)
            for index, ticket in enumerate(self.tickets)
            if (ticket.a in reached) != (ticket.b in reached)
        ]

    def with_rules(self, settings: Mapping[str, int]) -> "MapSpec":
        """The map under other rule numbers; UsageError for an unknown rule or a number out of range."""
        changed = self.rules
        for name, value in settings.items():
            changed = changed.changed(name, value)
        spec = replace(self, rules=changed)
        if problems := spec.problems():
            raise UsageError("; ".join(problem.text for problem in problems))
        return spec

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
