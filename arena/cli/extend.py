"""`arena extend` and its options: play more games of a run's plan."""

import sys
from pathlib import Path

import click


@click.command()
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--games", type=int, required=True, metavar="N", help="New total number of games, including those already played."
)
@click.option("--jobs", type=click.IntRange(1, 1000), metavar="J", help="Worker processes.  [default: one per core]")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object on stdout.")
def extend(directory: Path, games: int, jobs: int | None, as_json: bool) -> None:
    """Extend a run to a larger number of games and report.

    The games that exist are the first ones of the larger plan, and the result is byte for byte that of a run of N
    games. Choose N before you look at the results: playing until you like them makes every interval too short.
    """
    from arena.cli.finish import conclude, say
    from arena.cli.output import own_stdout
    from arena.cli.reporter import Reporter

    stdout = own_stdout() if as_json else sys.stdout
    with Reporter() as reporter:
        from arena.runs.progress import live_display
        from arena.runs.resume import extend_run

        conclude(extend_run(directory.expanduser(), games, jobs, say, live_display), reporter, as_json, stdout)
