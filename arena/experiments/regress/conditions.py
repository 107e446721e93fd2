"""The games of a comparison: candidate and baseline in the same seat, on the same deals."""

import inspect
from collections.abc import Mapping, Sequence
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

from arena import catalog
from arena.boards.spec import MapSpec
from arena.engine.bots import Bot, Policy
from arena.engine.external.command import is_command
from arena.engine.table import Entrant
from arena.errors import UsageError
from arena.experiments.regress.options import Setting
from arena.tournament.identity import Identity
from arena.tournament.plan import MAX_GAMES, MAX_SEATS, Plan

AnyBot = str | Policy | type[Bot]

_arms = count()


class Arm(NamedTuple):
    """What one of the two bots plays under a condition: a gauntlet, played as far as is needed."""

    plan: Plan
    entrants: tuple[Entrant, ...]


class Condition(NamedTuple):
    """A map with a number of players."""

    spec: MapSpec
    candidate: Arm
    baseline: Arm | None
    """None if nothing need be played."""
    known: tuple[float, ...] = ()
    """The baseline's win share in each block, from a file. Empty, with no arm: 1 / players, all seats being its own."""

    @property
    def block_games(self) -> int:
        """The games of a deal under this condition, of both bots."""
        return self.candidate.plan.block_games * (2 if self.baseline else 1)


def entrant_of(bot: AnyBot, parameters: Mapping[str, Any] | None = None) -> Entrant:
    """The bot of a spec, or of a class or policy itself with its parameters; UsageError for anything else."""
    if isinstance(bot, str):
        if parameters:
            raise UsageError(f"bot {bot!r}: write its parameters behind a colon (key=value), not as arguments")
        return catalog.load_entrant(bot)
    name = getattr(bot, "__name__", type(bot).__name__)
    if inspect.isclass(bot):
        try:
            inspect.getfile(bot)
        except (OSError, TypeError):
            raise UsageError(f"bot {name!r} has no source file: write the class into a file and import it") from None
    return catalog.make_entrant(name, "", bot, dict(parameters or {}))


def code_name(spec: str) -> str:
    """A spec without folder and parameters; the spec of a program stays as it is."""
    if is_command(spec):
        return spec
    match = catalog.FILE_SPEC.fullmatch(spec)
    return f"{Path(match['file']).name}:{match['name']}" if match else spec.partition(":")[0]


def make_conditions(setting: Setting, candidate: Entrant, baseline: Entrant | None) -> list[Condition]:
    """Every map with every number of players. Without a baseline only the candidate plays, against named opponents.

    UsageError if a number of players or a name does not exist.
    """
    named = [catalog.load_entrant(spec) for spec in setting.field]
    opponents = named or ([baseline] if baseline else [])
    if not opponents:
        raise UsageError("name the bots to play against with --field")
    conditions = []
    for name, players in setting.conditions:
        if not 2 <= players <= MAX_SEATS:
            raise UsageError(f"--players {players} does not fit: a game has 2 to {MAX_SEATS} players")
        others = list(islice(cycle(opponents), max(players - 1, len(opponents))))
        first = _arm(candidate, others, name, players, setting)
        second = _arm(baseline, others, name, players, setting) if baseline and named else None
        conditions.append(Condition(catalog.load_map(name, setting.settings), first, second))
    return conditions


def deals_within(conditions: Sequence[Condition], games: int, least: int) -> int:
    """How many deals, each under all conditions, fit into so many games; UsageError for less than `least` deals."""
    size = sum(condition.block_games for condition in conditions)
    if games < least * size:
        raise UsageError(f"--max-games {games} is too few: a test needs {least} deals, here {least * size:,} games")
    return games // size


def _arm(bot: Entrant, others: Sequence[Entrant], map_name: str, players: int, setting: Setting) -> Arm:
    entrants = (bot, *others)
    plan = Plan.of_size(
        bots=tuple(entrant.spec for entrant in entrants),
        names=tuple(f"{number} {entrant.name}" for number, entrant in enumerate(entrants)),
        map=map_name, players=players, games=MAX_GAMES, seed=setting.seed, format="gauntlet",
        seating=setting.seating, design="all", settings=setting.settings,
        identity=Identity(bots={"arm": str(next(_arms))}),  # two classes of one name are two bots
    )  # fmt: skip
    return Arm(plan, entrants)
