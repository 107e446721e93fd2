"""The files of a run: none is half written, and what is damaged or belongs elsewhere is named."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import ArenaError
from arena.store import run_directory
from commands import arena


def played(folder: Path, *arguments: object) -> None:
    result = arena("run", *arguments, cwd=folder)
    assert result.returncode == 0, result.stderr


def test_full_disk(tmp_path: Path) -> None:
    """When no more can be written: a clear error, exit code 1, and no file that holds half of anything."""
    limited = (
        "import resource, sys; from arena.cli import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))\n"
        "sys.argv = ['arena', 'run', 'random', 'greedy', '--games', '4000', '--out', 'r']\n"
        "main()"
    )
    arena("run", "random", "greedy", "--games", "2", cwd=tmp_path)  # so that the limit meets no compiling
    result = subprocess.run([sys.executable, "-c", limited], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert re.search("Error: cannot write r/(seats|detail)/", result.stderr)
    assert "Traceback" not in result.stderr
    assert list((tmp_path / "r/seats").iterdir()) == []
    assert arena("report", "r", cwd=tmp_path).returncode == 1


def test_unwritable_directory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = arena("run", "random", "greedy", "--games", "2", "--out", "file/r", cwd=tmp_path)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith("Error: cannot make the run directory file/r")


def test_damaged_shard_is_named(tmp_path: Path) -> None:
    played(tmp_path, "random", "greedy", "--games", 20, "--out", "r")
    shard = next((tmp_path / "r/seats").iterdir())
    shard.write_bytes(shard.read_bytes()[:-50])
    result = arena("report", "r", cwd=tmp_path)
    assert result.returncode == 1
    assert result.stdout == ""
    assert shard.name in result.stderr
    assert "damaged" in result.stderr


def test_damaged_plan_is_named(tmp_path: Path) -> None:
    played(tmp_path, "random", "greedy", "--games", 2, "--out", "r")
    good = json.loads((tmp_path / "r/plan.json").read_text())
    changes = [{"players": 0}, {"players": "x"}, {"games": None}, {"games": 3}, {"names": ["random"]}]
    for damage in ["", "{}", "[1]", "nonsense", *(json.dumps({**good, **change}) for change in changes)]:
        (tmp_path / "r/plan.json").write_text(damage)
        with pytest.raises(ArenaError, match=r"plan\.json is damaged"):
            run_directory.read_plan(tmp_path / "r")
    (tmp_path / "r/plan.json").write_text(json.dumps({**good, "extra": 1}))
    with pytest.raises(ArenaError, match=r"plan\.json was written by another version of the arena"):
        run_directory.read_plan(tmp_path / "r")
    assert arena("report", "r", cwd=tmp_path).returncode == 1


def test_shards_that_do_not_belong_are_named(tmp_path: Path) -> None:
    """A copied, a renamed and a foreign shard: nothing is counted twice, nothing is guessed."""
    played(tmp_path, "random", "greedy", "--games", 20, "--out", "r")
    shard = next((tmp_path / "r/seats").iterdir())
    content = shard.read_bytes()
    for name, says in [
        ("0000000010-0000000030.parquet", "does not hold the games"),
        ("0000000020-0000000022.parquet", "does not hold the games"),
        ("copy.parquet", "is not a shard of this run"),
    ]:
        extra = shard.with_name(name)
        extra.write_bytes(content)
        result = arena("report", "r", cwd=tmp_path)
        assert result.returncode == 1
        assert says in result.stderr
        extra.unlink()
    plan = (tmp_path / "r/plan.json").read_text()
    (tmp_path / "r/plan.json").write_text(plan.replace('"greedy"', '"grady"'))
    assert "is of another plan" in arena("report", "r", cwd=tmp_path).stderr
