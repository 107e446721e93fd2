"""The digest of all that decides the games of a plan, and how two plans differ in it."""

import json
from hashlib import blake2b
from typing import Any

from arena.tournament.plan import Plan

DECIDING = ("names", "players", "seed", "format", "seating", "design", "settings", "limits", "detail", "forced")
"""Fields of a plan. Specs and map are in the identity, by content: paths may differ from machine to machine."""
DIGESTS = ("rules", "engine", "map", "bots")
"""Parts of an identity. Versions of Python and its packages change no game."""
SOURCES = {"rules": "another version of the rules", "engine": "another version of the arena", "map": "another map"}


def plan_digest(plan: Plan) -> str:
    """A hexadecimal digest of what decides game i of a plan; how many games there are does not."""
    return blake2b(json.dumps(_parts(plan), sort_keys=True).encode(), digest_size=16).hexdigest()


def differences(plan: Plan, other: Plan) -> list[str]:
    """What decides the games of `other` and is not as in `plan`, in words; empty if the digests are equal."""
    return other_versions(plan, other) + other_terms(plan, other)


def other_versions(plan: Plan, other: Plan) -> list[str]:
    """Those of the differences that nobody asked for: rules, arena, map and bots have changed under the same names."""
    here, there = _parts(plan), _parts(other)
    bots = [name for name, value in here["bots"].items() if there["bots"].get(name, value) != value]
    return [SOURCES[name] for name in SOURCES if here[name] != there[name]] + [f"another {name}" for name in bots]


def other_terms(plan: Plan, other: Plan) -> list[str]:
    """Those of the differences that somebody asked for: the names of the bots, the seed, and so on."""
    here, there = _parts(plan), _parts(other)
    return [f"{name} {there[name]} instead of {here[name]}" for name in DECIDING if here[name] != there[name]]


def _parts(plan: Plan) -> dict[str, Any]:
    data = json.loads(plan.to_json())
    bots = data["identity"].get("bots")
    digests = {name: data["identity"].get(name) for name in DIGESTS} | {"bots": bots if isinstance(bots, dict) else {}}
    return digests | {name: data[name] for name in DECIDING}
