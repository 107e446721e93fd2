"""Printing a result: what cannot be printed is an error in one sentence."""

import os
import sys
from typing import TextIO

from arena.errors import ArenaError


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


def own_stdout() -> TextIO:
    """Standard output for this command alone: whatever else is printed, by any module, goes to standard error."""
    sys.stdout.flush()
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return own
