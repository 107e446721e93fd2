"""Digests of source files, which tell whether rules, bots or compiled code have changed."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path


def digest_of(paths: Iterable[Path]) -> str:
    """A hexadecimal digest of the names and contents of some source files."""
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(paths):
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


ARENA = Path(__file__).parent.parent.parent
KERNELS = (
    "rules/*.py",
    "engine/loop.py",
    "experiments/measures/contested.py",
    "replay/deck.py",
    "checks/machine/bench.py",
    "checks/machine/playout.py",
)
"""The files of the arena with compiled functions; a test finds one that is missing here."""


@cache
def kernels_digest() -> str:
    """The digest of everything in the arena that is compiled: other code must never be found in its place."""
    return digest_of(path for pattern in KERNELS for path in ARENA.glob(pattern))


@cache
def rules_digest() -> str:
    """The digest of the rules: two engines with the same digest play the same games."""
    return digest_of(Path(__file__).parent.parent.glob("*.py"))


@cache
def compiler_digest() -> str:
    """The digest of this package: it decides what the machine code of a kernel is."""
    return digest_of(Path(__file__).parent.glob("*.py"))
