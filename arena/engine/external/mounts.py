"""Which files an isolated bot sees: a mount namespace of its own."""

import os
from pathlib import Path
from typing import Any

from arena.engine.external import linux

SCRATCH_SIZE = 256 << 20
DEVICES = ("null", "zero", "full", "random", "urandom")
HIDDEN = ("/run", "/var/run")
"""Sockets of other programs lie there."""


def make_read_only(settings: dict[str, Any], scratch: str, owner: int) -> None:
    """Make all files read-only except a small scratch folder, which root gives to its owner; hide some folders."""
    linux.unshare(linux.NEW_MOUNTS)
    linux.mount("none", "/", "", linux.RECURSIVE | linux.PRIVATE)
    linux.mount("tmpfs", scratch, "tmpfs", linux.NO_SUID, f"mode=1777,size={SCRATCH_SIZE},nr_inodes=64k")
    for folder in settings["writable"]:
        linux.mount(folder, folder, "", linux.BIND)
    devices = _devices(scratch)
    linux.set_flags("/", linux.ATTR_READ_ONLY | linux.ATTR_NO_SUID | linux.ATTR_NO_DEVICES, recursive=True)
    for folder in (scratch, *settings["writable"]):
        linux.set_flags(folder, cleared=linux.ATTR_READ_ONLY)
        if not os.geteuid():
            os.chown(folder, owner, owner)
    _put_devices(devices)
    used = (scratch, settings["folder"] or scratch, *settings["used"], *settings["writable"])
    for folder in (*HIDDEN, *settings["hidden"]):
        needed = any(path == folder or path.startswith(folder + "/") for path in used)
        if os.path.isdir(folder) and not os.path.islink(folder) and not needed:
            linux.mount("tmpfs", folder, "tmpfs", linux.READ_ONLY | linux.NO_SUID, "size=4k,mode=755")


def renew_processes() -> None:
    """Mount a /proc that shows only the processes of this namespace, or no process."""
    flags = linux.READ_ONLY | linux.NO_SUID | linux.NO_DEVICES | linux.NO_EXEC
    try:
        linux.mount("proc", "/proc", "proc", flags)
    except OSError:  # a container hides parts of the old one and allows no new one
        linux.mount("tmpfs", "/proc", "tmpfs", flags, "size=4k")


def _devices(scratch: str) -> str:
    """A folder with the few devices that programs need."""
    folder = f"{scratch}/dev"
    os.mkdir(folder)
    linux.mount("tmpfs", folder, "tmpfs", linux.NO_SUID, "mode=755,size=16m,nr_inodes=1k")
    for name in DEVICES:
        if os.path.exists(f"/dev/{name}"):
            Path(folder, name).touch()
            linux.mount(f"/dev/{name}", f"{folder}/{name}", "", linux.BIND)
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"{folder}/{name}")
    os.mkdir(f"{folder}/shm")
    os.chmod(f"{folder}/shm", 0o1777)
    return folder


def _put_devices(folder: str) -> None:
    linux.set_flags(folder, cleared=linux.ATTR_READ_ONLY)
    for name in DEVICES:
        if os.path.exists(f"{folder}/{name}"):
            linux.set_flags(f"{folder}/{name}", cleared=linux.ATTR_NO_DEVICES | linux.ATTR_READ_ONLY)
    linux.mount(folder, "/dev", "", linux.MOVE)
    os.rmdir(folder)
