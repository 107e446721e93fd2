"""From what the user asks for to a plan; names, maps and settings are checked here."""

import platform
import re
from collections.abc import Sequence
from importlib.metadata import version

import numba
import numpy as np

import arena
from arena import catalog
from arena.boards.spec import MapSpec
from arena.engine.digest import engine_digest
from arena.engine.external.isolated import described
from arena.engine.limits import Limits
from arena.engine.table import Entrant
from arena.errors import UsageError
from arena.rules.compiler.digests import rules_digest
from arena.tournament.identity import Identity
from arena.tournament.plan import Plan, Settings


def parse_settings(items: Sequence[str]) -> Settings:
    """Rules from `RULE=N`, a few take a word; whether there is such a rule is for the map to say."""
    settings: Settings = {}
    for item in items:
        name, equals, value = item.partition("=")
        number = re.fullmatch(r"-?[0-9]{1,9}", value)
        if not equals or not name or not (number or re.fullmatch(r"[a-z]+", value)):
            raise UsageError(f"--set {item!r} is not of the form rule=number or rule=word")
        if name in settings:
            raise UsageError(f"--set {name} is given twice")
        settings[name] = int(value) if number else value
    return settings


def not_here(error: UsageError, plan: Plan) -> UsageError:
    """The error of a plan whose bots or map are not found, with the reason that is likely where they are files."""
    paths = any(".py:" in bot or bot.startswith("cmd:") for bot in plan.bots) or plan.map.endswith(".toml")
    return UsageError(f"{error}{' (files are looked for from the folder in which the run was begun)' * paths}")


def make_plan(
    specs: Sequence[str],
    map_name: str,
    players: int | None,
    games: int,
    seed: int,
    settings: Settings | None = None,
    format: str = "round-robin",
    seating: str = "rotation",
    design: str | None = None,
    limits: Limits | None = None,
    detail: bool = True,
    force_tickets: bool = False,
) -> tuple[Plan, MapSpec, list[Entrant]]:
    """The plan of a run, its map and its bots; UsageError for an unknown one and for numbers that do not fit."""
    spec = catalog.load_map(map_name, settings)
    limits = limits or Limits()
    entrants = catalog.load_entrants(specs, isolate=limits.isolate)
    if limits.isolate:
        entrants = described(entrants, limits.memory)
    plan = Plan.of_size(
        bots=tuple(entrant.spec for entrant in entrants),
        names=tuple(entrant.name for entrant in entrants),
        map=map_name,
        players=(len(specs) if format == "lineup" else min(len(specs), 5)) if players is None else players,
        games=games,
        seed=seed,
        format=format,
        seating=seating,
        design=design,
        settings=settings,
        limits=limits,
        detail=detail,
        forced=len(spec.tickets) * force_tickets,
        identity=Identity(
            arena=arena.__version__,
            rules=rules_digest(),
            engine=engine_digest(),
            map=spec.digest,
            map_label=spec.label,
            bots={entrant.name: entrant.digest for entrant in entrants},
            python=platform.python_version(),
            numba=numba.__version__,
            numpy=np.__version__,
            pyarrow=version("pyarrow"),
        ),
    )
    return plan, spec, entrants
