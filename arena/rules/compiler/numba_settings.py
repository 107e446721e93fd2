"""Imports Numba with the arena's settings, and only when something is to be compiled: it takes 0.3 s."""

import os
from functools import cache
from typing import Any

import numpy as np

from arena.rules.compiler.place import chosen_level

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether kernels run as plain Python, for debuggers, coverage and as a second oracle: the same bytes, slowly."""
if INTERPRETED:
    np.seterr(over="ignore")  # random words wrap around, as they do compiled


@cache
def numba() -> Any:
    """The module, with our settings."""
    import numba

    # Vectorized, the loops over colors and seats become gathers: random games took 1.5 times as long (AVX-512, Zen 5).
    numba.config.LOOP_VECTORIZE = 0
    numba.config.SLP_VECTORIZE = 0
    if numba.config.CPU_NAME is None and (level := chosen_level()):
        numba.config.CPU_NAME, numba.config.CPU_FEATURES = level, ""
    return numba


@cache
def versions() -> dict[str, str]:
    """What machine code depends on besides the sources, by name."""
    import sys

    import llvmlite
    import llvmlite.binding

    config = numba().config
    return {
        "python": str(sys.implementation.cache_tag),
        "numba": numba().__version__,
        "llvmlite": llvmlite.__version__,
        "numpy": np.__version__,
        "system": llvmlite.binding.get_process_triple(),
        "cpu": config.CPU_NAME or llvmlite.binding.get_host_cpu_name(),
        "features": config.CPU_FEATURES or "",
        "boundscheck": str(config.BOUNDSCHECK),
    }
