"""Compiled code: the decorators that mark it, how Numba compiles each line once, and where it lies on disk."""

from arena.kernels.decorators import Kernel, exported, inner, kernel
from arena.kernels.digests import digest_of
from arena.kernels.instructions import RAISED, call_policy, lowest, popcount
from arena.kernels.numba_settings import INTERPRETED

__all__ = [
    "INTERPRETED",
    "RAISED",
    "Kernel",
    "call_policy",
    "digest_of",
    "exported",
    "inner",
    "kernel",
    "lowest",
    "popcount",
]
