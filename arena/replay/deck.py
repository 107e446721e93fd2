"""The train cards step by step: one event for each thing that `rules/deck.py` does at once.

The steps are done again on a copy of the cards. `check` holds the copy to the real game after each decision, so what is
told cannot differ from what was played.
"""

from typing import Any

import numpy as np

from arena.rules.board import CARDS, LOCOMOTIVE, MAX_SEATS
from arena.rules.compiler import kernel
from arena.rules.rng import next_word, shuffle
from arena.rules.state import EMPTY_SLOT, ROW, STREAM_DECK, STREAM_RESHUFFLES, STREAM_SHUFFLE

Event = dict[str, Any]

TOLD_OTHERWISE = "a game was told otherwise than it was played: this is a mistake in the arena"


class Cards:
    """All train cards: deck (top last), row, discards and hands (counts by card), and the events that move them."""

    def __init__(self, state: np.record, board: np.record) -> None:
        self.board = board
        self.deck: list[int] = state["deck"][: state["deck_count"]].tolist()
        self.row: list[int] = state["row"].tolist()
        self.discards: list[int] = state["discards"].tolist()
        self.hands: list[list[int]] = state["hand"].tolist()
        self.streams: np.ndarray = state["streams"].copy()
        self.events: list[Event] = []

    def deal(self) -> None:
        """Begin a game: shuffle, deal the hands, turn up the row (B1, B2)."""
        deck = np.repeat(np.arange(LOCOMOTIVE + 1, dtype=np.int8), self.board["supply"])
        shuffle(deck, len(deck), self.streams, STREAM_DECK)
        self.deck = deck.tolist()
        self.row, self.discards = [EMPTY_SLOT] * ROW, [0] * (LOCOMOTIVE + 1)
        self.hands = [[0] * (LOCOMOTIVE + 1) for _ in range(MAX_SEATS)]
        seats = range(int(self.board["seats"]))
        for seat in seats:
            self._deal_to(seat, int(self.board["hand"]))
        for seat in seats:
            if extra := int(self.board["extra_cards"][seat]):
                self._deal_to(seat, extra)
        self._refill_row()

    def _deal_to(self, seat: int, count: int) -> None:
        dealt = [self.deck.pop() for _ in range(count)]
        for card in dealt:
            self.hands[seat][card] += 1
        self._tell("deal", seat=seat, cards=[CARDS[card] for card in dealt])

    def take_from_row(self, seat: int, card: int) -> None:
        """A face-up card is taken from the lowest slot that holds it, which is refilled at once (B6)."""
        slot = self.row.index(card)
        self.hands[seat][card] += 1
        self.row[slot] = self.deck.pop() if self.deck else EMPTY_SLOT
        self._tell("draw", seat=seat, source="row", slot=slot, card=CARDS[card], replacement=self._row_names()[slot])
        if self.row[slot] != EMPTY_SLOT:
            self._renew_deck()
            self._flush()

    def draw_blind(self, seat: int) -> None:
        """The top card of the deck (B8)."""
        card = self.deck.pop()
        self.hands[seat][card] += 1
        self._tell("draw", seat=seat, source="deck", slot=None, card=CARDS[card], replacement=None)
        self._renew_deck()

    def draw_extra(self, seat: int, count: int) -> None:
        """So many cards blind, or as many as there are (K4)."""
        for _ in range(count):
            if self.deck:
                self.draw_blind(seat)

    def pay(self, seat: int, cards: dict[str, int]) -> None:
        """Move cards from a hand to the discards (B14, K6); their event must come before those of `replenish`."""
        for name, count in cards.items():
            self.hands[seat][CARDS.index(name)] -= count
            self.discards[CARDS.index(name)] += count

    def replenish(self) -> None:
        """If the deck had run out, what was paid since is the new one; it fills the row (B10, B11)."""
        if not self.deck:
            self._renew_deck()
            self._refill_row()

    def check(self, state: np.record) -> None:
        """RuntimeError unless the real game has its cards in the same places, the deck in the same order."""
        real = Cards(state, self.board)
        same = all(getattr(self, part) == getattr(real, part) for part in ("deck", "row", "discards", "hands"))
        if not same or self.streams[STREAM_RESHUFFLES] != real.streams[STREAM_RESHUFFLES]:
            raise RuntimeError(TOLD_OTHERWISE)

    def _tell(self, event: str, **fields: Any) -> None:
        self.events.append({"event": event, **fields})

    def _row_names(self) -> list[str | None]:
        return [None if card == EMPTY_SLOT else CARDS[card] for card in self.row]

    def _renew_deck(self) -> None:
        """An emptied deck is made new from the discards at once (B10)."""
        if self.deck or not any(self.discards):
            return
        deck = np.repeat(np.arange(LOCOMOTIVE + 1, dtype=np.int8), self.discards)
        shuffle_again(deck, self.streams)
        self.deck, self.discards = deck.tolist(), [0] * (LOCOMOTIVE + 1)
        self._tell("reshuffle", count=len(self.deck))

    def _refill_row(self) -> None:
        if self._turn_up():
            self._flush()

    def _turn_up(self) -> bool:
        """Fill the empty slots, lowest first; when the deck runs out in the middle, the row so far is told before."""
        turned = untold = False
        for slot in range(ROW):
            if self.row[slot] == EMPTY_SLOT and self.deck:
                self.row[slot] = self.deck.pop()
                turned = untold = True
                if not self.deck:
                    self._tell("row", cards=self._row_names())
                    self._renew_deck()
                    untold = False
        if untold:
            self._tell("row", cards=self._row_names())
        return turned

    def _flush(self) -> None:
        """Clear the row while too many are locomotives, so often at most (B11)."""
        for _ in range(int(self.board["flush_limit"])):
            if self.row.count(LOCOMOTIVE) < self.board["flush_at"]:
                return
            flushed = [card for card in self.row if card != EMPTY_SLOT]
            for card in flushed:
                self.discards[card] += 1
            self.row = [EMPTY_SLOT] * ROW
            self._tell("flush", cards=[CARDS[card] for card in flushed])
            self._renew_deck()
            self._turn_up()


@kernel
def shuffle_again(cards: np.ndarray, streams: np.ndarray) -> None:
    """Shuffle with the next of the streams that are for reshuffles."""
    streams[STREAM_SHUFFLE] = next_word(streams, STREAM_RESHUFFLES)
    shuffle(cards, len(cards), streams, STREAM_SHUFFLE)
