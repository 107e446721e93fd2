"""Whether engine, rules, map and bots are those that the run was played with."""

from dataclasses import dataclass

from arena import catalog
from arena.boards.spec import MapSpec
from arena.checks.findings import Complaint, Finding, judged
from arena.engine.bots import Entrant, is_repeatable
from arena.engine.external.isolated import described
from arena.engine.sources import engine_digest
from arena.errors import UsageError
from arena.rules.compiler.digests import rules_digest
from arena.runs.prepare import not_here
from arena.texts import counted
from arena.tournament.identity import Identity
from arena.tournament.plan import Plan


@dataclass(frozen=True)
class Installed:
    """What is installed to play a run again."""

    finding: Finding
    spec: MapSpec | None
    """The map, if it is the run's."""
    entrants: dict[int, Entrant]
    """The bots that are the run's, by their index."""
    by_clock: tuple[int, ...]
    """Those of them that cannot play the same again."""
    plays_alike: bool
    """Whether the rules and the map are the run's."""


def installed_for(plan: Plan) -> Installed:
    """Hold what is installed against the identity of a plan."""
    changed = plan.identity.differences(Identity(engine=engine_digest(), rules=rules_digest())).parts
    version = plan.identity.arena or "of an unknown version"
    reasons = [f"the {name} of the run (arena {version}) and the {name} installed differ" for name in changed]
    spec, reason = _map_of(plan)
    entrants, others = _bots_of(plan)
    complaints = [Complaint(text) for text in (*reasons, reason, *others) if text]
    by_clock = tuple(index for index, entrant in entrants.items() if not is_repeatable(entrant.bot, entrant.parameters))
    alike = "rules" not in changed and spec is not None
    text = f"engine, rules, map and {counted(len(plan.bots), 'bot')} are those of the run"
    if complaints:
        text = f"{counted(len(entrants), 'bot')} of {len(plan.bots)} are those of the run"
    return Installed(judged("digests", f"{text}.", complaints), spec, entrants, by_clock, alike)


def _map_of(plan: Plan) -> tuple[MapSpec | None, str]:
    """The map of a plan, and why it is not there."""
    try:
        spec = catalog.load_map(plan.map, plan.settings)
    except UsageError as error:
        return None, " ".join(str(not_here(error, plan)).split())
    if spec.digest != plan.identity.map:
        return None, f"the map {plan.map} is not the one that the run was played on"
    return spec, ""


def _bots_of(plan: Plan) -> tuple[dict[int, Entrant], list[str]]:
    """The bots that are those of the run, by their index, and what is wrong with the others."""
    entrants, wrong = {}, []
    for index, (spec, name) in enumerate(zip(plan.bots, plan.names, strict=True)):
        try:
            (entrant,) = catalog.load_entrants([spec], isolate=plan.limits.isolate)
            (entrant,) = described([entrant], plan.limits.memory)
        except UsageError as error:
            wrong.append(f"{name} cannot be loaded: {' '.join(str(not_here(error, plan)).split())}")
            continue
        if entrant.digest != plan.identity.bots.get(name):
            wrong.append(f"{name} has different code than in the run")
        else:
            entrants[index] = entrant
    if len(entrants) == len(plan.bots):
        loaded = catalog.load_entrants(plan.bots, isolate=plan.limits.isolate)
        if (names := tuple(entrant.name for entrant in loaded)) != plan.names:
            wrong.append(f"the bots {', '.join(plan.bots)} are named {', '.join(names)}, not {', '.join(plan.names)}")
            return {}, wrong
    return entrants, wrong
