"""`arena report` and `arena compare` with their options: print what a run found, or two runs side by side."""

from pathlib import Path

import click

from arena.cli.options import EXPLAIN, JSON, PATH, RUN
from arena.cli.output import in_json, put, tell_problems


@click.command()
@RUN
@click.option("--format", "form", type=click.Choice(["text", "md", "html", "csv", "json"]), default="text",
              show_default=True, help="Text for the terminal, Markdown, an HTML page, one CSV file per "
              "table, or one JSON object.")  # fmt: skip
@click.option("-o", "--output", type=PATH, metavar="PATH",
              help="File or folder to write.  [default: print; html: DIR/report.html; csv: DIR/csv/]")  # fmt: skip
@click.option("--anchor", metavar="BOT", help="Bot whose rating is 0.  [default: the first of the run]")
@EXPLAIN
def report(directory: Path, form: str, output: Path | None, anchor: str | None, explain: bool) -> None:
    """Report the results of a run.

    Shows win shares with intervals, ratings, pairs, scores by source, the effect of the seat, luck and skill, and
    faults.
    """
    from arena.reports.document import read_document
    from arena.reports.formats import deliver
    from arena.reports.report_page import report_page

    document = read_document(directory.expanduser(), anchor)
    put(deliver(report_page(document), form, output, explain))
    tell_problems(document.problems)


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
