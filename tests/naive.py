"""The naive twin: Ticket to Ride in slow, plain Python, the oracle the fast kernel is tested with.

It is written from the rules text alone (B1-B22, J1-J11 and K1-K11 below are its paragraphs) and shares no code with
`arena.rules`: what both say, two independent readings say. Nothing is kept that could be counted anew, so a test may
set the open state (hands, row, deck, owner, ...) by hand and play on from there. Actions are tuples:
    ("draft", i)                            pick this position of the own pack, pass the others on
    ("keep", (i, j, ...))                   keep these positions of the offer, ascending, return the others
    ("row", card)                           take a face-up card of this kind, from the lowest slot that holds it
    ("blind",), ("tickets",), ("pass",)     take the top of the deck; draw tickets; nothing else is legal
    ("express", n), ("tickets", n)          play the express card +n: for so many extra cards, or extra tickets
    ("claim", route, card, locomotives)     claim a route with so many locomotives, the other cards of this color;
                                            all locomotives: card is LOCOMOTIVE, locomotives the route's length
    ("place", line, card, extra, locomotives, n), ("skip",)
                                            after a claim, a train for the province: with so many extra cards of this
                                            color (LOCOMOTIVE if 0) and extra locomotives, and the express card +n or 0
"""

from collections.abc import Sequence
from itertools import combinations, islice
from typing import Any

from naive_parts import (
    BASE_GAME,
    CARDS,
    LOCOMOTIVE,
    SHARED,
    Route,
    Rules,
    Ticket,
    bullet_bonus,
    claims,
    extra_cards,
    longest_trail,
    networks,
    pass_left,
    place_for,
    province_bonus,
    shuffle,
    splitmix64,
    twin_tracks,
)

__all__ = ["LOCOMOTIVE", "SHARED", "Game", "Route", "Rules", "Ticket"]

Action = tuple[Any, ...]


