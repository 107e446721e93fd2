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
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # the reader has had enough; nothing is left to flush at exit
    except OSError as error:
        raise ArenaError(f"cannot print the report: {error.strerror}") from None


def own_stdout() -> TextIO:
    """Standard output for this command alone: whatever else is printed, by any module, goes to standard error."""
    sys.stdout.flush()
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return own
