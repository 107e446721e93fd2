"""How a command that plays a run ends: with its report and its exit code."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from shlex import quote
from typing import TYPE_CHECKING

from arena.cli.output import own_stdout, put, say, tell_problems
from arena.cli.reporter import Reporter
from arena.errors import ArenaError, UsageError

if TYPE_CHECKING:
    from arena.runs.session import Played


@contextmanager
def reported(as_json: bool, *, can_stop: bool = True) -> "Iterator[Callable[[Played], None]]":
    """A function that prints the report of what was played; the report is prepared meanwhile, see `Reporter`.

    can_stop: if games are missing in the end, the user has interrupted.
    """
    stdout = own_stdout() if as_json else sys.stdout
    with Reporter() as reporter:

        def conclude(played: "Played") -> None:
            is_stopped = can_stop and not played.is_complete
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
                tell_problems(report.problems)
            if is_stopped:
                sys.exit(130)

        yield conclude
