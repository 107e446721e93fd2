"""The kernels give the same bytes compiled and as plain Python: a second oracle, and what a debugger steps through."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def fingerprint(games: int, **environment: str) -> str:
    run = subprocess.run(
        [sys.executable, str(HERE / "fingerprint_games.py"), str(games)],
        env={**os.environ, "PYTHONPATH": str(HERE), **environment},
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_compiled_is_interpreted() -> None:
    compiled = fingerprint(1)
    assert len(compiled.splitlines()) >= 5
    assert compiled == fingerprint(1, NUMBA_DISABLE_JIT="1")


def test_bounds_checked_run_is_the_same() -> None:
    """With bounds checks every index of every kernel is verified; the results do not change."""
    assert fingerprint(20) == fingerprint(20, NUMBA_BOUNDSCHECK="1")
