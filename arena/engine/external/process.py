"""The process of an external bot: started, asked, limited, and always ended."""

import json
import os
import select
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from arena.engine.external.lookout import Lookout
from arena.errors import ArenaError, UsageError
from arena.texts import ending

ROOT = str(Path(__file__).resolve().parent.parent.parent.parent)
"""The folder that the package `arena` lies in."""
TAIL = 2048
"""Bytes of what a bot prints that are kept: the last ones."""
PIECE = 1 << 16
SCRATCH = "arena-bot-"
_SUPERVISE = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from arena.engine.external.supervisor import main; main()"
)

Framing = Callable[[bytes | bytearray], int]
"""The bytes that the first message in a buffer takes; 0 while it is not whole."""


class NoProcess(ArenaError):
    """No process could be started on this machine, full of files or of processes. No bot is to blame."""


class TimedOut(Exception):
    """The deadline has passed."""


class Ended(Exception):
    """The process has ended, or closed its output: `BotProcess.end` says how."""


class TooLong(Exception):
    """The process sends a message without end."""


def lines(received: bytes | bytearray) -> int:
    """Messages are lines."""
    return received.find(b"\n") + 1


def require_processes(what: str) -> None:
    """UsageError where bots cannot have processes of their own."""
    if not hasattr(os, "fork"):
        raise UsageError(f"{what} is not possible on this system, where no process can be forked: use Linux or macOS")


