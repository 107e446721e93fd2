"""`arena diff`: the same bots and deals on two maps, or under two settings of the rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shlex import join

import pandas as pd

from arena import catalog
from arena.errors import UsageError
from arena.experiments.specification import Specification
from arena.experiments.variants.differences import Side, differences, read_side
from arena.tournament.request import Request, Settings

ONE, OTHER = "one", "other"


@dataclass(frozen=True, kw_only=True)
class DiffSpecification(Specification):
    """The runs of `arena diff`. map, settings: of the first side; games: of each side."""

    kind = "diff"
    other: tuple[str, Settings]
    """The map and the settings of the second side."""
    asked: tuple[str, ...]
    """The words of the command line that name both sides."""

    @property
    def command(self) -> str:
        """The command line that asks for the study."""
        return join(["arena", "diff", *self.asked, *self.options])

    def runs(self, directory: Path) -> Iterator[tuple[str, Request]]:
        """For each number of players a run of each side."""
        sides = {ONE: (self.map, self.settings), OTHER: self.other}
        if len({catalog.load_map(*side).digest for side in sides.values()}) == 1:
            raise UsageError("both sides are the same map with the same rules: nothing to compare")
        games = max(1, self.games // len(self.players))
        for players in self.players:
            for name, (map_name, settings) in sides.items():
                run = directory / f"{name}-{players}"
                yield (
                    f"{players} players, {name}",
                    self.request(games, run, map=map_name, settings=settings, players=players),
                )


@dataclass(frozen=True)
class Diff:
    """What was found."""

    sides: tuple[tuple[Side, Side], ...]
    """A pair for each number of players."""
    frames: tuple[pd.DataFrame, ...]
    """The frames of `differences`, one for each pair."""
    directory: Path | None
    command: str


def read_diff(specification: DiffSpecification, directory: Path) -> Diff:
    """Compare the runs of a study."""
    sides = tuple(
        (read_side(directory / f"{ONE}-{players}"), read_side(directory / f"{OTHER}-{players}"))
        for players in specification.players
    )
    return Diff(sides, tuple(differences(*both) for both in sides), directory, specification.command)


def compare_runs(one: Path, other: Path) -> Diff:
    """Compare two run directories."""
    sides = read_side(one), read_side(other)
    return Diff((sides,), (differences(*sides),), None, join(["arena", "diff", str(one), str(other)]))
