"""Prints a result, and what a user should know besides; what cannot be printed is an error in one sentence."""

import json
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TextIO

import click

from arena.errors import ArenaError


def say(text: str) -> None:
    """A word to the user, who may have standard output for something else."""
    click.echo(text, err=True)


def tell_problems(problems: Sequence[str]) -> None:
    """Say what is wrong with the files of a run, and exit with 1 if anything is."""
    for problem in problems:
        say(f"Error: {problem}")
    if problems:
        sys.exit(1)


def in_json(data: Any) -> str:
    """An object for programs, as it is printed."""
    return json.dumps(data, indent=2, default=str) + "\n"


def put(text: str, stream: TextIO | None = None) -> None:
    """Print to standard output, or to the stream given."""
    stream = stream or sys.stdout
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        if stream is sys.stdout:
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # for the exit: it would flush the old one and fail again
        if not isinstance(error, BrokenPipeError):  # that is a reader who has had enough
            raise ArenaError(f"cannot print the report: {error.strerror}") from None


@contextmanager
def own_stderr() -> Iterator[TextIO]:
    """Standard error for this command alone: yields it; whatever else is printed, by any module, is dropped."""
    sys.stdout.flush()
    sys.stderr.flush()
    saved = os.dup(1), os.dup(2)
    dropped = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(dropped, 1)
        os.dup2(dropped, 2)
        with os.fdopen(saved[1], "w", buffering=1, encoding="utf-8", closefd=False) as stderr:
            yield stderr
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for number, original in enumerate(saved, 1):
            os.dup2(original, number)
            os.close(original)
        os.close(dropped)


def own_stdout() -> TextIO:
    """Standard output for this command alone: whatever else is printed, by any module, goes to standard error."""
    sys.stdout.flush()
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return own


@contextmanager
def stdout_alone() -> Iterator[TextIO]:
    """`own_stdout`; in the end standard output is what it was."""
    stdout = own_stdout()
    try:
        yield stdout
    finally:
        sys.stdout.flush()
        os.dup2(stdout.fileno(), 1)
        with suppress(OSError):  # its reader may have had enough
            stdout.close()


def leave(code: int) -> None:
    """End with an exit code, even if a bot that played in this process has left a thread behind that never ends."""
    if any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)
