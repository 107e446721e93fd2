"""The processes of a run: workers that die or stay behind, parents that are killed, and interrupts."""

import json
import multiprocessing
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pandas as pd
import pytest

from arena import catalog
from arena.runs import pool
from arena.runs.processes import forking
from arena.runs.runner import play_plan
from arena.store import run_directory
from commands import START, arena, start
from helpers import make_plan
from played import by_bot, run_json, table

BOTS = Path(__file__).with_name("run_bots.py").read_text()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bad.py").write_text(BOTS)
    return tmp_path


def test_killed_parent_leaves_no_workers(folder: Path) -> None:
    """Workers of a run that was killed end by themselves."""
    process = start("run", "random", "greedy", "--games", 100_000_000, "--jobs", 2, "--out", "r", cwd=folder)
    workers = wait_for_workers(folder / "r/run.log", 2)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=20)
    deadline = time.monotonic() + 20
    while any(alive(worker) for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def wait_for_workers(log: Path, count: int) -> list[int]:
    """The process ids of the workers, once all are ready."""
    deadline = time.monotonic() + 120
    while True:
        found = re.findall(r"worker (\d+) ready", log.read_text() if log.exists() else "")
        if len(found) == count:
            return [int(worker) for worker in found]
        assert time.monotonic() < deadline
        time.sleep(0.05)


def alive(process: int) -> bool:
    """Whether a process still runs; one that has ended and waits to be reaped does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_worker_that_dies_costs_only_the_guilty_seat(folder: Path) -> None:
    """All games are there; the seat that ended its process has a fault in its warm-up games, then it is not asked."""
    report = run_json(folder, "bad.py:Dies", "random", "--games", 12, "--out", "r")
    rows = table(folder / "r").set_index(["game", "bot"])["fault"].unstack()
    assert rows["bad.py:Dies"].tolist() == ["died"] * 8 + ["probation"] * 4
    assert set(rows["random"]) == {"none"}
    assert by_bot(report)["bad.py:Dies"]["win_share"] == 0
    faults = [json.loads(line) for line in (folder / "r/faults.jsonl").read_text().splitlines()]
    assert [fault["game"] for fault in faults] == list(range(8))
    assert {fault["reason"] for fault in faults} == {
        "the process in which it decided is gone: it ended with exit code 9"
    }


def interrupted(folder: Path, *arguments: str, signals: int, kind: int = signal.SIGINT) -> tuple[int, str, str]:
    """Start a long run and, once it plays, interrupt it as the terminal does: the whole process group."""
    process = start("run", *arguments, "--out", "r", cwd=folder)
    wait_for_workers(folder / "r/run.log", 2)
    for _ in range(signals):
        time.sleep(0.5)
        os.killpg(process.pid, kind)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@pytest.mark.slow("two processes play until they are interrupted")
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGHUP])
def test_interrupt_keeps_what_was_played(folder: Path, kind: int) -> None:
    """Ctrl-C or a closed terminal: games in flight are finished, all is kept and readable, the exit code says so."""
    arguments = ["random", "greedy", "--games", "100000000", "--jobs", "2"]
    code, out, err = interrupted(folder, *arguments, signals=1, kind=kind)
    assert code == 130
    assert "Interrupted:" in err
    assert "Traceback" not in err
    rows = table(folder / "r")
    assert len(rows) > 1000
    assert (rows["game"] == pd.Series(range(len(rows))) // 2).all()
    assert f"{len(rows) // 2:,} games of 100,000,000 planned" in out
    assert arena("report", "r", cwd=folder).returncode == 0


def test_second_interrupt_stops_at_once(folder: Path) -> None:
    """The games in flight of a bot that sleeps are not waited for."""
    begun = time.monotonic()
    code, _, err = interrupted(folder, "bad.py:Sleeps", "random", "--games", "100000", "--jobs", "2", signals=2)
    assert code == 130
    assert "Traceback" not in err
    assert time.monotonic() - begun < 60


def test_early_interrupt_is_no_crash(folder: Path) -> None:
    """Before anything is played: exit code 130, a word, no run directory."""
    (folder / "slow.py").write_text("import pathlib, time\npathlib.Path('loading').touch()\ntime.sleep(60)\n")
    command = [*START, "run", "slow.py:Any", "greedy", "--out", "r"]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (folder / "loading").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.5)  # into the bot's sleep: within a callback of the import system Python swallows the interrupt
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "Interrupted."
    assert not (folder / "r").exists()


@pytest.mark.parametrize("interrupts", [1, 2])
def test_interrupt_waits_for_the_compiler(folder: Path, interrupts: int) -> None:
    """Once: when it is done. Twice: now. Never a traceback, never a run."""
    (folder / "slow.py").write_text(
        "import pathlib, time\nfrom arena.bot import Bot\n\n\nclass Slow(Bot):\n"
        "    @classmethod\n    def prepare(cls):\n        pathlib.Path('preparing').touch()\n        time.sleep(4)\n"
        "        pathlib.Path('prepared').touch()\n\n    def choose(self, view):\n        return view.actions[0]\n"
    )
    process = start("run", "slow.py:Slow", "greedy", "--out", "r", cwd=folder)
    deadline = time.monotonic() + 60
    while not (folder / "preparing").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    for _ in range(interrupts):
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Interrupted: stopping when this is compiled." in err
    assert "Traceback" not in err
    assert (folder / "prepared").exists() == (interrupts == 1)
    assert not (folder / "r").exists()


def test_thread_left_behind_does_not_hold_up_the_run(folder: Path) -> None:
    report = run_json(folder, "bad.py:Threads", "random", "--games", 4, "--jobs", 1)
    assert report["games"] == 4


def test_processes_of_others_are_left_alone(folder: Path) -> None:
    """Whoever plays a run out of a program of its own may have started some."""
    other = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,))
    with forking():
        other.start()
    try:
        plan, _, _ = make_plan(["random", "greedy"], catalog.default_map(), 2, 4, 1)
        play_plan(plan, run_directory.create(folder / "beside", plan), 1, lambda chunk: None)
        pool.stop_now()
        assert other.is_alive()
    finally:
        other.kill()
        other.join()
