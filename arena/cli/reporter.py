"""How a command that plays a run ends: with its report, made ready by another process meanwhile, and its exit code."""

import multiprocessing
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from arena.cli.output import own_stdout, put, say, tell_problems
from arena.errors import ArenaError, UsageError
from arena.runs.processes import available_cores, end_with_parent, forking, start_method

if TYPE_CHECKING:
    from arena.runs.session import Played


class Printable(NamedTuple):
    """A report as it is to be printed."""

    text: str
    problems: tuple[str, ...]
    """What is wrong with the files of the run, a sentence each."""


def make_report(run: Path, as_json: bool) -> Printable:
    """The report on a run, as text or as JSON; UsageError if it is not a run directory."""
    from arena.reports.document import read_document
    from arena.reports.json_csv import to_json
    from arena.reports.report_page import report_page
    from arena.reports.text import to_text

    document = read_document(run)
    page = report_page(document)
    return Printable(to_json(page) if as_json else to_text(page), document.problems)


class Reporter:
    """Makes one report, in a process that imports what it needs from now on, which saves 0.5 s; or here, at the end.

    If that process fails, the report is made here: whatever is wrong is then told here too.
    """

    def __init__(self) -> None:
        self._process: Any = None
        self._pipe: Any = None

    def __enter__(self) -> Self:
        if start_method() == "fork" and available_cores() > 1:
            context: Any = multiprocessing.get_context("fork")
            with suppress(OSError):
                self._pipe, theirs = context.Pipe()
                with theirs, forking():
                    process = context.Process(target=_serve, args=(theirs, self._pipe), daemon=True)
                    process.start()
                self._process = process
        return self

    def __exit__(self, *_: object) -> None:
        if self._process:
            self._process.kill()
            self._process.join()
        if self._pipe:
            self._pipe.close()

    def report(self, run: Path, as_json: bool) -> Printable:
        """As `make_report`."""
        if self._process:
            with suppress(EOFError, OSError):
                self._pipe.send((run, as_json))
                made: Printable = self._pipe.recv()
                return made
        return make_report(run, as_json)


def _serve(pipe: Connection, parents: Connection) -> None:
    for name in ("SIGINT", "SIGHUP"):  # a terminal sends them to all; the parent decides when to stop
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    end_with_parent()
    parents.close()
    with suppress(Exception):  # the parent meets the same, and says it
        import arena.reports.document
        import arena.reports.json_csv
        import arena.reports.report_page
        import arena.reports.text  # noqa: F401

        pipe.send(make_report(*pipe.recv()))


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
