"""Workers and parents killed (SIGKILL) at random moments: resumed until done, a run is what it is without that."""

import multiprocessing
import os
import random
import signal
import time
from pathlib import Path

import pytest

from arena import catalog
from arena.errors import ArenaError
from arena.reports.document import read_document
from arena.runs import collector, pool, preview
from arena.runs.resume import resume_run
from arena.runs.session import Played, no_display, play_tournament, played_in
from arena.store import run_directory
from arena.store.fault_log import read_faults
from arena.store.reader import Recorded
from arena.tournament.request import Request
from bad_bots import MOODY
from commands import result_files

GAMES = 1100
LONGEST = 120.0
"""Seconds that a session may take, whatever else this machine does; usually it is one or two."""


def play(run: Path, map_name: str) -> Played:
    """A session: the run is begun, or what is missing of it is played."""
    if (run / "plan.json").exists():
        return resume_run(run, 2, lambda text: None, no_display)
    bots = ["random", "random", "random", "greedy", "greedy", "racer", "moody.py:Moody"]
    request = Request(bots, map=map_name, players=2, games=GAMES, seed=7, jobs=2, out=run)
    return play_tournament(request, lambda text: None, no_display)


class Session:
    """A session in a process of its own."""

    def __init__(self, run: Path, map_name: str) -> None:
        self.process = multiprocessing.get_context("fork").Process(target=play, args=(run, map_name))
        with pool.forking():
            self.process.start()

    def wait(self, seconds: float) -> bool:
        """Whether it ends by itself within so many seconds."""
        self.process.join(seconds)
        return not self.process.is_alive()

    def kill(self) -> None:
        assert self.process.pid is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.join()

    def kill_worker(self, rng: random.Random) -> bool:
        """Kill one of its processes, if it has any."""
        children = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and self._has(entry)]
        if children:
            os.kill(rng.choice(children), signal.SIGKILL)
        return bool(children)

    def _has(self, entry: Path) -> bool:
        try:
            state, parent = (entry / "stat").read_text().rsplit(")", 1)[1].split()[:2]
        except OSError:  # it has just ended
            return False
        return int(parent) == self.process.pid and state != "Z"


def tables(run: Path) -> dict[str, bytes]:
    """All that must be equal, byte for byte."""
    others = {name: (run / name).read_bytes() for name in ("plan.json", "faults.jsonl")}
    return result_files(run) | others


def check_report(run: Path) -> None:
    """Whenever it was killed, a run can be read, and nothing of it is wrong."""
    plan = run_directory.read_plan(run)
    played = played_in(run, plan)
    if not played.recorded:
        with pytest.raises(ArenaError, match="holds no finished games"):
            read_document(run)
        return
    document = read_document(run)
    assert document.problems == ()
    assert document.summary.games == played.recorded
    assert document.faults == len(list(read_faults(run, Recorded.of(run, plan).ranges)))


@pytest.mark.slow("plays a run on three maps, and each again until it was killed often enough")
@pytest.mark.parametrize("kills", [5, pytest.param(200, marks=pytest.mark.long)])
def test_killed_and_resumed(kills: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(preview, "LEAST_BLOCKS", GAMES)  # no sample
    Path("moody.py").write_text(MOODY)
    maps = catalog.map_names()
    wanted: dict[str, dict[str, bytes]] = {}
    lengths: dict[str, float] = {}
    rng = random.Random(7)
    done = dict.fromkeys(("parent", "worker"), 0)
    number = 0
    while sum(done.values()) < kills:
        map_name, run = maps[number % len(maps)], Path(f"run{number}")
        number += 1
        if map_name not in wanted:
            begun = time.monotonic()
            assert play(Path(f"whole-{map_name}"), map_name).is_complete
            lengths[map_name] = time.monotonic() - begun
            wanted[map_name] = tables(Path(f"whole-{map_name}"))
            assert b"not today" in wanted[map_name]["faults.jsonl"]
        for _ in range(rng.randint(1, 6)):
            if sum(done.values()) >= kills:
                break
            monkeypatch.setattr(collector, "FLUSH_SECONDS", rng.choice([0.0, 0.1, 20.0]))
            session = Session(run, map_name)
            try:
                if rng.random() < 0.4 and not session.wait(lengths[map_name] * rng.random() * 0.7):
                    done["worker"] += session.kill_worker(rng)
                if not session.wait(lengths[map_name] * rng.random() * 0.5) and rng.random() < 0.9:
                    session.kill()
                    done["parent"] += 1
                assert session.wait(LONGEST), "it hangs"
            finally:
                if session.process.is_alive():
                    session.kill()
            if (run / "plan.json").exists():
                check_report(run)
            assert session.process.exitcode in (0, -signal.SIGKILL)
            if session.process.exitcode == 0:
                break  # it was not killed: it has played all that was missing
        last = Session(run, map_name)
        assert last.wait(LONGEST), "it hangs"
        assert last.process.exitcode == 0
        assert tables(run) == wanted[map_name]
        assert read_document(run).problems == ()
        assert not list(run.rglob("*.part"))
        assert sorted(path.name for path in run.iterdir() if path.name != ".lock") == [
            "detail", "faults.jsonl", "plan.json", "run.log", "seats", "times.json",
        ]  # fmt: skip
    print(done, number, "runs")
    assert done["parent"] > kills // 3
    assert done["worker"] > 0
