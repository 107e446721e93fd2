"""`arena report`: print what a run found."""

from pathlib import Path

import click


@click.command()
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--format", "form", type=click.Choice(["text", "md", "csv", "json"]), default="text", show_default=True,
              help="Text for the terminal, Markdown, one CSV row a bot, or one JSON object.")  # fmt: skip
def report(directory: Path, form: str) -> None:
    """Report on the run in DIR.

    Win shares with intervals, scores, points by source, seats, faults.
    """
    from arena.cli.output import put
    from arena.reports.document import read_document
    from arena.reports.formats import FORMATS

    put(FORMATS[form](read_document(directory.expanduser())))
