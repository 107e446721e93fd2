"""What the arena says to a program that plays: JSON objects, one a line (docs/protocol.md).

`arena/schemas/protocol.schema.json` describes every message; the tests hold these functions to it.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import arena
from arena.boards.spec import MapSpec
from arena.engine.external.json_question import dumps
from arena.engine.limits import Limits
from arena.rules.board import CARDS

PROTOCOL = 1
SEED_BITS = 53
"""A JSON number is a double in most languages: whole up to 2**53."""


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
