"""`arena balance` and its options: study how fair a map is."""

from pathlib import Path

import click

from arena.cli.experiment_options import NUMBERS, given, played, study_options
from arena.cli.options import MAP, PATH, SET
from arena.cli.output import put

PLAYED = {"map_name": "map", "settings": "set", **{name: name for name in ("players", "bots", "games", "seed", "out")}}
"""Options that say what is to be played."""


@click.command()
@click.argument("directory", type=PATH, metavar="[DIR]", required=False)
@MAP
@SET
@NUMBERS
@click.option("--games", type=int, default=20_000, show_default=True, metavar="N", help="Total number of games.")
@study_options
def balance(directory: Path | None, map_name: str | None, settings: tuple[str, ...], players: tuple[str, ...],
            bots: str, games: int, seed: int, jobs: int | None, out: Path | None, form: str,
            output: Path | None, explain: bool) -> None:  # fmt: skip
    """Study how fair a map is: seats, tickets, routes, cities, styles.

    Plays the map with each number of players and reports what stands out, or reports on DIR: a study or a run that was
    played before. An interrupted study continues when the same command is given again with the same --out.
    """
    from arena import catalog
    from arena.errors import UsageError
    from arena.experiments.balance.study import BalanceSpecification, read_study
    from arena.experiments.balance.study_page import study_page
    from arena.experiments.specification import parse_bots, parse_players
    from arena.reports.formats import deliver
    from arena.tournament.request import parse_settings

    if directory and (options := given(PLAYED)):
        raise UsageError(f"{directory} is reported on as it was played: leave out {options}")
    if directory is None:
        specification = BalanceSpecification(
            map=map_name or catalog.default_map(), players=parse_players(players), bots=parse_bots(bots), games=games,
            seed=seed, settings=parse_settings(settings),
        )  # fmt: skip
        directory = played(specification, jobs, out)
    put(deliver(study_page(read_study(directory.expanduser())), form, output, explain))