class Game:
    """One game; `words` seeds its streams: train deck, reshuffles, ticket deck. `legal_actions` and `apply` play it."""

    def __init__(
        self, routes: list[Route], tickets: list[Ticket], players: int, words: Sequence[int], rules: Rules = BASE_GAME
    ) -> None:
        self.routes, self.all_tickets, self.players, self.rules = routes, tickets, players, rules
        self.twins = twin_tracks(routes)
        self.colors = [route.card for route in routes]
        # "draft", "setup", "turn", "first", "second", "keep", "place", "over"; and who decides now
        self.phase, self.seat = "draft" if rules.draft else "setup", 0
        self.end: str | None = None  # "trains" (B19) or "stall" (B18) when over
        self.hands = [[0] * 9 for _ in range(players)]  # counts by card
        self.known = [[0] * 9 for _ in range(players)]  # what all have seen to be in the hand, at least
        self.row: list[int | None] = [None] * rules.row
        kinds = dict.fromkeys(CARDS, rules.cards_per_color) | rules.cards | {LOCOMOTIVE: rules.locomotives}
        self.deck = [card for card in CARDS for _ in range(kinds[card])]  # top last
        self.discards = [0] * 9  # counts by card
        self.ticket_deck = list(range(len(tickets)))  # top first
        self.tickets: list[list[int]] = [[] for _ in range(players)]
        self.offer: list[list[int]] = [[] for _ in range(players)]  # in the draft the own pack
        self.picked: list[list[int]] = [[] for _ in range(players)]  # in the draft, first pick first
        self.choices: list[Any] = []  # of draft or setup, by seat, until all have chosen
        self.trains = [rules.trains] * players
        self.route_points = [0] * players  # B5
        self.owner: list[int | None] = [None] * len(routes)  # a seat, or SHARED
        self.progress = [0] * players  # J3
        self.express_left = [set(rules.express) for _ in range(players)]  # K1
        self.mat: dict[tuple[int, int], int] = {}  # the seat whose train lies on (line, position)
        self.claimed: tuple[int, int] | None = None  # the route and card of the claim that a placement follows
        self.turns = [0] * players  # finished
        self.turns_left: int | None = None  # in the last round
        self.passes = 0  # in a row
        self.words = [int(word) for word in words]  # plain numbers, never numpy's
        self.reshuffles = 0  # so far
        shuffle(self.deck, self.words[0])
        shuffle(self.ticket_deck, self.words[2])
        self._deal()

    @property
    def bullets_left(self) -> int:
        """The bullet trains in the supply: one lies on each shared route. # J3"""
        return self.rules.bullet_trains - self.owner.count(SHARED)

    def _is_shared(self, route: int) -> bool:
        """Whether a claim of the route now would be for everyone. # J3, J5"""
        return self.routes[route].bullet and self.bullets_left > 0

    def _deal(self) -> None:
        for hand in self.hands:  # B2
            for _ in range(min(self.rules.hand, len(self.deck))):
                hand[self._draw()] += 1
        for seat, count in sorted(self.rules.extra_cards.items()):  # B2
            for _ in range(count if seat < self.players else 0):
                self.hands[seat][self._draw()] += 1
        self._fill_row()
        for seat in range(self.players):  # B3
            self._offer_tickets(seat, self.rules.tickets_dealt)

    def legal_actions(self) -> list[Action]:
        """Everything that the seat to decide may do now; empty only when the game is over."""
        offered = len(self.offer[self.seat])
        if self.phase == "draft":
            return [("draft", position) for position in range(offered)]  # K2
        if self.phase == "setup":
            return self._keeps(self.rules.tickets_keep, min(self.rules.tickets_keep_most, offered))  # B3, K2
        if self.phase == "keep":
            return self._keeps(self.rules.tickets_drawn_keep, offered)  # B17
        if self.phase in ("first", "second"):
            return self._draws(locomotive=self.phase == "first")  # B7, K4
        if self.phase == "place":
            return [("skip",), *self._placements()]  # K5
        if self.phase == "over":
            return []
        actions = self._draws(locomotive=True)
        express = sorted(self.express_left[self.seat])
        if self.deck:  # K4
            actions += [("express", n) for n in express]
        if self.ticket_deck:  # B17, K9
            actions += [("tickets",), *(("tickets", n) for n in express)]
        hand = self.hands[self.seat]
        most = max(hand[:LOCOMOTIVE]) + hand[LOCOMOTIVE]  # no longer route can be paid
        for route, (track, owner) in enumerate(zip(self.routes, self.owner, strict=True)):
            if owner is None and track.length <= most and self._is_open(route):
                actions += self._payments(route, track.length, self.colors[route])
        return actions or [("pass",)]  # B18

    def _keeps(self, least: int, most: int) -> list[Action]:
        """Every choice of so many tickets of the offer (of all, if the offer is smaller)."""
        count = len(self.offer[self.seat])
        sizes = range(min(least, count), most + 1)
        return [("keep", positions) for size in sizes for positions in combinations(range(count), size)]

    def _draws(self, *, locomotive: bool) -> list[Action]:
        """Each kind of card in the row, a locomotive only if it may be taken (B7), and the top of the deck. # B6"""
        actions: list[Action] = [("row", c) for c in CARDS if c in self.row and (locomotive or c != LOCOMOTIVE)]
        if self.deck:  # B10
            actions.append(("blind",))
        return actions

    def _is_open(self, route: int) -> bool:
        """Whether the seat to decide may claim the unclaimed route, cards aside."""
        if self.routes[route].length > self.trains[self.seat] and not self._is_shared(route):  # B15, J3
            return False
        if not self.twins[route]:
            return True
        taken_by = [self.owner[twin] for twin in self.twins[route] if self.owner[twin] is not None]  # B16
        return not taken_by or (self.players >= self.rules.twins_from and self.seat not in taken_by)

    def _payments(self, route: int, length: int, own: int | None) -> list[Action]:
        """Every way to pay for the route, of its own color or of any one, from the hand. # B14"""
        hand = self.hands[self.seat]
        actions: list[Action] = []
        for card in range(8) if own is None else (own,):
            if hand[card]:
                actions += claims(route, length, card, hand[card], hand[LOCOMOTIVE])
        if hand[LOCOMOTIVE] >= length:
            actions.append(("claim", route, LOCOMOTIVE, length))
        return actions

    def _placements(self) -> list[Action]:
        """Every way to place a train on the mat after the claim. # K5"""
        if self.claimed is None or not self.trains[self.seat]:
            return []
        (route, paid), actions = self.claimed, []
        length, own = self.routes[route].length, self.colors[route]
        color = paid if paid != LOCOMOTIVE else own  # K6, None: any one
        for line in self.rules.provinces if own is None else {own} & self.rules.provinces.keys():
            taken, end = self._taken(line), self.rules.provinces[line]
            for n in (0, *self.express_left[self.seat]):
                most = max(0, end - length)  # K6: cards not beyond the end
                for extra in extra_cards(self.hands[self.seat], color, most):
                    if place_for(taken, min(length + sum(extra[1:]) + n, end)):
                        actions.append(("place", line, *extra, n))
        return actions

    def _taken(self, line: int) -> set[int]:
        """The positions of the line where a train lies."""
        return {position for at, position in self.mat if at == line}

    def apply(self, action: Action) -> None:
        """Do one of the legal actions, up to the next decision; that it is one is for the caller to see."""
        self.passes = self.passes + 1 if action == ("pass",) else 0
        match action:
            case ("draft", choice):
                self._choose(choice)
            case ("keep", choice) if self.phase == "setup":
                self._choose(choice)
            case ("keep", positions):
                self._keep(self.seat, positions)
                self._end_turn()
            case ("row", card):
                self._take_from_row(card)
            case ("blind",):
                self.hands[self.seat][self._draw()] += 1  # B8
                self._after_card()
            case ("express", n):
                self._draw_extra(n)
            case ("tickets", *express):
                self.express_left[self.seat] -= {*express}
                self._offer_tickets(self.seat, self.rules.tickets_drawn + sum(express))  # B17, K9
                self.phase = "keep"
            case ("claim", route, card, locomotives):
                self._claim(route, card, locomotives)
            case ("place", line, card, extra, locomotives, n):
                self._place(line, card, extra, locomotives, n)
                self._end_claim()
            case ("skip",):
                self._end_claim()
            case ("pass",):
                self._end_turn()

    def _choose(self, choice: Any) -> None:
        """A choice of draft or setup: it takes effect when all have chosen. # B3, K2"""
        self.choices.append(choice)
        self.seat = (self.seat + 1) % self.players
        if len(self.choices) == self.players:
            choices, self.choices = self.choices, []
            if self.phase == "draft":
                self._draft(choices)
            else:
                self._finish_setup(choices)

    def _draft(self, positions: list[int]) -> None:
        """The picks of a round; after the last round the tickets are laid out, last pick first. # K2"""
        for picked, pack, position in zip(self.picked, self.offer, positions, strict=True):
            picked.append(pack.pop(position))
        self.offer = pass_left(self.offer)
        if not any(self.offer):
            self.offer, self.picked = [picked[::-1] for picked in self.picked], [[] for _ in self.picked]
            self.phase = "setup"

    def _finish_setup(self, choices: list[tuple[int, ...]]) -> None:
        """Keep and return tickets, and shuffle a part of the deck: none, the returned ones or all. # B3, J2, K2"""
        undealt = len(self.ticket_deck)
        for seat, chosen in enumerate(choices):
            self._keep(seat, chosen)
        first = {"under": len(self.ticket_deck), "shuffled": undealt, "reshuffled": 0}[self.rules.tickets_returned]
        part = self.ticket_deck[first:]
        shuffle(part, self.words[2], used=len(self.all_tickets) - 1)
        self.ticket_deck[first:] = part
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
        if self.phase in ("turn", "first") and self._draws(locomotive=False):
            self.phase = "second"
        else:
            self._end_turn()

    def _draw_extra(self, n: int) -> None:
        """The extra cards of an express card, as many as there are; then the first card, if there is one. # K4"""
        self.express_left[self.seat] -= {n}
        for _ in range(n):
            if self.deck:
                self.hands[self.seat][self._draw()] += 1
        if self._draws(locomotive=True):
            self.phase = "first"
        else:
            self._end_turn()

    def _pay(self, card: int, count: int, locomotives: int) -> None:
        """To the discards; what is known of the hand shrinks by as much. # B14"""
        for paid, number in ((card, count), (LOCOMOTIVE, locomotives)):
            self.hands[self.seat][paid] -= number
            self.known[self.seat][paid] = max(0, self.known[self.seat][paid] - number)
            self.discards[paid] += number

    def _claim(self, route: int, card: int, locomotives: int) -> None:
        """Pay, place the trains, score (B14), or the bullet train and advance (J3); then the province (K5)."""
        length = self.routes[route].length
        self._pay(card, length - locomotives, locomotives)
        if self._is_shared(route):
            self.owner[route] = SHARED
            self.progress[self.seat] += length
        else:
            self.owner[route] = self.seat
            self.trains[self.seat] -= length
            self.route_points[self.seat] += self.rules.route_points[length]
        self.claimed = route, card
        if self._placements():
            self.phase = "place"
        else:
            self._end_claim()

    def _place(self, line: int, card: int, extra: int, locomotives: int, n: int) -> None:
        """A train on the mat, from the supply, for the cards played and an express card. # K5, K6"""
        assert self.claimed is not None
        self._pay(card, extra, locomotives)
        self.express_left[self.seat] -= {n}
        target = self.routes[self.claimed[0]].length + extra + locomotives + n
        self.mat[line, place_for(self._taken(line), min(target, self.rules.provinces[line]))] = self.seat  # K7
        self.trains[self.seat] -= 1

    def _end_claim(self) -> None:
        """Only now do the cards played make a new deck or fill the row. # B10, B11, K5"""
        self.claimed = None
        self._reshuffle_if_empty()
        self._fill_row()
        self._end_turn()

    def _end_turn(self) -> None:
        """The last round runs or begins (B19, J9), or all have passed (B18), or it is the next seat's turn."""
        self.turns[self.seat] += 1
        if self.turns_left is not None:
            self.turns_left -= 1
        elif self._last_round_begins():
            self.turns_left = self.players
        if self.turns_left == 0:
            self.phase, self.end = "over", "trains"
        elif self.passes == self.players:
            self.phase, self.end = "over", "stall"
        else:
            self.phase, self.seat = "turn", (self.seat + 1) % self.players

    def _last_round_begins(self) -> bool:
        """Whether the last round begins: by trains (B19), and on a map with bullet routes by bullet trains too (J9)."""
        if min(self.trains) > self.rules.last_round_trains:
            return False
        bullets = self.bullets_left if any(route.bullet for route in self.routes) else 0
        return bullets <= self.rules.last_round_bullets

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
        """Per seat: score and its parts (routes, ..., provinces), longest in spaces, tickets_completed."""
        seats = range(self.players)
        *owned, shared = (tuple(r for i, r in enumerate(self.routes) if self.owner[i] == s) for s in (*seats, SHARED))
        longest = [longest_trail(routes) for routes in owned]  # J4: without the shared ones
        bullet = [0] * self.players
        if self.rules.bullet_trains:
            bullet = bullet_bonus(self.progress, self.rules.bullet_bonus.get(self.players, ()), self.rules.bullet_none)
        provinces = province_bonus(self.mat, self.rules.province_bonus.get(self.players, ()), self.players)
        rows = []
        for seat in seats:
            tickets, completed = self._ticket_points(seat, networks(owned[seat] + shared))  # J4, J6
            holds = longest[seat] == max(longest) > 0  # B21: all who tie, but nobody without a route
            row = {"routes": self.route_points[seat], "tickets": tickets}
            row["longest_path"] = self.rules.longest_path if holds else 0
            row |= {"bullet": bullet[seat], "provinces": provinces[seat]}
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
