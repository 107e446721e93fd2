"""Bots in processes of their own: the same games, every guard tried by a bot, nothing left behind."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from arena import catalog
from arena.engine.external import isolated, launch, process, sandbox
from arena.engine.external.process import SCRATCH
from arena.engine.faults import Fault
from arena.engine.limits import Limits
from arena.engine.table import Table
from arena.errors import ArenaError, UsageError
from arena.rules.compiler import INTERPRETED, digest_of
from arena.rules.deal import make_deals
from arena.runs.worker import load_table
from commands import START
from guards import _nothing_left, needs, processes_of, wait_until
from helpers import make_plan

__all__ = ["_nothing_left"]

STRANGERS = Path(__file__).parent / "stranger_bots.py"


def table_of(*bots: str, isolate: bool = True, map_name: str = "usa", **limits: object) -> Table:
    specs = [bot if bot in catalog.bot_entry_points() else f"{STRANGERS}:{bot}" for bot in bots]
    limit = Limits(isolate=isolate, **limits)  # type: ignore[arg-type]
    return Table(catalog.load_map(map_name), len(bots), catalog.load_entrants(specs, isolate=isolate), limit)


def fault_of(bot: str, **limits: object) -> Fault:
    """What a stranger's bot does wrong in a game with `random`, which is played to its end."""
    table = table_of(bot, "random", **limits)
    outcomes, faults = table.play(np.array([[0, 1]]), make_deals(1, [0]))
    assert outcomes["rank"][0, :2].tolist() == [2, 1]
    assert [fault.seat for fault in faults[0]] == [0]
    return faults[0][0]


# The same games


def played(bots: tuple[str, ...], isolate: bool, map_name: str) -> tuple[bytes, object]:
    table = table_of(*bots, isolate=isolate, map_name=map_name)
    seats = len(bots)
    seatings = np.array([np.roll(np.arange(seats), game) for game in range(seats)])  # each bot once in every seat
    outcomes, faults = table.play(seatings, make_deals(5, range(len(seatings))))
    return outcomes.tobytes(), faults


@pytest.fixture(scope="module")
def _prepared() -> None:
    """The compiled stranger is compiled once, not in each of its processes."""
    for entrant in isolated.described(catalog.load_entrants([f"{STRANGERS}:compiled"], isolate=True), 0):
        entrant.bot.prepare()


@pytest.mark.usefixtures("_prepared")
@pytest.mark.parametrize(
    "map_name", ["south_korea", *(pytest.param(name, marks=pytest.mark.full) for name in ("japan", "usa"))]
)
def test_isolated_games_are_the_same(map_name: str) -> None:
    bots = ("Fair:least=3", "compiled", "tutorial", "greedy")
    alone = played(bots, True, map_name)
    assert alone == played(bots, False, map_name)
    assert alone[1] == {}


def test_faults_are_the_same() -> None:
    bots = ("Raises", "Foreign", "ReturnsView", "NoConstructor", "Leaves")
    outcomes, faults = played(bots, True, "usa")
    assert (outcomes, faults) == played(bots, False, "usa")
    assert len(faults) == 5  # type: ignore[arg-type]
    table = table_of("Raises", "random")
    _, found = table.play(np.array([[0, 1]]), make_deals(1, [0]))
    assert re.search(r"xxx \.\.\. \(stranger_bots\.py:\d+ in helper\)$", found[0][0].reason)
    assert "stranger_bots.py" in found[0][0].traceback


def test_one_entrant_in_two_chairs() -> None:
    results = []
    for isolate in (True, False):
        table = table_of("Fair", "random", isolate=isolate)
        outcomes, faults = table.play(np.array([[0, 0], [0, 1], [0, 0]]), make_deals(1, [0, 1, 2]))
        assert faults == {}
        results.append(outcomes.tobytes())
    assert results[0] == results[1]


