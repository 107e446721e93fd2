"""A cache of its own, compiled from nothing, as a file for other machines is made of."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena.errors import ArenaError
from arena.kernels.place import level_file
from arena.kernels.travel import require_level

COMPILE = """
import sys
from arena import catalog
from arena.runs.compiling import warm_up

bots = catalog.load_entrants([*catalog.shipped_bots(), *sys.argv[1:]])
warm_up(bots, catalog.load_map(catalog.default_map()), 2, print)
"""


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
        environment = {**os.environ, "ARENA_CACHE_DIR": folder}
        if subprocess.run([sys.executable, "-c", COMPILE, *bots], env=environment, check=False).returncode:
            raise ArenaError("not everything could be compiled: the reason is above")
        yield Path(folder)
