"""The cache folder of all compiled code, and the processor that its code is for."""

import os
import tempfile
from pathlib import Path

LEVELS = {
    "x86-64-v2": "sse3 ssse3 sse4.1 sse4.2 popcnt cx16",
    "x86-64-v3": "sse3 ssse3 sse4.1 sse4.2 popcnt cx16 avx avx2 bmi bmi2 f16c fma lzcnt movbe",
    "x86-64-v4": "sse3 ssse3 sse4.1 sse4.2 popcnt cx16 avx avx2 bmi bmi2 f16c fma lzcnt movbe "
    "avx512f avx512bw avx512cd avx512dq avx512vl",
}
"""Processors in general (the levels of the x86-64 psABI), and what LLVM calls the instructions that they have."""


def cache_root() -> Path:
    """The folder of all compiled code: ARENA_CACHE_DIR, or the user's cache folder; a temporary one if unwritable."""
    import platformdirs

    wanted = Path(os.environ.get("ARENA_CACHE_DIR") or platformdirs.user_cache_dir("ttr-arena"))
    usual = Path(tempfile.gettempdir()) / f"ttr-arena-{os.getuid() if hasattr(os, 'getuid') else 0}"
    for folder in (wanted, usual):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="ttr-arena-"))


def level_file(root: Path) -> Path:
    """The file that says for which of LEVELS the code in a folder is; without it, it is for this processor."""
    return root / "cpu"


def chosen_level() -> str | None:
    """The level that code is compiled for here, if it is not this very processor."""
    try:
        level = level_file(cache_root()).read_text(encoding="utf-8").strip()
    except OSError:
        return None
    return level if level in LEVELS else None
