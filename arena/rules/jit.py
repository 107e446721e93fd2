"""`kernel`: compile a function of the rules with Numba and keep the machine code on disk.

Numba's own cache misses a change in a function called from another file. So the cache folder is named by a
digest of every kernel source, of Numba and of the CPU: other sources, other folder, never stale code.
With NUMBA_DISABLE_JIT=1 every kernel runs as plain Python and gives the same bytes.
"""

import contextlib
import functools
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import llvmlite.binding
import numba
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

# Vectorized, the loops over colors and seats become gathers: random games took 1.5 times as long (AVX-512, Zen 5).
numba.config.LOOP_VECTORIZE = 0
numba.config.SLP_VECTORIZE = 0

CACHE_NAME = re.compile(r"[0-9a-f]{16}")
INTERPRETED: bool = bool(numba.config.DISABLE_JIT)
if INTERPRETED:
    np.seterr(over="ignore")  # random words wrap around, as they do compiled


def digest_of(paths: Iterable[Path]) -> str:
    """A hexadecimal digest of the names and contents of some source files."""
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(paths):
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


@cache
def rules_digest() -> str:
    """The digest of the rules: two engines with the same digest play the same games."""
    return digest_of(Path(__file__).parent.glob("*.py"))


def cache_root() -> Path:
    """The folder of all compiled code: ARENA_CACHE_DIR, or the user's cache folder; a temporary one if unwritable."""
    import platformdirs

    wanted = os.environ.get("ARENA_CACHE_DIR") or platformdirs.user_cache_dir("ttr-arena")
    for folder in (
        Path(wanted),
        Path(tempfile.gettempdir()) / f"ttr-arena-{os.getuid() if hasattr(os, 'getuid') else 0}",
    ):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="ttr-arena-"))


@cache
def cache_dir(sources: str = "", module: str = "") -> Path:
    """The folder for code compiled on this machine from the rules and, for a bot, from `sources` (a digest).

    Compiled code looks up the functions it calls by the name of their `module`: a bot that is named by its file and by
    its package has two, and a folder for each.
    """
    versions = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__)
    machine = (numba.config.CPU_NAME or llvmlite.binding.get_host_cpu_name(), numba.config.BOUNDSCHECK)
    key = "\0".join(map(str, (rules_digest(), sources, module, *versions, *machine)))
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


def compiled(
    function: F, sources: str = "", signature: Any = None, *, divide: str = "numpy", wrapped: bool = True
) -> F:
    """`function` compiled by Numba with its cache in a `cache_dir` of its own sources; unchanged when interpreting.

    divide: `python` raises ZeroDivisionError, `numpy` does not ask. wrapped: whether Python can call it.
    """
    if INTERPRETED:
        return function
    before = numba.config.CACHE_DIR
    folder = cache_dir(sources, function.__module__) if sources else cache_dir()
    numba.config.CACHE_DIR = str(folder)  # read by Numba at decoration only
    try:
        options = {"cache": True, "error_model": divide, "boundscheck": None}
        if not wrapped:
            options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return numba.njit(signature, **options)(function) if signature else numba.njit(**options)(function)
    finally:
        numba.config.CACHE_DIR = before


def kernel(function: F) -> F:
    """Mark a function of the rules: compiled on first use, cached by the digest of all rules."""
    return compiled(function)


def inner(function: F) -> F:
    """Mark a kernel that only kernels call: without wrappers for Python all compile in four fifths of the time."""
    code: Any = compiled(function, wrapped=False)
    if not INTERPRETED:  # Numba would jump to the missing wrapper: never let it know of any compiled version
        code._insert = lambda *_, **__: None
        code._compile_for_args = functools.partial(_refuse, function.__name__)
    return code


def _refuse(name: str, *_: Any, **__: Any) -> None:
    raise TypeError(f"{name} is marked @inner: only kernels can call it")
