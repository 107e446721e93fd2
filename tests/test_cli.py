"""The command line as text: help and errors are compared with snapshots, word by word.

UPDATE_SNAPSHOTS=1 pytest tests/test_cli.py      writes them anew, after a change that is meant
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena import __version__
from commands import arena

SNAPSHOTS = Path(__file__).parent / "snapshots"

BAD_BOT = "from arena.bot import Bot\nclass Lazy(Bot):\n    pass\n"


def compare(name: str, text: str) -> None:
    path = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOTS.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "run",
        "resume",
        "extend",
        "merge",
        "report",
        "replay",
        "compare",
        "regress",
        "bench",
        "bots",
        "bots list",
        "bots new",
        "bots check",
        "maps",
        "maps list",
        "maps check",
        "maps draw",
        "doctor",
        "balance",
        "diff",
        "sweep",
        "verify",
    ],
    ids=lambda a: a or "arena",
)
def test_help(arguments: str, tmp_path: Path) -> None:
    result = arena(*arguments.split(), "--help", cwd=tmp_path)
    assert result.returncode == 0
    compare(f"help-{arguments.replace(' ', '-') or 'arena'}", result.stdout)


def test_the_package_can_be_called_as_a_program(tmp_path: Path) -> None:
    """`python -m arena`, where the script `arena` is not on the path; it says the same, under the same name."""
    command = [sys.executable, "-m", "arena", "--help"]
    found = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "COLUMNS": "80"}, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
    compare("help-arena", found.stdout)


ERRORS = {
    "unknown-command": "rnu random greedy",
    "unknown-option": "run random greedy --game 4",
    "unknown-bot": "run random gredy",
    "unknown-map": "run random greedy --map uas",
    "unknown-parameter": "run racer:shrtest=3 random",
    "unknown-format": "report . --format yaml",
    "no-bots": "run",
    "one-bot": "run random",
    "games-zero": "run random greedy --games 0",
    "games-text": "run random greedy --games many",
    "seed-negative": "run random greedy --seed -1",
    "jobs-zero": "run random greedy --jobs 0",
    "jobs-huge": "run random greedy --jobs 99999999999999999999",
    "games-huge": "run random greedy --games 100000000000000000000",
    "seconds-nan": "bench --seconds nan",
    "seconds-infinite": "bench --seconds inf",
    "report-of-a-file": "report lazy.py",
    "map-file-missing": "run random greedy --map nowhere.toml",
    "map-file-no-map": "maps check lazy.py.toml",
    "setting-unknown": "run random greedy --set train=40",
    "setting-malformed": "run random greedy --set trains",
    "setting-two-signs": "run random greedy --set trains=--5",
    "setting-twice": "run random greedy --set trains=40 --set trains=41",
    "setting-out-of-range": "run random greedy --set trains=400",
    "players-one": "run random greedy --players 1",
    "players-six": "run random greedy racer tutorial random greedy --players 6",
    "players-more-than-bots": "run random greedy --players 3",
    "lineup-of-six": "run random greedy racer tutorial random greedy --format lineup",
    "lineup-with-players": "run random greedy racer --format lineup --players 2",
    "format-unknown": "run random greedy --format cup",
    "config-missing": "run --config cup.toml",
    "config-no-toml": "run --config lazy.py",
    "out-exists": "run random greedy --out there",
    "no-run-directory": "report nowhere",
    "resume-nowhere": "resume nowhere",
    "extend-without-games": "extend nowhere",
    "merge-without-output": "merge nowhere",
    "shard-malformed": "run random greedy --shard 2",
    "shard-too-many": "run random greedy --games 4 --shard 1/3",
    "verify-nowhere": "verify nowhere",
    "sample-text": "verify there --sample many",
    "new-bot-taken": "bots new random",
    "new-bot-no-name": "bots new My-Bot",
    "new-bot-module": "bots new json",
    "check-unknown-bot": "bots check gredy",
    "check-unknown-map": "bots check greedy --map uas",
    "bot-without-choose": "run lazy.py:Lazy random",
    "bot-file-missing": "run nobody.py:Nobody random",
    "bot-class-missing": "run lazy.py:Lasy random",
}


@pytest.mark.parametrize("name", ERRORS)
def test_error(name: str, tmp_path: Path) -> None:
    """A user's mistake: exit code 2, one clear sentence, no traceback, and nothing was made."""
    (tmp_path / "there").mkdir()
    (tmp_path / "lazy.py").write_text(BAD_BOT)
    result = arena(*ERRORS[name].split(), cwd=tmp_path)
    assert result.returncode == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "__pycache__") == ["lazy.py", "there"]
    compare(f"error-{name}", re.sub(r"known are .*", "known are ...", result.stderr))


def test_version(tmp_path: Path) -> None:
    assert arena("--version", cwd=tmp_path).stdout == f"arena, version {__version__}\n"


def test_bots_list(tmp_path: Path) -> None:
    """Every installed bot on a line: name with its parameters, kind, what it does."""
    lines = arena("bots", "list", cwd=tmp_path).stdout.splitlines()
    assert any(line.startswith("racer:shortest=5 (compiled): Claim routes") for line in lines)
    assert any(line.startswith("tutorial (Python): Claims the shortest paths") for line in lines)


def test_maps_list(tmp_path: Path) -> None:
    assert "usa (default): Base game board" in arena("maps", "list", cwd=tmp_path).stdout
