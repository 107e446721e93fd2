"""`arena resume`, `extend` and `merge` with their options: go on with a run, or join the shards of one."""

from pathlib import Path

import click

from arena.cli.options import JOBS, JSON_REPORT, PATH, RUN
from arena.cli.output import say


@click.command()
@RUN
@JOBS
@JSON_REPORT
def resume(directory: Path, jobs: int | None, as_json: bool) -> None:
    """Finish an interrupted run and report.

    Plays the missing games after Ctrl-C, a full disk, a killed process or a power cut. The result is byte for byte
    that of an uninterrupted run. Refuses if a bot, the map or the arena has changed since the run began.
    """
    from arena.cli.reporter import reported

    with reported(as_json) as report:
        from arena.runs.progress import live_display
        from arena.runs.resume import resume_run

        report(resume_run(directory.expanduser(), jobs, say, live_display))


@click.command()
@RUN
@click.option(
    "--games", type=int, required=True, metavar="N", help="New total number of games, including those already played."
)
@JOBS
@JSON_REPORT
def extend(directory: Path, games: int, jobs: int | None, as_json: bool) -> None:
    """Extend a run to a larger number of games and report.

    The games that exist are the first ones of the larger plan, and the result is byte for byte that of a run of N
    games. Choose N before you look at the results: playing until you like them makes every interval too short.
    """
    from arena.cli.reporter import reported

    with reported(as_json) as report:
        from arena.runs.progress import live_display
        from arena.runs.resume import extend_run

        report(extend_run(directory.expanduser(), games, jobs, say, live_display))


@click.command()
@click.argument("directories", nargs=-1, required=True, type=PATH, metavar="DIR DIR [DIR...]")
@click.option("-o", "--out", required=True, type=PATH, metavar="DIR", help="Directory for the merged run.")
@JSON_REPORT
def merge(directories: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Merge several parts of one plan into one run and report.

    The parts may come from `arena run --shard`. Games that were played twice must have the same result. Missing games
    are listed, and `arena resume` plays them. The result is byte for byte that of a single run.
    """
    from arena.cli.reporter import reported
    from arena.runs.merge import merge_runs

    with reported(as_json, can_stop=False) as report:
        report(merge_runs([directory.expanduser() for directory in directories], out.expanduser(), say))
