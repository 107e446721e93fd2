"""Whole runs with real processes: the same bytes however played, faults, interrupts and full disks survived."""

import json
import logging
import multiprocessing
import shlex
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from arena import catalog
from arena.engine.loop import OUTCOME
from arena.engine.table import Table
from arena.rules.deal import make_deals
from arena.runs import pool
from arena.runs.compile import compile_all
from arena.runs.runner import play_plan
from arena.store import run_directory
from commands import START, arena, result_files
from helpers import make_plan
from played import by_bot, run_json, table

BOTS = Path(__file__).with_name("run_bots.py").read_text()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bad.py").write_text(BOTS)
    return tmp_path


def test_any_number_of_jobs_gives_the_same_bytes(folder: Path) -> None:
    """Compiled and Python bots, more bots than seats, several shards: one process or three, the same files."""
    for jobs in (1, 3):
        bots = ["random", "greedy", "racer", "bad.py:Raises", "bad.py:counts"]
        run_json(folder, *bots, "--players", 3, "--games", 1200, "--seed", 5, "--jobs", jobs, "--out", f"jobs{jobs}")
    one, three = result_files(folder / "jobs1"), result_files(folder / "jobs3")
    assert len(one) == 6  # results and details
    assert one == three
    assert (folder / "jobs1/faults.jsonl").read_bytes() == (folder / "jobs3/faults.jsonl").read_bytes()
    assert (folder / "jobs1/plan.json").read_bytes() == (folder / "jobs3/plan.json").read_bytes()


def test_whole_blocks_of_any_seating_are_shards(folder: Path) -> None:
    """Three processes, chunks and shards of whole blocks; every deal in all its seatings; the plan says it all."""
    bots = ["random", "greedy", "racer", "onestep", "longroute", "path"]
    options = ("--format", "gauntlet", "--seating", "ring", "--players", 5, "--games", 1100, "--out", "r")
    run_json(folder, *bots, *options, "--jobs", 3)
    rows = table(folder / "r")
    assert (rows.groupby("deal").size() == 20 * 5).all()
    assert (rows.groupby(["deal", "bot", "seat"], observed=True).size() == 4).all()
    assert rows.loc[rows["bot"] == "random", "game"].nunique() == 1100
    assert len(list((folder / "r/seats").iterdir())) == 3
    shown = arena("report", "r", cwd=folder).stdout
    assert "put everyone right after everyone else equally often" in " ".join(shown.split())
    assert "--format gauntlet --seating ring" in shown


