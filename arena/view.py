"""What a bot in Python is handed at each decision: the facts of a VIEW record under friendly names."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, overload

import numpy as np

from arena.mapspec import MapSpec, Ticket
from arena.rules.actions import CLAIM, TAKE_CARD, Action, decode, encode_action
from arena.rules.board import CARDS, COLORS, MAX_CITIES, MAX_EXPRESS, MAX_SEATS
from arena.rules.network import is_connected_in
from arena.rules.paths import NO_PATH, path_in
from arena.rules.provinces import placement_gain_in
from arena.rules.state import PHASES
from arena.rules.view import VIEW

_SEAT_AT = (None, *range(MAX_SEATS))  # by the four bits of a position
_PLAIN_VIEW = np.dtype(VIEW.descr)


class Player(NamedTuple):
    """What everyone at the table sees of one seat."""

    seat: int
    trains: int
    """Trains left in the supply."""
    points: int
    """Points scored for routes so far."""
    cards: int
    """Number of train cards in hand."""
    tickets: int
    """Number of tickets held."""
    turns: int
    """Turns finished."""
    known: dict[str, int]
    """Cards surely in hand, because they were taken face up and not paid since."""
    routes: tuple[int, ...]
    """Indices of the routes claimed."""
    progress: int
    """With bullet trains."""
    express: tuple[int, ...]
    """Values of the express cards not used yet."""


class Path(NamedTuple):
    """The cheapest way to connect two cities."""

    routes: tuple[int, ...]
    """Routes that are still to be claimed."""
    trains: int
    """Trains that takes: the spaces of these routes, but for bullet routes."""
    cards: int
    """Cards still to be drawn for it, if gray routes are paid in the color of which most is left in hand."""


def _members(words: np.ndarray) -> tuple[int, ...]:
    """The indices in a set of two words, ascending."""
    low, high = words.tolist()
    bits = low | high << 64
    found = []
    while bits:
        lowest_bit = bits & -bits
        found.append(lowest_bit.bit_length() - 1)
        bits ^= lowest_bit
    return tuple(found)


def _counts(numbers: np.ndarray) -> dict[str, int]:
    return dict(zip(CARDS, numbers.tolist(), strict=True))


class Actions(Sequence[Action]):
    """Legal actions, decoded as they are read: a large hand has thousands, and most bots look at few."""

    def __init__(self, codes: bytes) -> None:
        self.codes = memoryview(codes).cast("i")
        """The integers of the actions, in ascending order of their kinds."""

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Action, ...]: ...
    def __getitem__(self, index: int | slice) -> Action | tuple[Action, ...]:
        if isinstance(index, slice):
            return tuple(map(decode, self.codes[index]))
        return decode(self.codes[index])

    def __iter__(self) -> Iterator[Action]:
        return map(decode, self.codes)

    def __repr__(self) -> str:
        return repr(self[:])


class View:
    """What one seat knows at one decision: a snapshot of its own, with nothing hidden in it or behind it."""

    def __init__(self, spec: MapSpec, boards: np.ndarray, data: bytes, codes: bytes) -> None:
        self.map = spec
        """The map: `cities`, `routes` (a, b, length, color), `tickets`, `rules`."""
        self._boards = boards
        self._bytes = data
        self._codes = codes

    @property
    def boards(self) -> np.ndarray:
        """The map as an array of one BOARD record (see `arena.rules.board`), for kernels; read-only."""
        return self._boards

    @cached_property
    def record(self) -> np.record:
        """The raw VIEW record (see `arena.rules.view`), for kernels; read-only."""
        record: np.record = np.frombuffer(self._bytes, VIEW)[0]
        return record

    @cached_property
    def _data(self) -> np.void:
        """The same without access by attribute: twice as fast from Python."""
        data: np.void = np.frombuffer(self._bytes, _PLAIN_VIEW)[0]
        return data

    @cached_property
    def actions(self) -> "Actions":
        """Every legal action: row cards, blind, tickets, express, then claims by locomotives, color and route."""
        return Actions(self._codes)

    @cached_property
    def claims(self) -> tuple[Action, ...]:
        """The legal actions that claim a route."""
        codes = self.actions.codes
        return self.actions[bisect_left(codes, CLAIM << 24) : bisect_left(codes, (CLAIM + 1) << 24)]

    @cached_property
    def draws(self) -> tuple[Action, ...]:
        """The legal actions that draw cards or tickets, those with the highest express card last."""
        codes = self.actions.codes
        return self.actions[bisect_left(codes, TAKE_CARD << 24) : bisect_left(codes, CLAIM << 24)]

    @property
    def seats(self) -> int:
        """The number of players."""
        return int(self._data["seats"])

    @property
    def seat(self) -> int:
        """The own seat, from 0; seat 0 began."""
        return int(self._data["seat"])

    @property
    def phase(self) -> str:
        """What is decided.

        `draft` (a ticket of the pack), `setup` (first tickets), `turn`, `first_card` (after extra cards),
        `second_card`, `keep` (tickets drawn) or `place` (a train on the province mat, after a claim).
        """
        return PHASES[int(self._data["phase"])]

    @cached_property
    def hand(self) -> dict[str, int]:
        """The own train cards, by color and `locomotive`."""
        return _counts(self._data["hand"])

    @cached_property
    def tickets(self) -> tuple[Ticket, ...]:
        """The own tickets."""
        return tuple(self.map.tickets[index] for index in _members(self._data["tickets"]))

    @cached_property
    def offer(self) -> tuple[Ticket, ...]:
        """The tickets to choose from now; empty when none are offered."""
        return tuple(self.map.tickets[index] for index in self._data["offer"].tolist() if index >= 0)

    @cached_property
    def picked(self) -> tuple[Ticket, ...]:
        """In the draft: the tickets picked so far."""
        return tuple(self.map.tickets[index] for index in self._data["picked"].tolist() if index >= 0)

    @cached_property
    def row(self) -> tuple[str | None, ...]:
        """The five face-up cards; None for an empty slot."""
        return tuple(CARDS[card] if card >= 0 else None for card in self._data["row"].tolist())

    @property
    def deck_count(self) -> int:
        """Train cards in the deck."""
        return int(self._data["deck_count"])

    @property
    def ticket_count(self) -> int:
        """Tickets in the ticket deck."""
        return int(self._data["ticket_count"])

    @cached_property
    def discards(self) -> dict[str, int]:
        """The discarded train cards, by color and `locomotive`."""
        return _counts(self._data["discards"])

    @property
    def last_turns(self) -> int | None:
        """Turns left in the last round, this one included; None before it begins."""
        turns = int(self._data["last_turns"])
        return turns if turns >= 0 else None

    @cached_property
    def players(self) -> tuple[Player, ...]:
        """What is public of every seat, the own one included."""
        data = self._data
        trains, points, cards, tickets, turns, progress, express = (
            data[name].tolist()
            for name in ("trains", "route_points", "cards", "tickets_kept", "turns", "progress", "express")
        )
        known, mine = data["known"], data["mine"]
        return tuple(
            Player(
                seat,
                trains[seat],
                points[seat],
                cards[seat],
                tickets[seat],
                turns[seat],
                _counts(known[seat]),
                _members(mine[seat]),
                progress[seat],
                tuple(value for value in range(1, MAX_EXPRESS + 1) if express[seat] >> value & 1),
            )
            for seat in range(self.seats)
        )

    @property
    def me(self) -> Player:
        """The own entry in `players`."""
        return self.players[self.seat]

    @cached_property
    def claimed(self) -> dict[int, int]:
        """Who owns which route: route index to seat. Shared routes are not among them."""
        return {route: player.seat for player in self.players for route in player.routes}

    @cached_property
    def open_routes(self) -> tuple[int, ...]:
        """Routes the own seat may still claim, given enough cards and trains."""
        return _members(self._data["open"][self.seat])

    @cached_property
    def buildable_routes(self) -> tuple[int, ...]:
        """Those of the open routes that there are trains enough for, own or bullet trains."""
        trains, routes = self.me.trains, self.map.routes
        return tuple(r for r in self.open_routes if routes[r].length <= trains or self.is_shared(r))

    def is_shared(self, route: int) -> bool:
        """Whether a route is, or would now be, built with a bullet train: no points but progress, and for all."""
        return route in self.shared or (self.map.routes[route].bullet and self.bullets_left > 0)

    @cached_property
    def shared(self) -> tuple[int, ...]:
        """Bullet routes that are built: everybody's tickets may use them."""
        return _members(self._data["shared"])

    @property
    def bullets_left(self) -> int:
        """Bullet trains in the common supply."""
        return int(self._data["bullets_left"])

    @property
    def just_claimed(self) -> int | None:
        """In phase `place`: the route that was claimed just now."""
        route = int(self._data["claimed"])
        return route if route >= 0 else None

    @cached_property
    def mat(self) -> dict[str, tuple[int | None, ...]]:
        """The province mat: for each line, by color, the seat on every position from the first on; None: free."""
        lines = dict(zip(COLORS, self._data["mat"].tolist(), strict=True))
        return {
            line.color: tuple(_SEAT_AT[lines[line.color] >> 4 * place & 15] for place in range(line.positions))
            for line in self.map.provinces
        }

    def placement_gain(self, action: Action) -> int:
        """By how many points a placement raises the own bonus of its line, as the mat stands; 0 for none."""
        return int(placement_gain_in(np.frombuffer(self._bytes, VIEW), self._boards, encode_action(action)))

    def path(self, a: str, b: str) -> Path | None:
        """The cheapest way to connect two cities with own, shared and open routes; None if there is none any more."""
        found = np.empty(MAX_CITIES, np.int16)
        index = self.map.city_index
        count = path_in(np.frombuffer(self._bytes, VIEW), self._boards, index[a], index[b], found)
        if count == NO_PATH:
            return None
        routes = tuple(found[:count].tolist())
        trains = sum(self.map.routes[route].length for route in routes if not self.is_shared(route))
        return Path(routes, trains, self._cards_missing(routes))

    def _cards_missing(self, routes: tuple[int, ...]) -> int:
        left = dict(self.hand)
        spare = left.pop("locomotive")
        missing = 0
        for route in sorted((self.map.routes[index] for index in routes), key=lambda r: (r.color == "gray", -r.length)):
            color = max(left, key=left.__getitem__) if route.color == "gray" else route.color
            missing += max(0, route.length - left[color])
            left[color] = max(0, left[color] - route.length)
        return max(0, missing - spare)

    def is_connected(self, a: str, b: str) -> bool:
        """Whether own and shared routes connect two cities."""
        index = self.map.city_index
        return bool(is_connected_in(np.frombuffer(self._bytes, VIEW), self._boards, index[a], index[b]))

    def is_complete(self, ticket: Ticket) -> bool:
        """Whether a ticket is completed."""
        return self.is_connected(ticket.a, ticket.b)

    def describe(self, action: Action) -> str:
        """An action in words, with the names of its cities or tickets."""
        if action.kind == "claim":
            return str(action).replace(f"route {action.route}", str(self.map.routes[action.route]))
        if action.kind in ("keep", "draft"):
            tickets = ", ".join(str(self.offer[position]) for position in action.keep)
            return f"{action.kind} {tickets or 'no ticket'}"
        return str(action)
