"""`arena diff` and its options: what another map or another rule changes."""

from pathlib import Path

import click

from arena.cli.experiment_options import NUMBERS, given, played, study_options
from arena.cli.output import put

PLAYED = {
    "map_name": "map", "settings": "set", "changes": "with",
    **{name: name for name in ("players", "bots", "games", "seed", "out")},
}  # fmt: skip
"""Options that say what is to be played."""


@click.command()
@click.argument("sides", nargs=-1, metavar="[A B]")
@click.option("--map", "map_name", metavar="MAP", help="Map to play on both sides, if A and B are not given.")
@click.option("--set", "settings", multiple=True, metavar="RULE=N", help="Override a rule on both sides.")
@click.option(
    "--with",
    "changes",
    multiple=True,
    metavar="RULE=N",
    help="Override a rule, or a parameter of the bots, on the second side only.",
)
@NUMBERS
@click.option("--games", type=int, default=10_000, show_default=True, metavar="N", help="Games on each side.")
@study_options
def diff(sides: tuple[str, ...], map_name: str | None, settings: tuple[str, ...], changes: tuple[str, ...],
         players: tuple[str, ...], bots: str, games: int, seed: int, jobs: int | None, out: Path | None,
         form: str, output: Path | None, explain: bool) -> None:  # fmt: skip
    """Compare two maps or two settings on the same deals.

    The same bots play both sides. All numbers of `arena balance` are compared deal by deal, and the surest differences
    come first. A and B are maps, or run directories with the same deals.
    """
    from arena import catalog
    from arena.errors import UsageError
    from arena.experiments.specification import parse_bots, parse_players
    from arena.experiments.variants.diff import DiffSpecification, compare_runs, diff_page, read_diff
    from arena.reports.formats import deliver
    from arena.tournament.request import parse_settings

    if len(sides) not in (0, 2):
        raise UsageError("two maps are compared: name A and B, or --map with what differs (--with RULE=N)")
    if len(sides) == 2 and all((Path(side).expanduser() / "plan.json").exists() for side in sides):
        if options := given(PLAYED):
            raise UsageError(f"{sides[0]} and {sides[1]} are compared as they were played: leave out {options}")
        found = compare_runs(*(Path(side).expanduser() for side in sides))
    else:
        if sides and map_name:
            raise UsageError("A and B are the maps: leave out --map")
        if not sides and not changes:
            raise UsageError("nothing differs: name what does, such as --with longest_path=0")
        maps = sides or (map_name or catalog.default_map(),) * 2
        rules = parse_settings(settings)
        words = list(sides) or ["--map", maps[0]]
        words += [word for value in settings for word in ("--set", value)]
        words += [word for value in changes for word in ("--with", value)]
        specification = DiffSpecification(
            map=maps[0], settings=rules, other=(maps[1], {**rules, **parse_settings(changes)}),
            players=parse_players(players), bots=parse_bots(bots), games=games, seed=seed, asked=tuple(words),
        )  # fmt: skip
        found = read_diff(specification, played(specification, jobs, out))
    put(deliver(diff_page(found), form, output, explain))
