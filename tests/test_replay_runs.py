"""`arena replay` on real runs: every game as it was recorded, with bots that talk, raise, die; and what goes wrong."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from arena.boards.spec import MapSpec
from arena.bot import Action, Bot, View
from arena.catalog import load_entrants, load_map, make_entrant
from arena.engine.bots import Entrant
from arena.engine.faults import Fault
from arena.engine.limits import Limits
from arena.errors import ArenaError
from arena.replay.answers import AnswersTable
from arena.replay.events import setup_event
from arena.replay.recorded_game import Replay, replay
from arena.replay.text import to_json_lines, to_text
from arena.rules.deal import make_deals
from arena.store.reader import Recorded
from arena.store.run_directory import read_plan
from arena.store.seat_tables import SOURCES, write_shard
from commands import START, arena
from conftest import Shared
from test_replay import SCHEMA, Told, table_of, validate

BOTS = '''
import os, sys
from arena.bot import Bot


class Talks(Bot):
    """Prints wherever it can."""
    def choose(self, view):
        print("{" * 80)
        os.write(1, b"[not json]")
        sys.stderr.write("aside")
        return self.rng.choice(view.actions)


class Raises(Bot):
    def choose(self, view):
        if view.me.turns == 5:
            raise RuntimeError("five turns are enough")
        return self.rng.choice(view.actions)


class Dies(Bot):
    """In some games, by its random state."""
    def choose(self, view):
        if not hasattr(self, "deadly"):
            self.deadly = self.rng.random() < 0.2
        if self.deadly and view.me.turns == 3:
            os._exit(9)
        return self.rng.choice(view.actions)
'''
Command = Callable[..., Any]
PLAY = "run odd.py:Talks odd.py:Raises odd.py:Dies --map japan --games 12 --jobs 1 --set trains=8 --out run"


@pytest.fixture(scope="module")
def played(shared: Shared) -> Path:
    """A folder with a bot file and a run."""

    def make(folder: Path) -> None:
        (folder / "odd.py").write_text(BOTS)
        result = arena(*PLAY.split(), cwd=folder)
        assert result.returncode == 0, result.stderr

    return shared("replayed", make)


@pytest.fixture
def folder(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, which a test may change, as current folder."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def command(arena: Command) -> Command:
    """`arena` in this process, under a name that is not that of `commands`; standard output is its own but once."""
    return arena


def silently(text: str) -> None:
    """What nobody needs to be told."""


def again(number: int) -> Replay:
    return replay(Path("run"), number, silently)


def recorded_faults() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("run/faults.jsonl").read_text(encoding="utf-8").splitlines()]


def game_with(kind: str) -> int:
    """The first game with a fault of a kind."""
    return next(fault["game"] for fault in recorded_faults() if fault["kind"] == kind)


def test_every_game_is_as_recorded(folder: Path) -> None:
    """With every fault, at its place, whether it happens again or is booked; and a referee agrees."""
    plan, rows = read_plan(Path("run")), pq.read_table("run/seats").to_pylist()
    kinds = set()
    for number in range(plan.games):
        told = again(number)
        assert not told.difference
        assert not told.notes
        validate(told.events)
        dealt = make_deals(plan.seed, [plan[number].deal])
        Told(told.events, table_of(load_map("japan")), dealt).judge(chance=True)
        faults = [fault for fault in recorded_faults() if fault["game"] == number]
        assert [tuple(fault[name] for name in ("seat", "kind", "reason", "decision")) for fault in faults] == [
            tuple(fault)[:4] for fault in sorted(told.faults) if fault.kind != "probation"
        ]
        kinds |= {event["kind"] for event in told.events if event["event"] == "fault"}
        scores = [event for event in told.events if event["event"] == "score"]
        for score, row in zip(scores, rows[3 * number : 3 * number + 3], strict=True):
            names = ("seat", "total", "rank", "longest")
            assert [score[name] for name in names] == [row[name] for name in ("seat", "score", "rank", "longest")]
            assert len(score["completed"]) == row["tickets_completed"]
            assert all(score[source] == row[source] for source in SOURCES)
    assert kinds == {"exception", "died", "probation"}  # who fails in all games at first is not asked in later ones


def test_json_is_alone_on_stdout(folder: Path) -> None:
    """In a process of its own: what bots print, from Python or not, is nowhere to be seen."""
    number = game_with("died")
    result = arena("replay", "run", number, "--json", cwd=folder)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == to_json_lines(again(number).events)
    assert json.loads(result.stdout.splitlines()[0])["event"] == "setup"


def test_text_is_for_people(folder: Path) -> None:
    number = game_with("exception")
    result = arena("replay", "run", number, cwd=folder)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == to_text(again(number).events)
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "RuntimeError: five turns are enough" in " ".join(result.stdout.split())


def test_live_asks_everybody(folder: Path) -> None:
    """What a bot prints and its traceback are shown, on stderr; a bot that ends the process does so."""
    result = arena("replay", "run", game_with("exception"), "--live", "--json", cwd=folder)
    assert "aside" in result.stderr
    assert "[not json]" in result.stderr
    assert 'raise RuntimeError("five turns are enough")' in result.stderr
    assert all(json.loads(line) for line in result.stdout.splitlines())
    assert arena("replay", "run", game_with("died"), "--live", cwd=folder).returncode == 9


def test_output_is_a_file(folder: Path, command: Command) -> None:
    result = command("replay", "run", 1, "-o", "run")
    assert (result.returncode, result.stderr) == (2, "Error: run is a folder; name a file\n")
    result = command("replay", "run", 1, "--json", "-o", "game.jsonl")
    assert result.returncode == 0
    assert result.stdout.endswith("game.jsonl\n")
    assert Path("game.jsonl").read_text() == to_json_lines(again(1).events)


def test_reader_who_has_had_enough(folder: Path) -> None:
    """`arena replay ... | head -1` is no error."""
    process = subprocess.Popen(
        [*START, "replay", "run", "1", "--json"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


def test_thread_that_never_ends(folder: Path) -> None:
    Path("odd.py").write_text(BOTS + "\n\nimport threading\nthreading.Thread(target=threading.Event().wait).start()\n")
    result = arena("replay", "run", 1, "--json", cwd=folder, timeout=120)
    assert result.returncode == 0
    assert result.stdout


@pytest.mark.parametrize("number", [12, 10**12])
def test_game_out_of_range(folder: Path, number: int, command: Command) -> None:
    assert command("replay", folder / "run", number)[::2] == (
        2, f"Error: game {number} is out of range: {folder / 'run'} has games 0 to 11\n",
    )  # fmt: skip


def test_from_another_folder(folder: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "other").mkdir()
    monkeypatch.chdir(folder / "other")
    code, _, said = command("replay", folder / "run", 1)
    assert code == 2
    assert said.endswith("(files are looked for from the folder in which the run was begun)\n")


def test_changed_bot_is_named(folder: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only if it plays otherwise that is an error."""
    Path("odd.py").write_text(BOTS + "\n# another comment\n")
    told = again(0)
    assert not told.difference
    assert set(told.notes) == {f"the code of odd.py:{name} has changed since" for name in ("Talks", "Raises", "Dies")}
    other = folder / "other"
    other.mkdir()
    Path("other/odd.py").write_text(BOTS.replace("self.rng.choice(view.actions)", "view.actions[0]"))
    shutil.move("run", other)
    monkeypatch.chdir(other)
    result = command("replay", "run", 0)
    assert result.returncode == 1
    assert "Error: game 0 did not go as it is recorded: score of seat 0 (odd.py:Talks) is " in result.stderr
    assert "(the code of odd.py:Talks has changed since; " in result.stderr
    assert result.stdout.endswith(".\n")  # it is told nevertheless


