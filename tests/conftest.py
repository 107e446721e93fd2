"""What several test files share."""

import os
import shutil
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from filelock import FileLock

import budget
from arena import catalog
from arena.boards.spec import MapSpec
from arena.cli import main
from arena.store import ranges
from bad_bots import MOODY
from commands import open_nursery
from moody_runs import BOTS, Play
from nursery import load_compiled_code
from programs import scripted  # noqa: F401  # a fixture


def pytest_configure(config: pytest.Config) -> None:
    """Tests have a limit. Before several processes begin, one compiles what all need: nothing is compiled twice."""
    config.pluginmanager.register(budget)
    several = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if several and not config.option.collectonly:
        load_compiled_code()
        if sys.platform == "linux":
            open_nursery()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: some tests wait for a clock, or for another process."""
    return 1 + (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


@pytest.fixture(params=catalog.map_names())
def spec(request: pytest.FixtureRequest) -> MapSpec:
    """Every shipped map."""
    return catalog.load_map(request.param)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest first: with several processes nobody waits for one of them at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


class Result(NamedTuple):
    """As of a process."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """The command in this process, which has loaded everything, in a folder of its own; its workers are real."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> Result:
        try:
            main([str(argument) for argument in arguments], prog_name="arena")
        except SystemExit as stopped:
            code = stopped.code
        return Result(int(code or 0), *capfd.readouterr())

    return call


class Shared:
    """Folders that are made once, by the first test in any process that asks, and read by all."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def __call__(self, name: str, make: Callable[[Path], object]) -> Path:
        """The folder of this name, which `make` has filled; whoever wants to change something takes a copy."""
        folder, done = self.root / name, self.root / f"{name}.done"
        with FileLock(self.root / f"{name}.lock"):
            if not done.exists():
                folder.mkdir()  # fails if `make` has failed before, in another process
                make(folder)
                done.touch()
        return folder


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Shared:
    """What is recorded for tests of several processes: one folder for all of them."""
    base = tmp_path_factory.getbasetemp()
    root = (base.parent if hasattr(request.config, "workerinput") else base) / "shared"
    root.mkdir(exist_ok=True)
    return Shared(root)


@pytest.fixture
def moody_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With a bot that fails now and then; small shards for what is played from this process, to have several soon."""
    (tmp_path / "moody.py").write_text(MOODY)
    monkeypatch.setattr(ranges, "LEAST_GAMES", 50)
    return tmp_path


@pytest.fixture
def play(moody_folder: Path, arena: Callable[..., Result], shared: Shared, monkeypatch: pytest.MonkeyPatch) -> Play:
    """A run of BOTS: played once for all tests, and copied for each as if it had been played there."""
    moody = (moody_folder / "moody.py").read_text

    def play(out: str, games: int = 120, *options: object) -> Path:
        about = (*BOTS, games, *options, ranges.LEAST_GAMES, moody())

        def make(made: Path) -> None:
            (made / "moody.py").write_text(moody())
            with monkeypatch.context() as there:
                there.chdir(made)
                result = arena("run", *BOTS, "--players", 2, "--games", games, "--out", "run", *options)
            assert result.returncode == 0, result.stderr

        made = shared(f"resume-{zlib.crc32(repr(about).encode())}", make)
        run = shutil.copytree(made / "run", moody_folder / out)
        faults = run / "faults.jsonl"  # where the bot lies is in it
        if faults.exists():
            faults.write_text(faults.read_text().replace(str(made), str(moody_folder)))
        return Path(out)

    return play
