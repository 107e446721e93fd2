"""`arena resume`: however a run was cut up, its tables are the same bytes, and what has changed is noticed."""

import json
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena import __version__
from arena.reports.document import STOPPED
from arena.runs.resume import tidy
from arena.store import ranges, run_directory
from bad_bots import MOODY
from commands import START, result_files, seat_files, start
from commands import arena as command
from conftest import Result
from moody_runs import Play, cut_into_pieces, tables

Call = Callable[..., Result]


@pytest.fixture
def folder(moody_folder: Path) -> Path:
    return moody_folder


def test_resume_plays_what_is_missing(folder: Path, arena: Call, play: Play) -> None:
    run = play("r")
    wanted = tables(run)
    cut_into_pieces(run)
    report = arena("report", run)
    assert report.returncode == 0
    shown = " ".join(report.stdout.split())
    assert "92 games of 120 planned" in shown
    assert "Not complete: 92 of 120 games are recorded; arena resume r plays the rest." in shown
    assert STOPPED in shown
    result = arena("resume", run, "--jobs", 2, "--json")
    assert result.returncode == 0
    assert json.loads(result.stdout)["games"] == 120
    assert "92 of 120 games are there: playing the other 28." in result.stderr
    assert tables(run) == wanted
    assert not list(run.rglob("*.part"))
    again = arena("resume", run)
    assert again.returncode == 0
    assert again.stderr == "r is complete: nothing is missing.\n"
    assert "120 games on 60 deals" in again.stdout
    assert "not complete" not in again.stdout.lower()
    assert [session.games for session in run_directory.read_sessions(run)] == [28]
    (run / "times.json").unlink()  # as if it had been killed after its last game
    with (run / "faults.jsonl").open("a") as file:
        file.write("{")
    assert arena("resume", run).stderr == "r is complete: nothing is missing.\n"
    assert tables(run) == wanted
    assert run_directory.read_times(run)["recorded"] == 120


def test_details_without_results_are_deleted(folder: Path, play: Play) -> None:
    """Whoever is killed between the two files of a shard leaves those behind; what is not ours stays."""
    run = play("r")
    before = set((run / "detail").iterdir())
    shard = min(before)
    lone, mine = run / "detail" / "0000000002-0000000006.parquet", run / "detail" / "mine.parquet"
    for path in (lone, mine):
        shutil.copy(shard, path)
    tidy(run, run_directory.read_plan(run), print)
    assert set((run / "detail").iterdir()) == before | {mine}
    assert len(seat_files(run)) == len(before)


