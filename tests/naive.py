"""The naive twin: the base game of Ticket to Ride in slow, plain Python, the oracle the fast kernel is tested with.

It is written from the rules text alone (B1-B22 below are its paragraphs) and shares no code with `arena.rules`: what
both say, two independent readings say. Nothing is kept that could be counted anew, so a test may set the open state
(hands, row, deck, owner, ...) by hand and play on from there. Actions are tuples:
    ("keep", (i, j, ...))                   keep these positions of the offer, ascending, return the others
    ("row", card)                           take a face-up card of this kind, from the lowest slot that holds it
    ("blind",), ("tickets",), ("pass",)     take the top of the deck; draw tickets; nothing else is legal
    ("claim", route, card, locomotives)     claim a route with so many locomotives, the other cards of this color;
                                            all locomotives: card is LOCOMOTIVE, locomotives the route's length
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, islice
from typing import Any, NamedTuple

COLORS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")  # card 0..7
LOCOMOTIVE = 8
GRAY = "gray"  # routes only
CARDS = range(9)
MASK = 2**64 - 1

Action = tuple[Any, ...]


class Route(NamedTuple):
    """One track between two cities; twins are two routes."""

    a: str
    b: str
    length: int
    color: str  # one of COLORS, or GRAY


class Ticket(NamedTuple):
    """Two cities to connect, and what that is worth."""

    a: str
    b: str
    points: int


@dataclass(frozen=True)
class Rules:
    """The numbers of the rules, the base game's by default."""

    trains: int = 45  # B1
    cards_per_color: int = 12  # B1
    locomotives: int = 14  # B1
    hand: int = 4  # B2
    row: int = 5  # B2
    tickets_dealt: int = 3  # B3
    tickets_keep: int = 2  # B3
    tickets_drawn: int = 3  # B17
    tickets_drawn_keep: int = 1  # B17
    last_round_trains: int = 2  # B19
    longest_path: int = 10  # B21
    route_points: tuple[int, ...] = (0, 1, 2, 4, 7, 10, 15)  # B14, by length
    flush_at: int = 3  # B11, face-up locomotives
    flush_limit: int = 3  # B11, flushes in a row
    twins_from: int = 4  # B16, players from which both tracks are open


def splitmix64(state: int) -> Iterator[int]:
    """The outputs of the splitmix64 random stream that starts at this state."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def shuffle(items: list[int], seed: int) -> None:
    """Shuffle in place, from the last place down, with a fresh stream."""
    stream = splitmix64(seed)
    for i in range(len(items) - 1, 0, -1):
        j = ((next(stream) >> 32) * (i + 1)) >> 32
        items[i], items[j] = items[j], items[i]


def networks(routes: Sequence[Route]) -> list[set[str]]:
    """The sets of cities that the routes connect with each other."""
    found: list[set[str]] = []
    for route in routes:
        joined = {route.a, route.b}
        met = [cities for cities in found if cities & joined]
        found = [cities for cities in found if not cities & joined]
        found.append(joined.union(*met))
    return found


def reachable(routes: Sequence[Route], unused: frozenset[int], city: str) -> frozenset[int]:
    """Those of the unused routes that a walk from the city along unused routes can come to."""
    cities, apart = {city}, unused
    while met := {i for i in apart if cities & {routes[i].a, routes[i].b}}:
        apart -= met
        cities.update(*(routes[i][:2] for i in met))
    return unused - apart


@lru_cache(maxsize=10_000)
def longest_trail(routes: tuple[Route, ...]) -> int:
    """Spaces of the longest trail: from every city every first route, then the longest trail from there. # B21"""

    @cache
    def longest(city: str, unused: frozenset[int]) -> int:
        best, spaces = 0, sum(routes[i].length for i in unused)
        for i in unused:
            a, b, length, _ = routes[i]
            if city in (a, b) and best < spaces:
                other = b if city == a else a
                best = max(best, length + longest(other, reachable(routes, unused - {i}, other)))
        return best

    every = frozenset(range(len(routes)))
    return max((longest(city, reachable(routes, every, city)) for route in routes for city in route[:2]), default=0)


