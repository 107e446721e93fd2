"""The kernels give the same bytes compiled and as plain Python: a second oracle, and what a debugger steps through."""

import os
import subprocess
import sys
from pathlib import Path

from arena import catalog
from commands import arena

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


def test_bot_that_leaves_its_arrays_is_found(tmp_path: Path) -> None:
    """By `arena bots check`; here, because it needs the bounds-checked rules that the test above has compiled."""
    bot = f"{HERE / 'bad_bots.py'}:out_of_bounds"
    result = arena("bots", "check", bot, "--map", catalog.map_names()[0], cwd=tmp_path)
    assert result.returncode == 1, result.stderr
    words = " ".join(result.stdout.split())
    assert "bounds FAIL 18 of 18 games with an index out of bounds" in words
    assert "IndexError: index is out of bounds" in words
    assert "legal - Not checked: the bounds check failed." in words
    assert "Again (bounds): NUMBA_DISABLE_JIT=1 arena run" in words
    assert words.endswith("Failed: bounds.")