def test_any_start_method_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forked workers inherit what the parent has loaded; spawned ones, as on other systems, load it themselves."""
    plan, spec, entrants = make_plan(["random", "tutorial"], catalog.default_map(), 2, 12, 1)
    compile_all(entrants, spec, 2, print)
    before = multiprocessing.get_start_method()
    try:
        for method in ("fork", "spawn"):
            multiprocessing.set_start_method(method, force=True)  # as it is where this is the system's own
            monkeypatch.setattr(pool, "start_method", lambda method=method: method)
            run = run_directory.create(tmp_path / method, plan)
            assert play_plan(plan, run, 2, lambda chunk: None) == 12
    finally:
        multiprocessing.set_start_method(before, force=True)
    assert result_files(tmp_path / "fork") == result_files(tmp_path / "spawn")


def test_seat_rows_add_up(folder: Path) -> None:
    report = run_json(folder, "random", "greedy", "racer", "--games", 300, "--out", "r")
    rows = table(folder / "r")
    assert len(rows) == 900 == 3 * report["games"]
    assert rows.groupby("game")["win_share"].sum().round(9).eq(1).all()
    assert (rows["score"] == rows[["routes", "tickets", "longest_path", "bullet", "provinces"]].sum(axis=1)).all()
    assert rows.groupby(["deal", "bot"], observed=True)["seat"].nunique().eq(3).all()
    assert sum(bot["win_share"] * bot["games"] for bot in report["bots"]) == pytest.approx(300)
    assert report["seconds"] > 0
    assert report["games_per_second"] > 0


def test_repeated_command_gives_the_same_games(folder: Path) -> None:
    """The line that the report prints plays the same games again."""
    first = run_json(folder, "random", "greedy", "--games", 60, "--seed", 9, "--out", "a")
    again = first["command"].split()[1:]
    assert arena(*again, "--out", "b", cwd=folder).returncode == 0
    assert result_files(folder / "a") == result_files(folder / "b")
    run_json(folder, "random", "greedy", "--games", 60, "--seed", 10, "--out", "c")
    assert result_files(folder / "a") != result_files(folder / "c")


@pytest.mark.parametrize(
    ("bot", "kind", "says"),
    [
        ("Raises", "exception", "RuntimeError: five turns are enough"),
        ("RaisesAtOnce", "exception", "ValueError: no game today"),
        ("Foreign", "illegal", "is illegal in phase turn"),
        ("ReturnsNone", "wrong_type", "returned None, which is not an Action"),
        ("ReturnsView", "wrong_type", "returned a View, which is not an Action"),
        ("Leaves", "exception", "SystemExit: 7"),
        ("RaisesInHelper", "exception", "KeyError: 'map' (bad.py:{line} in helper)"),
        ("index", "illegal", "returned 1, which is not in `actions`: return actions[i], not i"),
        ("raises_compiled", "exception", "ValueError: compiled trouble"),
        ("huge", "illegal", "is illegal in phase setup"),
        ("scribbles", "illegal", "-5 is illegal in phase setup"),
        ("Interrupts", "exception", "KeyboardInterrupt"),
        ("divides", "exception", "ZeroDivisionError"),
        ("Unprintable", "exception", "Odd: (its text raises an exception too)"),
        ("Surrogate", "exception", "half \\ud800 a character"),
        ("LongText", "exception", "ValueError: xxxxxxxxxx"),
        ("Slips", "wrong_type", "returned an Action with parts that do not exist: ('claim', "),
        ("cheats", "illegal", "wrote into the board"),
    ],
)
def test_fault_is_booked_to_its_seat(folder: Path, bot: str, kind: str, says: str) -> None:
    """The run goes on, the seat comes last, the fault is recorded with game, seat and reason, the report shows it."""
    report = run_json(folder, f"bad.py:{bot}", "random", "greedy", "--games", 9, "--out", "r")
    says = says.replace("{line}", str(BOTS[: BOTS.index('view.hand["map"]')].count("\n") + 1))
    assert report["faults"] == 9
    bad = by_bot(report)[f"bad.py:{bot}"]
    assert (bad["faults"], bad["win_share"], bad["mean_rank"]) == (9, 0, 3)
    assert all(row["faults"] == 0 for name, row in by_bot(report).items() if name != f"bad.py:{bot}")
    faults = [json.loads(line) for line in (folder / "r/faults.jsonl").read_text().splitlines()]
    assert [fault["game"] for fault in faults] == list(range(9))
    rows = table(folder / "r").set_index(["game", "seat"])
    for fault in faults:
        assert fault["kind"] == kind == rows.loc[(fault["game"], fault["seat"]), "fault"]
        assert says in fault["reason"]
        assert len(fault["reason"]) < 600
        assert rows.loc[(fault["game"], fault["seat"]), "bot"] == fault["bot"] == f"bad.py:{bot}"
    assert says in " ".join(arena("report", "r", cwd=folder).stdout.split())


def test_what_bots_print_reaches_neither_stdout_nor_terminal(folder: Path) -> None:
    result = arena("run", "bad.py:Talks", "random", "--games", 2, "--json", "--out", "r", cwd=folder)
    assert json.loads(result.stdout)["games"] == 2
    assert "{{" not in result.stderr
    assert "aside" not in result.stderr
    assert "[not json]" in (folder / "r/run.log").read_text()


def test_log_holds_the_workers_records(folder: Path) -> None:
    run_json(folder, "bad.py:Raises", "random", "--games", 4, "--jobs", 2, "--out", "r")
    log = (folder / "r/run.log").read_text()
    assert "arena run bad.py:Raises random" in log
    assert log.count("ready") == 2
    assert log.count("five turns are enough") == log.count("faults in ") <= 2


def say_so(text: str) -> None:
    logging.getLogger("arena").info(text)


def test_a_worker_killed_while_it_wrote_to_the_log_holds_nobody_up(tmp_path: Path) -> None:
    """It leaves the log's queue locked for ever: what the others write is lost, but they end, and so does the run."""
    plan, *_ = make_plan(["random", "random"], catalog.default_map(), 2, 2, 1)
    run = run_directory.create(tmp_path / "r", plan)
    with pool.open_pool(plan, run, 1) as workers:
        workers.submit(say_so, "before").result()
        deadline = time.monotonic() + 60
        while "before" not in (run / "run.log").read_text():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        [queue] = [handler.queue for handler in logging.getLogger("arena").handlers if hasattr(handler, "queue")]
        queue._wlock.acquire()
        workers.submit(say_so, "after").result()
        [process] = pool._living()
        workers._end(0)
        deadline = time.monotonic() + 30
        while process.is_alive():  # two threads wait for it: one learns of its end before the other
            assert time.monotonic() < deadline
            time.sleep(0.05)
    assert "after" not in (run / "run.log").read_text()


def test_memory_and_luck_belong_to_one_seat_of_one_game(folder: Path) -> None:
    assert run_json(folder, "bad.py:counts", "bad.py:counts", "--games", 400)["faults"] == 0


def test_policy_plays_the_same_in_both_loops(folder: Path) -> None:
    """Beside a Python bot a policy is called decision by decision; it plays as in the compiled loop."""
    lineup = catalog.load_entrants([f"{folder}/bad.py:counts", "greedy", "racer"])
    table_of_three = Table(catalog.load_map(catalog.default_map()), 3, lineup)
    deals = make_deals(1, range(20))
    outcomes, _ = table_of_three.play(np.tile(np.arange(3), (20, 1)), deals)
    for game in range(20):
        outcome = np.zeros(1, OUTCOME)
        table_of_three.play_one(lineup, deals[game : game + 1], outcome)
        assert outcome.tobytes() == outcomes[game : game + 1].tobytes()


