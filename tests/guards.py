"""What tests of bots in processes of their own share: which guards hold here, and that nothing is left behind."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.engine.external import isolated, process, sandbox

HOLDS = {guard.what: guard for guard in sandbox.available()}
PYTHON = [sys.executable, "-I", "-S", "-c"]


def needs(*guards: str) -> pytest.MarkDecorator:
    """Skip where the kernel does not allow a guard; the reason says why not."""
    why = [f"{what}: {HOLDS[what].why}" for what in guards if not HOLDS[what].holds]
    return pytest.mark.skipif(bool(why), reason="; ".join(why))


@pytest.fixture(autouse=True)
def _nothing_left(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test ends all processes of bots, and they leave no folder."""
    folder = tmp_path_factory.mktemp("scratch")
    monkeypatch.setattr(process, "gettempdir", lambda: str(folder))
    yield
    isolated.close_all()
    wait_until(lambda: not list(folder.iterdir()))  # a worker's bots are ended by those who watch over them, soon after


def processes_of(mark: str) -> list[int]:
    """Processes whose command line has a text in it, zombies aside."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if mark.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def wait_until(done: Callable[[], object], seconds: float = 30) -> None:
    until = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < until
        time.sleep(0.02)
