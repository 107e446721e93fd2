"""A referee who knows the rules and a map's file, and reads a game's events: the first foul is named.

    Referee(events, map, facts).check()

Of docs/rules.md and docs/replay.md alone; nothing of `arena` is used. With the seeds of the deal it also checks
that chance had it so: the order of the decks, at first and after each reshuffle.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

from naive_parts import shuffle
from referee_cards import SHARED, CardReferee, Over
from referee_parts import (
    CARDS,
    COLORS,
    LOCOMOTIVE,
    Track,
    bullet_points,
    connected,
    longest_path,
    province_points,
    ranks,
)


class Referee(CardReferee):
    """One game. Each method reads the events that must come next."""

    def check(self) -> None:
        try:
            self.set_up()
            self.play()
        except Over:
            self.score(forfeited=True)
        else:
            self.score()
        self.need(self.peek() == "nothing", "events after the end")

    # Setting up

    def set_up(self) -> None:
        self.take("setup", **{name: value for name, value in self.facts.items() if name != "event"})
        if self.seeds:
            self.shuffle_deck(self.seeds[0])
            order = list(range(len(self.board.tickets)))
            shuffle(order, self.seeds[2])
            self.ticket_deck = [{ticket} for ticket in order]
        for seat in range(self.players):  # B2
            self.deal(seat, self.rules["hand"])
        for seat in range(self.players):
            if extra := self.rules["extra_cards"].get(str(seat), 0):
                self.deal(seat, extra)
        if self.turn_up():
            self.flush()
        for seat in range(self.players):  # B3
            self.offer(seat, self.rules["tickets_dealt"])
        if self.rules["tickets_draft"]:
            self.draft()
        undealt, returned = len(self.ticket_deck), list[int]()
        for seat in range(self.players):
            self.fault_of(seat)
            returned += self.keep(seat, self.rules["tickets_keep"], self.rules["tickets_keep_most"])
        self.ticket_deck += [{ticket} for ticket in returned]
        first = {"under": len(self.ticket_deck), "shuffled": undealt, "reshuffled": 0}[self.rules["tickets_returned"]]
        self.mix_tickets(first)

    def mix_tickets(self, first: int) -> None:
        """The tickets from a place on are shuffled. # J2, K2"""
        part = self.ticket_deck[first:]
        if self.seeds:
            order = [ticket for (ticket,) in part]
            shuffle(order, self.seeds[2], used=len(self.board.tickets) - 1)
            self.ticket_deck[first:] = [{ticket} for ticket in order]
        else:
            any_of = set[int]().union(*part)
            self.ticket_deck[first:] = [any_of] * len(part)

    def offer(self, seat: int, count: int) -> None:
        event = self.take("offer", "tickets", "ticket_names", seat=seat)
        self.names(event["tickets"], event["ticket_names"])
        self.need(len(event["tickets"]) == min(count, len(self.ticket_deck)), "another number of tickets")
        for ticket in event["tickets"]:
            among = self.ticket_deck.pop(0)
            self.need(ticket in among, f"ticket {ticket} cannot lie there")
            among.discard(ticket)
        self.offers[seat] = list(event["tickets"])

    def names(self, tickets: Any, names: Any) -> None:
        for ticket in tickets:
            self.need(type(ticket) is int and 0 <= ticket < len(self.board.tickets), f"no ticket {ticket}")
        self.need([self.board.ticket_name(ticket) for ticket in tickets] == names, "other names of tickets")

    def draft(self) -> None:  # K2
        packs, picked = self.offers, [list[int]() for _ in range(self.players)]
        while packs[0]:
            for seat in range(self.players):
                self.fault_of(seat)
                event = self.take("draft", "ticket", "ticket_name", seat=seat)
                self.names([event["ticket"]], [event["ticket_name"]])
                self.need(event["ticket"] in packs[seat], "not in the pack")
                packs[seat].remove(event["ticket"])
                picked[seat].insert(0, event["ticket"])
            packs = [packs[seat - 1] for seat in range(self.players)]
        self.offers = picked

    def keep(self, seat: int, least: int, most: int) -> list[int]:
        """What goes back. # B3, B17"""
        event = self.take("keep", "kept", "kept_names", "returned", "returned_names", seat=seat)
        kept, returned, offer = event["kept"], event["returned"], self.offers[seat]
        self.names(kept, event["kept_names"])
        self.names(returned, event["returned_names"])
        self.need(kept == [ticket for ticket in offer if ticket not in returned], "kept otherwise than offered")
        self.need(returned == [ticket for ticket in offer if ticket not in kept], "returned otherwise than offered")
        self.need(min(least, len(offer)) <= len(kept) <= most, "so many tickets must not be kept")
        self.tickets[seat] += kept
        return list(returned)

    # Turns

    def play(self) -> None:
        number, passes, left = 0, 0, None
        while True:
            seat = number % self.players  # B4
            number += 1
            self.take("turn", number=number, seat=seat)
            passes = passes + 1 if self.turn(seat) else 0
            if left is not None:
                left -= 1
            elif (
                min(self.trains) <= self.rules["last_round_trains"]
                and self.bullets_left <= self.rules["last_round_bullets"]
            ):  # B19, J9
                self.take("last_round", seat=seat)
                left = self.players
            if left == 0 or passes == self.players:  # B18
                self.take("end", reason="trains" if left == 0 else "stall")
                return

    @property
    def bullets_left(self) -> int:
        return int(self.rules["bullet_trains"]) - list(self.owner.values()).count(SHARED)

    def turn(self, seat: int) -> bool:
        """Whether the seat passed."""
        self.fault_of(seat)
        kind = self.peek()
        if kind == "pass":
            self.take("pass", seat=seat)
            possible = any(self.row) or self.deck or self.ticket_deck or self.can_claim(seat)
            self.need(not possible, "something else is possible")
            return True
        if kind == "claim":
            self.claim(seat)
        elif kind == "draw":
            self.draw_cards(seat)
        elif kind == "offer":
            self.draw_tickets(seat, 0)
        else:
            event = self.take("express", "value", "use", seat=seat)
            self.need(event["value"] in self.express[seat], "no such express card")
            self.express[seat].discard(event["value"])
            if event["use"] == "tickets":
                self.draw_tickets(seat, event["value"])
            else:
                self.need(event["use"] == "draw" and self.deck > 0, "nothing to draw")  # K4
                for _ in range(event["value"]):
                    if self.deck:
                        self.draw(seat, ("deck",))
                if any(self.row) or self.deck:
                    self.fault_of(seat)
                    self.draw_cards(seat)
        return False

    def draw_cards(self, seat: int) -> None:  # B6-B8, B13
        if self.draw(seat, ("row", "deck")) == ("row", LOCOMOTIVE):
            return
        if self.deck or any(card not in (None, LOCOMOTIVE) for card in self.row):
            self.fault_of(seat)
            self.need(self.draw(seat, ("row", "deck")) != ("row", LOCOMOTIVE), "a face-up locomotive as second card")

    def draw(self, seat: int, sources: Sequence[str]) -> tuple[str, str]:
        event = self.take("draw", "source", "slot", "card", "replacement", seat=seat)
        source, slot, card, replacement = (event[name] for name in ("source", "slot", "card", "replacement"))
        self.need(source in sources, f"not from the {source}")
        if source == "deck":
            self.need(slot is None and replacement is None, "no slot")
            self.hands[seat][self.pop(card)] += 1
            self.renew()
            return source, card
        self.need(card in CARDS and card in self.row and type(slot) is int, "no such card in the row")
        self.need(slot == self.row.index(card), "not the lowest slot with this card")
        self.hands[seat][card] += 1
        self.row[slot] = None
        if not self.deck:
            self.need(replacement is None, "nothing can follow")
            return source, card
        self.row[slot] = self.pop(replacement)
        self.renew()
        self.flush()
        return source, card

    def draw_tickets(self, seat: int, more: int) -> None:  # B17, K9
        self.need(len(self.ticket_deck) > 0, "no tickets")
        self.offer(seat, self.rules["tickets_drawn"] + more)
        self.fault_of(seat)
        self.ticket_deck += [{ticket} for ticket in self.keep(seat, self.rules["tickets_drawn_keep"], 6)]

    # Claims

    def is_open(self, seat: int, route: int) -> bool:  # B15, B16, J3
        track = self.board.tracks[route]
        if route in self.owner or (track.length > self.trains[seat] and not self.is_shared(route)):
            return False
        owners = [self.owner[twin] for twin in self.board.twins(route) if twin in self.owner]
        return not owners or (self.players >= self.rules["twins_from"] and seat not in owners)

    def is_shared(self, route: int) -> bool:  # J3, J5
        return self.board.tracks[route].bullet and self.bullets_left > 0

    def can_claim(self, seat: int) -> bool:
        hand = self.hands[seat]
        return any(
            self.is_open(seat, route)
            and hand[LOCOMOTIVE] + max(hand[color] for color in colors_of(track)) >= track.length
            for route, track in enumerate(self.board.tracks)
        )

    def claim(self, seat: int) -> None:  # B14
        event = self.take("claim", "route", "route_name", "cards", "points", "trains_left", "bullet", seat=seat)
        route, cards = event["route"], event["cards"]
        self.need(type(route) is int and 0 <= route < len(self.board.tracks), "no such route")
        track, shared = self.board.tracks[route], self.is_shared(route)
        self.need(event["route_name"] == f"{track.a} - {track.b} ({track.color})", "another name of the route")
        self.need(self.is_open(seat, route), "the route is not open")
        colors = set(cards) - {LOCOMOTIVE}
        self.need(sum(cards.values()) == track.length, "another number of cards")
        self.need(len(colors) <= 1 and colors <= set(colors_of(track)), "other colors")
        self.pay(seat, cards)
        self.owner[route] = SHARED if shared else seat
        worth = 0 if shared else self.rules["route_points"][track.length - 1]
        if shared:
            self.progress[seat] += track.length
        else:
            self.trains[seat] -= track.length
            self.points[seat] += worth
        self.need(event["points"] == worth, f"{worth} points")
        self.need(event["trains_left"] == self.trains[seat], f"{self.trains[seat]} trains are left")
        self.need(event["bullet"] is shared, "bullet trains")
        self.place(seat, track, *colors)
        self.replenish()

    def place(self, seat: int, track: Track, paid: str = "") -> None:  # K5-K8
        if not self.trains[seat] or not self.board.lines:
            return
        lines = self.board.lines if track.color == "gray" else {track.color} & set(self.board.lines)
        colors = {paid} if paid else set(colors_of(track))
        # It is asked for only if some way leads to a free position.
        hand = self.hands[seat]
        most = max((hand[color] for color in colors), default=0) + hand[LOCOMOTIVE]
        ways = [
            (line, extra, n)
            for line, extra, n in product(lines, range(most + 1), (0, *self.express[seat]))
            if self.position(line, track.length, extra, n)
        ]
        if ways:
            self.fault_of(seat)
        if self.peek() != "province":
            return
        event = self.take("province", "line", "line_name", "position", "cards", "express", seat=seat)
        line, cards, n = event["line"], event["cards"], event["express"]
        self.need((line, sum(cards.values()), n) in ways, "no train can be placed so")
        self.need(event["line_name"] == self.board.lines[line][1], "another name of the line")
        extra = set(cards) - {LOCOMOTIVE}
        self.need(len(extra) <= 1 and extra <= colors, "other colors")
        position = self.position(line, track.length, sum(cards.values()), n)
        self.need(type(event["position"]) is int and event["position"] == position, f"position {position}")
        self.pay(seat, cards)
        self.express[seat].discard(n)
        self.mat[line, position] = seat
        self.trains[seat] -= 1

    def position(self, line: str, length: int, extra: int, express: int) -> int:
        """Where a train comes to stand, 0 if nowhere. # K6, K7"""
        end = self.board.lines[line][0]
        if extra > max(0, end - length):
            return 0
        target = min(length + extra + express, end)
        return max((place for place in range(1, target + 1) if (line, place) not in self.mat), default=0)

    # The end

    def score(self, forfeited: bool = False) -> None:
        own = [
            [self.board.tracks[route] for route, owner in self.owner.items() if owner == seat]
            for seat in range(self.players)
        ]
        shared = [self.board.tracks[route] for route, owner in self.owner.items() if owner == SHARED]
        lengths = [longest_path(tracks) for tracks in own]
        path = [self.rules["longest_path"] if length == max(lengths) > 0 else 0 for length in lengths]
        bullet, provinces = (
            bullet_points(self.progress, self.board),
            province_points(self.mat, self.board, self.players),
        )
        done = [
            [t for t in sorted(held) if connected(own[seat] + shared, *self.board.tickets[t][:2])]
            for seat, held in enumerate(self.tickets)
        ]
        failed = [[t for t in sorted(held) if t not in done[seat]] for seat, held in enumerate(self.tickets)]
        value = [
            sum(self.board.tickets[t][2] for t in done[seat]) - sum(self.board.tickets[t][2] for t in failed[seat])
            for seat in range(self.players)
        ]
        totals = [sum(each) for each in zip(self.points, value, path, bullet, provinces, strict=True)]
        results = [(totals[seat], len(done[seat]), path[seat]) for seat in range(self.players)]
        rank = ranks(results, self.faulty, forfeited)
        for seat in range(self.players):
            self.take(
                "score", seat=seat, routes=self.points[seat], tickets=value[seat], longest_path=path[seat],
                bullet=bullet[seat], provinces=provinces[seat], total=totals[seat], completed=done[seat],
                completed_names=[self.board.ticket_name(ticket) for ticket in done[seat]], failed=failed[seat],
                failed_names=[self.board.ticket_name(ticket) for ticket in failed[seat]], longest=lengths[seat],
                trains_left=self.trains[seat],
                cards=dict(+self.hands[seat]), express=sorted(self.express[seat]), rank=rank[seat],
            )  # fmt: skip


def colors_of(track: Track) -> Sequence[str]:
    """The colors that pay for a track. # B14"""
    return COLORS if track.color == "gray" else (track.color,)
