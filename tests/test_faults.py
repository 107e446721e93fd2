"""What a bot may use up, what follows if it does not play by the rules, and what is kept of it."""

import io
import json
import os
import shlex
import signal
from collections.abc import Callable
from multiprocessing import active_children
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from arena import catalog
from arena.bot import Action, Bot, View, next_below, policy
from arena.cli.run import run as run_command
from arena.engine.bots import Entrant
from arena.engine.faults import BY_MACHINE, Fault
from arena.engine.limits import USUAL, Limits, in_units, parse_size
from arena.engine.loop import GAME, SEAT
from arena.engine.table import Table
from arena.errors import UsageError
from arena.reports.fault_cases import LONGEST_LINE, MOST_LINES, last_lines, visible
from arena.rules.deal import make_deals
from arena.rules.state import END_FORFEIT
from arena.runs import bot_output
from arena.runs.bot_output import LOGGED, MOST, TAIL, Printed, cut_off, last_words
from arena.runs.compile import compile_all
from arena.runs.pool import LocalPool
from arena.runs.runner import play_plan
from arena.store import fault_log, run_directory
from arena.store.fault_log import read_faults, replay_line
from arena.tournament.plan import Plan
from commands import arena as arena_process
from commands import result_files
from helpers import make_plan

Call = Callable[..., Any]

BOTS = '''
from arena.bot import Bot


class Late(Bot):
    """Works until its twentieth decision."""
    decisions = 0
    def choose(self, view):
        self.decisions += 1
        if self.decisions == 20:
            print("\\x1b[31m now", flush=True)
            raise RuntimeError("that is enough")
        return view.actions[0]
'''
ALL = Limits(1.5, 90.0, 512 << 20, "forfeit", True)


@pytest.fixture
def late(tmp_path: Path) -> str:
    (tmp_path / "late.py").write_text(BOTS)
    return f"{tmp_path}/late.py:Late"


class Sleeps(Bot):
    """Its second decision takes longer."""

    seconds = 0.15
    decision = 0

    def choose(self, view: View) -> Action:
        import time

        self.decision += 1
        if self.decision == 2:
            time.sleep(self.seconds)
        return view.actions[0]


class Dawdles(Bot):
    def choose(self, view: View) -> Action:
        import time

        time.sleep(0.02)
        return view.actions[0]


class Asks(Bot):
    """For more memory than there is."""

    def choose(self, view: View) -> Action:
        return [view.actions[0]] * (1 << 62)  # type: ignore[return-value]


@policy
def burns(view, board, actions, memory, random_state):
    """Busy for a while in its second decision."""
    memory[0] += 1
    if memory[0] == 2:
        for _ in range(200_000_000):
            memory[1] = next_below(random_state, 0, 2)
    return actions[0]


def play(lineup: list[object], limits: Limits, games: int = 1) -> tuple[np.ndarray, dict[int, list[Fault]]]:
    """Games between classes and policies at a table of this process."""
    entrants = [
        catalog.load_entrant(bot) if isinstance(bot, str) else Entrant(f"bot {seat}", "", bot, {}, "")  # type: ignore[arg-type]
        for seat, bot in enumerate(lineup)
    ]
    table = Table(catalog.load_map(catalog.default_map()), len(lineup), entrants, limits)
    return table.play(np.tile(np.arange(len(lineup)), (games, 1)), make_deals(1, range(games)))


def fault_of(faults: dict[int, list[Fault]], seat: int) -> Fault:
    """The fault of a seat in the first game; on a busy machine others may have one too."""
    return next(fault for fault in faults[0] if fault.seat == seat)