@pytest.mark.slow("as many games as an interrupt needs to come in between, played twice")
def test_resume_after_an_interrupt(folder: Path) -> None:
    """The real thing: Ctrl-C, a word that says how it goes on, and so it does."""
    arguments = ["random", "greedy", "--games", "10000", "--jobs", "2", "--out", "r"]
    process = subprocess.Popen(
        [*START, "run", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 120
    while not list((folder / "r/seats").glob("*.parquet")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "arena resume r plays the others." in err
    assert "arena resume r plays the rest." in " ".join(out.split())
    some = seat_files(folder / "r")
    result = command("resume", "r", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert command("run", *arguments[:-1], "whole", cwd=folder).returncode == 0
    assert result_files(folder / "r") == result_files(folder / "whole")
    assert 0 < len(some) <= len(seat_files(folder / "whole"))


def test_a_bot_that_has_changed_is_noticed(folder: Path, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "LEAST_GAMES", 500)  # as in the processes that load the bot anew
    run = play("r")
    before = tables(run)
    cut_into_pieces(run)
    (folder / "moody.py").write_text(MOODY.replace("0.01", "0.02"))
    result = command("extend", run, "--games", 200, cwd=folder)
    assert result.returncode == 2
    assert result.stderr.startswith("Error: bot moody.py:Moody has changed since the run was begun")
    assert "play a new run: arena run random random greedy racer moody.py:Moody" in result.stderr
    (folder / "moody.py").unlink()
    result = command("resume", run, cwd=folder)
    assert result.returncode == 2
    assert "bot file moody.py does not exist (files are looked for from the folder in which" in result.stderr
    (folder / "moody.py").write_text(MOODY)
    assert command("resume", run, cwd=folder).returncode == 0
    assert tables(run) == before


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ("rules", f"Error: this is another version of the rules than the run was begun with ({__version__})"),
        ("engine", f"Error: this is another version of the arena than the run was begun with ({__version__})"),
        ("map", "Error: the map usa has changed since the run was begun"),
    ],
)
def test_another_arena_is_noticed(part: str, says: str, folder: Path, arena: Call, play: Play) -> None:
    run = play("r", 100)
    plan = json.loads((run / "plan.json").read_text())
    plan["identity"][part] = "0" * 32
    (run / "plan.json").write_text(json.dumps(plan))
    next((run / "seats").iterdir()).unlink()
    result = arena("resume", run)
    assert result.returncode == 2
    assert result.stderr.startswith(says)


def test_other_versions_are_noted(folder: Path, arena: Call, play: Play) -> None:
    """They change no game: what is there counts, and the plan stays what it was."""
    run = play("r", 100)
    plan = (run / "plan.json").read_text()
    text = json.dumps(
        {**json.loads(plan), "identity": {**json.loads(plan)["identity"], "numpy": "1.0", "pyarrow": "2"}}
    )
    (run / "plan.json").write_text(text)
    next((run / "seats").iterdir()).unlink()
    result = arena("resume", run)
    assert result.returncode == 0
    assert (
        "Begun with another NumPy and PyArrow: the games and their numbers are the same, though perhaps not the same"
        in (result.stderr)
    )
    assert (run / "plan.json").read_text() == text


def test_damaged_shards_are_set_aside_and_played_again(folder: Path, arena: Call, play: Play) -> None:
    """One with half its bytes, one with another number, one of another plan: kept, named, replaced."""
    pq, pa = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
    run, other = play("r", 200), play("other", 200, "--seed", 2)
    wanted = tables(run)
    names = list(seat_files(run))
    files = [run / "seats" / name for name in names]
    files[0].write_bytes(files[0].read_bytes()[:-100])
    table = pq.read_table(files[1])
    scores = pa.array([score + (row == 7) for row, score in enumerate(table.column("score").to_pylist())], pa.int16())
    pq.write_table(table.set_column(table.column_names.index("score"), table.field("score"), scores), files[1])
    shutil.copy(other / "seats" / names[2], files[2])
    (run / "seats/copy.parquet").write_bytes(b"?")
    damaged = [file.read_bytes() for file in files[:3]]
    report = arena("report", run)
    assert report.returncode == 1
    for text in ("is damaged", "was changed after it was written", "is of another plan", "copy.parquet is not a shard"):
        assert text in report.stderr
    result = arena("resume", run)
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("its games are played again.") == 4
    assert tables(run) == wanted
    assert [(run / "damaged" / name).read_bytes() for name in names[:3]] == damaged
    assert "Not complete" not in result.stdout


def test_one_process_plays_a_run(folder: Path, arena: Call) -> None:
    """A second one is refused; when the first is killed, its lock is gone with it, whatever its workers do."""
    (folder / "sleepy.py").write_text(
        "import time\nfrom arena.bot import Bot\n\n\nclass Sleepy(Bot):\n    def choose(self, view):\n"
        "        time.sleep(300)\n        return view.actions[0]\n"
    )
    options = ["--games", "4", "--jobs", "1", "--move-time", "0", "--out", "r"]
    process = start("run", "sleepy.py:Sleepy", "random", *options, cwd=folder)
    deadline = time.monotonic() + 120
    log = folder / "r/run.log"
    while not (log.exists() and "ready" in log.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    try:
        result = arena("resume", "r")
        assert result.returncode == 1
        assert result.stderr == "Error: r is being played by another process: wait for it, or stop it first\n"
        assert arena("extend", "r", "--games", 8).returncode == 1
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
    with run_directory.one_writer(folder / "r"):
        pass