class Game:
    """One game; `words` seeds its streams: train deck, reshuffles, ticket deck. `legal_actions` and `apply` play it."""

    def __init__(
        self, routes: list[Route], tickets: list[Ticket], players: int, words: Sequence[int], rules: Rules = Rules()
    ) -> None:
        self.routes, self.all_tickets, self.players, self.rules = routes, tickets, players, rules
        self.twins = [self._twins_of(i) for i in range(len(routes))]
        self.phase, self.seat = "setup", 0  # "setup", "turn", "second", "keep", "over"; who decides now
        self.end: str | None = None  # "trains" (B19) or "stall" (B18) when over
        self.hands = [[0] * 9 for _ in range(players)]  # counts by card
        self.known = [[0] * 9 for _ in range(players)]  # what all have seen to be in the hand, at least
        self.row: list[int | None] = [None] * rules.row
        kinds = [rules.cards_per_color] * 8 + [rules.locomotives]
        self.deck = [card for card in CARDS for _ in range(kinds[card])]  # top last
        self.discards = [0] * 9  # counts by card
        self.ticket_deck = list(range(len(tickets)))  # top first
        self.tickets: list[list[int]] = [[] for _ in range(players)]
        self.offer: list[list[int]] = [[] for _ in range(players)]
        self.choices: list[tuple[int, ...]] = []  # of setup, by seat, until all have chosen
        self.trains = [rules.trains] * players
        self.route_points = [0] * players  # B5
        self.owner: list[int | None] = [None] * len(routes)
        self.turns = [0] * players  # finished
        self.turns_left: int | None = None  # in the last round
        self.passes = 0  # in a row
        self.words = [int(word) for word in words]  # plain numbers, never numpy's
        self.reshuffles = 0  # so far
        shuffle(self.deck, self.words[0])
        shuffle(self.ticket_deck, self.words[2])
        self._deal()

    def _twins_of(self, route: int) -> list[int]:
        """The parallel tracks of equal length. # B16"""
        a, b, length, _ = self.routes[route]
        same = ((a, b, length), (b, a, length))
        return [i for i, other in enumerate(self.routes) if i != route and other[:3] in same]

    def _deal(self) -> None:
        for hand in self.hands:  # B2
            for _ in range(min(self.rules.hand, len(self.deck))):
                hand[self._draw()] += 1
        self._fill_row()
        for seat in range(self.players):  # B3
            self._offer_tickets(seat, self.rules.tickets_dealt)

    def legal_actions(self) -> list[Action]:
        """Everything that the seat to decide may do now; empty only when the game is over."""
        if self.phase == "setup":
            return self._keeps(self.rules.tickets_keep)  # B3
        if self.phase == "keep":
            return self._keeps(self.rules.tickets_drawn_keep)  # B17
        if self.phase == "second":
            return self._draws(locomotive=False)  # B7
        if self.phase == "over":
            return []
        actions = self._draws(locomotive=True)
        if self.ticket_deck:  # B17
            actions.append(("tickets",))
        for route in range(len(self.routes)):
            if self._is_open(route):
                actions += self._payments(route)
        return actions or [("pass",)]  # B18

    def _keeps(self, least: int) -> list[Action]:
        """Every choice of at least so many tickets of the offer (of all, if the offer is smaller)."""
        count = len(self.offer[self.seat])
        sizes = range(min(least, count), count + 1)
        return [("keep", positions) for size in sizes for positions in combinations(range(count), size)]

    def _draws(self, *, locomotive: bool) -> list[Action]:
        """Each kind of card in the row, a locomotive only if it may be taken (B7), and the top of the deck. # B6"""
        actions: list[Action] = [("row", c) for c in CARDS if c in self.row and (locomotive or c != LOCOMOTIVE)]
        if self.deck:  # B10
            actions.append(("blind",))
        return actions

    def _is_open(self, route: int) -> bool:
        """Whether the seat to decide may claim the route, cards aside."""
        if self.owner[route] is not None or self.routes[route].length > self.trains[self.seat]:  # B15
            return False
        taken_by = {self.owner[twin] for twin in self.twins[route]} - {None}  # B16
        return not taken_by or (self.players >= self.rules.twins_from and self.seat not in taken_by)

    def _payments(self, route: int) -> Iterator[Action]:
        """Every way to pay for the route from the hand. # B14"""
        hand, length, color = self.hands[self.seat], self.routes[route].length, self.routes[route].color
        for card in range(8) if color == GRAY else (COLORS.index(color),):
            if hand[card]:
                fewest, most = max(0, length - hand[card]), min(length - 1, hand[LOCOMOTIVE])
                for locomotives in range(fewest, most + 1):
                    yield ("claim", route, card, locomotives)
        if hand[LOCOMOTIVE] >= length:
            yield ("claim", route, LOCOMOTIVE, length)

    def apply(self, action: Action) -> None:
        """Do one of the legal actions, up to the next decision; that it is one is for the caller to see."""
        self.passes = self.passes + 1 if action == ("pass",) else 0
        match action:
            case ("keep", positions) if self.phase == "setup":
                self._choose(positions)
            case ("keep", positions):
                self._keep(self.seat, positions)
                self._end_turn()
            case ("row", card):
                self._take_from_row(card)
            case ("blind",):
                self.hands[self.seat][self._draw()] += 1  # B8
                self._after_card()
            case ("tickets",):
                self._offer_tickets(self.seat, self.rules.tickets_drawn)  # B17
                self.phase = "keep"
            case ("claim", route, card, locomotives):
                self._claim(route, card, locomotives)
            case ("pass",):
                self._end_turn()

    def _choose(self, positions: tuple[int, ...]) -> None:
        """A choice of setup: it takes effect when all have chosen. # B3"""
        self.choices.append(positions)
        self.seat = (self.seat + 1) % self.players
        if len(self.choices) == self.players:
            for seat, chosen in enumerate(self.choices):
                self._keep(seat, chosen)
            self.phase = "turn"  # B4: seat 0 begins

    def _offer_tickets(self, seat: int, count: int) -> None:
        """The top tickets, as many as there are. # B3, B17"""
        self.offer[seat], self.ticket_deck = self.ticket_deck[:count], self.ticket_deck[count:]

    def _keep(self, seat: int, positions: tuple[int, ...]) -> None:
        """Keep these of the offer; the others go under the ticket deck in the order drawn. # B3, B17"""
        offer, self.offer[seat] = self.offer[seat], []
        self.tickets[seat] += [offer[i] for i in positions]
        self.ticket_deck += [ticket for i, ticket in enumerate(offer) if i not in positions]

    def _take_from_row(self, card: int) -> None:
        """Take a face-up card, the replacement is turned at once (B6); a locomotive ends the turn (B7)."""
        self.row[self.row.index(card)] = None
        self.hands[self.seat][card] += 1
        self.known[self.seat][card] += 1
        self._fill_row()
        if card == LOCOMOTIVE:
            self._end_turn()
        else:
            self._after_card()

    def _after_card(self) -> None:
        """The second card comes after the first, if one may be taken (B13); after the second the turn ends (B6)."""
        if self.phase == "turn" and self._draws(locomotive=False):
            self.phase = "second"
        else:
            self._end_turn()

    def _claim(self, route: int, card: int, locomotives: int) -> None:
        """Pay, place the trains, score. # B14"""
        length = self.routes[route].length
        hand, known = self.hands[self.seat], self.known[self.seat]
        for paid, count in ((card, length - locomotives), (LOCOMOTIVE, locomotives)):
            hand[paid] -= count
            known[paid] = max(0, known[paid] - count)
            self.discards[paid] += count
        self._reshuffle_if_empty()
        self._fill_row()
        self.owner[route] = self.seat
        self.trains[self.seat] -= length
        self.route_points[self.seat] += self.rules.route_points[length]
        self._end_turn()

    def _end_turn(self) -> None:
        """The last round runs or begins (B19), or all have passed in a row (B18), or it is the next seat's turn."""
        self.turns[self.seat] += 1
        if self.turns_left is not None:
            self.turns_left -= 1
        elif self.trains[self.seat] <= self.rules.last_round_trains:
            self.turns_left = self.players
        if self.turns_left == 0:
            self.phase, self.end = "over", "trains"
        elif self.passes == self.players:
            self.phase, self.end = "over", "stall"
        else:
            self.phase, self.seat = "turn", (self.seat + 1) % self.players

    def _draw(self) -> int:
        """The top card of the deck, which must hold one."""
        card = self.deck.pop()
        self._reshuffle_if_empty()
        return card

    def _reshuffle_if_empty(self) -> None:
        """Make a new deck of the discards, at once: no deck is ever empty while they hold a card. # B10"""
        if not self.deck and any(self.discards):
            self.deck = [card for card in CARDS for _ in range(self.discards[card])]
            self.discards = [0] * 9
            shuffle(self.deck, next(islice(splitmix64(self.words[1]), self.reshuffles, None)))
            self.reshuffles += 1

    def _fill_row(self) -> None:
        """Turn cards into the empty slots, lowest first; then, if too many are locomotives, flush and again. # B11"""
        flushes = 0
        while None in self.row and self.deck:
            for slot, card in enumerate(self.row):
                if card is None and self.deck:
                    self.row[slot] = self._draw()
            if self.row.count(LOCOMOTIVE) < self.rules.flush_at or flushes == self.rules.flush_limit:
                return
            flushes += 1
            for card in self.row:
                if card is not None:
                    self.discards[card] += 1
            self.row = [None] * self.rules.row
            self._reshuffle_if_empty()

    def points(self) -> list[dict[str, int]]:
        """Per seat: score and its parts (routes, tickets, longest_path), longest in spaces, tickets_completed."""
        owned = [tuple(r for i, r in enumerate(self.routes) if self.owner[i] == seat) for seat in range(self.players)]
        longest = [longest_trail(routes) for routes in owned]
        rows = []
        for seat in range(self.players):
            tickets, completed = self._ticket_points(seat, networks(owned[seat]))
            holds = longest[seat] == max(longest) > 0  # B21: all who tie, but nobody without a route
            row = {"routes": self.route_points[seat], "tickets": tickets}
            row["longest_path"] = self.rules.longest_path if holds else 0
            row["score"] = sum(row.values())
            rows.append(row | {"longest": longest[seat], "tickets_completed": completed})
        return rows

    def _ticket_points(self, seat: int, connected: list[set[str]]) -> tuple[int, int]:
        """The tickets kept, completed ones added and others subtracted, and how many are completed. # B20"""
        tickets = [self.all_tickets[i] for i in self.tickets[seat]]
        done = [any({ticket.a, ticket.b} <= cities for cities in connected) for ticket in tickets]
        return sum(t.points if ok else -t.points for t, ok in zip(tickets, done, strict=True)), sum(done)

    def ranks(self) -> list[int]:
        """Per seat 1 + the number of seats strictly better: score, then tickets completed, then the bonus. # B22"""
        keys = [(row["score"], row["tickets_completed"], row["longest_path"]) for row in self.points()]
        return [1 + sum(other > key for other in keys) for key in keys]
