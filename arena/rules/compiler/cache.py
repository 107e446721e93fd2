"""The machine code of one kernel on disk: a file for each set of argument types.

Numba's own cache names its folders after the path of the source file, so that code would not travel to another
installation; and what is damaged there is a traceback. Here the folder says which sources and which machine, and a file
is a digest and what the digest is of.
"""

import hashlib
import inspect
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from arena.rules.compiler import symbols
from arena.rules.compiler.digests import digest_of
from arena.rules.compiler.store import cache_dir, read_whole, write_whole


class CodeCache:
    """What Numba's dispatcher asks for compiled versions of its function before it makes them."""

    cache_path = ""
    """Shown by Numba's statistics."""

    def __init__(self, function: Any, sources: str) -> None:
        """sources: the digest of a bot's sources; empty for a function of the arena."""
        self._function, self._sources = function, sources

    @cached_property
    def _folder(self) -> Path:
        return cache_dir(self._sources, self._function.__module__) if self._sources else cache_dir()

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled version for a signature; None if it is missing or damaged."""
        import pickle

        from numba.core.compiler import CompileResult
        from numba.core.runtime import rtsys

        content = read_whole(self._file(signature))
        if content is None:
            return None
        needed, compiled = pickle.loads(content)
        symbols.load_units(needed)
        rtsys.initialize(target)  # not refresh(): its tables are for compiling, and import half of SciPy, 0.17 s
        return CompileResult._rebuild(target, *compiled)

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled version, unless it holds addresses of this process."""
        from numba.core.serialize import dumps

        if not compiled.library.has_dynamic_globals and _source(self._function) is not None:
            needed = getattr(compiled.library, "needed", [])
            write_whole(self._file(signature), dumps((needed, compiled._reduce())))

    def _file(self, signature: Any) -> Path:
        key = f"{_source(self._function)} {self._function.__code__.co_firstlineno} {signature}"
        name = f"{self._function.__module__}.{self._function.__qualname__}".replace("<locals>", "-")
        return self._folder / f"{name}-{hashlib.blake2b(key.encode(), digest_size=8).hexdigest()}.code"


def _source(function: Any) -> str | None:
    """The digest of the file of a function, as it is now; None if it lies in none."""
    file = Path(inspect.getfile(function))
    try:
        status = file.stat()
        return _digest(file, status.st_mtime_ns, status.st_size)
    except OSError:
        return None


@cache
def _digest(file: Path, changed: int, size: int) -> str:
    """The digest of a file, computed again when it has changed: a notebook may load a module once more."""
    return digest_of([file])
