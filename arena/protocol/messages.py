"""What the arena says to a program that plays: JSON objects, one a line (docs/protocol.md).

`arena/schemas/protocol.schema.json` describes every message; the tests hold these functions to it.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import arena
from arena.limits import Limits
from arena.mapspec import MapSpec
from arena.rules.actions import Action, decode
from arena.rules.board import CARDS
from arena.view import View

PROTOCOL = 1
LUCK_BITS = 53
"""A JSON number is a double in most languages: whole up to 2**53."""
FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "draft": (("keep",), ()),
    "keep": (("keep",), ()),
    "row": (("card",), ()),
    "blind": ((), ()),
    "tickets": ((), ("express",)),
    "express": (("express",), ()),
    "claim": (("route", "card", "locomotives"), ()),
    "skip": ((), ()),
    "place": (("line",), ("card", "extra", "locomotives", "express")),
    "pass": ((), ()),
}
"""By kind of action: the fields that it always has, and those that are left out where they are 0 or empty."""

_dumps = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def hello_line(spec: MapSpec, limits: Limits) -> bytes:
    """The first message to a process: the map and what does not change from game to game."""
    limit = {name: getattr(limits, name) or None for name in ("move_time", "game_time", "memory")}
    return _line(
        {"type": "hello", "protocol": PROTOCOL, "arena": arena.__version__, "map": map_object(spec), "limits": limit}
    )


def map_object(spec: MapSpec) -> dict[str, Any]:
    """A map; cities, routes and tickets are called by their indices in its lists ever after."""
    city = spec.city_index
    routes = [
        {
            "a": city[route.a], "b": city[route.b], "length": route.length, "color": route.color,
            "points": spec.points(route.length), "twin": twin if twin >= 0 else None, "bullet": route.bullet,
        }
        for route, twin in zip(spec.routes, spec.twins, strict=True)
    ]  # fmt: skip
    return {
        "key": spec.key,
        "name": spec.name,
        "label": spec.label,
        "cities": [each.name for each in spec.cities],
        "routes": routes,
        "tickets": [{"a": city[each.a], "b": city[each.b], "points": each.points} for each in spec.tickets],
        "provinces": [line._asdict() for line in spec.provinces],
        "rules": {
            **asdict(spec.rules),
            "cards": dict(zip(CARDS, spec.rules.supply, strict=True)),
            "extra_cards": spec.rules.extras,
        },
    }


def game_line(seat: int, seats: int, luck: int) -> bytes:
    """A new game: the own seat, the number of seats, and a seed; luck: the 64 bits that the deal has for the seat."""
    return _line({"type": "game", "seat": seat, "seats": seats, "luck": luck >> 64 - LUCK_BITS})


def decide_line(view: View) -> bytes:
    """A decision: what the seat knows and what it may do."""
    actions = ",".join(map(_action_text, view.actions.codes))
    return f'{{"type":"decide","view":{_dumps(view_object(view))},"actions":[{actions}]}}\n'.encode()


def game_over_line(scores: Sequence[int] | None, ranks: Sequence[int] | None) -> bytes:
    """The end of a game: points and places by seat, or None for a game that was broken off."""
    return _line({"type": "game_over", "scores": scores, "ranks": ranks})


def view_object(view: View) -> dict[str, Any]:
    """All that a `View` knows, under the same names; what it only computes from that is left out."""
    tickets = view.map.ticket_index
    return {
        "phase": view.phase,
        "seat": view.seat,
        "seats": view.seats,
        "hand": view.hand,
        "tickets": [tickets[ticket] for ticket in view.tickets],
        "offer": [tickets[ticket] for ticket in view.offer],
        "picked": [tickets[ticket] for ticket in view.picked],
        "row": view.row,
        "deck_count": view.deck_count,
        "ticket_count": view.ticket_count,
        "discards": view.discards,
        "last_turns": view.last_turns,
        "players": [player._asdict() for player in view.players],
        "open_routes": view.open_routes,
        "shared": view.shared,
        "bullets_left": view.bullets_left,
        "just_claimed": view.just_claimed,
        "mat": view.mat,
    }


def action_object(action: Action) -> dict[str, Any]:
    """An action with the fields of its kind."""
    always, sometimes = FIELDS[action.kind]
    given = {name: getattr(action, name) for name in always}
    return {"kind": action.kind, **given, **{name: value for name in sometimes if (value := getattr(action, name))}}


@lru_cache(maxsize=1 << 16)
def _action_text(code: int) -> str:
    """The JSON text of an action: a large hand has thousands, and the same ones again at the next decision."""
    return _dumps(action_object(decode(code)))


def _line(message: dict[str, Any]) -> bytes:
    return (_dumps(message) + "\n").encode()
