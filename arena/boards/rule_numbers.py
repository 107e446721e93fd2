"""The numbers of the rules: their meaning, the base game's values, and the range that `--set` allows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

from arena.errors import UsageError, unknown

MAX_LENGTH = 9
MAX_POINTS = 100
MAX_OFFER = 6
DECK_LIMIT = 127
PLAYERS = (2, 3, 4, 5)
SEATS = ("0", "1", "2", "3", "4")
RETURNED = ("under", "shuffled", "reshuffled")
COLORS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")

Table = tuple[tuple[int, ...], ...]
"""A bonus by number of players (from 2 on) and by rank."""
Single = tuple[tuple[str, int], ...]
"""Another number for single colors or seats, in their order; the others have the usual one."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The numbers of the rules; the defaults are the base game's (see docs/rules.md)."""

    trains: int = 45
    """Trains of each player (B1)."""
    cards_per_color: int = 12
    """Train cards of each of the eight colors (B1)."""
    locomotives: int = 14
    """Locomotives among the train cards (B1)."""
    cards: Single = ()
    """How many cards there are of a color, if not `cards_per_color` (B1)."""
    hand: int = 4
    """Train cards dealt to each player (B2)."""
    extra_cards: Single = ()
    """Train cards that a seat is dealt beyond its hand, if any (B2)."""
    tickets_dealt: int = 3
    """Tickets dealt to each player (B3)."""
    tickets_keep: int = 2
    """How many of the dealt tickets must be kept at least (B3)."""
    tickets_keep_most: int = 6
    """How many of the dealt tickets may be kept at most (K2)."""
    tickets_draft: int = 0
    """1: the first tickets are drafted (K2)."""
    tickets_returned: str = "under"
    """What happens to the tickets returned at set-up: they go `under` the deck in order (B3), or `shuffled` (J2), or
    are `reshuffled` together with the deck (K2)."""
    tickets_drawn: int = 3
    """Tickets drawn in a turn (B17)."""
    tickets_drawn_keep: int = 1
    """How many of the drawn tickets must be kept at least (B17)."""
    flush_at: int = 3
    """So many face-up locomotives clear the row (B11)."""
    flush_limit: int = 3
    """How often in a row it is cleared at most (B11)."""
    twins_from: int = 4
    """The number of players from which on both tracks of a double route may be claimed (B16)."""
    last_round_trains: int = 2
    """A supply this small at the end of a turn begins the last round (B19)."""
    longest_path: int = 10
    """Points for the longest path (B21)."""
    route_points: tuple[int, ...] = (1, 2, 4, 7, 10, 15)
    """Points of a route by its length, from 1 on (B14)."""
    bullet_trains: int = 0
    """Bullet trains in the common supply (J1)."""
    last_round_bullets: int = 2
    """The last round waits until no more bullet trains than these are left (J9)."""
    bullet_bonus: Table = ((10, -10), (15, 5, -10), (20, 10, 0, -10), (25, 15, 5, -5, -10))
    """Points by rank of progress with bullet trains, for 2 players and up (J10)."""
    bullet_none: int = -20
    """Points of a player without such progress (J10)."""
    express: int = 0
    """Every player has the express cards +1 up to this one (K1)."""
    province_bonus: Table = ((10,), (10, 6), (10, 6, 4), (10, 6, 4, 2))
    """Points by rank on a line of the province mat, for 2 players and up (K10)."""

    RANGES: ClassVar[dict[str, tuple[int, int]]] = {
        "trains": (3, 60),  # the search for the longest path doubles its time with every two or three more
        "cards_per_color": (1, 15),
        "locomotives": (0, 30),
        "hand": (0, 10),
        "tickets_dealt": (1, 6),
        "tickets_keep": (0, 6),
        "tickets_keep_most": (1, 6),
        "tickets_draft": (0, 1),
        "tickets_drawn": (1, 6),
        "tickets_drawn_keep": (1, 6),
        "flush_at": (2, 6),
        "flush_limit": (0, 10),
        "twins_from": (2, 6),
        "last_round_trains": (0, 20),
        "longest_path": (0, 100),
        "bullet_trains": (0, 60),
        "last_round_bullets": (0, 60),
        "bullet_none": (-100, 100),
        "express": (0, 3),
    }
    TABLES: ClassVar[tuple[str, ...]] = ("bullet_bonus", "province_bonus")
    SINGLE: ClassVar[dict[str, tuple[tuple[str, ...], tuple[int, int]]]] = {
        "cards": (COLORS, (0, 30)),
        "extra_cards": (SEATS, (0, 10)),
    }
    """Numbers for single colors or seats: for which there can be one, and its range."""

    @classmethod
    def names(cls) -> list[str]:
        """The names of all rules."""
        return [field.name for field in fields(cls)]

    @property
    def supply(self) -> tuple[int, ...]:
        """How many train cards there are of each color, and locomotives last (B1)."""
        single = dict(self.cards)
        return (*(single.get(color, self.cards_per_color) for color in COLORS), self.locomotives)

    @property
    def extras(self) -> tuple[int, ...]:
        """How many cards each of five seats is dealt beyond its hand (B2)."""
        single = dict(self.extra_cards)
        return tuple(single.get(seat, 0) for seat in SEATS)

    def changed(self, name: str, value: int | str) -> "Rules":
        """These rules with another value for one.

        Its name: `trains`, `route_points.LENGTH`, `bullet_bonus.PLAYERS.RANK`, `cards.COLOR` or `extra_cards.SEAT`.
        """
        rule, *places = name.split(".")
        if rule not in self.names():
            raise unknown("rule", name, self.names())
        change: dict[str, Any] = {rule: value}
        if rule == "route_points":
            change[rule] = _with_entry(self.route_points, places, value)
            if not change[rule]:
                most = len(self.route_points)
                raise UsageError(f"rule {name}: write route_points.N=... for a length N from 1 to {most}")
        elif rule in self.TABLES:
            table: Table = getattr(self, rule)
            row = PLAYERS.index(int(places[0])) if places and places[0] in map(str, PLAYERS) else -1
            new = _with_entry(table[row], places[1:], value) if row >= 0 else ()
            if not new:
                raise UsageError(f"rule {name}: write {rule}.P.R=... for P players, 2 to 5, and one of their ranks R")
            change[rule] = (*table[:row], new, *table[row + 1 :])
        elif rule in self.SINGLE:
            known = self.SINGLE[rule][0]
            if len(places) != 1 or places[0] not in known:
                raise UsageError(f"rule {name}: write {rule}.X=... for X one of {', '.join(known)}")
            change[rule] = single(rule, {**dict(getattr(self, rule)), places[0]: value})
        elif places:
            raise UsageError(f"rule {rule} is one value: write {rule}={value}")
        return replace(self, **change)

    def _out_of_range(self) -> Iterator[tuple[str, object, int, int]]:
        """The numbers that are out of their range: name (`trains`, `cards.red`), value, and the range."""
        for name, (low, high) in self.RANGES.items():
            if not _is_number(value := getattr(self, name), low, high):
                yield name, value, low, high
        for rule, (_, (low, high)) in self.SINGLE.items():
            for place, value in getattr(self, rule):
                if not _is_number(value, low, high):
                    yield f"{rule}.{place}", value, low, high

    def in_range(self) -> "Rules":
        """The rules with the base game's number for what is out of its range: what else is wrong shows with them."""
        base, wrong = Rules(), {name.partition(".")[0] for name, *_ in self._out_of_range()}
        if not self._are_points(self.route_points):
            wrong.add("route_points")
        change: dict[str, Any] = {name: getattr(base, name) for name in wrong}
        return replace(self, **change)

    @staticmethod
    def _are_points(points: tuple[int, ...]) -> bool:
        return 1 <= len(points) <= MAX_LENGTH and all(_is_number(each, 0, MAX_POINTS) for each in points)

    def problems(self) -> Iterator[str]:
        """What is wrong with the numbers, one sentence each."""
        wrong = set()
        for name, value, low, high in self._out_of_range():
            wrong.add(name.partition(".")[0])
            yield f"rule {name} is {value!r}; it must be a whole number from {low} to {high}"
        if self.tickets_returned not in RETURNED:
            yield f"rule tickets_returned is {self.tickets_returned!r}; it must be one of {', '.join(RETURNED)}"
        if not self._are_points(self.route_points):
            yield f"rule route_points must be 1 to {MAX_LENGTH} whole numbers up to {MAX_POINTS}, for lengths 1, 2, ..."
        yield from self._bonus_problems()
        yield from self._contradictions(wrong)

    def _bonus_problems(self) -> Iterator[str]:
        for rule in self.TABLES:
            table: Table = getattr(self, rule)
            for players, numbers in zip(PLAYERS, table, strict=True):
                if not numbers:
                    yield f"rule {rule} has no points for {players} players"
                elif not all(_is_number(points, -MAX_POINTS, MAX_POINTS) for points in numbers):
                    yield f"rule {rule}: points of {players} players must be whole numbers within {MAX_POINTS}"
                elif len(numbers) > players:
                    yield f"rule {rule}: {len(numbers)} ranks are more than {players} players can have"
                elif rule == "bullet_bonus" and len(numbers) < players:
                    yield f"rule {rule} needs {players} ranks for {players} players, one for each"

    def _contradictions(self, wrong: set[str]) -> Iterator[str]:
        """Numbers that contradict each other though each is in its range; those that are wrong anyway are left out."""

        def more(one: str, other: str) -> bool:
            return wrong.isdisjoint({one, other}) and getattr(self, one) > getattr(self, other)

        if more("tickets_keep", "tickets_dealt") or more("tickets_drawn_keep", "tickets_drawn"):
            yield "more tickets must be kept than are dealt or drawn"
        if more("tickets_keep", "tickets_keep_most"):
            yield f"{self.tickets_keep} tickets must be kept at set-up, but {self.tickets_keep_most} may be kept"
        if wrong.isdisjoint({"tickets_drawn", "express"}) and self.tickets_drawn + self.express > MAX_OFFER:
            yield f"at most {MAX_OFFER} tickets can be drawn, {self.express} of them with an express card"
        if wrong.isdisjoint({"hand", "cards_per_color", "locomotives", *self.SINGLE}):
            extra = sum(self.extras)
            if not 5 * self.hand + extra < sum(self.supply) <= DECK_LIMIT:
                dealt = f"five hands of {self.hand}" + f" with {extra} extra cards" * (extra > 0)
                yield f"the train cards must be more than {dealt} and at most {DECK_LIMIT}"


def single(rule: str, numbers: Mapping[str, Any]) -> Single:
    """Numbers for single colors or seats, in the order of these."""
    return tuple((place, numbers[place]) for place in Rules.SINGLE[rule][0] if place in numbers)


def _with_entry(numbers: tuple[int, ...], places: list[str], value: int | str) -> tuple[int | str, ...]:
    """The numbers with another one at a place, counted from 1; nothing if there is no such place."""
    if len(places) != 1 or places[0] not in map(str, range(1, len(numbers) + 1)):
        return ()
    place = int(places[0]) - 1
    return (*numbers[:place], value, *numbers[place + 1 :])


def _is_number(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high