def test_map_that_has_changed(folder: Path) -> None:
    plan = Path("run/plan.json")
    data = json.loads(plan.read_text())
    data["identity"]["map"] = "0" * 16
    plan.write_text(json.dumps(data))
    with pytest.raises(ArenaError, match="map japan has changed since run was played on it"):
        again(0)


def test_record_that_is_not_there(folder: Path) -> None:
    """A game that is planned can be played; nothing is known of its faults but what `faults.jsonl` says."""
    number = next(number for number in range(12) if {fault.kind for fault in again(number).faults} <= {"exception"})
    events = again(number).events
    shutil.rmtree("run/seats")
    Path("run/seats").mkdir()
    told = again(number)
    assert told.events == events
    assert told.notes == (f"run has no record of game {number}: there is nothing to compare with",)


def test_record_that_differs(folder: Path) -> None:
    """As with a bot that plays by the clock: its code is the same."""
    plan = read_plan(Path("run"))
    outcomes, _ = Recorded.of(Path("run"), plan).load(0, plan.games)
    score = outcomes["score"][0, 0]
    outcomes["score"][0, 0] += 1
    write_shard(Path("run"), plan, 0, outcomes)
    difference = again(0).difference
    assert difference.startswith(
        f"game 0 did not go as it is recorded: score of seat 0 (odd.py:Talks) is {score}, not {score + 1} ("
    )
    assert difference.endswith("(a bot decides by more than its view and random state: the clock or earlier games)")
    assert not again(1).difference


def test_damaged_files(folder: Path) -> None:
    number, faults = game_with("died"), Path("run/faults.jsonl")
    lines = faults.read_text().splitlines(keepends=True)
    faults.write_text("".join(line for line in lines if json.loads(line)["game"] != number))
    with pytest.raises(ArenaError, match=f"does not say when seat . of game {number} had its fault, died"):
        again(number)
    faults.write_text('{"game"\n')
    with pytest.raises(ArenaError, match=r"faults\.jsonl is damaged: "):
        again(number)
    (shard,) = Path("run/seats").iterdir()
    shard.write_bytes(shard.read_bytes()[:100])
    with pytest.raises(ArenaError, match=r"parquet is damaged: "):
        again(number)


