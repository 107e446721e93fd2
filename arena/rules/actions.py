"""Actions: one decision as an integer, for the machine, and as an `Action`, for people.

The integer is `kind << 24 | express << 20 | extra << 16 | route << 8 | card << 4 | locomotives`; a choice of tickets is
`kind << 24 | bits`, where bit i takes the i-th ticket offered. A claim's card is the color paid with; LOCOMOTIVE: only
locomotives are paid. A placement has its line in place of the route and plays `extra` more cards and `locomotives` more
locomotives; its card is LOCOMOTIVE if `extra` is 0.
"""

from typing import Any, NamedTuple

from arena.rules.board import CARDS, COLORS, LOCOMOTIVE, MAX_OFFER
from arena.rules.compiler import kernel

DRAFT_TICKET, KEEP_TICKETS, TAKE_CARD, DRAW_BLIND, DRAW_TICKETS, DRAW_EXTRA, CLAIM, SKIP, PLACE_TRAIN, PASS = range(10)
KINDS = ("draft", "keep", "row", "blind", "tickets", "express", "claim", "skip", "place", "pass")
NO_ACTION = -1


@kernel
def encode(kind, route, card, locomotives):
    """The integer of an action."""
    return (int(kind) << 24) | (int(route) << 8) | (int(card) << 4) | int(locomotives)


@kernel
def encode_draw(kind, express):
    """The integer of DRAW_TICKETS or DRAW_EXTRA with an express card, 0 for none."""
    return (int(kind) << 24) | (int(express) << 20)


@kernel
def encode_placement(line, card, extra, locomotives, express):
    """The integer of PLACE_TRAIN."""
    return (int(express) << 20) | (int(extra) << 16) | encode(PLACE_TRAIN, line, card, locomotives)


@kernel
def kind_of(action):
    """What an action does: one of the constants from DRAFT_TICKET to PASS."""
    return action >> 24


@kernel
def express_of(action):
    """The value of the express card played, 0 for none."""
    return (action >> 20) & 0xF


@kernel
def extra_of(action):
    """How many more cards of a color a placement plays."""
    return (action >> 16) & 0xF


@kernel
def route_of(action):
    """The route of a claim, or the line of a placement."""
    return (action >> 8) & 0xFF


@kernel
def card_of(action):
    """The color a claim is paid with, the card taken from the row, or the color of a placement's extra cards."""
    return (action >> 4) & 0xF


@kernel
def locomotives_of(action):
    """How many locomotives a claim spends, or a placement in addition."""
    return action & 0xF


@kernel
def kept_of(action):
    """The bits of the tickets kept or picked, bit i for the i-th one offered."""
    return action & 0xFFFF


class Action(NamedTuple):
    """One decision in words.

    >>> str(Action("claim", route=12, card="red", locomotives=1))
    'claim route 12 with red and 1 locomotive'
    >>> decode(encode_action(Action("row", card="blue"))).card
    'blue'
    """

    kind: str
    """One of `draft`, `keep`, `row`, `blind`, `tickets`, `express`, `claim`, `skip`, `place`, `pass`."""
    route: int = -1
    """Claim: the index of the route on the map."""
    card: str = ""
    """Claim: the color paid with, `locomotive` if nothing else is paid. Row: the face-up card taken.
    Place: the color of the extra cards, empty if there are none."""
    locomotives: int = 0
    """Claim: how many locomotives are spent; the rest of the route's length is paid in `card`. Place: how many more."""
    keep: tuple[int, ...] = ()
    """Keep, draft: positions (from 0) in the offer of the tickets kept, or of the one picked."""
    line: str = ""
    """Place: the line of the province mat, by its color."""
    extra: int = 0
    """Place: how many cards of `card` are played in addition to the claim's."""
    express: int = 0
    """Tickets, express, place: the value of the express card played, 0 for none."""

    def __str__(self) -> str:
        if self.kind in ("keep", "draft"):
            return f"{self.kind} " + ", ".join(str(position) for position in self.keep)
        if self.kind == "row":
            return f"take {self.card}"
        if self.kind == "claim":
            spent = f" and {_count(self.locomotives, 'locomotive')}" if self.locomotives else ""
            return f"claim route {self.route} with {self.card}" + (spent if self.card != "locomotive" else "s only")
        if self.kind == "express":
            return f"draw {_count(self.express, 'extra card')} with express +{self.express}"
        if self.kind == "place":
            more = [f"{self.extra} more {self.card}"] * (self.extra > 0)
            more += [_count(self.locomotives, "more locomotive")] * (self.locomotives > 0)
            more += [f"express +{self.express}"] * (self.express > 0)
            return f"place a train on {self.line}" + (" with " + ", ".join(more) if more else "")
        text = {"blind": "draw blind", "tickets": "draw tickets", "skip": "place no train"}.get(self.kind, self.kind)
        return text + (f" with express +{self.express}" if self.express else "")


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"


class _Decoded(dict[int, Action]):
    """Every action met so far, decoded once: a bot reads dozens of legal actions a decision."""

    def __missing__(self, code: int) -> Action:
        kind = KINDS[code >> 24]
        express = (code >> 20) & 0xF
        if kind == "claim":
            action = Action(kind, (code >> 8) & 0xFF, CARDS[(code >> 4) & 0xF], code & 0xF)
        elif kind == "row":
            action = Action(kind, card=CARDS[(code >> 4) & 0xF])
        elif kind in ("keep", "draft"):
            action = Action(kind, keep=tuple(i for i in range(MAX_OFFER) if code >> i & 1))
        elif kind == "place":
            line, extra = COLORS[(code >> 8) & 0xFF], (code >> 16) & 0xF
            card = CARDS[(code >> 4) & 0xF] if extra else ""
            action = Action(kind, -1, card, code & 0xF, (), line, extra, express)
        else:
            action = Action(kind, express=express)
        self[code] = action
        _code_by_id[id(action)] = code
        return action


DECODED = _Decoded()
"""Actions by their integers; any integer that stands for an action may be looked up."""
_code_by_id: dict[int, int] = {}
"""The integers of the actions in DECODED by identity: most bots answer with the very object that they were handed."""


def decode(code: int) -> Action:
    """The named form of an integer that is an action."""
    return DECODED[code]


def encode_action(action: Any) -> int:
    """The integer of an `Action`, which may still be illegal; TypeError or ValueError if this is not an action."""
    if (known := _code_by_id.get(id(action))) is not None:
        return known
    kind, route, card, locomotives, keep, line, extra, express = action
    code = KINDS.index(kind) << 24
    if kind in ("keep", "draft"):
        for position in keep:
            code |= 1 << range(MAX_OFFER).index(position)
    elif kind == "row":
        code |= CARDS.index(card) << 4
    elif kind == "claim":
        code |= range(256).index(route) << 8 | CARDS.index(card) << 4 | range(16).index(locomotives)
    elif kind == "place":
        code |= range(16).index(express) << 20 | range(16).index(extra) << 16 | COLORS.index(line) << 8
        code |= (CARDS.index(card) if extra else LOCOMOTIVE) << 4 | range(16).index(locomotives)
    elif kind in ("tickets", "express"):
        code |= range(16).index(express) << 20
    return code
