"""From what the user asks for to a plan; names, maps and settings are checked here."""

import platform
from importlib.metadata import version

import numba
import numpy as np

import arena
from arena import catalog
from arena.boards.spec import MapSpec
from arena.engine.bots import Entrant
from arena.engine.external.isolated import described
from arena.engine.sources import engine_digest
from arena.errors import UsageError
from arena.rules.compiler.digests import rules_digest
from arena.tournament.identity import Identity
from arena.tournament.plan import Plan
from arena.tournament.request import Request

Prepared = tuple[Plan, MapSpec, list[Entrant]]
"""A plan, its map and its bots."""


def not_here(error: UsageError, plan: Plan) -> UsageError:
    """The error of a plan whose bots or map are not found, with the reason that is likely where they are files."""
    paths = any(".py:" in bot or bot.startswith("cmd:") for bot in plan.bots) or plan.map.endswith(".toml")
    return UsageError(f"{error}{' (files are looked for from the folder in which the run was begun)' * paths}")


def make_plan(request: Request) -> Prepared:
    """The plan of a run, its map and its bots; UsageError for an unknown one and for numbers that do not fit."""
    limits, map_name = request.limits, request.map or catalog.default_map()
    spec = catalog.load_map(map_name, dict(request.settings or {}))
    entrants = catalog.load_entrants(request.bots, isolate=limits.isolate)
    if limits.isolate:
        entrants = described(entrants, limits.memory)
    plan = Plan.of_request(
        request,
        bots=tuple(entrant.spec for entrant in entrants),
        names=tuple(entrant.name for entrant in entrants),
        map=map_name,
        forced=len(spec.tickets) * request.force_tickets,
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