# Faults wherever there is a decision


def table_with(spec: MapSpec, seats: int, on_fault: str, *entrants: Entrant) -> AnswersTable:
    line_up = [*entrants, *load_entrants(["random", "racer"] * 2)][:seats]
    return AnswersTable(spec, seats, line_up, Limits(0, 0, 0, on_fault))


def check(table: AnswersTable, deal: int, forced: list[Fault]) -> list[dict[str, Any]]:
    """The events of a game, which the referee has checked."""
    dealt = make_deals(1, [deal])
    names = [entrant.name for entrant in table.entrants]
    setup = setup_event(game=deal, deal=deal, seed=1, names=names, map_name=table.map.key, spec=table.map, settings={})
    events = [setup, *table.play_again(dealt, forced).events]
    validate(events)
    Told(events, table_of(table.map), dealt).judge(chance=True)
    return events


@pytest.mark.parametrize("seats", [3])
@pytest.mark.parametrize("on_fault", ["stand-in", "forfeit"])
def test_fault_at_any_decision(spec: MapSpec, seats: int, on_fault: str) -> None:
    """It stands before the first thing that the random fallback does; a forfeited game ends there."""
    table = table_with(spec, seats, on_fault)
    for decision in range(0, 60, 6):
        events = check(table, decision % 4, [Fault(decision // 2 % seats, "died", "it is gone", decision)])
        (place,) = [index for index, event in enumerate(events) if event["event"] == "fault"]
        assert (events[place + 1]["event"] == "end") == (on_fault == "forfeit")
    everybody = [Fault(seat, "died", "", seat) for seat in range(seats)]
    assert {event["rank"] for event in check(table, 1, everybody) if event["event"] == "score"} == (
        {1} if on_fault == "stand-in" else {1, seats}
    )


class Late(Bot):
    """Raises at a decision that its random state names; before, it plays at random."""

    def choose(self, view: View) -> Action:
        if self.rng.random() < 0.03:
            raise RuntimeError("enough")
        return self.rng.choice(view.actions)


def test_faults_that_happen(spec: MapSpec) -> None:
    table = table_with(spec, 3, "stand-in", *[make_entrant(f"late {i}", "", Late, {}) for i in range(3)])
    found = sum(event["event"] == "fault" for deal in range(3) for event in check(table, deal, []))
    assert found >= 3


def test_same_table_again(spec: MapSpec) -> None:
    """Nothing of a game is left in the next one."""
    table = table_with(spec, 3, "stand-in")
    first = check(table, 5, [])
    check(table, 6, [Fault(1, "died", "", 9)])
    assert check(table, 5, []) == first


def test_label_is_in_the_text() -> None:
    for name in ("usa", "japan", "south_korea"):
        spec = load_map(name)
        text = to_text(check(table_with(spec, 2, "stand-in"), 0, []))
        assert spec.title == spec.name or spec.label in " ".join(text.split())


def test_names_do_not_reach_the_terminal_as_commands() -> None:
    table = table_with(load_map("usa"), 2, "stand-in", make_entrant("\x1b[31mred\x07", "", Late, {}))
    text = to_text(check(table, 0, [Fault(1, "died", "\x1b]0;title\x07", 3)]))
    assert "\x1b" not in text
    assert "\x07" not in text
    assert np.max([len(line) for line in text.splitlines()]) <= 80


def test_examples_in_the_documentation() -> None:
    """What the page shows is what its command prints."""
    page = (Path(__file__).parent.parent / "docs" / "replay.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(\w+)\n(.*?)```", page, re.DOTALL)
    command = next(line for name, text in blocks if name == "sh" for line in text.splitlines())
    words = command.split()
    bots, seats = words[2 : words.index("--map")], words.index("--map") - 2
    spec = load_map(words[words.index("--map") + 1])
    table = AnswersTable(spec, seats, load_entrants(bots), Limits(0, 0, 0))
    events = check(table, 0, [])
    lines = {*to_text(events).splitlines(), *to_json_lines(events).splitlines()}
    shown = [line for name, text in blocks if name in ("text", "json") for line in text.splitlines()]
    assert len(shown) > 15
    assert set(shown) <= lines, set(shown) - lines


def test_page_names_every_event_and_field() -> None:
    page = (Path(__file__).parent.parent / "docs" / "replay.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:3]] for line in page.splitlines() if line.startswith("| `")]
    fields = {re.findall(r"`(\w+)`", name)[0]: re.findall(r"`(\w+)`", row) for name, row in rows}
    assert fields == {kind: SCHEMA["$defs"][kind]["required"][1:] for kind in SCHEMA["properties"]["event"]["enum"]}
