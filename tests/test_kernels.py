"""Compiled code: each line once, whole files on disk, old folders forgotten, code that travels."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
from io import BytesIO
from pathlib import Path

import pytest

from arena.catalog import load_entrants, load_map
from arena.errors import ArenaError, UsageError
from arena.rules.compiler import INTERPRETED, digest_of, digests, store, travel
from arena.rules.compiler.place import cache_root, chosen_level, level_file
from arena.runs.compile import compile_all
from commands import START
from commands import arena as command

OLD, RECENT = "0123456789abcdef", "1123456789abcdef"
compiled_only = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


def python(code: str, folder: Path, **environment: str) -> str:
    """What a fresh process prints."""
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the cache, which a test can damage."""
    compile_all(load_entrants(["random"]), load_map("usa"), 2, print)
    folder = tmp_path / "cache"
    (folder / store.cache_dir().name).parent.mkdir()
    shutil.copytree(store.cache_dir(), folder / store.cache_dir().name, ignore=shutil.ignore_patterns("*.lock"))
    if level_file(cache_root()).exists():
        shutil.copy(level_file(cache_root()), level_file(folder))
    monkeypatch.setenv("ARENA_CACHE_DIR", str(folder))
    return folder


def test_old_code_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders unused for a month go; used ones and whatever is not ours stay."""
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path))
    for name, days in ((OLD, 40), (RECENT, 2), ("thesis", 90)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.o").touch()
        os.utime(tmp_path / name, (time.time() - 86_400 * days,) * 2)
    store.forget_old_code()
    assert sorted(path.name for path in tmp_path.iterdir()) == [RECENT, "thesis"]


def test_use_makes_a_folder_recent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path))
    for folder in (store.cache_dir.__wrapped__("one"), store.cache_dir.__wrapped__("two")):
        os.utime(folder, (0, 0))
    used = store.cache_dir.__wrapped__("one")
    store.forget_old_code()
    assert list(tmp_path.iterdir()) == [used]


def test_unwritable_cache_folder_falls_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert cache_root().is_dir()
    assert tmp_path not in cache_root().parents


def test_all_compiled_code_is_in_the_digest() -> None:
    """A file with kernels that it leaves out would be played as it was when it was compiled."""
    marked = re.compile(r"^@(kernel|exported)\b", re.MULTILINE)
    found = {path for path in digests.ARENA.rglob("*.py") if marked.search(path.read_text(encoding="utf-8"))}
    known = {path for pattern in digests.KERNELS for path in digests.ARENA.glob(pattern)}
    template = digests.ARENA / "catalog" / "template"
    assert {path for path in found if template not in path.parents} <= known


def test_digest_follows_names_and_contents(tmp_path: Path) -> None:
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("a"), two.write_text("b")
    before = digest_of([one, two])
    assert before == digest_of([two, one])
    one.write_text("ab")
    two.write_text("")
    assert before != digest_of([one, two])


HELPER = """
from arena.bot import exported, kernel


@kernel
def second(actions):
    return actions[1 % len(actions)]


@exported("i4[]", "i8", returns="i8")
def nth(actions, n):
    if n < 0:
        raise ValueError("no action has a number below 0")
    return actions[n % len(actions)]
"""
BOT = """
from arena.bot import kernel, policy
from helper_both_ways import nth, second


@kernel
def pick(actions):
    return max(second(actions), nth(actions, 2))


@policy
def bot(view, board, actions, memory, random_state):
    return pick(actions)


@kernel
def misled(actions):
    return nth(actions, -1)
"""


@pytest.fixture
def both_ways(tmp_path: Path) -> Path:
    (tmp_path / "helper_both_ways.py").write_text(HELPER)
    (tmp_path / "bot_both_ways.py").write_text(BOT)
    return tmp_path


@compiled_only
def test_a_bot_by_its_file_and_by_its_module(both_ways: Path) -> None:
    """Code cached under one name of the bot's module is no hindrance under another one."""
    by_file = "from arena.catalog import load_entrant; load_entrant('bot_both_ways.py:bot').bot.compile()"
    by_module = "from bot_both_ways import bot; bot.compile()"
    for way in (by_file, by_module, by_file):
        python(way, both_ways)


@compiled_only
def test_an_exception_below_keeps_its_text(both_ways: Path) -> None:
    """Also through a unit, which knows nothing of who calls it; once compiled here, once loaded from disk."""
    code = """
import numpy as np
from bot_both_ways import misled, pick
assert pick(np.array([3, 4, 5], np.int32)) == 5
try:
    misled(np.array([3], np.int32))
except ValueError as error:
    print(error)
"""
    for _ in range(2):
        assert python(code, both_ways) == "no action has a number below 0\n"


