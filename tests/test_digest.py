"""The digest of the engine, on copies of the package: a run that was begun ends with what decides games, no more."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import arena
from arena.engine import sources
from commands import START

ROOT = Path(__file__).parent.parent
HARMLESS = {
    "boards/drawing.py": "# another color\n",
    "cli/run.py": "# another help text\n",
    "checks/machine/bench.py": "# another measurement\n",
    "tournament/plan.py": "# another key in the file of a plan\n",
    "reports/text.py": "# another word in a report\n",
}
"""Changes that decide no game."""


def copy_with(changes: dict[str, str], folder: Path) -> dict[str, str]:
    """A copy of the package with lines added to some of its files; the environment in which it is imported."""
    for package in ("arena", "bots", "maps"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name, line in changes.items():
        with (folder / "arena" / name).open("a") as file:
            file.write(line)
    return {**os.environ, "PYTHONPATH": str(folder)}


@pytest.mark.slow("processes of their own load a copy of the package")
@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        (HARMLESS, ""),
        ({"engine/loop.py": "# another loop\n"}, "Error: this is another version of the arena than the run was begun"),
        ({"tournament/schedule.py": "# another order\n"}, "Error: this is another version of the arena than"),
    ],
)
def test_only_what_decides_games_ends_a_run(changes: dict[str, str], refusal: str, tmp_path: Path) -> None:
    arena.run(["random", "greedy"], games=8, jobs=1, out=tmp_path / "whole")
    begun = shutil.copytree(tmp_path / "whole", tmp_path / "begun")
    next((begun / "seats").iterdir()).unlink()
    there = copy_with(changes, tmp_path / "copy")
    for words in (("resume", "begun"), ("compare", "whole", "begun"), ("verify", "begun"))[: 1 if refusal else 3]:
        done = subprocess.run([*START, *words], cwd=tmp_path, env=there, capture_output=True, text=True, check=False)
        assert done.returncode == (2 if refusal else 0), done.stderr
        assert refusal in done.stderr


def test_every_pattern_of_the_digest_finds_files() -> None:
    for pattern in sources.ENGINE:
        assert list(sources.ARENA.glob(pattern)), pattern
