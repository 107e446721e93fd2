"""`arena balance`: a study of a map."""

import sys
from pathlib import Path

import click


@click.command()
@click.argument("directory", type=click.Path(path_type=Path), metavar="[DIR]", required=False)
@click.option("--map", "map_name", metavar="MAP", help="A name (`arena maps list`) or a file.")
@click.option("--set", "settings", multiple=True, metavar="RULE=N", help="Another rule number, for this study.")
@click.option("--players", multiple=True, metavar="K", help="Numbers of players: 2, 2,4 or 2-5.  [default: 2,4]")
@click.option(
    "--bots", metavar="A,B,...", help="Who plays; one bot plays against copies of itself.  [default: planner]"
)
@click.option("--games", type=int, default=20_000, show_default=True, metavar="N", help="In all.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="S", help="The same seed deals the same games.")
@click.option("--jobs", type=click.IntRange(1, 1000), metavar="J", help="Worker processes.  [default: one a core]")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="For the results.  [default: results/...]")
@click.option("--format", "form", type=click.Choice(["text", "md", "html", "csv", "json"]), default="text",
              show_default=True, help="As in arena report.")  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="PATH", help="Write there.")
@click.option("--explain", is_flag=True, help="Say in a plain sentence what each column means.")
def balance(directory: Path | None, map_name: str | None, settings: tuple[str, ...], players: tuple[str, ...],
            bots: str | None, games: int, seed: int, jobs: int | None, out: Path | None, form: str,
            output: Path | None, explain: bool) -> None:  # fmt: skip
    """Study how fair and how rich a map is: seats, tickets, routes, cities, styles.

    Plays MAP with each number of players and reports what matters; or reports on DIR, a study or a run that was played
    before. A study that was interrupted goes on if it is asked for again with the same --out.
    """
    from arena import catalog
    from arena.balance.conduct import conduct, default_directory, parse_players
    from arena.balance.formats import deliver
    from arena.balance.study import Question, read_study
    from arena.cli.ending import say
    from arena.cli.output import put
    from arena.errors import UsageError
    from arena.runs.progress import live_display
    from arena.runs.start import parse_settings

    if directory and (map_name or settings or players or bots or out):
        raise UsageError("DIR is reported on as it is: leave out --map, --set, --players, --bots and --out")
    if directory is None:
        map_name = map_name or catalog.default_map()
        question = Question(
            map_name, parse_players(players or ("2,4",)), tuple((bots or "planner").split(",")), games, seed,
            parse_settings(settings),
        )  # fmt: skip
        directory = out.expanduser() if out else default_directory(map_name)
        if not conduct(question, directory, jobs, say, live_display):
            say(f"Interrupted: the same command with --out {directory} goes on.")
            sys.exit(130)
    directory = directory.expanduser()
    put(deliver(read_study(directory), form, output.expanduser() if output else None, explain))