@compiled_only
def test_a_change_in_a_helper_is_never_stale(both_ways: Path) -> None:
    code = "import numpy as np; from bot_both_ways import pick; print(pick(np.array([3, 4, 5], np.int32)))"
    assert python(code, both_ways) == "5\n"
    (both_ways / "helper_both_ways.py").write_text(HELPER.replace("n % len(actions)", "0 * n"))
    assert python(code, both_ways) == "4\n"


@compiled_only
def test_a_module_that_is_loaded_again_is_never_stale(tmp_path: Path) -> None:
    """As in a notebook: its author changes it and loads it once more, in the same process."""
    (tmp_path / "again.py").write_text("from arena.bot import kernel\n\n\n@kernel\ndef seven():\n    return 7\n")
    code = """
import importlib, pathlib, again
print(again.seven())
file = pathlib.Path("again.py")
file.write_text(file.read_text().replace("return 7", "return 77"))
print(importlib.reload(again).seven())
"""
    assert python(code, tmp_path, PYTHONDONTWRITEBYTECODE="1") == "7\n77\n"


@compiled_only
def test_one_set_of_integer_types() -> None:
    """Where kernels call kernels each is compiled once for all whole numbers."""
    code = """
import numpy as np
from arena.bot import kernel
from arena.rules.actions import kind_of

@kernel
def kinds(small, large):
    return kind_of(small[0]) + kind_of(large[0]) + kind_of(1 << 24)

print(kinds(np.zeros(1, np.int16), np.zeros(1, np.int64)), len(kind_of.part.overloads))
"""
    assert python(code, Path.cwd()) == "1 1\n"


