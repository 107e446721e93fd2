"""`arena resume`, `extend`, `merge` and `run --shard`: however a run was cut up, its tables are the same bytes."""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import arena as library
from arena import __version__
from arena.errors import ArenaError, StoppedAtFault, UsageError
from arena.reports.document import STOPPED
from arena.runs import progress
from arena.runs import session as tournament
from arena.runs.collector import earlier_chunks
from arena.runs.resume import tidy
from arena.runs.standings import Standings
from arena.store import ranges, run_directory
from arena.store.ranges import shard_path, shards
from arena.store.reader import Recorded
from arena.store.seat_tables import write_shard
from bad_bots import MOODY
from commands import START, result_files, seat_files, start
from commands import arena as command
from conftest import Result, Shared

Call = Callable[..., Result]
Play = Callable[..., Path]

BOTS = ["random", "random", "greedy", "racer", "moody.py:Moody"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With a bot that fails now and then; small shards for what is played from this process, to have several soon."""
    (tmp_path / "moody.py").write_text(MOODY)
    monkeypatch.setattr(ranges, "LEAST_GAMES", 50)
    return tmp_path


@pytest.fixture
def play(folder: Path, arena: Call, shared: Shared, monkeypatch: pytest.MonkeyPatch) -> Play:
    """A run of BOTS: played once for all tests, and copied for each as if it had been played there."""
    moody = (folder / "moody.py").read_text

    def play(out: str, games: int = 120, *options: object) -> Path:
        about = (*BOTS, games, *options, ranges.LEAST_GAMES, moody())

        def make(made: Path) -> None:
            (made / "moody.py").write_text(moody())
            with monkeypatch.context() as there:
                there.chdir(made)
                result = arena("run", *BOTS, "--players", 2, "--games", games, "--out", "run", *options)
            assert result.returncode == 0, result.stderr

        made = shared(f"resume-{zlib.crc32(repr(about).encode())}", make)
        run = shutil.copytree(made / "run", folder / out)
        faults = run / "faults.jsonl"  # where the bot lies is in it
        if faults.exists():
            faults.write_text(faults.read_text().replace(str(made), str(folder)))
        return Path(out)

    return play


def tables(run: Path) -> dict[str, bytes]:
    """All that must be equal, byte for byte."""
    others = {name: (run / name).read_bytes() for name in ("plan.json", "faults.jsonl")}
    assert b"not today" in others["faults.jsonl"]
    return result_files(run) | others


def cut_into_pieces(run: Path) -> None:
    """As a process leaves a run that is killed: pieces of shards, a gap, a torn line and a file half written."""
    plan = run_directory.read_plan(run)
    first, last = list(shards(plan))[-2:][0]
    outcomes, _ = Recorded.of(run, plan).load(first, last)
    shard_path(run, first, last).unlink()
    write_shard(run, plan, first, outcomes[:10])
    write_shard(run, plan, first + 30, outcomes[30:42])
    (run / "seats/.0000000500-0000001000.parquet.part").write_bytes(b"half")
    with (run / "faults.jsonl").open("a") as file:
        file.write('{"game": 1, "bot": "gree')
    (run / "times.json").unlink()


# Resume


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


# Extend


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
        ("r", 100, "--games 100 is the number of games in all, of which r has 100 planned"),
        ("r", 99, "--games 99 is the number of games in all"),
        ("r", 0, "--games 0 is too few"),
        ("r", 10**12, "--games is too large"),
        ("part", 200, "part is part 1/2 of its plan: merge the parts first"),
        ("nowhere", 200, "nowhere is not a run directory"),
    ]:
        result = arena("extend", run, "--games", games)
        assert result.returncode == 2
        assert says in result.stderr
    assert run_directory.read_plan(Path("r")).games == 100


# Parts and joining


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
    assert result.stderr == "Error: b has another result of game 41 than the runs before it\n"
    shard = next((a / "seats").iterdir())
    shard.write_bytes(shard.read_bytes()[:-9])
    result = arena("merge", a, "-o", "p")
    assert result.returncode == 1
    assert f"shard {shard} is damaged" in result.stderr
    for file in (a / "seats").iterdir():
        file.unlink()
    assert arena("merge", a, "-o", "p").stderr == "Error: there are no games in a\n"


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


# Bad ground


class Disk:
    """A disk of so many bytes in the folder `disk`, which only a shell and the commands beside it see."""

    def __init__(self, folder: Path, size: str) -> None:
        (folder / "disk").mkdir()
        self.folder = folder
        self.shell = subprocess.Popen(
            ["unshare", "--user", "--map-root-user", "--mount", "sh"],
            cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        if said := self(f"mount -t tmpfs -o size={size} none disk && cd disk"):
            self.close()
            pytest.skip(f"this system lets nobody mount a disk: {said}")

    def __call__(self, line: str) -> str:
        """What the shell prints."""
        assert self.shell.stdin
        assert self.shell.stdout
        try:
            self.shell.stdin.write(f"{line}\necho; echo done\n")
            self.shell.stdin.flush()
        except BrokenPipeError:  # it has never begun
            return self.shell.stdout.read()
        return "".join(iter(self.shell.stdout.readline, "done\n")).strip()

    def arena(self, words: str) -> subprocess.CompletedProcess[str]:
        """A command on the disk."""
        return command(*words.split(), cwd=self.folder / "disk", beside=self.shell.pid)

    def close(self) -> None:
        """It is gone with the last process that sees it."""
        self.shell.kill()
        self.shell.communicate()


@pytest.fixture
def disk(folder: Path) -> Iterator[Callable[[str], Disk]]:
    """Disks of some sizes."""
    with ExitStack() as open_ones:

        def make(size: str) -> Disk:
            made = Disk(folder, size)
            open_ones.callback(made.close)
            return made

        yield make


@pytest.mark.slow("enough games to fill a disk, and once more as many on another one")
def test_full_disk_loses_nothing(folder: Path, disk: Callable[[str], Disk]) -> None:
    """Exit code 1 and a sentence; what was finished is kept, and when there is room again the run goes on."""
    options = "random greedy racer --players 2 --games 8000"
    full = disk("150k")
    result = full.arena(f"run {options} --out r")
    assert result.returncode == 1
    last = result.stderr.splitlines()[-1]
    assert last.startswith("Error: cannot write r/")
    assert last.endswith("No space left on device; once that is fixed, `arena resume r` plays the rest")
    assert int(full("ls r/seats | wc -l")) > 0
    again = full.arena("resume r")
    assert again.returncode == 1
    assert again.stderr.splitlines()[-1].startswith("Error: cannot write")
    assert full("mount -o remount,size=20m .") == ""
    mended = full.arena("resume r")
    assert mended.returncode == 0, mended.stderr
    assert re.search("^[1-9].* are there", mended.stderr, re.MULTILINE)
    assert "Traceback" not in result.stderr + again.stderr + mended.stderr
    full("cp -r r ../r")
    assert command("run", *options.split(), "--out", "whole", cwd=folder).returncode == 0
    assert result_files(folder / "r") == result_files(folder / "whole")


def test_what_resuming_mends_is_said_and_nothing_else(
    folder: Path, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk can be mended; of a bot that cannot play so, or a fault at which to stop, the word stands alone."""
    run = play("r")
    plan = run_directory.read_plan(run)
    for error, code, ends in (
        (ArenaError("full"), 1, "full; once that is fixed, `arena resume r` plays the rest"),
        (StoppedAtFault("as told"), 1, "as told"),
        (UsageError("not so"), 2, "not so"),
    ):
        monkeypatch.setattr(tournament, "play_plan", lambda *_, error=error: throw(error))
        with pytest.raises(ArenaError) as caught:
            tournament.play_out(run, plan, 1, lambda text: None, tournament.no_display)
        assert (caught.value.exit_code, str(caught.value)) == (code, ends)


def throw(error: Exception) -> None:
    raise error


def test_read_only_directory(disk: Callable[[str], Disk]) -> None:
    """An unfinished run there cannot be played, one that is finished can still be reported on."""
    there = disk("20m")
    assert there.arena("run random greedy --games 600 --out r").returncode == 0
    assert there("cp -r r broken && rm broken/seats/*600.parquet && mount -o remount,ro .") == ""
    for words, code, said in (
        ("resume r", 0, "r is complete: nothing is missing."),
        ("resume broken", 1, "Error: cannot write to broken: Read-only file system"),
        ("extend r --games 700", 1, "Error: cannot write to r: Read-only file system"),
    ):
        result = there.arena(words)
        assert (result.returncode, result.stderr) == (code, f"{said}\n")
    result = there.arena("run random greedy --games 2 --out new")
    assert result.stderr.splitlines()[-1] == "Error: cannot make the run directory new: Read-only file system"


@pytest.mark.slow("two processes play until the folder is gone")
def test_directory_that_is_deleted_while_it_is_played(folder: Path) -> None:
    process = start("run", "random", "greedy", "--games", 100_000_000, "--jobs", 2, "--out", "r", cwd=folder)
    deadline = time.monotonic() + 120
    while not list((folder / "r/seats").glob("*.parquet")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.rename(folder / "r", folder / "gone")  # at once: files deleted one by one could be written anew
    _, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert re.fullmatch(r"Error: (cannot write r/\S+: )?the folder r(/seats)? is gone", err.splitlines()[-1]), err
    assert "Traceback" not in err
    assert not (folder / "r").exists()
    assert command("report", "gone", cwd=folder).returncode == 0


def test_damaged_plan(folder: Path, arena: Call, play: Play) -> None:
    """Nothing is played or deleted by a plan that cannot be read, or that the results do not belong to."""
    run = play("r", 100)
    good, shard = (run / "plan.json").read_text(), next((run / "seats").iterdir())
    content = shard.read_bytes()
    for damage in ("", good[: len(good) // 2], good.replace('"players": 2', '"players": 7')):
        (run / "plan.json").write_text(damage)
        for arguments in (("resume", run), ("extend", run, "--games", 200), ("merge", run, "-o", "m"), ("report", run)):
            result = arena(*arguments)
            assert result.returncode == 1
            assert result.stderr == "Error: r/plan.json is damaged: it holds no plan\n"
    (run / "plan.json").write_text(good.replace('"seed": 1', '"seed": 2'))
    for arguments in (("resume", run), ("extend", run, "--games", 200)):
        result = arena(*arguments)
        assert result.returncode == 1
        assert result.stderr.startswith(
            "Error: r/plan.json is not the plan that was played here: shard r/seats/0000000000"
        )
    (run / "plan.json").unlink()
    assert "it has no plan.json" in arena("resume", run).stderr
    assert shard.read_bytes() == content
