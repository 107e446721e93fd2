"""The process of a bot by itself: lines come and go, limits hold, everything that it started ends with it."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.engine.external import process, sandbox
from arena.engine.external.process import BotProcess, Ended, TimedOut, TooLong, lines
from guards import PYTHON, _nothing_left, needs, processes_of, wait_until

__all__ = ["_nothing_left"]


def ask(code: str, **options: object) -> BotProcess:
    return BotProcess([*PYTHON, code], framing=lines, **options)  # type: ignore[arg-type]


def test_lines_come_and_go() -> None:
    bot = ask("while True: print(input()[::-1], flush=True)")
    soon = time.monotonic() + 30
    for size in (1, 300_000):  # more than a pipe holds
        bot.send(b"a" * size + b"b\n", soon)
        assert bot.receive(soon) == b"b" + b"a" * size + b"\n"
    assert bot.tail() == ""
    assert bot.end(0.0) == "was ended"


@pytest.mark.parametrize(
    ("code", "error", "end"),
    [
        ("import time; time.sleep(1000)", TimedOut, "was ended"),
        ("import os\nwhile True: os.write(1, b'x' * 99999)", TooLong, "was ended"),
        ("import sys; sys.exit(3)", Ended, "exit code 3"),
        ("import os; os.kill(os.getpid(), 6); os.abort()", Ended, None),
    ],
)
def test_all_ends_in_words(code: str, error: type[Exception], end: str | None) -> None:
    bot = ask(code, longest=1000)
    with pytest.raises(error):
        bot.receive(time.monotonic() + (0.3 if error is TimedOut else 30))
    assert bot.end() == end or end is None


def test_a_reader_that_hangs() -> None:
    bot = ask("import time; time.sleep(1000)")
    with pytest.raises(TimedOut):
        bot.send(bytes(1 << 20), time.monotonic() + 0.3)
    bot.end(0.0)


def test_what_is_no_program() -> None:
    bot = BotProcess(["/nonexistent/bot"], framing=lines)
    with pytest.raises(Ended):
        bot.receive(time.monotonic() + 30)
    assert bot.end() == "cannot be started: /nonexistent/bot: No such file or directory"


@pytest.mark.parametrize("guarded", [True, False])
def test_grandchildren_end_with_it(guarded: bool) -> None:
    """Even those in a session of their own, and without a namespace."""
    mark = f"mark{os.urandom(8).hex()}"
    bot = ask(
        f"import os, time; '{mark}'\nif not os.fork():\n os.setsid()\n if os.fork(): os._exit(0)\n"
        "else: print('up', flush=True)\ntime.sleep(1000)",
        sandbox=guarded,
    )
    assert bot.receive(time.monotonic() + 30) == b"up\n"
    assert processes_of(mark)
    bot.end(0.0)
    wait_until(lambda: not processes_of(mark))


@pytest.mark.parametrize("guarded", [True, False])
def test_it_ends_with_a_killed_arena(guarded: bool, tmp_path: Path) -> None:
    mark = f"mark{os.urandom(8).hex()}"
    bot = f"import os, time; '{mark}'; os.fork(); print('up', flush=True); time.sleep(1000)"
    code = (
        "import sys, time; from arena.engine.external.process import BotProcess, lines\n"
        f"bot = BotProcess([sys.executable, '-I', '-S', '-c', {bot!r}], framing=lines, sandbox={guarded})\n"
        "bot.receive(time.monotonic() + 30); print('up', flush=True); time.sleep(1000)"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment) as ours:
        assert ours.stdout is not None
        assert ours.stdout.readline() == "up\n"
        assert len(list(tmp_path.iterdir())) == 1
        ours.send_signal(signal.SIGKILL)
    wait_until(lambda: not processes_of(mark) and not list(tmp_path.iterdir()))


@needs(sandbox.UNSEEN)
def test_it_cannot_end_its_supervisor() -> None:
    bot = ask(
        "import os\nos.kill(0, 9)\ntry: os.kill(-1, 9)\nexcept OSError: pass\nprint(os.getpid(), flush=True)\ninput()"
    )
    assert bot.receive(time.monotonic() + 30) == b"1\n"
    bot.end(0.0)


def _readable_python(folder: Path) -> str | None:
    """An interpreter that any user may run, if that one can read a folder."""
    trial = "import os, sys; print(sys.version_info >= (3, 11) and os.listdir(sys.argv[1]))"
    for path in (sys.executable, "/usr/bin/python3"):
        try:
            found = subprocess.run(
                [path, "-I", "-S", "-c", trial, folder],
                user=sandbox.NOBODY, group=sandbox.NOBODY, extra_groups=[], capture_output=True, text=True, check=False,
            )  # fmt: skip
        except OSError:
            continue
        if "arena" in found.stdout:
            return path
    return None


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder with the package, for all users: where it lies and where tests write may be closed to others."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        shutil.copytree(Path(process.ROOT, "arena"), folder / "arena", ignore=shutil.ignore_patterns("__pycache__"))
        yield folder


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="this user is an ordinary one: all tests are")
def test_for_an_ordinary_user(public: Path) -> None:
    """All guards, without any right of root; each that does not hold is named with its reason."""
    python = _readable_python(public)
    if python is None:
        pytest.skip("no interpreter here that an ordinary user may run, or no folder for all")
    code = f"""
import sys; sys.path.insert(0, {str(public)!r})
from arena.engine.external import sandbox
from arena.engine.external.process import BotProcess, lines
print(sandbox.in_words(sandbox.available()).replace("\\n", " "))
bot = BotProcess([sys.executable, '-I', '-S', '-c', sys.argv[1]], framing=lines)
print(bot.end(30)); print(bot.tail())
"""
    trial = """
import os, socket, sys
def tried(work):
    try: work(); print("fine", file=sys.stderr)
    except OSError as error: print(error.errno, file=sys.stderr)
tried(lambda: open('/dev/null', 'w'))
tried(lambda: open('mine', 'w'))
tried(lambda: open('/tmp/mine', 'w'))
tried(lambda: socket.create_connection(('192.0.2.1', 9), 1))
tried(lambda: os.kill(1 + os.getpid(), 0))
"""
    result = subprocess.run(
        [python, "-c", code, trial], user=sandbox.NOBODY, group=sandbox.NOBODY, extra_groups=[], cwd="/",
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    said, end, *found = result.stdout.splitlines()
    assert said.startswith("Isolated: memory, time"), result.stderr
    if "Not here" in said:
        pytest.skip(said)
    assert end == "exit code 0"
    assert found[:5] == ["fine", "fine", "30", "101", "3"]
