"""What a referee needs for every event: the events in their order, and where the train cards are."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from naive_parts import shuffle, splitmix64
from referee_parts import (
    CARDS,
    COLORS,
    LOCOMOTIVE,
    Board,
)

Event = dict[str, Any]
SHARED = -1
FAULTS = ("illegal", "exception", "wrong_type", "move_time", "game_time", "memory", "died", "probation")


class Foul(Exception):
    """What the rules do not allow."""


class Over(Exception):
    """The game was forfeited."""


class CardReferee:
    """Reads the events of one game, and knows where its train cards are."""

    def __init__(
        self, events: Sequence[Event], table: Mapping[str, Any], facts: Mapping[str, Any],
        seeds: Sequence[int] | None = None,
    ) -> None:  # fmt: skip
        """facts: the event `setup` as it must be; seeds: of deck, reshuffles and tickets."""
        self.events, self.next, self.facts = events, 0, facts
        self.board = Board(table, facts["settings"], len(facts["seats"]))
        self.rules = rules = self.board.rules
        self.players = len(facts["seats"])
        supply = dict.fromkeys(COLORS, rules["cards_per_color"]) | rules["cards"]  # B1
        self.unseen = Counter(supply | {LOCOMOTIVE: rules["locomotives"]})
        self.discards: Counter[str] = Counter()
        self.hands: list[Counter[str]] = [Counter() for _ in range(self.players)]
        self.row: list[str | None] = [None] * 5
        self.ticket_deck = [set(range(len(self.board.tickets)))] * len(self.board.tickets)
        """From the top: among which each may be. The set is shared by those that may be in any order."""
        self.offers: list[list[int]] = [[] for _ in range(self.players)]
        self.tickets: list[list[int]] = [[] for _ in range(self.players)]
        self.owner: dict[int, int] = {}
        self.trains = [rules["trains"]] * self.players
        self.points = [0] * self.players
        self.progress = [0] * self.players
        self.express = [set(range(1, rules["express"] + 1)) for _ in range(self.players)]
        self.mat: dict[tuple[str, int], int] = {}
        self.faulty: set[int] = set()
        self.seeds = None if seeds is None else [int(seed) for seed in seeds]
        self.order: list[str] | None = None  # of the deck, the top last, as far as chance is checked
        self.reshuffles = 0

    # Reading

    def peek(self) -> str:
        return str(self.events[self.next]["event"]) if self.next < len(self.events) else "nothing"

    def take(self, kind: str, *names: str, **expected: Any) -> Event:
        """The next event, of this kind, with these values and these other fields."""
        self.need(self.peek() == kind, f"{kind} must come, not {self.peek()}")
        event = self.events[self.next]
        self.need(set(event) == {"event", *names, *expected}, f"fields {sorted(event)}")
        for name, value in expected.items():
            same = event[name] == value and type(event[name]) is type(value)
            self.need(same, f"{name} is {event[name]!r}, not {value!r}")
        self.next += 1
        return event

    def need(self, fact: bool, text: str) -> None:
        if not fact:
            raise Foul(f"event {self.next}: {text}")

    def fault_of(self, seat: int) -> bool:
        """A fault may be recorded wherever the seat decides, once."""
        if self.peek() != "fault":
            return False
        self.need(seat not in self.faulty, "a second fault")
        self.need(self.take("fault", "kind", "reason", seat=seat)["kind"] in FAULTS, "no kind of fault")
        self.faulty.add(seat)
        if self.peek() == "end":
            self.take("end", reason="forfeit")
            raise Over
        return True

    # Cards

    @property
    def deck(self) -> int:
        return self.unseen.total()

    def pop(self, card: Any) -> str:
        self.need(card in CARDS and self.unseen[card] > 0, f"{card} cannot lie in the deck")
        self.need(self.order is None or self.order.pop() == card, f"{card} does not lie on top of the deck")
        self.unseen[card] -= 1
        return str(card)

    def renew(self) -> None:  # B10
        if not self.deck and self.discards.total():
            self.take("reshuffle", count=self.discards.total())
            self.unseen, self.discards = +self.discards, Counter()
            if self.seeds:
                stream = splitmix64(self.seeds[1])
                seeds = [next(stream) for _ in range(self.reshuffles + 1)]
                self.shuffle_deck(seeds[-1])
            self.reshuffles += 1

    def shuffle_deck(self, seed: int) -> None:
        cards = [index for index, card in enumerate(CARDS) for _ in range(self.unseen[card])]
        shuffle(cards, seed)
        self.order = [CARDS[index] for index in cards]

    def turn_up(self) -> bool:  # B6, B11
        turned = False
        while None in self.row and self.deck:
            cards = self.take("row", "cards")["cards"]
            self.need(isinstance(cards, list) and len(cards) == 5, "the row has five slots")
            empty = [slot for slot in range(5) if self.row[slot] is None][: self.deck]
            for slot in range(5):
                if slot in empty:
                    self.pop(cards[slot])
                else:
                    self.need(cards[slot] == self.row[slot], f"slot {slot} changed")
            self.row, turned = list(cards), True
            self.renew()
        return turned

    def flush(self) -> None:  # B11
        for _ in range(self.rules["flush_limit"]):
            if self.row.count(LOCOMOTIVE) < self.rules["flush_at"]:
                break
            cards = [card for card in self.row if card]
            self.take("flush", cards=cards)
            self.discards.update(cards)
            self.row = [None] * 5
            self.renew()
            self.turn_up()

    def pay(self, seat: int, cards: Any) -> None:
        for card, count in cards.items():
            self.need(card in CARDS and type(count) is int and count > 0, "no cards")
            self.need(self.hands[seat][card] >= count, f"seat {seat} has not so many {card}")
            self.hands[seat][card] -= count
            self.discards[card] += count

    def replenish(self) -> None:  # B10, B11
        if not self.deck:
            self.renew()
            if self.turn_up():
                self.flush()

    # Set-up

    def deal(self, seat: int, count: int) -> None:
        cards = self.take("deal", "cards", seat=seat)["cards"]
        self.need(len(cards) == count, "another number of cards")
        self.hands[seat].update(self.pop(card) for card in cards)
