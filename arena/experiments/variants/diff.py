"""`arena diff`: the same bots and deals on two maps, or under two settings of the rules."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from shlex import join

import pandas as pd

from arena import catalog
from arena.errors import UsageError
from arena.experiments.directory import Terms, play_runs, request
from arena.experiments.variants.differences import Side, differences, read_side
from arena.runs.session import Display
from arena.tournament.request import Settings

KIND = "diff"
ONE, OTHER = "one", "other"


@dataclass(frozen=True)
class Versus:
    """What is compared: a map with settings, and a map with settings."""

    one: tuple[str, Settings]
    other: tuple[str, Settings]
    players: tuple[int, ...]
    bots: tuple[str, ...]
    games: int
    """For each of both and all numbers of players together."""
    seed: int
    words: tuple[str, ...]
    """Of the command line."""


@dataclass(frozen=True)
class Diff:
    """What was found."""

    sides: tuple[tuple[Side, Side], ...]
    """A pair for each number of players."""
    frames: tuple[pd.DataFrame, ...]
    """Of `differences`, for each of them."""
    directory: Path | None
    command: str


def conduct(versus: Versus, directory: Path, jobs: int | None, say: Callable[[str], None], display: Display) -> bool:
    """Play what is missing of both; whether all of it is there. UsageError for what cannot be played."""
    if versus.games < 1:
        raise UsageError(f"--games {versus.games} is too few: at least one game must be played")
    specs = [catalog.load_map(*side) for side in (versus.one, versus.other)]
    if specs[0].digest == specs[1].digest:
        raise UsageError("both sides are the same map with the same rules: nothing to compare")
    runs = [
        (f"{players} players, {name}",
         request(Terms(versus.bots, versus.seed, jobs), *side, players, max(1, versus.games // len(versus.players)),
                 directory / f"{name}-{players}"))
        for players in versus.players for name, side in ((ONE, versus.one), (OTHER, versus.other))
    ]  # fmt: skip
    return play_runs(directory, list(versus.words), {"kind": KIND}, runs, say, display)


def read_diff(versus: Versus, directory: Path) -> Diff:
    """Compare the runs that `conduct` has played."""
    sides = tuple(
        (read_side(directory / f"{ONE}-{players}"), read_side(directory / f"{OTHER}-{players}"))
        for players in versus.players
    )
    return Diff(sides, tuple(differences(*both) for both in sides), directory, join(versus.words))


def compare_runs(one: Path, other: Path) -> Diff:
    """Compare two run directories."""
    sides = read_side(one), read_side(other)
    return Diff((sides,), (differences(*sides),), None, join(["arena", "diff", str(one), str(other)]))
