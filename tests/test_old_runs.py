"""Runs that earlier versions recorded: reported and replayed as before, never mixed with other games.

A folder a version in `old_runs/`, with a run of each map: 60 games, faults of a bot in a file, details.
"""

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import arena
from commands import arena as command
from commands import result_files

HERE = Path(__file__).parent / "old_runs"
RUNS = sorted(str(plan.parent.relative_to(HERE)) for plan in HERE.glob("*/*/plan.json"))


@pytest.fixture(params=RUNS)
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a run, beside its bot."""
    source = HERE / request.param
    shutil.copytree(source, tmp_path / "run")
    shutil.copy(source.parent / "shaky.py", tmp_path)
    return tmp_path / "run"


def version_of(run: Path) -> str:
    version: str = json.loads((run / "plan.json").read_text())["identity"]["arena"]
    return version


def test_every_map_is_there() -> None:
    assert {name.partition("/")[2] for name in RUNS} == {"japan", "south_korea", "usa"}
    assert {name.partition("/")[0] for name in RUNS} == {"0.1.0"}


def test_it_is_reported(run: Path) -> None:
    result = command("report", run, cwd=run.parent)
    assert result.returncode == 0, result.stderr
    assert "60 games" in result.stdout
    rows = arena.report(run).results
    assert rows["faults"].sum() == len((run / "faults.jsonl").read_text().splitlines()) > 5
    assert rows["games"].sum() == 180


def test_its_games_are_replayed(run: Path) -> None:
    """To the scores that were recorded, also where a bot did something wrong."""
    faulty = json.loads((run / "faults.jsonl").read_text().splitlines()[0])["game"]
    scores = pq.read_table(next((run / "seats").iterdir())).to_pandas().groupby("game")["score"]
    for game in (faulty, 59):
        result = command("replay", run, game, "--json", cwd=run.parent)
        assert result.returncode == 0, result.stderr
        events = map(json.loads, result.stdout.splitlines())
        totals = [event["total"] for event in events if event["event"] == "score"]
        assert totals == scores.get_group(game).tolist()


def test_verify_says_what_has_changed(run: Path) -> None:
    result = command("verify", run, cwd=run.parent)
    assert result.returncode == 1
    text = " ".join(result.stdout.split())
    assert f"the engine of the run (arena {version_of(run)}) and the engine installed differ" in text
    assert "ok 60 games in 1 shard" in text


@pytest.mark.parametrize("words", [("extend", "--games", 90), ("resume",)])
def test_it_is_not_played_on(run: Path, words: tuple[object, ...]) -> None:
    """By other rules it would be another tournament: a sentence says which version to use, and nothing is touched."""
    if words == ("resume",):
        next((run / "seats").iterdir()).unlink()
    before = result_files(run)
    result = command(words[0], run, *words[1:], cwd=run.parent)
    assert result.returncode == 2
    assert f"than the run was begun with ({version_of(run)}): use that one, or start a new run" in result.stderr
    assert result_files(run) == before
