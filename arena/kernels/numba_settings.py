"""Numba with the settings of the arena, imported when something is to be compiled and no earlier: it takes 0.3 s."""

import os
from functools import cache
from typing import Any

import numpy as np

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
    return numba