class BotProcess:
    """A program that is asked through its stdin and answers on its stdout; what it writes to stderr is its own affair.

    A supervisor stands between (`supervisor.py`): it applies limits and namespaces before the program is loaded, and
    ends it with all that it has started when this object is closed or this process dies, however it dies.
    All deadlines are moments of `time.monotonic()`; None waits for ever.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        framing: Framing,
        longest: int = 1 << 20,
        environment: Mapping[str, str] | None = None,
        folder: str | None = None,
        memory: int = 0,
        data: int | None = None,
        trusted: bool = False,
        sandbox: bool = True,
        used: Sequence[str] = (),
        writable: Sequence[str] = (),
        hidden: Sequence[str] = (),
    ) -> None:
        """Start it.

        longest: bytes of a message; folder: the working directory, by default an empty one that is removed afterwards;
        memory: bytes of its address space, 0 for no limit; data: in place of that the bytes that it can write to, for
        many programs reserve far more addresses than they use; trusted: it runs as if started by hand, with the arena's
        environment and rights, and only its data is limited; sandbox: whether namespaces are to be used where they are
        allowed; used: what it reads, which no hidden folder may cover; writable: folders that stay so; hidden: folders
        that it finds empty.
        NoProcess if there can be none at all; a program that cannot be started has ended, and `end` says why.
        """
        self._framing, self._longest = framing, longest
        self._received, self._printed = bytearray(), bytearray()
        self._report: dict[str, Any] = {}
        self._end = ""
        self._control, theirs = socket.socketpair()
        self._scratch = Path(gettempdir(), SCRATCH + os.urandom(8).hex())
        settings = {
            "argv": [*argv], "environment": dict(environment or {}), "folder": folder, "memory": memory,
            "data": data, "trusted": trusted, "sandbox": sandbox, "used": [*used], "writable": [*writable],
            "hidden": [*hidden], "scratch": str(self._scratch), "control": theirs.fileno(),
        }  # fmt: skip
        try:
            with theirs:
                self._popen = subprocess.Popen(
                    [sys.executable, "-I", "-S", "-c", _SUPERVISE, ROOT, json.dumps(settings)],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                    env=dict(os.environ) if trusted else {}, cwd="/",
                    pass_fds=[theirs.fileno()], start_new_session=True,
                )  # fmt: skip
        except OSError as error:
            self._control.close()
            raise NoProcess(f"no process can be started for {argv[0]}: {error.strerror}") from None
        self._streams = [stream for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr) if stream]
        self._in, self._out, self._err = (stream.fileno() for stream in self._streams)
        for number in (self._in, self._out, self._err):
            os.set_blocking(number, False)
        self._reading, self._writing = select.poll(), select.poll()
        self._reading.register(self._out, select.POLLIN)
        self._writing.register(self._in, select.POLLOUT)
        for poll in (self._reading, self._writing):
            poll.register(self._err, select.POLLIN)
        self._lookout = Lookout(self._reading.poll)

    def send(self, data: bytes, deadline: float | None = None) -> None:
        """Write a message; TimedOut if it is not read in time, Ended if there is nobody to read it."""
        rest = memoryview(data)
        while True:
            try:
                rest = rest[os.write(self._in, rest) :]
            except BlockingIOError:
                pass
            except OSError:
                raise Ended from None
            if not rest:
                return
            self._wait(self._writing, self._in, deadline)

    def receive(self, deadline: float | None = None) -> bytes:
        """The next message; TimedOut, Ended, or TooLong."""
        received = self._received
        while not (size := self._framing(received)):
            if len(received) > self._longest:
                raise TooLong
            self._lookout.look()
            self._wait(self._reading, self._out, deadline)
            try:
                piece = os.read(self._out, PIECE)
            except BlockingIOError:
                continue
            if not piece:
                raise Ended
            if not received and self._framing(piece) == len(piece) <= self._longest:
                return piece  # mostly a message comes in one piece
            received += piece
        if size > self._longest:
            raise TooLong
        message = bytes(received[:size])
        del received[:size]
        return message

    def _wait(self, poll: "select.poll", wanted: int, deadline: float | None) -> None:
        """Wait until a descriptor is ready; read what is printed meanwhile, or the bot would wait for us."""
        while True:
            left = None if deadline is None else 1000 * (deadline - time.monotonic())
            if left is not None and left <= 0:
                raise TimedOut
            for number, event in poll.poll(left):
                if number == wanted:
                    return
                if not self._read_printed() and event & (select.POLLERR | select.POLLHUP):
                    poll.unregister(number)  # closed: it would be ready for ever

    def _read_printed(self) -> bool:
        """Take what was printed and keep its end; whether there was anything."""
        try:
            piece = os.read(self._err, PIECE)
        except OSError:
            return False
        self._printed += piece
        del self._printed[:-TAIL]
        return bool(piece)

    def tail(self) -> str:
        """The last 2 kB of what it has printed."""
        for _ in range(64):  # not for ever: it may print faster than we read
            if self._err < 0 or not self._read_printed():
                break
        return self._printed.decode(errors="replace")

    def unasked(self) -> bytes:
        """What it has sent and nobody has received yet, be it a whole message or a part of one."""
        if not (self._received or self._reading.poll(0)):
            return b""  # nor printed anything: asked before every question, a look costs less than a read that fails
        while len(self._received) <= self._longest:
            try:
                piece = os.read(self._out, PIECE)
            except OSError:
                break
            if not piece:
                break
            self._received += piece
        return bytes(self._received)

    def forget(self) -> None:
        """Forget what was printed so far."""
        self.tail()
        self._printed.clear()

    def hang_up(self) -> None:
        """Close its input: a program that reads line after line then ends by itself."""
        self._streams[0].close()
        self._in = -1

    def end(self, patience: float = 1.0) -> str:
        """How it has ended, in words; if it has not after so many seconds (it may have closed its output), it is ended.

        `exit code 3`, `killed by signal 11 (segmentation fault)`, `was ended`: what it did by itself comes first.
        NoProcess if it never began because of this machine.
        """
        if not self._end:
            self._hear(time.monotonic() + patience)
            ended = self._report
            self._control.shutdown(socket.SHUT_WR)  # the supervisor takes it as the order to end everything
            self._hear(time.monotonic() + 10)
            self.tail()
            if "status" not in self._report:
                self._popen.kill()  # it hangs, in a file system for example; the kernel ends its children
            self._popen.wait()
            self._control.close()
            shutil.rmtree(self._scratch, ignore_errors=True)  # the supervisor has, unless the bot ended it
            for stream in self._streams:
                stream.close()
            self._in = self._out = self._err = -1
            self._end = _in_words(ended)
            if machine := ended.get("machine"):
                raise NoProcess(f"the process of a bot {machine}")
        return self._end

    def close(self) -> None:
        """End it at once, with all that it has started."""
        self.end(patience=0.0)

    @property
    def most_memory(self) -> int:
        """The bytes of memory it had at its peak, once it has ended; 0 if nobody knows."""
        return 1024 * int(self._report.get("peak", 0))

    def guards(self, deadline: float) -> dict[str, str]:
        """The guards that do not hold, and why. Waits until the program starts; TimedOut, Ended."""
        while "guards" not in self._report:
            if time.monotonic() >= deadline:
                raise TimedOut
            if not self._listen(deadline):
                raise Ended
        return dict(self._report["guards"])

    def _hear(self, deadline: float) -> None:
        """Take what the supervisor says until it tells how the program ended."""
        while "status" not in self._report and self._listen(deadline):
            pass

    def _listen(self, deadline: float) -> bool:
        """Take one line from the supervisor; False if no more comes, or not in time."""
        line = bytearray()
        while not line.endswith(b"\n"):
            self._control.settimeout(max(0.0, deadline - time.monotonic()) or 1e-6)
            try:
                byte = self._control.recv(1)
            except OSError:
                return False
            if not byte:
                return False
            line += byte
        self._report = {**self._report, **json.loads(line)}
        return True


def _in_words(report: Mapping[str, Any]) -> str:
    """How a process ended by what its supervisor says."""
    if error := report.get("error"):
        return str(error)
    return ending(report["status"]) if "status" in report else "was ended"