def test_other_table_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process of an entrant is told the map and the seats anew; and at most MOST_RUNNING wait for another game."""
    monkeypatch.setattr(isolated, "MOST_RUNNING", 1)
    tables = [table_of("Fair", "random") for _ in range(2)]
    for table in (*tables, tables[0]):
        assert table.play(np.array([[0, 1]]), make_deals(1, [0]))[1] == {}
        assert len(isolated._running) <= isolated.MOST_RUNNING


# Guards


@pytest.fixture(scope="module")
def nosy() -> dict[str, object]:
    """What the curious bot found."""
    os.environ["NOSY_SECRET"] = "seed"
    with socket.create_server(("127.0.0.1", 0)):
        fault = fault_of("Nosy")
    isolated.close_all()
    assert fault.kind == "exception", fault
    return json.loads(fault.stderr)  # type: ignore[no-any-return]


def test_environment_and_descriptors(nosy: dict[str, object]) -> None:
    assert not {"NOSY_SECRET", "PATH", "PYTHONPATH", "USER"} & set(nosy["environment"])  # type: ignore[call-overload]
    # The three, the channel, and the folder being listed.
    assert len(nosy["descriptors"]) <= 6  # type: ignore[arg-type]
    assert {"cache", "mine"} <= set(nosy["scratch"]) <= {"cache", "mine", "big"}  # type: ignore[call-overload]


def test_limits(nosy: dict[str, object]) -> None:
    assert nosy["open_files"] < sandbox.OPEN_FILES  # type: ignore[operator]
    assert nosy["big_file"] == "OSError 27"
    assert nosy["modules"] == "changed"  # there: the game was played to its end here


@needs(sandbox.COUNT)
def test_forks(nosy: dict[str, object]) -> None:
    assert nosy["forks"] < sandbox.PROCESSES  # type: ignore[operator]


@needs(sandbox.NETWORK)
def test_no_network(nosy: dict[str, object]) -> None:
    assert nosy["interfaces"] == []
    assert str(nosy["network"]).startswith(("OSError", "ConnectionRefusedError"))


@needs(sandbox.READ_ONLY)
def test_read_only_files(nosy: dict[str, object]) -> None:
    assert nosy["write"] == nosy["cache"] == "OSError 30"
    assert not (STRANGERS.parent / "written").exists()


@needs(sandbox.UNSEEN)
def test_other_processes_are_out_of_reach(nosy: dict[str, object]) -> None:
    assert nosy["processes"] == ["1"]
    assert nosy["kill"] == 0


@needs(sandbox.READ_ONLY)
def test_the_run_is_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "_hidden", [])
    (tmp_path / "plan.json").write_text("seed")
    launch.hide(tmp_path)
    assert fault_of(f"Folder:where={tmp_path}").reason.startswith("RuntimeError: [] (")


def test_tampering_stays_there() -> None:
    table = table_of("Tampers", "tutorial", "random")
    _, faults = table.play(np.array([[0, 1, 2], [1, 2, 0]]), make_deals(1, [0, 1]))
    assert {fault.kind for found in faults.values() for fault in found} == {"exception"}
    assert {table.entrants[[0, 2][game]].name for game in faults} <= {"stranger_bots.py:Tampers", "random"}
    assert [found[0].seat for found in faults.values()] == [0, 2]


def test_a_forged_answer() -> None:
    fault = fault_of("Forges")
    assert (fault.kind, fault.reason) == ("died", "its process sent something that is not an answer")


# Time, memory, death


@pytest.mark.parametrize("bot", ["Sleeps", "Loops"])
def test_decision_without_end(bot: str) -> None:
    begun = time.monotonic()
    fault = fault_of(bot, move_time=0.5)
    assert (fault.kind, fault.reason) == ("move_time", "a decision took longer than 0.5 s")
    assert time.monotonic() - begun < 60


def test_long_game() -> None:
    fault = fault_of("Slow", game_time=0.35)
    assert (fault.kind, fault.reason) == ("game_time", "its decisions in this game took longer than 0.35 s")


def test_ends_its_process() -> None:
    """And has another one in the next game."""
    table = table_of("Exits", "random")
    _, faults = table.play(np.array([[0, 1], [0, 1]]), make_deals(1, [0, 1]))
    assert [(fault.kind, fault.reason) for found in faults.values() for fault in found] == [
        ("died", "its process ended: exit code 3")
    ] * 2
    assert set(faults[0][0].stderr.split()) == {"good-bye"}


def test_crashes() -> None:
    fault = fault_of("Crashes")
    assert (fault.kind, fault.reason) == ("died", "its process ended: killed by signal 11 (segmentation fault)")
    assert "stranger_bots.py" in fault.stderr


def test_memory() -> None:
    fault = fault_of("Allocates", memory=200 << 20)
    assert fault.kind == "memory"
    assert "MemoryError" in fault.reason
    fault = fault_of("AllocatesInSteps", memory=200 << 20)
    assert (fault.kind, fault.reason[:45]) == ("memory", "its process ended near its limit of 200M: kil")


def test_prints_megabytes() -> None:
    fault = fault_of("Prints")
    assert fault.reason.startswith("RuntimeError: printed")
    assert fault.stderr.endswith("the end of it\n")
    assert len(fault.stderr) <= 2048


def test_what_it_started_ends_with_it() -> None:
    fault_of("Threads")
    assert processes_of(str(STRANGERS))
    isolated.close_all()
    wait_until(lambda: not processes_of(str(STRANGERS)))


# Loading


@pytest.mark.parametrize(
    ("body", "kind", "failure"),
    [
        ("raise RuntimeError('no')", "exception", "does not import: RuntimeError: no"),
        ("import os; os._exit(5)", "died", "its process ended while it was loaded: exit code 5"),
        ("def", "exception", "does not import: SyntaxError"),
    ],
)
def test_what_does_not_load_loses_its_games(tmp_path: Path, body: str, kind: str, failure: str) -> None:
    (tmp_path / "bad.py").write_text(f"class Bad: ...\n{body}\n")
    spec = f"{tmp_path}/bad.py:Bad"
    plan, board, entrants = make_plan([spec, "random"], "usa", 2, 2, 1, limits=Limits(isolate=True))
    assert plan.identity.bots[entrants[0].name]
    assert any(failure in note for note in isolated.notes(entrants))
    loaded = catalog.load_entrants(plan.bots, isolate=True)
    _, faults = Table(board, 2, loaded, plan.limits).play(np.array([[0, 1], [1, 0]]), make_deals(1, [0, 0]))
    assert [(fault.kind, failure in fault.reason) for found in faults.values() for fault in found] == [(kind, True)] * 2


LIES = """
import arena.catalog.child as child
from arena.bot import Bot


