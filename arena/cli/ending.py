"""How a command that plays a run ends: with its report, and an exit code that says whether all was played."""

import sys
from shlex import quote
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from arena.runs.tournament import Played


def say(text: str) -> None:
    """A word to the user, who may have standard output for something else."""
    click.echo(text, err=True)


def conclude(played: "Played", as_json: bool, stdout: TextIO, *, stopped: bool = True) -> None:
    """Print the report of what there is. stopped: if games are missing, the user has interrupted."""
    from arena.cli.output import put
    from arena.errors import ArenaError, UsageError
    from arena.reports.data import to_json
    from arena.reports.document import read_document
    from arena.reports.text import to_text

    is_stopped = stopped and not played.is_complete
    if is_stopped:
        say(f"Interrupted: {played.recorded:,} of {played.games:,} games are kept in {played.run}.")
        say(f"arena resume {quote(str(played.run))} plays the others.")
    if played.recorded:
        try:
            document = read_document(played.run)
        except UsageError as error:  # it was a run directory a moment ago
            raise ArenaError(str(error)) from None
        except KeyboardInterrupt:
            say(f"Interrupted while reporting; all games are there: arena report {played.run}")
            sys.exit(130)
        put(to_json(document) if as_json else to_text(document), stdout)
        for problem in document.problems:
            say(f"Error: {problem}")
        if document.problems:
            sys.exit(1)
    if is_stopped:
        sys.exit(130)
