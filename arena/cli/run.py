"""`arena run`: play a tournament and print its report."""

import os
import sys
from pathlib import Path

import click


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT [BOT...]")
@click.option(
    "--map", "map_name", metavar="MAP", help="A name (`arena maps list`) or a file.  [default: the base game's]"
)
@click.option("--set", "settings", multiple=True, metavar="RULE=N", help="Another rule number, for this run.")
@click.option(
    "--players", type=int, metavar="K", help="Seats in a game, 2 to 5.  [default: the number of bots, up to 5]"
)
@click.option("--games", type=int, default=1000, show_default=True, metavar="N", help="Rounded up to whole deals.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="S", help="The same seed deals the same games.")
@click.option("--jobs", type=click.IntRange(1, 1000), metavar="J", help="Worker processes.  [default: one a core]")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="For the results.  [default: results/...]")
@click.option(
    "--json", "as_json", is_flag=True, help="Print the report as one JSON object, and nothing else, on stdout."
)
def run(bots: tuple[str, ...], map_name: str | None, settings: tuple[str, ...], players: int | None, games: int,
        seed: int, jobs: int | None, out: Path | None, as_json: bool) -> None:  # fmt: skip
    """Play BOTs against each other and report.

    A BOT is a name (`arena bots list`), a name with parameters (racer:shortest=6) or a class or policy in a file
    (my_bot.py:MyBot). Each deal is played in every rotation of the seats. With more bots than seats every line-up
    of K bots plays in turn; a bot named twice is two entrants.
    """
    from arena import catalog, records
    from arena.cli.output import own_stdout, put
    from arena.errors import ArenaError, UsageError
    from arena.reports.data import to_json
    from arena.reports.document import read_document
    from arena.reports.text import to_text
    from arena.runs.progress import progress_bar
    from arena.runs.runner import play_plan
    from arena.runs.start import make_plan, notices, parse_settings, warm_up

    def say(text: str) -> None:
        click.echo(text, err=True)

    stdout = own_stdout() if as_json else sys.stdout
    plan, spec, entrants = make_plan(
        bots, catalog.default_map() if map_name is None else map_name, players, games, seed, parse_settings(settings)
    )
    for notice in notices(plan, games):
        say(notice)
    out = out.expanduser() if out else None
    records.refuse_existing(out)
    warm_up(entrants, spec, plan.players, say)
    directory = records.create(out, plan)
    with progress_bar(plan.games) as progress:
        played = play_plan(plan, directory, jobs or available_cores(), progress)
    if played < plan.games:
        say(f"Interrupted: {played:,} of {plan.games:,} games are kept in {directory}.")
    if played:
        try:
            document = read_document(directory)
        except UsageError as error:  # it was a run directory a moment ago
            raise ArenaError(str(error)) from None
        except KeyboardInterrupt:
            say(f"Interrupted while reporting; all games are there: arena report {directory}")
            sys.exit(130)
        put(to_json(document) if as_json else to_text(document), stdout)
    if played < plan.games:
        sys.exit(130)


def available_cores() -> int:
    """The processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
