"""The sandbox of an isolated bot: limits and namespaces, applied before its program is loaded.

What a kernel does not allow is left out and said: `start` tells of each guard that does not hold, and why.
Only the standard library is known here: this runs in the supervisor.
"""

import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from arena.engine.external import linux as kernel
from arena.engine.external import mounts

OPEN_FILES = 64
PROCESSES = 64
"""Threads count as processes."""
FILE_SIZE = 64 << 20
NOBODY = 65534

MEMORY, TIME, FILES, COUNT, SIZES = "memory", "time", "open files", "processes", "file sizes"
NETWORK, READ_ONLY, UNSEEN, ENDING = (
    "no network",
    "read-only files",
    "other processes out of reach",
    "ends with the run",
)
GUARDS = (MEMORY, TIME, FILES, COUNT, SIZES, NETWORK, READ_ONLY, UNSEEN, ENDING)
"""What is guarded, in words for people."""
NAMESPACES = kernel.NEW_USER | kernel.NEW_PID | kernel.NEW_NET | kernel.NEW_IPC


class Guard(NamedTuple):
    """Something that a bot is kept from."""

    what: str
    """One of GUARDS."""
    holds: bool
    why: str
    """The reason, if it does not hold."""


def available(seconds: float = 10.0) -> list[Guard]:
    """What holds on this machine for this user, found out by a trial."""
    from arena.engine.external.process import BotProcess, Ended, TimedOut, lines

    process = BotProcess([sys.executable, "-I", "-S", "-c", "pass"], framing=lines)
    try:
        failing = process.guards(time.monotonic() + seconds)
    except (Ended, TimedOut):
        failing = dict.fromkeys(GUARDS, "a process of its own cannot be started")
    finally:
        process.close()
    return [Guard(what, what not in failing, failing.get(what, "")) for what in GUARDS]


def in_words(guards: list[Guard]) -> str:
    """The guards as a line for people."""
    line = f"Isolated: {', '.join(guard.what for guard in guards if guard.holds)}."
    failing: dict[str, list[str]] = {}
    for guard in guards:
        if not guard.holds:
            failing.setdefault(guard.why, []).append(guard.what)
    return line + "".join(f"\nNot here: {', '.join(what)} ({why})." for why, what in failing.items())


def start(settings: dict[str, Any], scratch: str, tell: Callable[..., None]) -> int:
    """Start a program in a process shut off from the rest; its number. `tell` is told of the guards that do not hold.

    OSError if it cannot be started.
    """
    failing: dict[str, str] = {}
    private = False
    if sys.platform == "linux":
        kernel.adopt_orphans()
        if settings["sandbox"] and not settings["trusted"]:
            code = _exit_code(_in_child(_enter))  # tried first, for what fails half-way cannot be undone
            private = not code
            if code:
                why = os.strerror(code).lower()
                failing |= dict.fromkeys((NETWORK, READ_ONLY, UNSEEN), f"no user namespaces: {why}")
            else:
                _enter()
    else:
        failing |= dict.fromkeys((NETWORK, READ_ONLY, UNSEEN, ENDING), "it takes Linux")
    child = os.fork()
    if not child:
        _become(settings, scratch, tell, failing, private)
    return child


def _in_child(work: Callable[[], None]) -> int:
    """Start some work in a process that ends after it; its number. Its exit code is the number of an OSError, or 0."""
    child = os.fork()
    if not child:
        code = 255
        try:
            work()
            code = 0
        except OSError as error:
            code = min(error.errno or 255, 255)
        finally:
            os._exit(code)
    return child


