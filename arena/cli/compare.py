"""`arena compare` and its options: two runs side by side."""

from pathlib import Path

import click

from arena.cli.options import EXPLAIN, JSON, PATH
from arena.cli.output import in_json, put, tell_problems


@click.command()
@click.argument("before", type=PATH, metavar="DIR")
@click.argument("after", type=PATH, metavar="DIR")
@EXPLAIN
@JSON
def compare(before: Path, after: Path, explain: bool, as_json: bool) -> None:
    """Compare two runs: how much better or worse each bot did.

    Deals that both runs share are compared one by one, and changes of the plan are listed. Runs with different rules,
    maps or versions of the engine are refused.
    """
    from arena.reports.comparison import compare_runs

    comparison = compare_runs(before.expanduser(), after.expanduser())
    put(in_json(comparison.to_dict()) if as_json else comparison.to_text(explain))
    tell_problems(comparison.problems)
