"""`arena bench` and its options: measure how fast the engine is on this machine."""

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout.")
@click.option(
    "--seconds", type=click.FloatRange(0.05, 600), default=2.0, show_default=True, help="CPU seconds per case."
)
def bench(as_json: bool, seconds: float) -> None:
    """Measure how fast the engine is on this machine.

    Reports games per CPU second on one core, start-up times and the size of a game's state.
    """
    import json

    if not 0.05 <= seconds <= 600:  # a range of click lets nan pass
        raise click.BadParameter(f"{seconds} is not in the range 0.05<=x<=600.", param_hint="'--seconds'")
    from arena.checks.machine.bench import measure, to_text

    result = measure(seconds, lambda text: click.echo(text, err=True))
    click.echo(json.dumps(result, indent=2) if as_json else to_text(result))
