"""What a bot in Python is handed at each decision: the facts of a VIEW record under friendly names."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from struct import Struct
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, overload

import numpy as np

from arena.boards.spec import MapSpec, Ticket
from arena.engine import view_fields
from arena.engine.former_names import READABLE_VIEW, attribute_of_view
from arena.rules.actions import CLAIM, DECODED, TAKE_CARD, Action, encode_action
from arena.rules.board import COLORS, MAX_CITIES, MAX_SEATS
from arena.rules.network import is_connected_in
from arena.rules.paths import NO_PATH, path_in
from arena.rules.provinces import placement_gain_in
from arena.rules.state import PHASES
from arena.rules.view import VIEW, VIEW_BYTES

_SEAT_AT = (None, *range(MAX_SEATS))  # by the four bits of a position
_FIRST_DRAW, _FIRST_CLAIM, _BEYOND_CLAIMS = (kind << 24 for kind in (TAKE_CARD, CLAIM, CLAIM + 1))
_decode = DECODED.__getitem__
_integer = Struct("=i").unpack_from


T = TypeVar("T")


class kept(Generic[T]):  # noqa: N801  # a decorator
    """`functools.cached_property` at a third of its price: every decision looks at some."""

    def __init__(self, function: Callable[[Any], T]) -> None:
        self.function = function
        self.name = function.__name__
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, view: None, owner: Any) -> "kept[T]": ...
    @overload
    def __get__(self, view: object, owner: Any) -> T: ...
    def __get__(self, view: Any, owner: Any) -> "T | kept[T]":
        if view is None:
            return self
        value = self.function(view)
        setattr(view, self.name, value)  # found before this from now on
        return value


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


class Actions(Sequence[Action]):
    """Legal actions, decoded as they are read: a large hand has thousands, and most bots look at few."""

    __slots__ = ("_shown",)

    def __init__(self, shown: bytes) -> None:
        """shown: see `View.shown`."""
        self._shown = shown

    @property
    def codes(self) -> memoryview:
        """The integers of the actions, in ascending order of their kinds."""
        return memoryview(self._shown)[VIEW_BYTES:].cast("i")

    def __len__(self) -> int:
        return (len(self._shown) - VIEW_BYTES) // 4

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Action, ...]: ...
    def __getitem__(self, index: int | slice) -> Action | tuple[Action, ...]:
        if type(index) is int:  # read where it stands, at half the price of `codes`
            place = 4 * index + (VIEW_BYTES if index >= 0 else len(self._shown))
            if VIEW_BYTES <= place < len(self._shown):
                return DECODED[_integer(self._shown, place)[0]]
            raise IndexError(f"there are {len(self)} legal actions, and none has the index {index}")
        if isinstance(index, slice):
            return tuple(map(_decode, self.codes[index]))
        return DECODED[self.codes[index]]

    def __iter__(self) -> Iterator[Action]:
        return map(_decode, self.codes)

    def __repr__(self) -> str:
        return repr(self[:])


class View:
    """What one seat knows at one decision: a snapshot of its own, with nothing hidden in it or behind it."""

    def __init__(self, spec: MapSpec, boards: np.ndarray, shown: bytes) -> None:
        """shown: a VIEW and, from VIEW_BYTES on, the integers of the legal actions."""
        self.map = spec
        """The map: `cities`, `routes` (a, b, length, color), `tickets`, `rules`."""
        self._boards = boards
        self.shown = shown
        """The bytes that all the rest is read from: a VIEW and, from VIEW_BYTES on, the legal actions."""
        self.actions = Actions(shown)
        """Every legal action: row cards, blind, tickets, express, then claims by locomotives, color and route."""

    if not TYPE_CHECKING:  # which had better not know the former names

        def __getattr__(self, name: str) -> Any:
            return attribute_of_view(self, name)

    @property
    def boards(self) -> np.ndarray:
        """The map as an array of one BOARD record (see `arena.rules.board`), for kernels; read-only."""
        return self._boards

    @kept
    def record(self) -> np.record:
        """The raw VIEW record (see `arena.rules.view`), for kernels; read-only."""
        record: np.record = np.frombuffer(self.shown, READABLE_VIEW, 1)[0]
        return record

    @kept
    def claims(self) -> tuple[Action, ...]:
        """The legal actions that claim a route."""
        shown = self.shown
        if _integer(shown, -4)[0] < _FIRST_CLAIM:  # the last action, as in most phases and with few cards
            return ()
        codes = memoryview(shown)[VIEW_BYTES:].cast("i")
        return tuple(map(_decode, codes[bisect_left(codes, _FIRST_CLAIM) : bisect_left(codes, _BEYOND_CLAIMS)]))

    @kept
    def draws(self) -> tuple[Action, ...]:
        """The legal actions that draw cards or tickets, those with the highest express card last."""
        codes = memoryview(self.shown)[VIEW_BYTES:].cast("i")
        if not codes or codes[0] < _FIRST_DRAW:
            return ()
        return tuple(map(_decode, codes[: bisect_left(codes, _FIRST_CLAIM)]))

    @property
    def seats(self) -> int:
        """The number of players."""
        return view_fields.seats(self.shown)[0]

    @property
    def seat(self) -> int:
        """The own seat, from 0; seat 0 began."""
        return view_fields.seat(self.shown)[0]

    @property
    def phase(self) -> str:
        """What is decided.

        `draft` (a ticket of the pack), `setup` (first tickets), `turn`, `first_card` (after extra cards),
        `second_card`, `keep` (tickets drawn) or `place` (a train on the province mat, after a claim).
        """
        return PHASES[view_fields.phase(self.shown)[0]]

    @kept
    def hand(self) -> dict[str, int]:
        """The own train cards, by color and `locomotive`."""
        return view_fields.counts(self.shown[view_fields.HAND]).copy()

    @kept
    def tickets(self) -> tuple[Ticket, ...]:
        """The own tickets."""
        return tuple(self.map.tickets[index] for index in view_fields.members(self.shown[view_fields.TICKETS]))

    @kept
    def offer(self) -> tuple[Ticket, ...]:
        """The tickets to choose from now; empty when none are offered."""
        return tuple(self.map.tickets[index] for index in view_fields.indices(self.shown[view_fields.OFFER]))

    @kept
    def picked(self) -> tuple[Ticket, ...]:
        """In the draft: the tickets picked so far."""
        return tuple(self.map.tickets[index] for index in view_fields.indices(self.shown[view_fields.PICKED]))

    @kept
    def row(self) -> tuple[str | None, ...]:
        """The five face-up cards; None for an empty slot."""
        return view_fields.colors(self.shown[view_fields.ROW])

    @property
    def deck_count(self) -> int:
        """Train cards in the deck."""
        return view_fields.deck_count(self.shown)[0]

    @property
    def ticket_count(self) -> int:
        """Tickets in the ticket deck."""
        return view_fields.ticket_count(self.shown)[0]

    @kept
    def discards(self) -> dict[str, int]:
        """The discarded train cards, by color and `locomotive`."""
        return view_fields.counts(self.shown[view_fields.DISCARDS]).copy()

    @property
    def last_turns(self) -> int | None:
        """Turns left in the last round, this one included; None before it begins."""
        turns = view_fields.last_turns(self.shown)[0]
        return turns if turns >= 0 else None

    @kept
    def players(self) -> tuple[Player, ...]:
        """What is public of every seat, the own one included."""
        shown = self.shown
        trains, points, cards = view_fields.trains(shown), view_fields.route_points(shown), view_fields.cards(shown)
        tickets, turns = view_fields.tickets_kept(shown), view_fields.turns(shown)
        progress, express = view_fields.progress(shown), view_fields.express(shown)
        return tuple(
            Player(
                seat,
                trains[seat],
                points[seat],
                cards[seat],
                tickets[seat],
                turns[seat],
                view_fields.counts(shown[view_fields.KNOWN[seat]]).copy(),
                view_fields.members(shown[view_fields.ROUTES[seat]]),
                progress[seat],
                view_fields.values(express[seat]),
            )
            for seat in range(self.seats)
        )

    @property
    def me(self) -> Player:
        """The own entry in `players`."""
        return self.players[self.seat]

    @kept
    def owner_of(self) -> dict[int, int]:
        """Who owns which route: route index to seat. Shared routes are not among them."""
        return {route: player.seat for player in self.players for route in player.routes}

    @kept
    def open_routes(self) -> tuple[int, ...]:
        """Routes the own seat may still claim, given enough cards and trains."""
        return view_fields.members(self.shown[view_fields.OPEN[self.seat]])

    @kept
    def buildable_routes(self) -> tuple[int, ...]:
        """Those of the open routes that there are trains enough for, own or bullet trains."""
        trains, routes = self.me.trains, self.map.routes
        return tuple(r for r in self.open_routes if routes[r].length <= trains or self.is_shared(r))

    def is_shared(self, route: int) -> bool:
        """Whether a route is, or would now be, built with a bullet train: no points but progress, and for all."""
        return route in self.shared or (self.map.routes[route].bullet and self.bullets_left > 0)

    @kept
    def shared(self) -> tuple[int, ...]:
        """Bullet routes that are built: everybody's tickets may use them."""
        return view_fields.members(self.shown[view_fields.SHARED])

    @property
    def bullets_left(self) -> int:
        """Bullet trains in the common supply."""
        return view_fields.bullets_left(self.shown)[0]

    @property
    def pending_route(self) -> int | None:
        """In phase `place`: the route that was claimed just now, after which a train may be placed."""
        route = view_fields.pending_route(self.shown)[0]
        return route if route >= 0 else None

    @kept
    def mat(self) -> dict[str, tuple[int | None, ...]]:
        """The province mat: for each line, by color, the seat on every position from the first on; None: free."""
        lines = dict(zip(COLORS, view_fields.mat(self.shown), strict=True))
        return {
            line.color: tuple(_SEAT_AT[lines[line.color] >> 4 * place & 15] for place in range(line.positions))
            for line in self.map.provinces
        }

    def placement_gain(self, action: Action) -> int:
        """By how many points a placement raises the own bonus of its line, as the mat stands; 0 for none."""
        return int(placement_gain_in(np.frombuffer(self.shown, VIEW, 1), self._boards, encode_action(action)))

    def path(self, a: str, b: str) -> Path | None:
        """The cheapest way to connect two cities with own, shared and open routes; None if there is none any more."""
        found = np.empty(MAX_CITIES, np.int16)
        index = self.map.city_index
        count = path_in(np.frombuffer(self.shown, VIEW, 1), self._boards, index[a], index[b], found)
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
        return bool(is_connected_in(np.frombuffer(self.shown, VIEW, 1), self._boards, index[a], index[b]))

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
