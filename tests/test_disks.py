"""Full and read-only disks, folders that are deleted, damaged plans: nothing that was played is lost."""

import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from arena.errors import ArenaError, StoppedAtFault, UsageError
from arena.runs import session as tournament
from arena.store import run_directory
from commands import arena as command
from commands import result_files, start
from conftest import Result
from moody_runs import Play

Call = Callable[..., Result]


@pytest.fixture
def folder(moody_folder: Path) -> Path:
    return moody_folder


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
            assert result.stderr == "Error: r/plan.json is damaged: it does not hold a plan\n"
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