@pytest.mark.parametrize("slow", [Sleeps, burns])
def test_decision_that_takes_too_long(slow: object) -> None:
    """Of a class, and of a compiled bot beside one: noticed when it comes back, in the decision that took so long."""
    limit = 0.1 if slow is Sleeps else 0.02
    _, attributed = play([slow, Sleeps, "random"], Limits(move_time=limit))
    fault = fault_of(attributed, 0)
    assert (fault.kind, fault.reason) == ("move_time", f"a decision took longer than {limit:g} s")
    assert fault.decision >= 3
    assert fault_of(attributed, 1).kind == "move_time"


def test_no_limit_no_fault() -> None:
    outcomes, attributed = play([Sleeps, burns, "random"], Limits(move_time=0, game_time=0))
    assert attributed == {}
    assert not outcomes["fault"].any()


@pytest.mark.parametrize("lineup", [[Dawdles, "random"], [burns, "random"]])
def test_game_that_takes_too_long(lineup: list[object]) -> None:
    """All decisions of a seat together, of compiled bots too."""
    limit = 0.1 if lineup[0] is Dawdles else 0.02
    _, attributed = play(lineup, Limits(move_time=0, game_time=limit))
    fault = fault_of(attributed, 0)
    assert (fault.kind, fault.reason) == (
        "game_time",
        f"its decisions in this game took longer than {limit:g} s",
    )
    if lineup[0] is Dawdles:
        assert 2 <= fault.decision <= 2 * (limit / 0.02 + 1)


def test_more_memory_than_there_is() -> None:
    _, attributed = play([Asks, "random"], USUAL)
    assert [(fault.seat, fault.kind, fault.decision) for fault in attributed[0]] == [(0, "memory", 0)]


def test_a_fault_ends_a_forfeited_game(late: str) -> None:
    """At once; the others win together, whatever they have scored; a game without a fault is played to its end."""
    for other in ("random", "tutorial"):  # compiled, and a class
        outcomes, attributed = play([late, other, "greedy"], Limits(on_fault="forfeit"), 4)
        assert [len(found) for found in attributed.values()] == [1] * 4
        assert (outcomes["end"] == END_FORFEIT).all()
        assert (outcomes["rank"][:, :3] == [3, 1, 1]).all()
        assert (outcomes["turns"][:, 1:3] < 20).all()
    outcomes, attributed = play(["random", "greedy"], Limits(on_fault="forfeit"), 4)
    assert attributed == {}
    assert (outcomes["end"] != END_FORFEIT).all()


def test_a_forfeited_game_on_file(late: str, arena: Call) -> None:
    result = arena("run", late, "random", "greedy", "--games", 6, "--on-fault", "forfeit", "--out", "r")
    assert result.returncode == 0
    assert "The game ended at once, and the other seats share the first place." in " ".join(result.stdout.split())
    pandas = pytest.importorskip("pandas")
    rows = pandas.read_parquet(next(Path("r/seats").iterdir()))
    assert set(rows["end"]) == {"forfeit"}
    assert rows.groupby("bot", observed=True)["win_share"].mean().to_dict() == {
        "late.py:Late": 0,
        "random": 0.5,
        "greedy": 0.5,
    }


def test_a_fault_stops_a_run_that_is_to_abort(late: str, arena: Call) -> None:
    """One sentence, exit code 1; what has been played is kept, the fault is named with what reproduces it."""
    result = arena("run", "random", late, "--games", 600, "--on-fault", "abort", "--out", "r")
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    error = result.stderr.splitlines()[-1]
    assert error.startswith("Error: stopped at the first fault, as told: game ")
    assert ", late.py:Late: exception: RuntimeError: that is enough (late.py:" in error
    report = arena("report", "r")
    assert report.returncode == 0
    assert "The run was stopped at the first one." in " ".join(report.stdout.split())
    assert " of 600 planned on " in report.stdout
    assert arena("run", "random", "greedy", "--games", 2, "--on-fault", "abort").returncode == 0


