"""What a bot in Python is handed at each decision: the facts of a VIEW record under friendly names."""

from bisect import bisect_left

import numpy as np

from arena.boards.spec import MapSpec, Ticket
from arena.engine import view_fields
from arena.engine.former_names import ATTRIBUTES, READABLE_VIEW, former_name
from arena.engine.view_parts import Actions, Path, Player, decode, integer, lazy
from arena.rules.actions import CLAIM, TAKE_CARD, Action, encode_action
from arena.rules.board import COLORS, MAX_CITIES, MAX_SEATS
from arena.rules.network import is_connected_in
from arena.rules.paths import NO_PATH, path_in
from arena.rules.provinces import placement_gain_in
from arena.rules.state import PHASES
from arena.rules.view import VIEW, VIEW_BYTES

_SEAT_AT = (None, *range(MAX_SEATS))  # by the four bits of a position
_FIRST_DRAW, _FIRST_CLAIM, _BEYOND_CLAIMS = (kind << 24 for kind in (TAKE_CARD, CLAIM, CLAIM + 1))


class View:
    """What one seat knows at one decision: a snapshot of its own, with nothing hidden in it or behind it.

    >>> from arena import catalog
    >>> from arena.engine.game_table import GameTable
    >>> from arena.engine.loop import COUNT_SHIFT, start
    >>> from arena.rules.deal import make_deals
    >>> table = GameTable(catalog.load_map(catalog.default_map()), 2, [])
    >>> view = table.view_of(start(table.desk.memory, make_deals(1, [0])) >> COUNT_SHIFT)
    >>> view.phase, view.me.trains, view.hand["yellow"]
    ('setup', 45, 2)
    >>> [str(ticket) for ticket in view.offer]
    ['San Francisco-Atlanta (17)', 'Boston-Miami (12)', 'Dallas-New York (11)']
    >>> view.describe(view.actions[0])
    'keep San Francisco-Atlanta (17), Boston-Miami (12)'
    >>> view.path("Boston", "Miami").trains
    12
    """

    def __init__(self, spec: MapSpec, boards: np.ndarray, shown: bytes) -> None:
        """shown: a VIEW and, from VIEW_BYTES on, the integers of the legal actions."""
        self.map = spec
        """The map: `cities`, `routes` (a, b, length, color), `tickets`, `rules`."""
        self._boards = boards
        self.shown = shown
        """The bytes that all the rest is read from: a VIEW and, from VIEW_BYTES on, the legal actions."""
        self.actions = Actions(shown)
        """Every legal action: row cards, blind, tickets, express, then claims by locomotives, color and route."""

    @property
    def boards(self) -> np.ndarray:
        """The map as an array of one BOARD record (see `arena.rules.board`), for kernels; read-only."""
        return self._boards

    @lazy
    def record(self) -> np.record:
        """The raw VIEW record (see `arena.rules.view`), for kernels; read-only."""
        record: np.record = np.frombuffer(self.shown, READABLE_VIEW, 1)[0]
        return record

    @lazy
    def claims(self) -> tuple[Action, ...]:
        """The legal actions that claim a route."""
        shown = self.shown
        if integer(shown, -4)[0] < _FIRST_CLAIM:  # the last action, as in most phases and with few cards
            return ()
        codes = memoryview(shown)[VIEW_BYTES:].cast("i")
        return tuple(map(decode, codes[bisect_left(codes, _FIRST_CLAIM) : bisect_left(codes, _BEYOND_CLAIMS)]))

    @lazy
    def draws(self) -> tuple[Action, ...]:
        """The legal actions that draw cards or tickets, those with the highest express card last."""
        codes = memoryview(self.shown)[VIEW_BYTES:].cast("i")
        if not codes or codes[0] < _FIRST_DRAW:
            return ()
        return tuple(map(decode, codes[: bisect_left(codes, _FIRST_CLAIM)]))

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

    @lazy
    def hand(self) -> dict[str, int]:
        """The own train cards, by color and `locomotive`."""
        return view_fields.counts(self.shown[view_fields.HAND]).copy()

    @lazy
    def tickets(self) -> tuple[Ticket, ...]:
        """The own tickets."""
        return tuple(self.map.tickets[index] for index in view_fields.members(self.shown[view_fields.TICKETS]))

    @lazy
    def offer(self) -> tuple[Ticket, ...]:
        """The tickets to choose from now; empty when none are offered."""
        return tuple(self.map.tickets[index] for index in view_fields.indices(self.shown[view_fields.OFFER]))

    @lazy
    def picked(self) -> tuple[Ticket, ...]:
        """In the draft: the tickets picked so far."""
        return tuple(self.map.tickets[index] for index in view_fields.indices(self.shown[view_fields.PICKED]))

    @lazy
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

    @lazy
    def discards(self) -> dict[str, int]:
        """The discarded train cards, by color and `locomotive`."""
        return view_fields.counts(self.shown[view_fields.DISCARDS]).copy()

    @property
    def last_turns(self) -> int | None:
        """Turns left in the last round, this one included; None before it begins."""
        turns = view_fields.last_turns(self.shown)[0]
        return turns if turns >= 0 else None

    @lazy
    def players(self) -> tuple[Player, ...]:
        """What is public of every seat, the own one included."""
        return tuple(
            Player(
                seat, trains, points, cards, tickets, turns, view_fields.counts(known).copy(),
                view_fields.members(routes), progress, view_fields.values(express),
            )
            for seat, trains, points, cards, tickets, turns, known, routes, progress, express in view_fields.players(
                self.shown
            )
        )  # fmt: skip

    @property
    def me(self) -> Player:
        """The own entry in `players`."""
        return self.players[self.seat]

    @lazy
    def owner_of(self) -> dict[int, int]:
        """Who owns which route: route index to seat. Shared routes are not among them."""
        return {route: player.seat for player in self.players for route in player.routes}

    @lazy
    def open_routes(self) -> tuple[int, ...]:
        """Routes the own seat may still claim, given enough cards and trains."""
        return view_fields.members(self.shown[view_fields.OPEN[self.seat]])

    @lazy
    def buildable_routes(self) -> tuple[int, ...]:
        """Those of the open routes for which there are enough trains, own or bullet trains."""
        trains, routes = self.me.trains, self.map.routes
        return tuple(r for r in self.open_routes if routes[r].length <= trains or self.is_shared(r))

    def is_shared(self, route: int) -> bool:
        """Whether a route is, or would now be, built with a bullet train: no points but progress, and for all."""
        return route in self.shared or (self.map.routes[route].bullet and self.bullets_left > 0)

    @lazy
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

    @lazy
    def mat(self) -> dict[str, tuple[int | None, ...]]:
        """The province mat: for each line, by color, the seat on each position from the first on, or None."""
        lines = dict(zip(COLORS, view_fields.mat(self.shown), strict=True))
        return {
            line.color: tuple(_SEAT_AT[lines[line.color] >> 4 * place & 15] for place in range(line.positions))
            for line in self.map.provinces
        }

    def placement_gain(self, action: Action) -> int:
        """The points by which a placement raises the own bonus of its line, as the mat stands; 0 for other actions."""
        return int(placement_gain_in(np.frombuffer(self.shown, VIEW, 1), self._boards, encode_action(action)))

    def path(self, a: str, b: str) -> Path | None:
        """The cheapest way to connect two cities with own, shared and open routes; None if there is no way."""
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


for _former, _name in ATTRIBUTES.items():
    setattr(View, _former, former_name(_former, _name))
