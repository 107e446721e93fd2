"""`arena merge` and its options: join the parts of a run."""

import sys
from pathlib import Path

import click


@click.command()
@click.argument("directories", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR DIR [DIR...]")
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Directory for the merged run."
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object on stdout.")
def merge(directories: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Merge several parts of one plan into one run and report.

    The parts may come from `arena run --shard`. Games that were played twice must have the same result. Missing games
    are listed, and `arena resume` plays them. The result is byte for byte that of a single run.
    """
    from arena.cli.finish import conclude, say
    from arena.cli.output import own_stdout
    from arena.cli.reporter import Reporter
    from arena.runs.merge import merge_runs

    stdout = own_stdout() if as_json else sys.stdout
    runs = [directory.expanduser() for directory in directories]
    conclude(merge_runs(runs, out.expanduser(), say), Reporter(), as_json, stdout, stopped=False)