def test_what_is_recorded_of_a_fault(late: str, arena: Call) -> None:
    """Game, seat, kind, reason, decision, traceback, what it printed, and a line that plays the game again."""
    result = arena("run", late, "random", "--games", 4, "--out", "a folder")
    faults = list(read_faults(Path("a folder"), [(0, 4)]))
    assert [fault["game"] for fault in faults] == [0, 1, 2, 3]
    for fault in faults:
        assert fault["bot"] == "late.py:Late"
        assert (fault["kind"], fault["seat"]) == ("exception", fault["game"] % 2)
        assert fault["reason"].startswith("RuntimeError: that is enough (late.py:")
        assert fault["traceback"].endswith("\nRuntimeError: that is enough\n")
        assert 'raise RuntimeError("that is enough")' in fault["traceback"]
        assert fault["stderr"] == "\x1b[31m now\n"
        assert fault["replay"] == f"arena replay DIR {fault['game']}"
    assert "Replay: arena replay 'a folder' 0\n" in result.stdout
    assert "  | \\x1b[31m now\n" in result.stdout
    assert "\x1b" not in result.stdout
    data = json.loads(arena("report", "a folder", "--format", "json").stdout)
    kind = data["fault_kinds"][0]
    assert (kind["bot"], kind["kind"], kind["games"], kind["share"]) == ("late.py:Late", "exception", 4, 1.0)
    assert kind["stderr"] == "\x1b[31m now\n"
    assert shlex.split(kind["replay"]) == ["arena", "replay", "a folder", "0"]
    assert data["probation"] == []
    again = arena_process(*shlex.split(kind["replay"])[1:], cwd=Path.cwd())
    assert (again.returncode, again.stderr) == (0, "")
    assert "RuntimeError: that is enough" in " ".join(again.stdout.split())
    live = arena_process(*shlex.split(kind["replay"])[1:], "--live", cwd=Path.cwd())
    assert 'raise RuntimeError("that is enough")' in live.stderr
    assert "\x1b[31m now\n" in live.stderr


def test_faults_that_need_not_recur_are_replayed_live() -> None:
    assert fault_log.BY_MACHINE == BY_MACHINE
    assert replay_line("DIR", 3, "died") == "arena replay DIR 3 --live"
    assert replay_line("DIR", 3, "illegal") == "arena replay DIR 3"


def test_a_report_without_faults_does_not_speak_of_them(arena: Call) -> None:
    result = arena("run", "greedy", "random", "--games", 4, "--out", "r")
    assert "Faults\n" not in result.stdout
    assert 'id="faults"' not in Path(arena("report", "r", "--format", "html").stdout.strip()).read_text()
    data = json.loads(arena("report", "r", "--format", "json").stdout)
    assert (data["faults"], data["fault_kinds"], data["probation"]) == (0, [], [])


def test_a_suspended_bot_is_named_with_numbers(late: str, arena: Call) -> None:
    result = arena("run", late, "random", "greedy", "--players", 2, "--games", 60, "--out", "r")
    said = " ".join(result.stdout.split())
    data = json.loads(arena("report", "r", "--format", "json").stdout)
    (probation,) = data["probation"]
    assert (probation["bot"], probation["games"]) == ("late.py:Late", 8)
    sentence = f"failed in all of its first 8 games: from game {probation['game']} on a random player took its seat."
    assert sentence in said
    plan = run_directory.read_plan(Path("r"))
    its = [game.game for game in plan if plan.names.index("late.py:Late") in game.seating]
    assert its[8] == probation["game"]
    assert [(row["kind"], row["games"]) for row in data["fault_kinds"]] == [("exception", 8), ("probation", 32)]
    assert "seat" not in data["fault_kinds"][1]
    assert len(list(read_faults(Path("r"), [(0, 60)]))) == 8


def test_what_is_shown_is_bounded() -> None:
    lines = last_lines("".join(f"{number} {'x' * 5000}\x07\n" for number in range(100)))
    assert len(lines) == MOST_LINES
    assert all(len(line) <= LONGEST_LINE + 5 for line in lines)
    assert lines[-1].startswith("99 ")
    assert visible("a\x1b[2J\r\u202eb\nc\ud800\té") == "a\\x1b[2J\\r\\u202eb\nc\\ud800\\té"
    assert last_lines("") == []


