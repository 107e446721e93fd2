"""Compiled code: the decorators that mark it, how Numba compiles each line once, and where it lies on disk."""

import arena.rules.compiler.units  # noqa: F401  # whoever runs compiled code must be able to load what it calls
from arena.rules.compiler.decorators import Kernel, exported, kernel
from arena.rules.compiler.digests import digest_of
from arena.rules.compiler.instructions import RAISED, call_policy, lowest, popcount
from arena.rules.compiler.numba_settings import INTERPRETED

__all__ = [
    "INTERPRETED",
    "RAISED",
    "Kernel",
    "call_policy",
    "digest_of",
    "exported",
    "kernel",
    "lowest",
    "popcount",
]
