"""`arena bench` and its options: measure how fast the engine is on this machine."""

import click

from arena.cli.options import JSON
from arena.cli.output import in_json, put, say


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
