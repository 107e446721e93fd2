"""How a command that plays a run ends: with its report and its exit code."""

import sys
from shlex import quote
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from arena.cli.reporter import Reporter
    from arena.runs.session import Played


def say(text: str) -> None:
    """A word to the user, who may have standard output for something else."""
    click.echo(text, err=True)


def conclude(
    played: "Played", reporter: "Reporter", as_json: bool, stdout: TextIO, *, stopped: bool = True
) -> None:  # fmt: skip
    """Print the report of what there is. stopped: if games are missing, the user has interrupted."""
    from arena.cli.output import put
    from arena.errors import ArenaError, UsageError

    is_stopped = stopped and not played.is_complete
    if is_stopped:
        say(f"Interrupted: {played.recorded:,} of {played.games:,} games are kept in {played.run}.")
        say(f"arena resume {quote(str(played.run))} plays the others.")
    if played.recorded:
        try:
            report = reporter.report(played.run, as_json)
        except UsageError as error:  # it was a run directory a moment ago
            raise ArenaError(str(error)) from None
        except KeyboardInterrupt:
            say(f"Interrupted while reporting; all games are there: arena report {played.run}")
            sys.exit(130)
        put(report.text, stdout)
        for problem in report.problems:
            say(f"Error: {problem}")
        if report.problems:
            sys.exit(1)
    if is_stopped:
        sys.exit(130)
