"""One decision as an integer, for the machine, and as an `Action`, for people.

The integer is `kind << 16 | route << 8 | card << 4 | locomotives`; a choice of tickets is `kind << 16 | bits`, where
bit i keeps the i-th ticket offered. A claim's card is the color paid with; LOCOMOTIVE: only locomotives are paid.
"""

from typing import Any, NamedTuple

from arena.rules.board import CARDS, MAX_OFFER
from arena.rules.jit import kernel

KEEP_TICKETS, TAKE_CARD, DRAW_BLIND, DRAW_TICKETS, CLAIM, PASS = range(6)
KINDS = ("keep", "row", "blind", "tickets", "claim", "pass")
NO_ACTION = -1


@kernel
def encode(kind, route, card, locomotives):
    """The integer of an action."""
    return (int(kind) << 16) | (int(route) << 8) | (int(card) << 4) | int(locomotives)


@kernel
def kind_of(action):
    """What an action does: KEEP_TICKETS, TAKE_CARD, DRAW_BLIND, DRAW_TICKETS, CLAIM or PASS."""
    return action >> 16


@kernel
def route_of(action):
    """The route of a claim."""
    return (action >> 8) & 0xFF


@kernel
def card_of(action):
    """The color a claim is paid with, or the card taken from the row."""
    return (action >> 4) & 0xF


@kernel
def locomotives_of(action):
    """How many locomotives a claim spends."""
    return action & 0xF


@kernel
def kept_of(action):
    """The bits of the tickets kept, bit i for the i-th one offered."""
    return action & 0xFFFF


class Action(NamedTuple):
    """One decision in words.

    >>> str(Action("claim", route=12, card="red", locomotives=1))
    'claim route 12 with red and 1 locomotive'
    """

    kind: str
    """One of `keep`, `row`, `blind`, `tickets`, `claim`, `pass`."""
    route: int = -1
    """Claim: the index of the route on the map."""
    card: str = ""
    """Claim: the color paid with, `locomotive` if nothing else is paid. Row: the face-up card taken."""
    locomotives: int = 0
    """Claim: how many locomotives are spent; the rest of the route's length is paid in `card`."""
    keep: tuple[int, ...] = ()
    """Keep: positions (from 0) of the tickets kept, in the offer."""

    def __str__(self) -> str:
        if self.kind == "keep":
            return "keep " + ", ".join(str(position) for position in self.keep)
        if self.kind == "row":
            return f"take {self.card}"
        if self.kind == "claim":
            spent = f" and {self.locomotives} locomotive{'s' * (self.locomotives > 1)}" if self.locomotives else ""
            return f"claim route {self.route} with {self.card}" + (spent if self.card != "locomotive" else "s only")
        return {"blind": "draw blind", "tickets": "draw tickets"}.get(self.kind, self.kind)


class _Decoded(dict[int, Action]):
    """Every action met so far, decoded once: a bot reads dozens of legal actions a decision."""

    def __missing__(self, code: int) -> Action:
        kind = KINDS[code >> 16]
        if kind == "claim":
            action = Action(kind, (code >> 8) & 0xFF, CARDS[(code >> 4) & 0xF], code & 0xF)
        elif kind == "row":
            action = Action(kind, card=CARDS[(code >> 4) & 0xF])
        elif kind == "keep":
            action = Action(kind, keep=tuple(i for i in range(MAX_OFFER) if code >> i & 1))
        else:
            action = Action(kind)
        self[code] = action
        return action


_decoded = _Decoded()


def decode(code: int) -> Action:
    """The named form of an integer that is an action."""
    return _decoded[code]


def encode_action(action: Any) -> int:
    """The integer of an `Action`; TypeError or ValueError if it is none (one that is may still be illegal)."""
    kind, route, card, locomotives, keep = action
    code = KINDS.index(kind) << 16
    if kind == "keep":
        for position in keep:
            code |= 1 << range(MAX_OFFER).index(position)
    elif kind == "row":
        code |= CARDS.index(card) << 4
    elif kind == "claim":
        code |= range(256).index(route) << 8 | CARDS.index(card) << 4 | range(16).index(locomotives)
    return code