def test_luck_differs_by_deal_and_seat(folder: Path) -> None:
    """`self.rng` works in a constructor too; each game and seat has its own, the same in every run."""
    reasons = []
    for out in ("a", "b"):
        run_json(folder, "bad.py:Gambler", "bad.py:Gambler", "--games", 4, "--out", out)
        reasons.append(
            [json.loads(line)["reason"] for line in (folder / out / "faults.jsonl").read_text().splitlines()]
        )
    assert reasons[0] == reasons[1]
    drawn = [word for reason in reasons[0] for word in reason.split()[1:3]]
    # Two deals of two seats; the games of a deal share its luck seat by seat.
    assert len(drawn) == 16
    assert len(set(drawn)) == 8


def test_board_stays_what_it_was(folder: Path) -> None:
    """A compiled bot that writes into the board changes no other bot's game."""
    options = ["--players", 2, "--games", 60, "--seed", 3]
    run_json(folder, "random", "greedy", "racer", *options, "--out", "clean")
    run_json(
        folder, "random", "greedy", "racer", "bad.py:cheats", "--players", 2, "--games", 120, "--seed", 3, "--out", "r"
    )
    rows = table(folder / "r")
    honest = rows.groupby("game").filter(lambda game: "bad.py:cheats" not in set(game["bot"]))
    assert 40 < len(honest) < 240
    assert honest.groupby("bot", observed=True)["routes"].mean().max() < 110
    assert set(rows.loc[rows["fault"] != "none", "bot"]) == {"bad.py:cheats"}


def test_bots_of_one_name_in_two_folders(folder: Path) -> None:
    """They are told apart by their folders; two helpers of one name are refused, not mixed up."""
    for name in ("alice", "bob"):
        (folder / name).mkdir()
        (folder / name / "bot.py").write_text(
            "from arena.bot import Bot\nclass B(Bot):\n    def choose(self, view):\n        return view.actions[0]\n"
        )
    report = run_json(folder, "alice/bot.py:B", "bob/bot.py:B", "--games", 2)
    assert set(by_bot(report)) == {"alice/bot.py:B", "bob/bot.py:B"}
    for name in ("alice", "bob"):
        (folder / name / "helpers_of_mine.py").write_text(f"NAME = {name!r}\n")
        source = (folder / name / "bot.py").read_text()
        (folder / name / "bot.py").write_text("import helpers_of_mine\n" + source)
    result = arena("run", "alice/bot.py:B", "bob/bot.py:B", "--games", 2, cwd=folder)
    assert result.returncode == 2
    assert "brings a module 'helpers_of_mine'" in result.stderr
    assert run_json(folder, "bob/bot.py:B", "random", "--games", 2)["faults"] == 0


def test_more_policies_than_fit_one_batch(folder: Path) -> None:
    """Twenty distinct compiled bots: played in batches, with the same results as alone."""
    text = "from arena.bot import next_below, policy\n" + "".join(
        f"@policy\ndef p{number}(view, board, actions, memory, random_state):\n"
        f"    return actions[next_below(random_state, 0, len(actions))]\n"
        for number in range(20)
    )
    (folder / "many.py").write_text(text)
    entrants = catalog.load_entrants([f"{folder}/many.py:p{number}" for number in range(20)])
    deals = make_deals(1, range(40))
    seatings = np.array([[(game + 3) % 20, (5 * game) % 20] for game in range(40)])
    spec = catalog.load_map(catalog.default_map())
    together, _ = Table(spec, 2, entrants).play(seatings, deals)
    alone, _ = Table(spec, 2, catalog.load_entrants(["random"])).play(np.zeros((40, 2), np.int64), deals)
    assert together.tobytes() == alone.tobytes()


@pytest.mark.slow("three commands from the start")
def test_output_that_cannot_be_printed(folder: Path) -> None:
    """Results are kept; the error is one sentence. A reader who leaves early is no error."""
    with open("/dev/full", "w") as full:
        command = [*START, "run", "random", "greedy", "--games", "2", "--out", "r"]
        result = subprocess.run(command, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith("Error: cannot print the report")
    assert arena("report", "r", cwd=folder).returncode == 0
    shell = " ".join([shlex.quote(part) for part in [*START, "report", "r"]]) + " | head -1"
    result = subprocess.run(shell, shell=True, cwd=folder, capture_output=True, text=True, check=False)
    assert (result.stdout.splitlines()[0][:5], result.stderr) == ("usa, ", "")


def test_home_folder_is_understood(folder: Path) -> None:
    """`~` in an option, which no shell has expanded."""
    result = arena(
        "run", "~/bad.py:First", "random", "--games", 2, "--out", "~/r", cwd=folder, env={"HOME": str(folder)}
    )
    assert result.returncode == 0, result.stderr
    assert (folder / "r" / "plan.json").exists()


def test_rounding_and_uneven_lineups_are_said(folder: Path) -> None:
    result = arena("run", "random", "greedy", "racer", "--players", 2, "--games", 7, cwd=folder)
    assert "7 games are not whole deals of 2 seatings: playing 8." in result.stderr
    assert "4 deals do not divide evenly among 3 line-ups" in result.stderr
    assert (folder / "results").is_dir()
