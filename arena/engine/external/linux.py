"""System calls of Linux that Python has no function for. Each raises OSError if it fails."""

import ctypes
import os
import signal
import struct

NEW_MOUNTS, NEW_IPC, NEW_USER, NEW_PID, NEW_NET = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
READ_ONLY, NO_SUID, NO_DEVICES, NO_EXEC = 1, 2, 4, 8
BIND, MOVE, RECURSIVE, PRIVATE = 0x1000, 0x2000, 0x4000, 0x40000
ATTR_READ_ONLY, ATTR_NO_SUID, ATTR_NO_DEVICES = 1, 2, 4
READ_ALL = 2
"""The right to read what file modes forbid (CAP_DAC_READ_SEARCH)."""

_MOUNT_SETATTR = 442
_AT_CURRENT, _AT_RECURSIVE = -100, 0x8000
_DEATH_SIGNAL, _KEEP_CAPS, _READ_BOUND, _DROP_BOUND, _ADOPT, _NO_NEW_PRIVILEGES, _AMBIENT = 1, 8, 23, 24, 36, 38, 47
_RAISE = 2
_CAPS_VERSION = 0x20080522
_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str | None = None) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)


def _control(option: int, *values: int) -> None:
    _check(_libc.prctl(option, *map(ctypes.c_ulong, (*values, 0, 0, 0, 0)[:4])))


def unshare(flags: int) -> None:
    """Namespaces of our own."""
    _check(_libc.unshare(flags))


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount something."""
    texts = [ctypes.c_char_p(os.fsencode(text) or None) for text in (source, target, kind, options)]
    _check(_libc.mount(*texts[:3], ctypes.c_ulong(flags), texts[3]), target)


def set_flags(path: str, flags: int = 0, *, cleared: int = 0, recursive: bool = False) -> None:
    """Set and clear flags of a mount, or of all below a path."""
    attributes = struct.pack("=4Q", flags, cleared, 0, 0)
    where = ctypes.c_char_p(os.fsencode(path))
    how = ctypes.c_uint(_AT_RECURSIVE if recursive else 0)
    _check(
        _libc.syscall(ctypes.c_long(_MOUNT_SETATTR), ctypes.c_int(_AT_CURRENT), where, how, attributes,
                      ctypes.c_size_t(len(attributes))),
        path,
    )  # fmt: skip


def adopt_orphans() -> None:
    """Children of children become ours when their parent ends."""
    _control(_ADOPT, 1)


def die_with_parent() -> None:
    """The kernel ends this process when its parent ends. To be said after each change of rights, which forgets it."""
    _control(_DEATH_SIGNAL, signal.SIGKILL)


def no_new_privileges() -> None:
    """Programs that would give rights, such as sudo, give none."""
    _control(_NO_NEW_PRIVILEGES, 1)


def keep_rights() -> None:
    """Keep what rights there are when root becomes another user."""
    _control(_KEEP_CAPS, 1)


def drop_bound(*, keep_reading: bool) -> None:
    """No program that this process becomes can have any right of root; reading can be kept."""
    number = 0
    while _libc.prctl(_READ_BOUND, ctypes.c_ulong(number), 0, 0, 0) >= 0:  # until there is no such right
        if number != READ_ALL or not keep_reading:
            _libc.prctl(_DROP_BOUND, ctypes.c_ulong(number), 0, 0, 0)  # fails where there is none to lose
        number += 1


def drop_rights(*, keep_reading: bool) -> None:
    """Give up all rights of root; reading can be kept, for the program that this process becomes too."""
    header = struct.pack("=Ii", _CAPS_VERSION, 0)
    rights = ctypes.create_string_buffer(24)
    _check(_libc.capget(header, rights))
    permitted = struct.unpack("=6I", rights.raw)[1]
    kept = 1 << READ_ALL & permitted if keep_reading else 0
    _check(_libc.capset(header, struct.pack("=6I", kept, kept, kept, 0, 0, 0)))
    if kept:
        _control(_AMBIENT, _RAISE, READ_ALL)
