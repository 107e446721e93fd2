"""`arena report` and its options: print what a run found."""

from pathlib import Path

import click

from arena.cli.options import EXPLAIN, PATH, RUN
from arena.cli.output import put, tell_problems


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
