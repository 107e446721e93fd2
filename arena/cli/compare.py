"""`arena compare` and its options: two runs side by side."""

from pathlib import Path

import click


@click.command()
@click.argument("before", type=click.Path(path_type=Path), metavar="DIR")
@click.argument("after", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--explain", is_flag=True, help="Explain each column in a plain sentence.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout.")
def compare(before: Path, after: Path, explain: bool, as_json: bool) -> None:
    """Compare two runs: how much better or worse each bot did.

    Deals that both runs share are compared one by one, and changes of the plan are listed. Runs with different rules,
    maps or versions of the engine are refused.
    """
    import json
    import sys

    from arena.cli.output import put
    from arena.reports.comparison import compare_runs

    comparison = compare_runs(before.expanduser(), after.expanduser())
    put(json.dumps(comparison.to_dict(), indent=2) + "\n" if as_json else comparison.to_text(explain))
    for problem in comparison.problems:
        click.echo(f"Error: {problem}", err=True)
    if comparison.problems:
        sys.exit(1)
