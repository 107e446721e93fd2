"""Limits and namespaces around a bot's process, applied by itself before its program is loaded."""

import ctypes
import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

OPEN_FILES = 64
PROCESSES = 64
FILE_SIZE = 64 << 20

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 36, 38
_libc = ctypes.CDLL(None, use_errno=True)


def start(settings: dict[str, Any], scratch: str, tell: Callable[..., None]) -> int:
    """Start the program of some settings in a process shut off from the rest; its number. `tell` hears of the guards.

    OSError if it cannot be started.
    """
    linux = sys.platform == "linux"
    if linux:
        _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    child = os.fork()
    if not child:
        _become(settings, scratch, tell)
    return child


def _become(settings: dict[str, Any], scratch: str, tell: Callable[..., None]) -> NoReturn:
    try:
        os.chdir(settings["folder"] or scratch)
        environment = {key: value.replace("{scratch}", scratch) for key, value in settings["environment"].items()}
        for name in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(name, signal.SIG_DFL)  # Python ignores them, and so would what it becomes
        limit(settings["memory"])
        if sys.platform == "linux":
            _libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
            _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        tell(guards={})
        os.execve(settings["argv"][0], settings["argv"], environment)
    except OSError as error:
        tell(error=f"cannot be started: {error.strerror}: {error.filename or settings['argv'][0]}")
    finally:
        os._exit(126)


def limit(memory: int) -> None:
    """Limit open files, processes, file sizes, core dumps and, if not 0, the bytes of the address space."""
    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_FSIZE, FILE_SIZE),
        *([(resource.RLIMIT_AS, memory)] if memory else []),
    ):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


def children() -> list[int]:
    """The numbers of this process's children."""
    try:
        numbers = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    except OSError:
        return []
    return [number for number in numbers if _parent_of(number) == os.getpid()]


def _parent_of(number: int) -> int:
    try:
        return int(Path(f"/proc/{number}/stat").read_bytes().rpartition(b")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return -1
