"""The cache on disk: one folder for each digest of all that its compiled code depends on.

Numba's own cache misses a change in a function called from another file. So a folder is named by a digest of every
source, of the versions and of the processor: other sources, other folder, never stale code.
"""

import contextlib
import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from arena.rules.compiler.digests import compiler_digest, kernels_digest
from arena.rules.compiler.numba_settings import versions
from arena.rules.compiler.place import cache_root

DIGEST = 16
"""Bytes in front of the content of a file."""
CACHE_NAME = re.compile(r"[0-9a-f]{16}")


@cache
def cache_dir(sources: str = "", module: str = "") -> Path:
    """The folder for code compiled on this machine from the rules and, for a bot, from `sources` (a digest).

    Compiled code looks up the functions it calls by the name of their `module`: a bot that is named by its file and by
    its package has two, and a folder for each.
    """
    key = "\0".join((kernels_digest(), compiler_digest(), sources, module, *versions().values()))
    folder = cache_root() / hashlib.blake2b(key.encode(), digest_size=8).hexdigest()
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)  # the time of its last use
    return folder


def forget_old_code(days: int = 30) -> None:
    """Delete the cache folders that nothing has used for so long: every change of a source leaves one behind."""
    oldest = time.time() - 86_400 * days
    for folder in cache_root().iterdir():
        if CACHE_NAME.fullmatch(folder.name):  # whatever else lies there is not ours
            with contextlib.suppress(OSError):  # another process may be tidying up too
                if folder.stat().st_mtime < oldest:
                    shutil.rmtree(folder)


@contextlib.contextmanager
def locked(file: Path) -> Iterator[None]:
    """One process at a time makes a file of the cache, where it can be written; the others wait."""
    from filelock import FileLock

    lock = FileLock(file.with_name(f"{file.name}.lock"))
    try:
        lock.acquire()
    except OSError:  # nothing can be kept here, so there is nothing to wait for
        yield
        return
    try:
        yield
    finally:
        lock.release()


def write_whole(file: Path, content: bytes) -> None:
    """Write a file of the cache, whole or not at all; if that is impossible the next process compiles again."""
    with contextlib.suppress(OSError), tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as new:
        try:
            new.write(_digest(content) + content)
            new.close()
            os.replace(new.name, file)
        except OSError:
            os.unlink(new.name)


def read_whole(file: Path) -> bytes | None:
    """What was written to a file of the cache; None if it is not there, or damaged."""
    try:
        written = file.read_bytes()
    except OSError:
        return None
    digest, content = written[:DIGEST], written[DIGEST:]
    return content if _digest(content) == digest else None


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=DIGEST).digest()
