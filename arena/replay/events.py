"""Turns the decisions of a game into events, by playing them on a state of its own (docs/replay.md)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from arena.boards.spec import MapSpec
from arena.engine.desk import Desk
from arena.engine.loop import COUNT_SHIFT, NO_FAULT, finish, start, step
from arena.engine.view_fields import members
from arena.replay.deck import Cards, Event
from arena.rules.actions import Action, decode
from arena.rules.board import CARDS, COLORS, LOCOMOTIVE, MAX_EXPRESS, MAX_SEATS
from arena.rules.rng import next_below
from arena.rules.scoring import SOURCES
from arena.rules.state import ENDS, OVER, PLACE, SETUP, STATE, TURN
from arena.rules.turn import forfeit


class Telling:
    """One game. Each call plays something and returns its events, in play order."""

    def __init__(self, spec: MapSpec, seats: int) -> None:
        self.spec, self.seats = spec, seats
        self.desk = desk = Desk(spec, seats)
        self.states, self.boards, self.actions = desk.states, desk.boards, desk.actions
        self.faults = np.full(MAX_SEATS, NO_FAULT, np.int64)
        self.legal = 0
        """How many actions the seat to move has."""

    @property
    def state(self) -> np.record:
        """The state as it stands, a STATE record."""
        state: np.record = self.states[0]
        return state

    @property
    def seat(self) -> int:
        """Who decides."""
        return int(self.state["seat"])

    @property
    def is_over(self) -> bool:
        """Whether nobody decides any more."""
        return bool(self.state["phase"] == OVER)

    def deal(self, deal: np.ndarray) -> list[Event]:
        """Set up the game of a deal (DEAL [1]): hands, row and the tickets offered."""
        self.states[0] = np.zeros(1, STATE)[0]
        self.faults[:] = NO_FAULT
        self.state["streams"][:3] = [deal[name][0] for name in ("train_deck", "reshuffles", "tickets")]
        cards = Cards(self.state, self.boards[0])
        cards.deal()
        self.legal = int(start(self.desk.memory, deal)) >> COUNT_SHIFT
        cards.check(self.state)
        return cards.events + [self._offer(seat) for seat in range(self.seats)]

    def play(self, code: int) -> list[Event]:
        """Play a legal action of the seat to move; ValueError if it is not one."""
        before = self.state.copy()
        turn = int(step(self.desk.memory, code))
        if turn < 0:
            raise ValueError(f"{code} is not a legal action")
        self.legal = turn >> COUNT_SHIFT
        cards = Cards(before, self.boards[0])
        self._tell_action(decode(code), before, cards)
        cards.check(self.state)
        return cards.events + self._course(before)

    def play_only_action(self) -> list[Event]:
        """Play what a seat does without being asked; ValueError if it has a choice."""
        if self.legal != 1:
            raise ValueError("a seat that has a choice gave no answer")
        return self.play(int(self.actions[0]))

    def play_randomly(self, random_states: np.ndarray) -> list[Event]:
        """Play what the random fallback draws for the seat to move, with its random state, uint64 [seats]."""
        return self.play(int(self.actions[next_below(random_states, self.seat, self.legal)]))

    def attribute_fault(self, seat: int, kind: int) -> None:
        """From now on the seat ranks last; `kind` is an index into `arena.engine.loop.FAULTS`."""
        self.faults[seat] = kind

    def forfeit(self) -> list[Event]:
        """End the game at once because of a fault."""
        forfeit(self.states)
        return self._end()

    def outcome(self) -> np.record:
        """The result of the game that is over, an OUTCOME record."""
        finish(self.desk.memory, self.faults)
        outcome: np.record = self.desk.outcomes[0].copy()
        return outcome

    def _tell_action(self, action: Action, before: np.record, cards: Cards) -> None:
        """What the decision itself does, up to the end of the turn."""
        seat = int(before["seat"])
        if action.kind == "row":
            cards.take_from_row(seat, CARDS.index(action.card))
        elif action.kind == "blind":
            cards.draw_blind(seat)
        elif action.kind == "claim":
            cards.events.append(self._claim(action, before, cards))
            if self.state["phase"] != PLACE:
                cards.replenish()
        elif action.kind in ("tickets", "express"):
            if action.express:
                use = "tickets" if action.kind == "tickets" else "draw"
                cards.events.append({"event": "express", "seat": seat, "value": action.express, "use": use})
            if action.kind == "tickets":
                cards.events.append(self._offer(seat))
            else:
                cards.draw_extra(seat, action.express)
        elif action.kind == "draft":
            ticket = int(before["offer"][seat][action.keep[0]])
            name = self._ticket_names([ticket])[0]
            cards.events.append({"event": "draft", "seat": seat, "ticket": ticket, "ticket_name": name})
        elif action.kind == "keep":
            cards.events.append(self._keep(action, before))
        elif action.kind == "pass":
            cards.events.append({"event": "pass", "seat": seat})
        else:
            if action.kind == "place":
                cards.events.append(self._province(action, before, cards))
            cards.replenish()

    def _claim(self, action: Action, before: np.record, cards: Cards) -> Event:
        seat, route = int(before["seat"]), self.spec.routes[action.route]
        paid = _counts(action.card, route.length - action.locomotives, action.locomotives)
        cards.pay(seat, paid)
        return {
            "event": "claim", "seat": seat, "route": action.route,
            "route_name": f"{route.a} - {route.b} ({route.color})", "cards": paid,
            "points": int(self.state["route_points"][seat] - before["route_points"][seat]),
            "trains_left": int(self.state["trains"][seat]),
            "bullet": bool(self.state["bullets_left"] < before["bullets_left"]),
        }  # fmt: skip

    def _province(self, action: Action, before: np.record, cards: Cards) -> Event:
        seat, line = int(before["seat"]), COLORS.index(action.line)
        extra = _counts(action.card, action.extra, action.locomotives)
        cards.pay(seat, extra)
        new = int(self.state["mat"][line] ^ before["mat"][line])
        return {
            "event": "province", "seat": seat, "line": action.line,
            "line_name": next(each.name for each in self.spec.provinces if each.color == action.line),
            "position": (new.bit_length() + 3) // 4, "cards": extra, "express": action.express,
        }  # fmt: skip

    def _offer(self, seat: int) -> Event:
        tickets = self.state["offer"][seat][: self.state["offer_size"][seat]].tolist()
        return {"event": "offer", "seat": seat, "tickets": tickets, "ticket_names": self._ticket_names(tickets)}

    def _keep(self, action: Action, before: np.record) -> Event:
        seat = int(before["seat"])
        offer = before["offer"][seat][: before["offer_size"][seat]].tolist()
        kept = [ticket for place, ticket in enumerate(offer) if place in action.keep]
        returned = [ticket for place, ticket in enumerate(offer) if place not in action.keep]
        return {
            "event": "keep", "seat": seat, "kept": kept, "kept_names": self._ticket_names(kept),
            "returned": returned, "returned_names": self._ticket_names(returned),
        }  # fmt: skip

    def _ticket_names(self, tickets: Sequence[int]) -> list[str]:
        chosen = [self.spec.tickets[ticket] for ticket in tickets]
        return [f"{ticket.a} - {ticket.b} ({ticket.points})" for ticket in chosen]

    def _course(self, before: np.record) -> list[Event]:
        """What the end of a turn leads to: the last round, the end, the next turn (B4, B18, B19)."""
        state, events = self.state, list[Event]()
        turns = int(state["turns"].sum())
        if state["last_turns"] >= 0 > before["last_turns"]:
            events.append({"event": "last_round", "seat": int(before["seat"])})
        if self.is_over:
            return events + self._end()
        begins = before["phase"] == SETUP and state["phase"] == TURN
        if begins or turns > before["turns"].sum():
            events.append({"event": "turn", "number": turns + 1, "seat": self.seat})
        return events

    def _end(self) -> list[Event]:
        outcome = self.outcome()
        scores = [self._score(seat, outcome) for seat in range(self.seats)]
        return [{"event": "end", "reason": ENDS[self.state["end"]]}, *scores]

    def _score(self, seat: int, outcome: np.record) -> Event:
        completed, failed = self._tickets_of(seat)
        if len(completed) != outcome["tickets_completed"][seat]:
            raise RuntimeError("tickets were counted otherwise than they were scored: this is a mistake in the arena")
        hand, express = self.state["hand"][seat].tolist(), int(self.state["express"][seat])
        return {
            "event": "score", "seat": seat,
            **dict(zip(SOURCES, outcome["points"][seat].tolist(), strict=True)),
            "total": int(outcome["score"][seat]),
            "completed": completed, "completed_names": self._ticket_names(completed),
            "failed": failed, "failed_names": self._ticket_names(failed),
            "longest": int(outcome["longest"][seat]),
            "trains_left": int(outcome["trains_left"][seat]),
            "cards": {card: count for card, count in zip(CARDS, hand, strict=True) if count},
            "express": [value for value in range(1, MAX_EXPRESS + 1) if express >> value & 1],
            "rank": int(outcome["rank"][seat]),
        }  # fmt: skip

    def _tickets_of(self, seat: int) -> tuple[list[int], list[int]]:
        """The tickets a seat has completed and failed, by index (B20, J6)."""
        routes = [*members(self.state["routes_claimed"][seat].tobytes()), *members(self.state["shared"].tobytes())]
        parts = self.spec.connected_by([self.spec.routes[route] for route in routes])
        held = members(self.state["tickets"][seat].tobytes())
        done = [ticket for ticket in held if self.spec.tickets[ticket].b in parts[self.spec.tickets[ticket].a]]
        return done, [ticket for ticket in held if ticket not in done]


def _counts(card: str, count: int, locomotives: int) -> dict[str, int]:
    """Cards of a color and locomotives beside them, by name, without zeros; the color may be missing."""
    counts = {card: count} if card and card != CARDS[LOCOMOTIVE] else {}
    return {name: number for name, number in {**counts, CARDS[LOCOMOTIVE]: locomotives}.items() if number}


def setup_event(*, game: int, deal: int, seed: int, names: Sequence[str], map_name: str, spec: MapSpec,
                settings: dict[str, Any]) -> Event:  # fmt: skip
    """The first event: what is played, by whom, where."""
    return {
        "event": "setup", "schema": 1, "game": game, "deal": deal, "seed": seed, "map": map_name,
        "map_digest": spec.digest, "label": spec.label, "settings": dict(settings), "seats": list(names),
    }  # fmt: skip