class Lies(Bot):
    def choose(self, view):
        return view.actions[0]


child._facts = lambda entrant: {"digest": "0" * 32, "compiles": "", "by_clock": "", "resident": "much"}
"""


def test_what_it_says_of_itself_is_not_trusted(tmp_path: Path) -> None:
    """Neither its digest nor numbers that are none; and a change of its code is noticed in the middle of a run."""
    file = tmp_path / "lies.py"
    file.write_text(LIES)
    plan, _, entrants = make_plan([f"{file}:Lies", "random"], "usa", 2, 2, 1, limits=Limits(isolate=True))
    assert plan.identity.bots[entrants[0].name] == digest_of([file])
    table = load_table(plan)
    seatings, deals = np.array([[0, 1]]), make_deals(1, [0])
    table.play(seatings, deals)
    file.write_text(LIES.replace("actions[0]", "actions[-1]"))
    table.play(seatings, deals)  # the process goes on with what it has loaded
    isolated.close_all()
    with pytest.raises(ArenaError, match=r"the code of bot .*lies\.py:Lies was changed while it was played"):
        table.play(seatings, deals)


def test_a_full_machine_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of("Fair", "random")
    monkeypatch.setattr(process, "gettempdir", lambda: "/nonexistent")
    with pytest.raises(ArenaError, match=r"the process of a bot cannot be started: /nonexistent/.*: No such file"):
        table.play(np.array([[0, 1]]), make_deals(1, [0]))
    assert not processes_of("/nonexistent/")


ELSEWHERE = """
import contextlib, importlib, io, json, os, pkgutil, select, signal, sys
import concurrent.futures.process, pandas, pyarrow.parquet, scipy.stats, tqdm  # as they are

sys.modules.update(dict.fromkeys(("resource", "fcntl"), None))
for module, names in (
    (os, ("fork", "register_at_fork", "sched_getaffinity", "geteuid", "waitid", "wait4", "setsid", "set_blocking")),
    (select, ("poll", "POLLIN", "POLLOUT", "POLLERR", "POLLHUP")),
    (signal, ("SIGKILL", "SIGHUP", "SIGPIPE", "SIGXFSZ")),
):
    for name in names:
        vars(module).pop(name, None)
import arena
from arena.cli import main

ours = {"child", "sandbox", "supervisor"}  # what runs in the processes that there are not
for found in pkgutil.walk_packages(arena.__path__, "arena."):
    if found.name.split(".")[1] != "template" and found.name.split(".")[-1] not in ours:
        importlib.import_module(found.name)


def call(line):
    with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.redirect_stdout(io.StringIO()):
        try:
            main(line.split(), prog_name="arena")
        except SystemExit as stopped:
            return stopped.code, said.getvalue()


