"""The real `arena` command in a process of its own."""

import atexit
import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import budget

START = [sys.executable, "-c", "from arena.cli import main; main(prog_name='arena')"]
AT_START = ("ARENA_CACHE_DIR", "PYTHON", "NUMBA", "LC_", "LANG")
"""Variables of these names are read when Python or Numba start, or when code is loaded."""
USUAL = {**os.environ, "PYTHONWARNINGS": "default"}
NURSERY = "TESTS_NURSERY"
"""The variable with the socket of the process from which commands are forked."""


def arena(*arguments: object, cwd: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run `arena` with some arguments in a folder; output captured as text, 80 columns wide.

    beside: a process whose disks the command is to see (Linux).
    """
    words = [*map(str, arguments)]
    environment = {**os.environ, "COLUMNS": "80", "PYTHONWARNINGS": "default", **options.pop("env", {})}
    if sys.platform == "linux" and set(options) <= {"timeout", "beside"} and _early(environment) == _early(USUAL):
        return _nursery().run(words, cwd, environment, **options)
    return subprocess.run(
        [*START, *words], cwd=cwd, env=environment, capture_output=True, text=True, check=False, **options
    )


def _early(environment: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(AT_START)}


def open_nursery() -> None:
    """Start the process from which commands are forked, for this process and for those that it starts."""
    folder = tempfile.mkdtemp()
    file = Path(__file__).with_name("nursery.py")
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as waiting:
        waiting.bind(f"{folder}/socket")
        waiting.listen()
        process = subprocess.Popen(
            [sys.executable, file], stdin=waiting, cwd=file.parent, env=USUAL, start_new_session=True
        )
    os.environ[NURSERY] = f"{folder}/socket"

    def close() -> None:
        process.terminate()
        process.wait()
        shutil.rmtree(folder)

    atexit.register(close)


@cache
def _nursery() -> "Nursery":
    if NURSERY not in os.environ:
        open_nursery()
    return Nursery()


class Nursery:
    """A process from which commands are forked, each in a session of its own: see nursery.py."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.connect(os.environ[NURSERY])
        self.pid = 0

    def begin(self, arguments: list[str], cwd: Path, environment: dict[str, str], beside: int = 0) -> list[int]:
        """Fork a command: the files in which its output can be read."""
        words = {"arguments": arguments, "cwd": str(cwd), "environment": environment, "beside": beside}
        pipes = [os.pipe(), os.pipe()]
        socket.send_fds(self.socket, [json.dumps(words).encode()], [writer for _, writer in pipes])
        for _, writer in pipes:
            os.close(writer)
        self.pid = int(self.socket.recv(100))
        return [reader for reader, _ in pipes]

    def end(self, readers: list[int], deadline: float | None) -> tuple[int, str, str]:
        """Exit code and output, when the command has ended and nobody holds its output any more; or TimeoutError."""
        try:
            out, err = read_all(readers, deadline)
            self.socket.settimeout(max(0.1, deadline - time.monotonic()) if deadline else None)
            status, used = self.socket.recv(100).split()
            budget.elsewhere += float(used)
        finally:
            for reader in readers:
                os.close(reader)
        return int(status), out, err

    def run(
        self,
        arguments: list[str],
        cwd: Path,
        environment: dict[str, str],
        timeout: float | None = None,
        beside: int = 0,
    ) -> subprocess.CompletedProcess[str]:
        """As `subprocess.run`."""
        deadline = time.monotonic() + timeout if timeout else None
        try:
            status, out, err = self.end(self.begin(arguments, cwd, environment, beside), deadline)
        except TimeoutError:
            os.killpg(self.pid, signal.SIGKILL)
            _nursery.cache_clear()
            raise subprocess.TimeoutExpired(arguments, timeout or 0) from None
        return subprocess.CompletedProcess(arguments, status, out, err)


class Running:
    """A command that is forked and not waited for, as a `subprocess.Popen`."""

    def __init__(self, arguments: list[str], cwd: Path) -> None:
        if NURSERY not in os.environ:
            open_nursery()
        self.nursery = Nursery()
        self.readers = self.nursery.begin(arguments, cwd, {**os.environ, "PYTHONWARNINGS": "default"})
        self.pid, self.returncode = self.nursery.pid, 0

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def communicate(self, timeout: float) -> tuple[str, str]:
        self.returncode, out, err = self.nursery.end(self.readers, time.monotonic() + timeout)
        self.nursery.socket.close()
        return out, err


def start(*arguments: object, cwd: Path) -> Any:
    """Begin an `arena` command, the first process of a session: `pid`, `returncode`, `send_signal`, `communicate`."""
    words = [*map(str, arguments)]
    if sys.platform == "linux":
        return Running(words, cwd)
    return subprocess.Popen(
        [*START, *words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def read_all(files: list[int], deadline: float | None) -> list[str]:
    """Everything that is written to some pipes, until all of their writers are gone; TimeoutError if that is late."""
    found = dict.fromkeys(files, b"")
    with selectors.DefaultSelector() as selector:
        for file in files:
            selector.register(file, selectors.EVENT_READ)
        while selector.get_map():
            if deadline and time.monotonic() > deadline:
                raise TimeoutError
            for key, _ in selector.select(0.5):
                piece = os.read(key.fd, 1 << 16)
                found[key.fd] += piece
                if not piece:
                    selector.unregister(key.fd)
    return [content.decode().replace("\r\n", "\n") for content in found.values()]


def result_files(run: Path) -> dict[str, bytes]:
    """The content of every result file of a run by its folder and name."""
    paths = sorted([*run.glob("seats/*"), *run.glob("detail/*")])
    return {f"{path.parent.name}/{path.name}": path.read_bytes() for path in paths}


def seat_files(run: Path) -> dict[str, bytes]:
    """The content of every shard of a run by its name."""
    return {path.name: path.read_bytes() for path in sorted((run / "seats").iterdir())}
