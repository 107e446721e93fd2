"""`run.log`: what a run and its workers say, and what bots print, up to a limit, which never goes to the terminal."""

import contextlib
import faulthandler
import io
import logging
import os
import sys
from itertools import takewhile
from pathlib import Path

import numpy as np

from arena.engine.loop import GAME, SEAT

TAIL = 2000
"""Bytes that are kept of what a seat printed last in a game."""
LOGGED = 100_000
"""Bytes of a worker's bots that go to the log."""
OURS = f'File "{Path(__file__).parent.parent}'
"""With it the calls of a stack begin that led to the bot."""
MOST = 1 << 20
"""Bytes that what is printed past Python may grow to; somebody looks a few times a second."""
MOST_LOG = 10 << 20
"""Bytes of a log to which no process adds what its bots print."""


class LogFile(logging.FileHandler):
    """A log to which several processes add whole lines.

    That it cannot be written to is no reason to stop, nor to print tracebacks: the results say what is wrong.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, encoding="utf-8")
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(processName)s: %(message)s"))

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # the name is theirs
        """Go on."""


class Printed(io.RawIOBase):
    """A stream that remembers the end of what each seat printed, and hands the first LOGGED bytes on to the log.

    What the seat of the moment printed is also in a file, for whoever asks when this process is dead.
    """

    def __init__(self, log: Path, moment: Path, where: np.ndarray) -> None:
        super().__init__()
        self.log = _appended(log)
        self.moment = _appended(moment)
        _empty(self.moment)
        self.place = (-2, -2)
        self.where = where
        self.left = LOGGED if os.fstat(self.log).st_size < MOST_LOG else 0
        self.tails: dict[tuple[int, int], bytes] = {}

    def writable(self) -> bool:
        """It is."""
        return True

    def close(self) -> None:
        """Stay open: other bots print here too."""

    def write(self, data: "bytes | bytearray | memoryview") -> int:  # type: ignore[override]
        """Take what a bot printed; who it is, is where this process says. A full disk is no fault of a bot's."""
        content = bytes(data)
        place = int(self.where[GAME]), int(self.where[SEAT])
        self.tails[place] = (self.tails.get(place, b"") + content[-TAIL:])[-TAIL:]
        with contextlib.suppress(OSError):
            if place != self.place or os.fstat(self.moment).st_size > MOST:
                _empty(self.moment)
                self.place = place
                os.write(self.moment, _title(*place))
            os.write(self.moment, content[-TAIL:])
        with contextlib.suppress(OSError):
            if self.left > 0:
                kept, self.left = content[: self.left], self.left - len(content)
                os.write(self.log, kept)
                if self.left <= 0:
                    os.write(self.log, b"\n[bots of this worker print more; it is not kept]\n")
        return len(content)

    def tail(self, game: int, seat: int) -> str:
        """The end of what a seat printed in a game."""
        return self.tails.get((game, seat), b"").decode(errors="replace")

    def forget(self) -> None:
        """The games before are done; and what compiled code printed does not grow without end."""
        self.tails.clear()
        if os.fstat(2).st_size > MOST:
            _empty(2)


def divert_output(log: Path, output: Path, where: np.ndarray) -> Printed:
    """Have what Python prints taken by a `Printed`, and what is written past it by the file `output`."""
    sys.stdout.flush()
    file = _appended(output)
    _empty(file)  # an earlier process wrote there
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.close(file)
    faulthandler.enable(file=2, all_threads=False)
    printed = Printed(log, _moment(output), where)
    for name in ("stdout", "stderr"):
        stream = io.TextIOWrapper(printed, encoding="utf-8", errors="replace", write_through=True)  # type: ignore[type-var]
        setattr(sys, name, stream)
    return printed


def _appended(file: Path) -> int:
    return os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)


def _empty(file: int) -> None:
    with contextlib.suppress(OSError):  # a device cannot be shortened
        os.ftruncate(file, 0)


def _title(game: int, seat: int) -> bytes:
    return f"{game} {seat}\n".encode()


def _moment(output: Path) -> Path:
    """Where a process with this output file keeps what the seat of the moment printed."""
    return output if output == Path(os.devnull) else output.with_suffix(".printed")


def last_words(output: Path, game: int, seat: int) -> str:
    """What a seat that was deciding printed before its process ended, and why the process did, if it said so."""
    place, _, printed = end_of(_moment(output), MOST + TAIL).partition("\n")
    if place != _title(game, seat).decode().strip():
        printed = ""
    _, crash, stack = end_of(output, 50_000).rpartition("Fatal Python error")
    own = takewhile(lambda line: OURS not in line, stack.partition("\n\nExtension modules:")[0].splitlines())
    return (printed[-TAIL:] + crash + "\n".join(own))[: 2 * TAIL]


def cut_off(output: Path) -> None:
    """Shorten what was written past Python if it has become long."""
    with contextlib.suppress(OSError):
        if output.stat().st_size > MOST:
            os.truncate(output, 0)


def end_of(file: Path, most: int = TAIL) -> str:
    """The end of a file; empty if there is none."""
    try:
        with file.open("rb") as content:
            size = content.seek(0, os.SEEK_END)
            content.seek(max(0, size - most))
            return content.read().decode(errors="replace")
    except OSError:
        return ""
