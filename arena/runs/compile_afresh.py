"""Compiles in a process with other settings: for another processor, or with bounds checks."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena import catalog
from arena.errors import ArenaError
from arena.rules.compiler.place import level_file
from arena.rules.compiler.travel import require_level

COMPILE = """
import sys
from arena import catalog
from arena.runs.compile import warm_up

warm_up(catalog.load_entrants(sys.argv[1:]), catalog.load_map(catalog.default_map()), 2, print)
"""


def compile_apart(bots: Sequence[str], **environment: str) -> bool:
    """Compile the rules and some bots in a process with these environment variables; whether that worked."""
    command = [sys.executable, "-c", COMPILE, *bots]
    return not subprocess.run(command, env={**os.environ, **environment}, check=False).returncode


@contextmanager
def compiled_afresh(level: str | None, bots: Sequence[str] = ()) -> Iterator[Path]:
    """A cache folder with the rules, the shipped bots and further ones.

    level: of the processors that it is for; None for this one. UsageError for a level that does not exist, or that this
    processor does not have.
    """
    if level:
        require_level(level)
    with tempfile.TemporaryDirectory() as folder:
        if level:
            level_file(Path(folder)).write_text(level, encoding="utf-8")
        if not compile_apart([*catalog.shipped_bots(), *bots], ARENA_CACHE_DIR=folder):
            raise ArenaError("not everything could be compiled: the reason is above")
        yield Path(folder)