def test_workers_killed_at_any_moment_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Innocent games are played again; the same bytes, no fault.

    A process that plays such a game again is spared: killed twice at one decision, the seat would rightly be at fault.
    """
    plan, spec, entrants = make_plan(["tutorial", "random", "greedy"], catalog.default_map(), 3, 150, 1)
    compile_all(entrants, spec, 3, print)
    random, kills, alone = Random(1), [], set()
    submit_alone = LocalPool.submit_alone

    def submit_and_spare(pool: LocalPool, *task: Any) -> Any:
        others = set(active_children())
        future = submit_alone(pool, *task)
        alone.update(set(active_children()) - others)
        return future

    monkeypatch.setattr(LocalPool, "submit_alone", submit_and_spare)

    def kill(chunk: object) -> None:
        workers = sorted(set(active_children()) - alone, key=lambda process: process.pid or 0)
        if workers and len(kills) < 8:
            os.kill(random.choice(workers).pid or 0, signal.SIGKILL)
            kills.append(chunk)

    for name, progress in (("whole", lambda chunk: None), ("killed", kill)):
        run = run_directory.create(tmp_path / name, plan)
        assert play_plan(plan, run, 2, progress) == plan.games
        assert not (run / "faults.jsonl").exists()
    assert len(kills) == 8
    assert result_files(tmp_path / "whole") == result_files(tmp_path / "killed")


@pytest.fixture
def printed(tmp_path: Path) -> tuple[Printed, np.ndarray, Path]:
    """What a worker's bots print into, where it says who they are, and the log."""
    where = np.zeros(4, np.int64)
    return Printed(tmp_path / "log", tmp_path / "0.printed", where), where, tmp_path / "log"


def test_what_is_printed_belongs_to_a_seat(printed: tuple[Printed, np.ndarray, Path]) -> None:
    """Its end is kept, for each game and seat; the beginning of all goes to the log."""
    stream, where, log = printed
    for game, seat in ((5, 0), (5, 1), (5, 0), (6, 1)):
        where[GAME], where[SEAT] = game, seat
        stream.write(f"<{game} {seat}>".encode())
    assert stream.tail(5, 0) == "<5 0><5 0>"
    assert stream.tail(5, 1) == "<5 1>"
    assert stream.tail(6, 0) == ""
    assert log.read_text() == "<5 0><5 1><5 0><6 1>"
    for _ in range(50):
        assert stream.write(b"y" * 1_000_000) == 1_000_000
    assert stream.tail(6, 1) == "y" * TAIL
    assert LOGGED <= log.stat().st_size < LOGGED + 200
    assert "it is not kept" in log.read_text()
    stream.forget()
    assert stream.tail(6, 1) == ""


def test_neither_a_full_disk_nor_a_closed_stream_is_a_fault(tmp_path: Path) -> None:
    """What one bot does to its output, or the disk, is not attributed to the next one that prints."""
    stream = Printed(Path("/dev/full"), Path("/dev/full"), np.zeros(4, np.int64))
    text = io.TextIOWrapper(stream, write_through=True)  # type: ignore[type-var]
    print("first", file=text)
    text.close()
    print("second", file=text)
    assert stream.tail(0, 0) == "first\nsecond\n"