def _exit_code(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _enter() -> None:
    """Enter namespaces of our own. As root all users exist there, so that the bot can become another one."""
    if os.geteuid():
        user, group = os.geteuid(), os.getegid()
        kernel.unshare(NAMESPACES)
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
        return
    reader, writer = os.pipe()
    us = os.getpid()

    def write_maps() -> None:
        os.close(writer)
        os.read(reader, 1)
        for name in ("uid_map", "gid_map"):
            known = [line.split() for line in Path(f"/proc/self/{name}").read_text().splitlines()]
            Path(f"/proc/{us}/{name}").write_text("\n".join(f"{first} {first} {size}" for first, _, size in known))

    helper = _in_child(write_maps)  # such maps can only be written from outside
    os.close(reader)
    try:
        kernel.unshare(NAMESPACES)
    finally:
        os.close(writer)
        code = _exit_code(helper)
    if code:
        raise OSError(code, os.strerror(code))


def _become(
    settings: dict[str, Any], scratch: str, tell: Callable[..., None], failing: dict[str, str], private: bool
) -> NoReturn:
    """Turn this process into the program; one that is trusted runs as if it were started by hand."""
    try:
        linux, trusted = sys.platform == "linux", settings["trusted"]
        os.setsid()  # or it could end its supervisor by a signal to its group
        if trusted:
            failing = {}
        elif private:
            _guarded(READ_ONLY, failing, lambda: mounts.make_read_only(settings, scratch, NOBODY))
            _guarded(UNSEEN, failing, mounts.renew_processes)
        elif not os.geteuid():
            for folder in (scratch, *settings["writable"]):
                os.chown(folder, NOBODY, NOBODY)
        os.chdir(settings["folder"] or scratch)
        if not trusted:
            _limit(settings["memory"], private, failing)
        if trusted or settings["data"] is not None:
            _limit_data(settings["data"] or 0, failing)
        if linux and not trusted:
            _give_up_rights(private, failing)
            kernel.no_new_privileges()
        if linux:
            kernel.die_with_parent()
        for name in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(name, signal.SIG_DFL)  # Python ignores them, and so would what it becomes
        environment = {key: value.replace("{scratch}", scratch) for key, value in settings["environment"].items()}
        tell(guards=failing)
        os.execve(settings["argv"][0], settings["argv"], dict(os.environ) if trusted else environment)
    except OSError as error:
        what = error.filename or settings["argv"][0]
        tell(error=f"cannot be started: {what}: {error.strerror}")
    finally:
        os._exit(126)


def _guarded(what: str, failing: dict[str, str], work: Callable[[], None]) -> None:
    """Set up a guard, or say why it does not hold."""
    try:
        work()
    except OSError as error:
        failing[what] = f"the kernel refuses: {(error.strerror or '').lower()}"


def _limit(memory: int, private: bool, failing: dict[str, str]) -> None:
    processes = PROCESSES
    if not private:
        processes += _threads_of(os.geteuid() or NOBODY)  # all of a user are counted together
    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_FSIZE, FILE_SIZE),
        (resource.RLIMIT_NPROC, processes),
        *([(resource.RLIMIT_AS, memory)] if memory else []),
    ):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        what = {resource.RLIMIT_NPROC: COUNT, resource.RLIMIT_AS: MEMORY}.get(kind, FILES)
        _set_limit(kind, (most, most), what, failing)


def _limit_data(data: int, failing: dict[str, str]) -> None:
    """Limit the bytes that can be written to, 0 for no limit, in place of the addresses, as our own parent has it."""
    for kind, most in ((resource.RLIMIT_AS, 0), (resource.RLIMIT_DATA, data)):
        hard = resource.getrlimit(kind)[1]
        most = hard if not most or (hard != resource.RLIM_INFINITY and most > hard) else most
        _set_limit(kind, (most, hard), MEMORY, failing)


def _set_limit(kind: int, soft_and_hard: tuple[int, int], what: str, failing: dict[str, str]) -> None:
    try:
        resource.setrlimit(kind, soft_and_hard)
    except (OSError, ValueError) as error:
        failing[what] = str(error)


def _threads_of(user: int) -> int:
    return sum(int(status[17]) for owner, _, status in _processes() if owner == user)


def _give_up_rights(private: bool, failing: dict[str, str]) -> None:
    """Give up all rights; root becomes nobody, who may still read: Python itself may lie in a folder of root's."""
    root = not os.geteuid()
    kernel.drop_bound(keep_reading=root)
    try:
        if root:
            kernel.keep_rights()
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
        kernel.drop_rights(keep_reading=root)
    except OSError as error:
        if root:
            failing[COUNT] = failing[UNSEEN] = f"root cannot become another user: {(error.strerror or '').lower()}"
    if not private and not root:
        failing.setdefault(UNSEEN, "no namespaces")


def children() -> list[int]:
    """The numbers of this process's children."""
    return [number for _, number, status in _processes() if int(status[1]) == os.getpid()]


def _processes() -> Iterator[tuple[int, int, list[bytes]]]:
    """The user and the number of each process, and what /proc says of it behind its name: its state, its parent, ..."""
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            status = (entry / "stat").read_bytes().rpartition(b")")[2].split()
            yield entry.stat().st_uid, int(entry.name), status
