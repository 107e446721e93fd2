"""`arena doctor` and `arena bench` with their options: whether this machine is fit to play, and how fast it is."""

import sys

import click

from arena.cli.options import JSON
from arena.cli.output import in_json, put, say, stdout_alone


@click.command()
@JSON
def doctor(as_json: bool) -> None:
    """Check this installation and machine, and play a self-test.

    Takes about ten seconds. Paste the output into bug reports. Exits with 1 if there is a problem; warnings do not
    count.
    """
    from arena.checks.machine.doctor import examine

    with stdout_alone() as stdout:
        examination = examine(say)
        put(in_json(examination.to_json()) if as_json else examination.to_text(), stdout)
    if not examination.is_fit:
        sys.exit(1)


@click.command()
@JSON
@click.option(
    "--seconds", type=click.FloatRange(0.05, 600), default=2.0, show_default=True, help="CPU seconds per case."
)
def bench(as_json: bool, seconds: float) -> None:
    """Measure how fast the engine is on this machine.

    Reports games per CPU second on one core, start-up times and the size of a game's state.
    """
    if not 0.05 <= seconds <= 600:  # a range of click lets nan pass
        raise click.BadParameter(f"{seconds} is not in the range 0.05<=x<=600.", param_hint="'--seconds'")
    from arena.checks.machine.bench import measure, to_text

    result = measure(seconds, say)
    put(in_json(result) if as_json else to_text(result))
