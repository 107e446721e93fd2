"""What several test files share."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from arena import catalog
from arena.cli import main
from arena.mapspec import MapSpec


@pytest.fixture(params=catalog.map_names())
def spec(request: pytest.FixtureRequest) -> MapSpec:
    """Every shipped map."""
    return catalog.load_map(request.param)


LONG = ("test_docs.py", "test_ladder.py", "test_interpreted.py", "test_wheel.py", "test_kit.py", "test_html.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest first: with several processes nobody waits for one of them at the end."""
    items.sort(key=lambda item: LONG.index(item.path.name) if item.path.name in LONG else len(LONG))


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
