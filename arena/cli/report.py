"""`arena report` and its options: print what a run found."""

import sys
from pathlib import Path

import click


@click.command()
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--format", "form", type=click.Choice(["text", "md", "html", "csv", "json"]), default="text",
              show_default=True, help="Text for the terminal, Markdown, a page for the browser, a CSV file for each "
              "table, or one JSON object.")  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="PATH",
              help="Write there.  [default: print; html: DIR/report.html; csv: DIR/csv/]")  # fmt: skip
@click.option("--anchor", metavar="BOT", help="The bot of rating 0.  [default: the first of the run]")
@click.option("--explain", is_flag=True, help="Say in a plain sentence what each column means.")
def report(directory: Path, form: str, output: Path | None, anchor: str | None, explain: bool) -> None:
    """Report on the run in DIR.

    Win shares with intervals, ratings, pairs, scores by source, seats, luck and skill, faults.
    """
    from arena.cli.output import put
    from arena.reports.document import read_document
    from arena.reports.formats import deliver

    document = read_document(directory.expanduser(), anchor)
    put(deliver(document, form, output.expanduser() if output else None, explain))
    for problem in document.problems:
        click.echo(f"Error: {problem}", err=True)
    if document.problems:
        sys.exit(1)