@compiled_only
def test_damaged_code_is_compiled_again(own_cache: Path, tmp_path: Path) -> None:
    """A truncated file and one with a flipped byte are no code."""
    folder = own_cache / store.cache_dir().name
    unit, kernel = folder / "arena.rules.view.o", next(folder.glob("arena.rules.paths.path_in-*.code"))
    whole = unit.read_bytes()
    unit.write_bytes(whole[: len(whole) // 2])
    content = bytearray(kernel.read_bytes())
    content[100] ^= 1
    kernel.write_bytes(content)
    result = command("run", "random", "tutorial", "--games", "2", "--jobs", "1", "--out", "run", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert len(unit.read_bytes()) > len(whole) // 2
    assert store.read_whole(unit) is not None


@pytest.mark.slow("compiles, in two processes")
@compiled_only
def test_two_processes_compile_at_once(own_cache: Path, tmp_path: Path) -> None:
    """Both play, and what one makes the other one takes."""
    unit = own_cache / store.cache_dir().name / "arena.rules.view.o"
    unit.unlink()
    arguments = [*START, "run", "random", "random", "--games", "2", "--jobs", "1", "--out"]
    both = [
        subprocess.Popen([*arguments, f"run{n}"], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for n in range(2)
    ]
    for process in both:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors.decode()
    assert store.read_whole(unit) is not None


@compiled_only
def test_a_cache_that_cannot_be_written_is_no_hindrance(tmp_path: Path) -> None:
    """As on a full disk: whatever is compiled is used, and nothing of it is kept."""
    code = """
import tempfile
from arena.rules.compiler import store
def full(*arguments, **named): raise OSError(28, "No space left on device")
store.tempfile.NamedTemporaryFile = full
import numpy as np
from arena.bot import kernel
from arena.rules.sets import has

@kernel
def held(words):
    return has(words, 1)

print(held(np.array([2], np.uint64)))
"""
    (tmp_path / "full.py").write_text(code)
    assert python("import full", tmp_path) == "True\n"


def archive(file: Path, manifest: dict[str, object] | None, files: dict[str, bytes]) -> Path:
    """A file as `arena cache export` might have written it."""
    with tarfile.open(file, "w:gz") as tar:
        content = ({} if manifest is None else {travel.MANIFEST: json.dumps(manifest).encode()}) | files
        for name, data in content.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, BytesIO(data))
    return file


@pytest.fixture
def manifest() -> dict[str, object]:
    return {**travel.versions(), "rules": travel.kernels_digest(), "compiler": travel.compiler_digest()}


@compiled_only
def test_code_travels(own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is packed here and unpacked in an empty cache is used there: nothing is compiled again."""
    file = tmp_path / "code.tgz"
    travel.pack(own_cache, None, file)
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path / "elsewhere"))
    result = command("cache", "import", file, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    before = {path: path.read_bytes() for path in (tmp_path / "elsewhere").rglob("*.o")}
    assert before
    played = command("run", "random", "random", "--games", "2", "--jobs", "1", "--out", "run", cwd=tmp_path)
    assert played.returncode == 0, played.stderr
    assert "rules" not in played.stderr
    assert before.items() <= {path: path.read_bytes() for path in (tmp_path / "elsewhere").rglob("*.o")}.items()
    listed = json.loads(command("cache", "list", "--json", cwd=tmp_path).stdout)
    assert any("arena.rules.turn" in folder["modules"] for folder in listed["folders"])
    assert command("cache", "clear", cwd=tmp_path).returncode == 0
    assert json.loads(command("cache", "list", "--json", cwd=tmp_path).stdout)["folders"] == []


@compiled_only
@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"numba": "0.1"}, "made with Numba 0.1, here it is"),
        ({"python": "cpython-39"}, "made with Python cpython-39"),
        ({"rules": "0"}, "another version of the arena"),
        ({"compiler": "0"}, "another version of the arena"),
        ({"cpu": "z80"}, "for the processor z80 only"),
        ({"boundscheck": "1"}, "NUMBA_BOUNDSCHECK"),
    ],
)
def test_code_that_does_not_fit_is_refused(
    changed: dict[str, str], reason: str, tmp_path: Path, manifest: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path / "cache"))
    file = archive(tmp_path / "code.tgz", manifest | changed, {f"{OLD}/x.o": b"x"})
    with pytest.raises(ArenaError, match=reason):
        travel.unpack(file)
    assert list((tmp_path / "cache").glob("*")) == []


@compiled_only
@pytest.mark.parametrize("name", ["../x.o", f"{OLD}/../../x.o", "/etc/x.o", f"{OLD}/.x", "thesis/x.o", f"{OLD}/a/b"])
def test_nothing_is_unpacked_outside(
    name: str, tmp_path: Path, manifest: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path / "cache"))
    with pytest.raises(ArenaError, match="not compiled code"):
        travel.unpack(archive(tmp_path / "code.tgz", manifest, {name: b"x"}))


@compiled_only
def test_what_is_no_exported_file_is_refused(tmp_path: Path, manifest: dict[str, object]) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no code")
    whole = archive(tmp_path / "code.tgz", manifest, {f"{OLD}/x.o": bytes(range(256)) * 100})
    half = tmp_path / "half.tgz"
    half.write_bytes(whole.read_bytes()[:200])
    for file in (text, half, archive(tmp_path / "empty.tgz", None, {}), tmp_path / "missing.tgz"):
        with pytest.raises(ArenaError):
            travel.unpack(file)


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    """As on a full disk: an error of one sentence, and no half of a file that somebody might import."""
    (tmp_path / "cache" / OLD).mkdir(parents=True)
    with pytest.raises(ArenaError, match="cannot write"):
        travel.pack(tmp_path / "cache", None, tmp_path / "missing" / "code.tgz")
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]


def test_levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A level is one of those that there are, and is taken from the cache."""
    with pytest.raises(UsageError, match="did you mean x86-64-v3"):
        travel.require_level("x86_64_v3")
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path))
    assert chosen_level() is None
    (tmp_path / "cpu").write_text("x86-64-v2\n")
    assert chosen_level() == "x86-64-v2"
    (tmp_path / "cpu").write_text("nonsense")
    assert chosen_level() is None


def fingerprint(folder: Path, before: str = "", **environment: str) -> str:
    """Games of the rules and of the shipped bots, as a fresh process plays them."""
    file = Path(__file__).with_name("fingerprint_games.py")
    run = f"import runpy, sys\nsys.argv[1:] = ['3', '2', '4']\nrunpy.run_path({str(file)!r}, run_name='__main__')"
    code = f"{before}\n{run}"
    return python(code, folder, PYTHONPATH=str(file.parent), **environment)


@compiled_only
@pytest.mark.full
def test_numbas_own_way_plays_the_same(tmp_path: Path) -> None:
    """What a version of Numba gets that nobody has tried."""
    unknown = "import arena.rules.compiler.linking as linking; linking.NEWEST = (0, 0)"
    usual = fingerprint(tmp_path)
    assert len(usual.splitlines()) > 5
    assert fingerprint(tmp_path, unknown, ARENA_CACHE_DIR=str(tmp_path / "cache")) == usual


@compiled_only
@pytest.mark.full
def test_a_level_of_processors_plays_the_same(tmp_path: Path) -> None:
    """`arena cache export --cpu`, `import`, and games with the code of the file."""
    level = next((name for name in reversed(travel.LEVELS) if not travel._missing(name)), None)
    if level is None:
        pytest.skip("this processor is none of the x86-64 levels")
    usual = fingerprint(tmp_path)
    exported = command("cache", "export", "code.tgz", "--cpu", level, cwd=tmp_path, timeout=600)
    assert exported.returncode == 0, exported.stderr
    elsewhere = {"ARENA_CACHE_DIR": str(tmp_path / "elsewhere")}
    imported = command("cache", "import", "code.tgz", cwd=tmp_path, env=elsewhere)
    assert imported.returncode == 0, imported.stderr
    assert level in imported.stdout
    assert fingerprint(tmp_path, **elsewhere) == usual
    played = command("run", "planner", "mcts:sims=1", "--games", "2", "--jobs", "1", cwd=tmp_path, env=elsewhere)
    assert "Compiling" not in played.stderr
