"""`arena diff`: what another map or another rule changes."""

from pathlib import Path

import click

from arena.cli.experiment_options import NUMBERS, given, interrupted, study_options

PLAYED = {
    "map_name": "map", "settings": "set", "changes": "with",
    **{name: name for name in ("players", "bots", "games", "seed", "out")},
}  # fmt: skip
"""Options that say what is to be played."""


@click.command()
@click.argument("sides", nargs=-1, metavar="[A B]")
@click.option("--map", "map_name", metavar="MAP", help="The map of both, if A and B are not given.")
@click.option("--set", "settings", multiple=True, metavar="RULE=N", help="Another rule number, for both.")
@click.option("--with", "changes", multiple=True, metavar="RULE=N", help="What is different on the other side.")
@NUMBERS
@click.option("--games", type=int, default=10_000, show_default=True, metavar="N", help="On each side, in all.")
@study_options
def diff(sides: tuple[str, ...], map_name: str | None, settings: tuple[str, ...], changes: tuple[str, ...],
         players: tuple[str, ...], bots: str, games: int, seed: int, jobs: int | None, out: Path | None,
         form: str, output: Path | None, explain: bool) -> None:  # fmt: skip
    """Compare two maps, A and B, or two settings of the rules, on the same deals with the same bots.

    All numbers of balance are compared deal against deal, those that surely differ come first. A and B may be run
    directories of the same deals instead.
    """
    from arena.cli.finish import say
    from arena.cli.output import put
    from arena.errors import UsageError
    from arena.experiments.directory import default_directory, parse_bots, parse_players
    from arena.experiments.formats import deliver_diff
    from arena.experiments.variants.diff import KIND, Versus, compare_runs, conduct, read_diff
    from arena.runs.progress import live_display
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
        from arena import catalog

        maps = sides or (map_name or catalog.default_map(),) * 2
        both = parse_settings(settings)
        words = ["arena", "diff", *(sides or ("--map", maps[0]))]
        words += [word for value in settings for word in ("--set", value)]
        words += [word for value in changes for word in ("--with", value)]
        counts, names = parse_players(players), parse_bots(bots)
        words += ["--players", ",".join(map(str, counts)), "--bots", ",".join(names), "--games", str(games)]
        versus = Versus(
            (maps[0], both), (maps[1], {**both, **parse_settings(changes)}), counts, names,
            games, seed, (*words, "--seed", str(seed)),
        )  # fmt: skip
        directory = out.expanduser() if out else default_directory(KIND, maps[0])
        if not conduct(versus, directory, jobs, say, live_display):
            interrupted(directory)
        found = read_diff(versus, directory)
    put(deliver_diff(found, form, output, explain))
