"""`arena run --shard` and `arena merge`: a run that was played in parts is the same bytes as a whole one."""

import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import arena as library
from arena.errors import ArenaError, UsageError
from arena.reports.document import STOPPED
from arena.runs import progress
from arena.runs.collector import earlier_chunks
from arena.runs.standings import Standings
from arena.store import run_directory
from arena.store.reader import Recorded
from arena.store.seat_tables import write_shard
from bad_bots import MOODY
from conftest import Result
from moody_runs import Play, tables

Call = Callable[..., Result]


@pytest.fixture
def folder(moody_folder: Path) -> Path:
    return moody_folder


@pytest.mark.slow("three parts are merged in steps, resumed and extended")
def test_parts_are_merged(folder: Path, arena: Call, play: Play) -> None:
    """In any order, in steps, some of them twice; a part can be resumed too, and says that it is one."""
    wanted = tables(play("whole"))
    parts = [play(f"p{number}", 120, "--shard", f"{number}/3") for number in (1, 2, 3)]
    assert {(part / "plan.json").read_bytes() for part in parts} == {wanted["plan.json"]}
    shown = " ".join(arena("report", "p2").stdout.split())
    assert "Part 2 of 3 of the plan: arena merge joins the parts." in shown
    assert "--shard 2/3" in shown
    assert "Not complete" not in shown
    assert STOPPED not in shown
    sorted((parts[1] / "seats").iterdir())[0].unlink()
    assert "Not complete: " in " ".join(arena("report", "p2").stdout.split())
    assert arena("resume", "p2").returncode == 0
    assert arena("resume", "p2").stderr == "p2 is complete: nothing is missing.\n"
    some = arena("merge", "p3", "p1", "p3", "-o", "some", "--json")
    assert some.returncode == 0
    assert some.stderr == "80 of 120 games; games 40 to 79 are missing: arena resume some plays them.\n"
    assert json.loads(some.stdout)["games"] == 80
    assert arena("merge", "p2", "some", "-o", "all").returncode == 0
    assert tables(Path("all")) == wanted
    assert arena("resume", "all").stderr == "all is complete: nothing is missing.\n"
    assert arena("resume", "some").returncode == 0
    assert tables(Path("some")) == wanted
    assert arena("extend", "some", "--games", 150).returncode == 0
    assert tables(Path("some")) == tables(play("larger", 150))


def test_parts_of_a_plan_with_a_suspended_bot(folder: Path, arena: Call, play: Play) -> None:
    """Its warm-up games lie in the first part: the others come to the same verdict."""
    (folder / "moody.py").write_text(MOODY.replace("0.01", "1.01"))
    play("whole", 120)
    for number in (1, 2, 3):
        play(f"p{number}", 120, "--shard", f"{number}/3")
    assert arena("merge", "p1", "p2", "p3", "-o", "all").returncode == 0
    assert tables(Path("all")) == tables(Path("whole"))
    assert len((Path("all") / "faults.jsonl").read_text().splitlines()) == 8


def test_merge_refuses(folder: Path, arena: Call, play: Play) -> None:
    a, b, c = play("a", 100), play("b", 100, "--seed", 2), play("c", 200)
    (folder / "there").mkdir()
    for runs, out, code, says in [
        ((a, b), "o", 2, "b is not of the same plan as a: seed 2 instead of 1"),
        ((a, c), "o", 2, "c is not of the same plan as a: 200 games instead of 100"),
        ((a, "nowhere"), "o", 2, "nowhere is not a run directory"),
        ((a, a), "there", 2, "there exists already; a run directory is never overwritten"),
    ]:
        result = arena("merge", *runs, "-o", out)
        assert result.returncode == code
        assert says in result.stderr
    plan = json.loads((b / "plan.json").read_text())
    plan["seed"] = 1
    plan["identity"]["bots"]["racer"] = plan["identity"]["bots"]["greedy"]
    (b / "plan.json").write_text(json.dumps(plan))
    assert "b is not of the same plan as a: another racer" in arena("merge", a, b, "-o", "o").stderr
    assert not Path("o").exists()


def test_games_that_came_out_differently_are_not_merged(folder: Path, arena: Call, play: Play) -> None:
    """Two directories that say they are of one plan: the first game that differs is named."""
    a = play("a", 100)
    shutil.copytree(a, "b")
    plan = run_directory.read_plan(a)
    outcomes, _ = Recorded.of(a, plan).load(0, 100)
    outcomes["score"][41, 0] += 1
    write_shard(Path("b"), plan, 0, outcomes[:50])
    result = arena("merge", a, "b", "-o", "o")
    assert result.returncode == 1
    assert result.stderr == "Error: b and an earlier run have different results of game 41\n"
    shard = next((a / "seats").iterdir())
    shard.write_bytes(shard.read_bytes()[:-9])
    result = arena("merge", a, "-o", "p")
    assert result.returncode == 1
    assert f"shard {shard} is damaged" in result.stderr
    for file in (a / "seats").iterdir():
        file.unlink()
    assert arena("merge", a, "-o", "p").stderr == "Error: no games were found in a\n"


def test_chunks_of_what_is_there(folder: Path, play: Play) -> None:
    """What standings and merging are fed with: the games and faults that are on disk, shard by shard."""
    run = play("r")
    plan = run_directory.read_plan(run)
    lines = [json.loads(line) for line in (run / "faults.jsonl").read_text().splitlines()]
    chunks = list(earlier_chunks(run, plan, (10, 100)))
    assert [(chunk.first, len(chunk.outcomes)) for chunk in chunks] == [(10, 40), (50, 50)]
    found = [(game, fault.seat, fault.reason) for chunk in chunks for game, of in chunk.faults.items() for fault in of]
    assert found == [(line["game"], line["seat"], line["reason"]) for line in lines if 10 <= line["game"] < 100]


def test_standings_count_what_is_there(folder: Path, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal the bar begins where the run stands, and the standings hold the games of earlier sessions."""
    run = play("r", 120, "--shard", "2/2")
    plan = run_directory.read_plan(run)
    terminal = io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "SECONDS", 0)
    chunks = list(earlier_chunks(run, plan, (60, 120)))
    with progress.live_display(plan, (60, 120), chunks[:1]) as show:
        show(chunks[1])
    shown = terminal.getvalue()
    assert "| 40/60 [" in shown
    assert "| 60/60 [" in shown
    standings = Standings(plan, 60)
    for chunk in reversed(chunks):
        standings.add(chunk)
    assert standings.next == 120
    shares = library.report(run).results["win_share"]
    assert {line.bot: round(line.share, 9) for line in standings.lines()} == shares.round(9).to_dict()
    assert all(progress.standing_text(line) in shown for line in standings.lines())


def test_from_python(folder: Path, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    run = play("r", 200)
    wanted = tables(run)
    next((run / "seats").iterdir()).unlink()
    assert library.resume("r", jobs=1).document.summary.games == 200
    assert tables(run) == wanted
    assert library.extend("r", games=300).plan.games == 300
    play("p", 300, "--shard", "1/2")
    assert library.merge(["p", "r"], "both").document.summary.games == 300
    assert tables(Path("both")) == tables(run)
    with pytest.raises(UsageError, match="nowhere is not a run directory"):
        library.resume("nowhere")
    with pytest.raises(ArenaError, match="is being played"), run_directory.one_writer(run):
        library.extend("r", games=400)
