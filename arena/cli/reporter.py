"""Makes the report ready in a second process while games are still being played: this saves 0.5 s."""

import multiprocessing
import signal
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple, Self

from arena.runs.processes import available_cores, end_with_parent, forking, start_method


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
    """Makes one report, in a process that imports what it needs from now on. Without a core to spare: here, at the end.

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
