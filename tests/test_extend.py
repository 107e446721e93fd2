"""`arena extend`: a run of more games is what it would be if it had been planned so."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.store import run_directory
from arena.store.ranges import shards
from arena.store.reader import Recorded
from arena.store.seat_tables import write_shard
from commands import result_files
from conftest import Result
from moody_runs import BOTS, Play, cut_into_pieces, tables

Call = Callable[..., Result]


@pytest.fixture
def folder(moody_folder: Path) -> Path:
    return moody_folder


@pytest.mark.parametrize(("before", "after"), [(30, 70), (120, 130), pytest.param(120, 4000, marks=pytest.mark.full)])
def test_extended_is_as_if_planned_so(before: int, after: int, folder: Path, arena: Call) -> None:
    """Shards that stay, that grow, and that are cut otherwise; several times, also after a killed run."""
    bots = BOTS if after < 4000 else ["random", "greedy", "racer"]
    arena("run", *bots, "--players", 2, "--games", before, "--out", "r")
    arena("run", *bots, "--players", 2, "--games", after, "--out", "whole")
    middle = before + 6
    if before > 100 and bots is BOTS:
        cut_into_pieces(Path("r"))
    assert arena("extend", "r", "--games", middle).returncode == 0
    result = arena("extend", "r", "--games", after)
    assert result.returncode == 0, result.stderr
    assert f"{middle:,} games become {after:,}." in result.stderr
    assert f"{after:,} games on" in result.stdout
    assert result_files(Path("r")) == result_files(Path("whole"))
    assert (Path("r") / "plan.json").read_bytes() == (Path("whole") / "plan.json").read_bytes()
    if bots is BOTS:
        assert tables(Path("r")) == tables(Path("whole"))
    assert arena("resume", "r").stderr == "r is complete: nothing is missing.\n"


def test_a_design_stays_what_it_was(folder: Path, arena: Call) -> None:
    """A balanced design, chosen for few games, is kept: the larger plan begins with the same games."""
    bots = ["random", "greedy", "racer", "random", "greedy", "racer", "random"]
    arena("run", *bots, "--players", 3, "--games", 63, "--out", "r")
    assert run_directory.read_plan(Path("r")).design == "balanced"
    assert arena("extend", "r", "--games", 630).returncode == 0
    arena("run", *bots, "--players", 3, "--games", 630, "--design", "balanced", "--out", "whole")
    assert result_files(Path("r")) == result_files(Path("whole"))
    assert (Path("r") / "plan.json").read_bytes() == (Path("whole") / "plan.json").read_bytes()


def test_extending_is_safe_when_killed(folder: Path, arena: Call, play: Play) -> None:
    """Between the two plans, and when the new shards are being made of the old ones."""
    run, whole = play("r"), play("whole", 160)
    plan = run_directory.read_plan(whole)
    for step in range(3):
        shutil.copytree(run, f"r{step}")
        copy = Path(f"r{step}")
        if step == 0:  # before the switch
            (copy / ".plan.json.part").write_bytes(b"{")
            assert arena("extend", copy, "--games", 160).returncode == 0
        else:
            run_directory.write_plan(copy, plan)
            if step == 2:
                first, last = list(shards(plan))[2]
                shutil.copy(whole / "faults.jsonl", copy)  # what went wrong comes before the games
                write_shard(copy, plan, first, Recorded.of(whole, plan).load(first, last)[0])
            report = arena("report", copy)
            assert report.returncode == 0
            assert "of 160 planned" in report.stdout
            assert arena("resume", copy).returncode == 0
        assert tables(copy) == tables(whole)


def test_extend_refuses(folder: Path, arena: Call, play: Play) -> None:
    play("r", 100)
    play("part", 100, "--shard", "1/2")
    for run, games, says in [
        ("r", 100, "--games 100 is the new total, but r has 100 games planned already"),
        ("r", 99, "--games 99 is the new total"),
        ("r", 0, "--games 0 is too few"),
        ("r", 10**12, "--games is too large"),
        ("part", 200, "part is part 1/2 of its plan: merge the parts first"),
        ("nowhere", 200, "nowhere is not a run directory"),
    ]:
        result = arena("extend", run, "--games", games)
        assert result.returncode == 2
        assert says in result.stderr
    assert run_directory.read_plan(Path("r")).games == 100
