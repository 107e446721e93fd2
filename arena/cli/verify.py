"""`arena verify` and its options: whether a run is what it says."""

from pathlib import Path

import click

from arena.cli.options import JOBS, JSON, RUN
from arena.cli.output import in_json, leave, put, say, stdout_alone


@click.command()
@RUN
@click.option(
    "--sample", default="2%", show_default=True, metavar="N", help="Games to replay: a percentage or a number."
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="S", help="Seed of the sample.  [default: random]")
@JOBS
@JSON
def verify(directory: Path, sample: str, seed: int | None, jobs: int | None, as_json: bool) -> None:
    """Check that the records of a run are true.

    Checks digests, the arithmetic of every row and all faults, and replays a random sample of games. Exits with 1 if
    something is wrong, and says what is wrong first.
    """
    from arena.checks.run.sample import Size
    from arena.checks.run.verify import verify as verify_run
    from arena.runs.processes import available_cores

    size, processes = Size.parse(sample), jobs or available_cores()
    with stdout_alone() as stdout:  # bots are loaded here, and may print
        verification = verify_run(directory.expanduser(), size, seed, processes, say)
        put(in_json(verification.to_json()) if as_json else verification.to_text(), stdout)
    leave(0 if verification.holds else 1)
