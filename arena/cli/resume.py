"""`arena resume` and its options: play what is missing of a run."""

import sys
from pathlib import Path

import click


@click.command()
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--jobs", type=click.IntRange(1, 1000), metavar="J", help="Worker processes.  [default: one per core]")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object on stdout.")
def resume(directory: Path, jobs: int | None, as_json: bool) -> None:
    """Finish an interrupted run and report.

    Plays the missing games after Ctrl-C, a full disk, a killed process or a power cut. The result is byte for byte
    that of an uninterrupted run. Refuses if a bot, the map or the arena has changed since the run began.
    """
    from arena.cli.finish import conclude, say
    from arena.cli.output import own_stdout
    from arena.cli.reporter import Reporter

    stdout = own_stdout() if as_json else sys.stdout
    with Reporter() as reporter:
        from arena.runs.progress import live_display
        from arena.runs.resume import resume_run

        conclude(resume_run(directory.expanduser(), jobs, say, live_display), reporter, as_json, stdout)
