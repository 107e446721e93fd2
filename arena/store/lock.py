"""The lock of a run directory: one writer at a time, released by the system when its process ends."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import ArenaError


@contextmanager
def one_writer(run: Path) -> Iterator[None]:
    """Nobody else writes into this run directory meanwhile; ArenaError if somebody does, or it cannot be written to."""
    from filelock import FileLock, Timeout

    lock = FileLock(run / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ArenaError(f"{run} is being played by another process: wait for it, or stop it first") from None
    except OSError as error:
        raise ArenaError(f"cannot write to {run}: {error.strerror or error}") from None
    try:
        yield
    finally:
        lock.release()