print(json.dumps([call(line) for line in sys.argv[1:]]))
"""


def test_a_system_without_fork() -> None:
    """One process for all three commands: it must load every module without what there is not."""
    expected = {
        "run random tutorial --isolate --games 1": (2, "--isolate is not possible on this system"),
        "run random cmd:/bin/true --games 1": (2, "bot 'cmd:/bin/true' is not possible on this system"),
        "run --help": (0, ""),
    }
    done = subprocess.run([sys.executable, "-c", ELSEWHERE, *expected], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for (code, message), (found, said) in zip(expected.values(), json.loads(done.stdout), strict=True):
        assert (found, message in said) == (code, True), said


def test_no_line_of_it_runs_here(tmp_path: Path) -> None:
    (tmp_path / "marks.py").write_text(
        f"import os\nfrom arena.bot import Bot\nassert os.getpid() != {os.getpid()}\n"
        "class Marks(Bot):\n    def choose(self, view):\n        return view.actions[0]\n"
    )
    specs = [f"{tmp_path}/marks.py:Marks", "tutorial", "random"]
    plan, _, entrants = make_plan(specs, "usa", 3, 3, 1, limits=Limits(isolate=True))
    assert not any(str(tmp_path) in str(getattr(module, "__file__", "")) for module in list(sys.modules.values()))
    assert [type(entrant.bot).__name__ for entrant in entrants] == ["Isolated", "Isolated", "Policy"]
    here, _, _ = make_plan(["tutorial", "random"], "usa", 2, 2, 1)
    assert plan.identity.bots["tutorial"] == here.identity.bots["tutorial"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("missing.py:Bot", "bot file missing.py does not exist"),
        ("tutorail", "unknown bot 'tutorail': did you mean tutorial?"),
        (f"{STRANGERS}:Fare", "unknown bot 'Fare': did you mean Fair"),
        (f"{STRANGERS}:Fair:lest=3", "unknown parameter 'lest'"),
    ],
)
def test_what_does_not_exist_is_refused(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make_plan([spec, "random"], "usa", 2, 2, 1, limits=Limits(isolate=True))


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_compiled_code_is_kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a stranger's bot compiled is loaded by processes of that bot only."""
    (tmp_path / "apart.py").write_text(
        "from arena.bot import policy\n@policy\ndef apart(view, board, actions, memory, random_state):\n"
        "    return actions[0]\n"
    )
    _, _, entrants = make_plan([f"{tmp_path}/apart.py:apart", "random"], "usa", 2, 2, 1, limits=Limits(isolate=True))
    bot = entrants[0].bot
    assert isinstance(bot, isolated.Isolated)
    assert not bot.prepared
    bot.prepare()
    assert bot.prepared
    assert not bot.failure
    assert list(launch.cache_of(bot.spec).rglob("*.code"))
    assert not list(launch.cache_root().glob("*/*apart*"))


# Whole runs


def test_a_run_says_what_holds(tmp_path: Path, arena: Callable[..., Any]) -> None:
    bots = [f"{STRANGERS}:Fair", "random", "--games", "4", "--jobs", "1", "--out"]
    here = arena("run", *bots, "here")
    alone = arena("run", *bots, "alone", "--isolate", "--json")
    assert here.returncode == alone.returncode == 0, alone.stderr
    assert alone.stderr.count("Isolated: memory, time, ") == 1
    assert json.loads(alone.stdout)
    tables = [pd.read_parquet(tmp_path / run / "seats") for run in ("here", "alone")]
    assert tables[0].equals(tables[1])  # byte for byte they differ: a shard names its plan


@pytest.mark.slow("three commands, each of which starts its own processes for the bots")
def test_a_run_of_strangers_is_replayed_and_verified_apart(tmp_path: Path, arena: Callable[..., Any]) -> None:
    """A module that refuses to be imported here would be found wanting."""
    source = STRANGERS.read_text().replace("LOADED_IN = os.getpid()", f"assert os.getpid() != {os.getpid()}")
    (tmp_path / "apart.py").write_text(source)
    bots = ["apart.py:Fair", "apart.py:Exits"]
    assert arena("run", *bots, "--games", "2", "--jobs", "1", "--isolate", "--out", "alone").returncode == 0
    replayed = arena("replay", "alone", "1")
    assert replayed.returncode == 0, replayed.stderr
    verified = arena("verify", "alone", "--sample", "100%")
    assert verified.returncode == 0, verified.stderr + verified.stdout
    assert not [name for name in sys.modules if "apart" in name]


def test_what_plays_by_the_clock_says_so() -> None:
    for spec, answer in (("mcts:ms=5", False), ("mcts", True)):
        [entrant] = isolated.described(catalog.load_entrants([spec], isolate=True), 0)
        assert entrant.bot.repeatable is answer


def test_a_killed_worker_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "waits.py").write_text(
        "import time\nfrom arena.bot import Bot\nclass Waits(Bot):\n    def choose(self, view):\n"
        "        time.sleep(1000)\n"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [*START, "run", "waits.py:Waits", "random", "--games", "2", "--isolate", "--move-time", "0"]
    with subprocess.Popen([*command, "--jobs", "1"], cwd=tmp_path, env=environment, stderr=subprocess.PIPE) as run:
        mark = str(tmp_path / "waits.py")
        wait_until(lambda: list((tmp_path / "results").glob("*/plan.json")) and processes_of(mark), 60)
        time.sleep(1)
        run.kill()
    wait_until(lambda: not processes_of(mark))
    wait_until(lambda: not list(tmp_path.glob(f"{SCRATCH}*")))
