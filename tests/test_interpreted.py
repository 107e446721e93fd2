"""The kernels give the same bytes compiled and as plain Python: a second oracle, and what a debugger steps through."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena import catalog
from commands import arena

HERE = Path(__file__).parent


def fingerprint(games: int, *seat_counts: int, **environment: str) -> str:
    run = subprocess.run(
        [sys.executable, str(HERE / "fingerprint_games.py"), str(games), *map(str, seat_counts)],
        env={**os.environ, "PYTHONPATH": f"{HERE}{os.pathsep}{os.environ.get('PYTHONPATH', '')}", **environment},
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


# The compiled games come last: with an empty cache another test may have compiled the rules meanwhile.


@pytest.mark.slow("interpreted kernels take some hundred times as long")
def test_compiled_is_interpreted() -> None:
    """Games with three seats would reach no line that these do not."""
    interpreted = fingerprint(1, 2, 4, 5, NUMBA_DISABLE_JIT="1")
    assert len(interpreted.splitlines()) >= 5
    assert interpreted == fingerprint(1, 2, 4, 5)


@pytest.mark.full  # it compiles the rules once more, with bounds checks
def test_bounds_checked_run_is_the_same(tmp_path: Path) -> None:
    """With bounds checks every index of every kernel is verified; the results do not change.

    And a bot that leaves its arrays is found, by `arena bots check`: in one test, so that one process of several
    compiles the bounds-checked rules.
    """
    checked = fingerprint(20, 2, 3, 4, 5, NUMBA_BOUNDSCHECK="1")
    assert checked == fingerprint(20, 2, 3, 4, 5)
    bot = f"{HERE / 'bad_bots.py'}:out_of_bounds"
    result = arena("bots", "check", bot, "--map", catalog.map_names()[0], cwd=tmp_path)
    assert result.returncode == 1, result.stderr
    words = " ".join(result.stdout.split())
    assert "bounds FAIL 18 of 18 games with an index out of bounds" in words
    assert "IndexError: index is out of bounds" in words
    assert "legal - Not checked: the bounds check failed." in words
    assert "Again (bounds): NUMBA_DISABLE_JIT=1 arena run" in words
    assert words.endswith("Failed: bounds.")
