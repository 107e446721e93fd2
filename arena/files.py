"""Files are written whole: under another name first, and renamed when they are complete."""

import contextlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from arena.errors import ArenaError

MOST_LETTERS = 50
"""How many letters of its name a file has until it is complete: file systems take 255 bytes."""
PARTS = ".*.part"
"""The names of files that are not yet complete; where nobody writes, they are left from a process that was killed."""


def make_folder(folder: Path, what: str = "folder") -> None:
    """Make a folder and those above it, unless it is there; ArenaError if it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArenaError(f"cannot make the {what} {folder}: {error.strerror or error}") from None


def write_whole(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a file that appears under its name only when it is complete and on the disk; ArenaError if it cannot.

    What is no file of its own, but a link, a pipe or a device, stays what it is: it is written through.
    """
    pieces = (content,) if isinstance(content, bytes) else content
    part = path.with_name(f".{path.name[:MOST_LETTERS]}.part")
    try:
        is_own = _is_own_file(path)
        with (part if is_own else path).open("wb") as file:
            file.writelines(pieces)
            file.flush()
            if is_own:
                os.fsync(file.fileno())
        if is_own:
            part.replace(path)
            _sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise ArenaError(f"cannot write {path}: {reason_of(error, path)}") from None


def append(path: Path, content: bytes) -> None:
    """Add to the end of a file, on the disk when this returns; ArenaError, and nothing added, if that cannot be."""
    try:
        with path.open("ab") as file:
            before = os.fstat(file.fileno()).st_size
            try:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                with contextlib.suppress(OSError):
                    os.ftruncate(file.fileno(), before)
                raise
    except OSError as error:
        raise ArenaError(f"cannot write {path}: {reason_of(error, path)}") from None


def remove(path: Path) -> None:
    """Delete a file, if it is there; ArenaError if that cannot be."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise ArenaError(f"cannot delete {path}: {error.strerror or error}") from None


def reason_of(error: OSError, path: Path) -> str:
    """Why a file could not be written; that its folder is gone is said as such."""
    if isinstance(error, FileNotFoundError) and not path.parent.exists():
        return f"the folder {path.parent} is gone"
    return str(error.strerror or error)


def _is_own_file(path: Path) -> bool:
    """Whether a new file can take this name: nothing or a plain file has it."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        return True


def _sync_folder(folder: Path) -> None:
    """Put a new name on the disk too, before what it replaces is deleted; not every system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
