"""The supervisor of an isolated bot: starts it in its sandbox, and ends it with all its children.

It runs under `python -I -S` and knows the standard library only, so that it starts in some ten milliseconds.
It ends when the other end of its control socket is closed, which happens however the arena's process ends.
"""

import contextlib
import json
import os
import select
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Any

from arena.engine.external import sandbox

Ended = tuple[int, Any]
"""The exit status of a process and the resources it has used."""


def main() -> None:
    """Supervise the program that the settings, the first argument, describe."""
    settings = json.loads(sys.argv[1])
    control = socket.socket(fileno=settings["control"])
    control.set_inheritable(False)

    def tell(**facts: Any) -> None:
        with contextlib.suppress(OSError):  # nobody is left to be told
            control.sendall(json.dumps(facts).encode() + b"\n")

    scratch = Path(settings["scratch"])
    try:
        try:
            scratch.mkdir(0o700)
            child = sandbox.start(settings, str(scratch), tell)
        except OSError as error:  # of this machine: the program had no chance to do anything
            tell(machine=f"cannot be started: {error.filename or ''}: {error.strerror}".replace(": :", ":"), status=126)
            return
        for number in range(3):
            os.close(number)  # the bot's: it must be alone with them, so that their ends are seen
        status, usage = _wait(child, control) or _end(child)
        _end_orphans()
        tell(status=os.waitstatus_to_exitcode(status), peak=usage.ru_maxrss)
    finally:
        _remove(scratch)


def _wait(child: int, control: socket.socket) -> Ended | None:
    """Wait until the child has ended; None if the arena wants it to be ended."""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    patience = 20.0  # milliseconds
    if hasattr(os, "pidfd_open"):
        with contextlib.suppress(OSError):
            poll.register(os.pidfd_open(child), select.POLLIN)
            patience = 1000.0
    while not any(number == control.fileno() for number, _ in poll.poll(patience)):
        number, status, usage = os.wait4(child, os.WNOHANG)
        if number:
            return status, usage
    return None


def _end(child: int) -> Ended:
    os.kill(child, signal.SIGKILL)  # it is there, at least as a zombie: nobody has waited for it
    return os.wait4(child, 0)[1:]


def _end_orphans() -> None:
    """End what the child has started; without a PID namespace it is handed down to us (PR_SET_CHILD_SUBREAPER)."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        for orphan in sandbox.children():
            with contextlib.suppress(OSError):
                os.kill(orphan, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def _remove(folder: Path) -> None:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return
    except OSError:
        import shutil  # rarely needed, and slow to import

        shutil.rmtree(folder, ignore_errors=True)
