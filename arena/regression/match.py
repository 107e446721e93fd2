"""What is played: the candidate, and the baseline in its chair, on the same deals against the same field."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import NamedTuple

from arena import catalog
from arena.errors import UsageError
from arena.mapspec import MapSpec
from arena.plan import MAX_GAMES, MAX_SEATS, Plan, Settings
from arena.table import Entrant


@dataclass(frozen=True)
class Setting:
    """Where and against whom both bots play."""

    maps: tuple[str, ...]
    players: tuple[int, ...]
    field: tuple[str, ...]
    """The specs of the other bots; empty: the baseline itself."""
    seed: int
    seating: str
    settings: Settings


class Arm(NamedTuple):
    """What one of the two plays in a cell: a gauntlet of which as many blocks are played as are needed."""

    plan: Plan
    entrants: tuple[Entrant, ...]


class Cell(NamedTuple):
    """A map with a number of players."""

    spec: MapSpec
    candidate: Arm
    baseline: Arm | None
    """None where nothing need be played."""
    known: tuple[float, ...] = ()
    """The baseline's win share in each block, from a file. Empty, with no arm: 1 / players, all seats being its own."""

    @property
    def name(self) -> str:
        """As people say it."""
        plan = self.candidate.plan
        return f"{plan.map}, {plan.players} players"


def make_cells(setting: Setting, candidate: Entrant, baseline: Entrant | None) -> list[Cell]:
    """Every map with every number of players. Without a baseline only the candidate plays, against a named field.

    UsageError if a number of players or a name does not exist.
    """
    named = [catalog.load_entrant(spec) for spec in setting.field]
    cells = []
    for name in setting.maps:
        spec = catalog.load_map(name, setting.settings)
        for players in setting.players:
            if not 2 <= players <= MAX_SEATS:
                raise UsageError(f"--players {players} does not fit: a game has 2 to {MAX_SEATS} players")
            field = named or ([baseline] if baseline else [])
            if not field:
                raise UsageError("name the bots to play against with --field")
            others = list(islice(cycle(field), max(players - 1, len(field))))
            second = _arm(baseline, others, name, players, setting) if baseline and named else None
            cells.append(Cell(spec, _arm(candidate, others, name, players, setting), second))
    return cells


def _arm(bot: Entrant, others: Sequence[Entrant], map_name: str, players: int, setting: Setting) -> Arm:
    entrants = (bot, *others)
    plan = Plan.of_size(
        bots=tuple(entrant.spec for entrant in entrants),
        names=tuple(f"{number} {entrant.name}" for number, entrant in enumerate(entrants)),
        map=map_name, players=players, games=MAX_GAMES, seed=setting.seed, format="gauntlet",
        seating=setting.seating, design="all", settings=setting.settings,
    )  # fmt: skip
    return Arm(plan, entrants)