def test_a_log_does_not_grow_with_each_worker(
    printed: tuple[Printed, np.ndarray, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bot_output, "MOST_LOG", 10)
    printed[0].write(b"x" * 20)
    later = Printed(printed[2], tmp_path / "1.printed", printed[1])
    later.write(b"y" * 20)
    assert printed[2].read_text() == "x" * 20
    assert later.tail(0, 0) == "y" * 20


def test_last_words_of_a_dead_process(printed: tuple[Printed, np.ndarray, Path], tmp_path: Path) -> None:
    """What the seat that was deciding printed, and where the process crashed; nothing that others printed."""
    stream, where, _ = printed
    file = tmp_path / "0"
    where[GAME], where[SEAT] = 5, 0
    stream.write(b"of another seat")
    where[SEAT] = 1
    stream.write(b"x" * 100_000 + b"good bye\n")
    crash = "Fatal Python error: Aborted\n\nStack (most recent call first):\n  here"
    file.write_text(f"of compiled code\n{crash}\n\nExtension modules: numpy")
    said = last_words(file, 5, 1)
    assert said.endswith(f"good bye\n{crash}")
    assert len(said) <= 2 * TAIL
    assert "another" not in last_words(file, 5, 0)
    file.write_bytes(b"z" * (MOST + 1))
    cut_off(file)
    assert file.stat().st_size == 0
    cut_off(tmp_path / "none")
    assert last_words(tmp_path / "none", 0, 0) == ""


@pytest.mark.parametrize("limits", [USUAL, ALL, Limits(0, 0, 0), Limits(0.25, 5.5, 3 << 30, "abort")])
def test_limits_are_part_of_a_plan(limits: Limits) -> None:
    """In `plan.json`, and in the command that plays it again."""
    plan = Plan.of_size(
        bots=("a", "b"), names=("a", "b"), map="usa", players=2, games=2, seed=1, limits=limits
    )  # fmt: skip
    assert Plan.from_json(plan.to_json()) == plan
    said = run_command.make_context("run", shlex.split(plan.command)[2:]).params
    names = ("move_time", "game_time", "memory", "on_fault", "isolate")
    assert Limits(**{name: parse_size(said[name]) if name == "memory" else said[name] for name in names}) == limits
    assert (plan.command == "arena run a b --map usa --players 2 --games 2 --seed 1") == (limits == USUAL)


def test_limits_in_a_file(arena: Call) -> None:
    """Every option has its key; the command line goes before it."""
    Path("cup.toml").write_text(
        'bots = ["random", "greedy"]\ngames = 2\n'
        'move-time = 2\ngame-time = 60.5\nmemory = "512M"\non-fault = "forfeit"\n'
    )
    assert arena("run", "--config", "cup.toml", "--out", "a").returncode == 0
    assert run_directory.read_plan(Path("a")).limits == Limits(2.0, 60.5, 512 << 20, "forfeit")
    assert arena("run", "--config", "cup.toml", "--on-fault", "abort", "--memory", "1G", "--out", "b").returncode == 0
    assert run_directory.read_plan(Path("b")).limits == Limits(2.0, 60.5, 1 << 30, "abort")


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--move-time", "-1", "--move-time -1 is out of range: it takes 0 (no limit) to 86400 seconds"),
        ("--move-time", "nan", "--move-time nan is out of range"),
        ("--game-time", "1e9", "--game-time 1e+09 is out of range"),
        ("--memory", "1M", "--memory 1M is too little"),
        ("--memory", "lots", "--memory 'lots' is not a valid size: write 512M, 2G, or 0 for no limit"),
        ("--on-fault", "forgive", "'forgive' is not one of"),
    ],
)
def test_limits_that_are_none(option: str, value: str, says: str, arena: Call) -> None:
    result = arena("run", "random", "greedy", option, value)
    assert result.returncode == 2
    assert says in result.stderr
    assert not Path("results").exists()


def test_sizes_are_read_as_they_are_written() -> None:
    for size in (0, 1, 1 << 10, 3 << 20, 5 << 30, 1_000_000, (1 << 30) + 1):
        assert parse_size(in_units(size)) == size
    assert parse_size("2g") == 2 << 30
    assert parse_size("1.5G") == 3 << 29
    with pytest.raises(UsageError, match="--on-fault"):
        Limits(on_fault="stand_in")
