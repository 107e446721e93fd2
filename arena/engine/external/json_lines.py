"""What the arena says to a program that plays: JSON objects, one a line (docs/protocol.md).

`arena/schemas/protocol.schema.json` describes every message; the tests hold these functions to it. A decision is put
together from texts that are mostly kept: a view is much the same from one decision to the next, and the text of a few
bytes of its VIEW record stays the same. So a line takes a sixth of the time that a JSON encoder needs for it.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import arena
from arena.boards.spec import MapSpec
from arena.engine import view_fields as fields
from arena.engine.limits import Limits
from arena.engine.view import View
from arena.rules.actions import Action, decode
from arena.rules.board import CARDS

PROTOCOL = 1
SEED_BITS = 53
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
"""For each kind of action the fields that it always has, and those that are left out if they are 0 or empty."""
dumps = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


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


def game_line(seat: int, seats: int, seed: int) -> bytes:
    """A new game: the own seat, the number of seats, and a seed; seed: the 64 bits that the deal has for the seat."""
    return _line({"type": "game", "seat": seat, "seats": seats, "luck": seed >> 64 - SEED_BITS})


def game_over_line(scores: Sequence[int] | None, ranks: Sequence[int] | None) -> bytes:
    """The end of a game: points and places by seat, or None for a game that was broken off."""
    return _line({"type": "game_over", "scores": scores, "ranks": ranks})


def _line(message: dict[str, Any]) -> bytes:
    return (dumps(message) + "\n").encode()


def decide_line(view: View) -> bytes:
    """A decision: what the seat knows, under the names that `View` has for it, and what it may do.

    What a `View` only computes from what it knows is left out.
    """
    actions = ",".join(map(_action_texts, view.actions.codes))
    return f'{{"type":"decide","view":{view_text(view)},"actions":[{actions}]}}\n'.encode()


def view_text(view: View) -> str:
    """All that a view knows, as JSON."""
    shown = view.shown
    seat, pending, last_turns = view.seat, view.pending_route, view.last_turns
    players = ",".join(
        f'{{"seat":{each},"trains":{trains},"points":{points},"cards":{cards},"tickets":{tickets},"turns":{turns},'
        f'"known":{_counts(known)},"routes":{_set(routes)},"progress":{progress},"express":{_values(express)}}}'
        for each, trains, points, cards, tickets, turns, known, routes, progress, express in fields.players(shown)
    )
    return (
        f'{{"phase":"{view.phase}","seat":{seat},"seats":{view.seats},"hand":{_counts(shown[fields.HAND])},'
        f'"tickets":{_set(shown[fields.TICKETS])},"offer":{_list(shown[fields.OFFER])},"picked":{_list(shown[fields.PICKED])},'
        f'"row":{_row(shown[fields.ROW])},"deck_count":{view.deck_count},"ticket_count":{view.ticket_count},'
        f'"discards":{_counts(shown[fields.DISCARDS])},"last_turns":{"null" if last_turns is None else last_turns},'
        f'"players":[{players}],"open_routes":{_set(shown[fields.OPEN[seat]])},"shared":{_set(shown[fields.SHARED])},'
        f'"bullets_left":{view.bullets_left},"just_claimed":{"null" if pending is None else pending},'
        f'"mat":{dumps(view.mat) if view.map.provinces else "{}"}}}'
    )


def action_object(action: Action) -> dict[str, Any]:
    """An action with the fields of its kind."""
    always, sometimes = FIELDS[action.kind]
    given = {name: getattr(action, name) for name in always}
    return {"kind": action.kind, **given, **{name: value for name in sometimes if (value := getattr(action, name))}}


class _ActionTexts(dict[int, str]):
    """The JSON text of every action met so far: a large hand has thousands, and the same again at the next decision."""

    def __missing__(self, code: int) -> str:
        text = self[code] = dumps(action_object(decode(code)))
        return text


_action_texts = _ActionTexts().__getitem__


def _text_of(read: Callable[[Any], object]) -> Callable[[Any], str]:
    """What makes JSON of a part of a view, and keeps it."""
    return fields.kept(lambda part: dumps(read(part)))


_set, _list, _row, _counts, _values = map(
    _text_of, (fields.members, fields.indices, fields.colors, fields.counts, fields.values)
)
