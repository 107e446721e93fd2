"""A table to test at: games are laid out by hand and played in the words of the rules."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from arena.boards.rule_numbers import Rules
from arena.boards.spec import City, Line, MapSpec, Route, Ticket
from arena.catalog import load_map
from arena.engine.compile_board import compile_board, max_actions
from arena.rules.actions import Action, decode, encode_action
from arena.rules.board import CARDS, COLORS, MAX_TICKETS
from arena.rules.deal import deals_from_seeds
from arena.rules.scoring import SCORE, score_game
from arena.rules.sets import add, remove
from arena.rules.state import EMPTY_SLOT, ENDS, PHASES, STATE
from arena.rules.turn import apply, is_legal, legal_actions, new_game

USA = load_map("usa")

BLIND = Action("blind")
TICKETS = Action("tickets")
PASS = Action("pass")
L = "locomotive"


def take(card: str) -> Action:
    """Take a face-up card."""
    return Action("row", card=card)


def claim(route: int, card: str, locomotives: int = 0) -> Action:
    """Claim a route with so many locomotives and the rest in a color."""
    return Action("claim", route, card, locomotives)


def keep(*positions: int) -> Action:
    """Keep the tickets at these positions of the offer."""
    return Action("keep", keep=positions)


def small_map(
    routes: Sequence[tuple[Any, ...]],
    tickets: Sequence[tuple[str, str, int]] = (),
    provinces: Sequence[tuple[str, int]] = (),
    **rules: Any,
) -> MapSpec:
    """A map with only these routes (the fields of `Route`), tickets and lines of a mat (color, positions).

    One ticket is dealt, and filled up with more if there are too few. It is not checked: cities may be out of reach.
    """
    numbers = Rules(**{"tickets_dealt": 1, "tickets_keep": 1} | rules)
    filler = (*routes[0][:2], 1)
    tickets = [*tickets, *[filler] * (5 * numbers.tickets_dealt - len(tickets))]
    return MapSpec(
        key="small",
        name="Small",
        about="",
        cities=tuple(City(city, 0, 0) for city in sorted({city for route in routes for city in route[:2]})),
        routes=tuple(Route(*route) for route in routes),
        tickets=tuple(Ticket(*ticket) for ticket in tickets),
        rules=numbers,
        provinces=tuple(Line(*line) for line in provinces),
    )


def members(words: np.ndarray) -> set[int]:
    """The indices in a set of two words."""
    low, high = (int(word) for word in words)
    return {index for index in range(128) if (low | high << 64) >> index & 1}


def counted(numbers: np.ndarray) -> dict[str, int]:
    """Counts by card in words, without the cards of which there are none."""
    return {card: count for card, count in zip(CARDS, numbers.tolist(), strict=True) if count}


class Game:
    """One game. Properties say what lies on the table; `lay_`, `stack_` and `give_` put it there by hand."""

    def __init__(self, seats: int = 2, spec: MapSpec = USA, seeds: Sequence[int] = (1, 2, 3)) -> None:
        self.spec = spec
        self.seats = seats
        self.board = compile_board(spec, seats)
        self.state = np.zeros(1, STATE)[0]
        self._actions = np.zeros(max_actions(spec), np.int32)
        self.deal(seeds)

    def deal(self, seeds: Sequence[int]) -> "Game":
        """Set up a new game at the same table; seeds: of the train deck, the reshuffles and the tickets."""
        new_game(self.state, self.board, deals_from_seeds(np.array([seeds], np.uint64))[0])
        return self

    # What lies on the table

    @property
    def phase(self) -> str:
        return PHASES[int(self.state.phase)]

    @property
    def seat(self) -> int:
        return int(self.state.seat)

    @property
    def end(self) -> str:
        return ENDS[int(self.state.end)]

    @property
    def row(self) -> list[str | None]:
        return [CARDS[card] if card >= 0 else None for card in self.state.row.tolist()]

    @property
    def deck(self) -> list[str]:
        """The train cards of the deck, top first."""
        return [CARDS[card] for card in self.state.deck[: self.state.deck_count][::-1].tolist()]

    @property
    def discards(self) -> dict[str, int]:
        assert self.state.discards.sum() == self.state.discard_count
        return counted(self.state.discards)

    def hand(self, seat: int) -> dict[str, int]:
        return counted(self.state.hand[seat])

    @property
    def ticket_deck(self) -> list[int]:
        """The tickets of the deck, top first."""
        top, count = int(self.state.ticket_top), int(self.state.ticket_count)
        return [int(self.state.ticket_deck[(top + place) % MAX_TICKETS]) for place in range(count)]

    def offer(self, seat: int) -> list[int]:
        return self.state.offer[seat, : self.state.offer_size[seat]].tolist()

    def tickets(self, seat: int) -> set[int]:
        return members(self.state.tickets[seat])

    def routes(self, seat: int) -> set[int]:
        return members(self.state.routes_claimed[seat])

    def all_cards(self) -> Counter[str]:
        """Every train card wherever it is."""
        cards = Counter(card for card in self.row if card) + Counter(self.deck) + Counter(self.discards)
        for seat in range(self.seats):
            cards += Counter(self.hand(seat))
        return cards

    def track(self, a: str, b: str, color: str = "") -> int:
        """The index of the route between two cities, of a color if there are two."""
        return next(
            index
            for index, route in enumerate(self.spec.routes)
            if {route.a, route.b} == {a, b} and color in ("", route.color)
        )

    def ticket(self, a: str, b: str) -> int:
        """The index of a ticket."""
        return next(index for index, ticket in enumerate(self.spec.tickets) if {ticket.a, ticket.b} == {a, b})

    # Playing

    def codes(self) -> list[int]:
        """The legal actions as integers."""
        return self._actions[: legal_actions(self.state, self.board, self._actions)].tolist()

    @property
    def actions(self) -> list[Action]:
        return [decode(code) for code in self.codes()]

    @property
    def draws(self) -> list[Action]:
        """The legal actions that draw a train card."""
        return [action for action in self.actions if action.kind in ("row", "blind")]

    @property
    def claims(self) -> list[Action]:
        return [action for action in self.actions if action.kind == "claim"]

    def payments(self, route: int) -> list[tuple[str, int]]:
        """Card and locomotives of every legal claim of a route."""
        return [(action.card, action.locomotives) for action in self.claims if action.route == route]

    def allows(self, action: Action) -> bool:
        return bool(is_legal(self.state, self.board, encode_action(action)))

    def play(self, *actions: Action) -> "Game":
        for action in actions:
            assert action in self.actions, f"{action} is illegal in phase {self.phase} of seat {self.seat}"
            apply(self.state, self.board, encode_action(action))
        return self

    def play_code(self, code: int) -> None:
        apply(self.state, self.board, code)

    def score(self) -> np.record:
        score = np.zeros(1, SCORE)[0]
        score_game(self.state, self.board, score)
        return score

    # Laying the table

    def begin(self) -> "Game":
        """Everyone keeps all dealt tickets; it is seat 0's first turn."""
        while self.phase == "setup":
            self.play(keep(*range(self.state.offer_size[self.seat])))
        return self

    def clear(self) -> "Game":
        """No card and no ticket is left anywhere."""
        for field in ("hand", "known", "discards", "tickets"):
            self.state[field][:] = 0
        self.state.row[:] = EMPTY_SLOT
        self.state.deck_count = self.state.discard_count = self.state.ticket_count = 0
        return self

    def lay_row(self, *cards: str | None) -> "Game":
        """The face-up cards, slot by slot; the slots not named are empty."""
        self.state.row[:] = EMPTY_SLOT
        for slot, card in enumerate(cards):
            self.state.row[slot] = EMPTY_SLOT if card is None else CARDS.index(card)
        return self

    def stack_deck(self, *cards: str) -> "Game":
        """The train cards of the deck, top first."""
        self.state.deck[: len(cards)] = [CARDS.index(card) for card in reversed(cards)]
        self.state.deck_count = len(cards)
        return self

    def lay_discards(self, **cards: int) -> "Game":
        self.state.discards[:] = [cards.get(card, 0) for card in CARDS]
        self.state.discard_count = sum(cards.values())
        return self

    def give_hand(self, seat: int, **cards: int) -> "Game":
        """The seat holds exactly these cards."""
        self.state.hand[seat] = [cards.get(card, 0) for card in CARDS]
        return self

    def stack_tickets(self, *tickets: int) -> "Game":
        """The tickets of the deck, top first."""
        self.state.ticket_top, self.state.ticket_count = 0, len(tickets)
        self.state.ticket_deck[: len(tickets)] = tickets
        return self

    def give_tickets(self, seat: int, *tickets: int) -> "Game":
        """The seat holds exactly these tickets."""
        self.state.tickets[seat] = 0
        for ticket in tickets:
            add(self.state.tickets[seat], ticket)
        return self

    def give_routes(self, seat: int, *routes: int) -> "Game":
        """The routes become the seat's, without cards, trains, points or twins being touched."""
        for route in routes:
            add(self.state.routes_claimed[seat], route)
            for other in range(self.seats):
                remove(self.state.open[other], route)
        return self

    def give_trains(self, seat: int, trains: int) -> "Game":
        self.state.trains[seat] = trains
        return self


def bare(seats: int = 2, spec: MapSpec = USA) -> Game:
    """Seat 0's first turn, with no card and no ticket anywhere: a test lays out only what it is about."""
    return Game(seats, spec).begin().clear()


def all_colors() -> dict[str, int]:
    """The colored cards of the base game."""
    return dict.fromkeys(COLORS, 12)


def random_games(seats: int, games: int, seed: int, spec: MapSpec = USA) -> Iterator[Game]:
    """The same table at every decision of some games between players who do anything legal, claims included."""
    random = np.random.default_rng(seed)
    for _ in range(games):
        game = Game(seats, spec, random.integers(2**63, size=3))
        while True:
            yield game
            codes = game.codes()
            if not codes:
                break
            game.play_code(int(random.choice(codes)))
