"""`arena doctor`: what is broken is found, named and told apart from what is merely not so good."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena import catalog
from arena.checks import findings
from arena.checks.findings import OK, PROBLEM, WARNING, Finding
from arena.checks.machine import doctor, installed, machine, selftest
from conftest import Result

ROOT = Path(__file__).parent.parent

GOOD = "from arena.bot import Bot\n\n\nclass Good(Bot):\n    def choose(self, view):\n        return view.actions[0]\n"
MODULES = {
    "doctor_good": GOOD,
    "doctor_exits": "import os\nos._exit(7)\n",
    "doctor_prints": f"print('hello')\n{GOOD}",
    "doctor_hangs": "import time\ntime.sleep(60)\n",
    "doctor_raises": "raise RuntimeError('no model file')\n",
    "doctor_lazy": "from arena.bot import Bot\n\n\nclass Lazy(Bot):\n    pass\n",
}


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Install bots as a distribution does: a folder on the path with metadata, entry points and modules."""

    def install(distribution: str = "doctor-bots", **entries: str) -> None:
        for name, text in MODULES.items():
            (tmp_path / f"{name}.py").write_text(text)
        info = tmp_path / f"{distribution.replace('-', '_')}-0.1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 0.1.0\n")
        lines = [f"{name} = {value}" for name, value in entries.items()]
        (info / "entry_points.txt").write_text("\n".join([f"[{catalog.GROUP}]", *lines]) + "\n")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr(catalog, "bot_entry_points", catalog.bot_entry_points.__wrapped__)

    return install


@pytest.mark.slow("the self-test plays on all maps, in this process and in workers")
def test_a_sound_machine(arena: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every part is looked at, within 80 columns; what runs the tests has no problem."""
    monkeypatch.setattr(selftest, "SECONDS", 0.1)
    result = arena("doctor")
    assert result.returncode == 0, result.stdout
    lines = result.stdout.splitlines()
    names = [line.split()[0] for line in lines if line[:1].strip()]
    assert names[:-1] == [
        "versions", "machine", "environment", "cache", "disk", "memory", "workers", "isolation", "bots", "maps",
        "rules", "tournament", "survival", "speed",
    ]  # fmt: skip
    assert max(map(len, lines)) <= 80
    assert "PROBLEM" not in result.stdout
    assert lines[-1].startswith("No problem found.")


def test_a_bot_that_does_not_load_is_a_problem(
    arena: Callable[..., Result], install: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the self-test, which the test above has made."""
    monkeypatch.setattr(doctor, "_self_test", lambda name, say: Finding(name, OK, "fine."))
    install(broken="doctor_raises:Bot")
    result = arena("doctor", "--json")
    assert result.returncode == 1
    found = json.loads(result.stdout)
    assert (found["ok"], found["problems"]) == (False, ["bots"])
    bots = next(finding for finding in found["findings"] if finding["name"] == "bots")
    assert list(bots["broken"]) == ["broken"]
    assert "RuntimeError: no model file" in bots["detail"]


def test_each_bot_that_does_not_load_is_named(install: Callable[..., None]) -> None:
    install(
        good="doctor_good:Good", prints="doctor_prints:Good", exits="doctor_exits:Bot", lazy="doctor_lazy:Lazy",
        nowhere="doctor_nowhere:Bot", noname="doctor_good:Better", raises="doctor_raises:Bot",
        greedy="doctor_good:Good",
    )  # fmt: skip
    finding = installed.bots()
    assert finding.status == PROBLEM
    broken = finding.numbers["broken"]
    assert sorted(broken) == ["exits", "greedy", "lazy", "noname", "nowhere", "raises"]
    assert broken["exits"] == "bot 'exits': its import ends the process (exit code 7)"
    assert "is declared by" in broken["greedy"]
    assert "does not define choose" in broken["lazy"]
    assert all(f"'{name}'" in reason for name, reason in broken.items())
    assert finding.detail.startswith(f"{len(finding.numbers['bots']) - 6} bots of ")


def test_an_import_without_end_is_found(install: Callable[..., None]) -> None:
    install(hangs="doctor_hangs:Bot", good="doctor_good:Good")
    found = installed.load_all(["hangs", "good"], seconds=5)
    assert found == {"hangs": "bot 'hangs': its import did not end within 5 seconds", "good": ""}


def test_nothing_installed_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "bot_entry_points", dict)
    assert installed.bots().status == PROBLEM


def test_a_broken_map_is_named(tmp_path: Path) -> None:
    """In a copy of the project with a map file that is none."""
    for package in ("arena", "bots", "maps"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "maps" / "atlantis.toml").write_text("cities = 3\n")
    code = "from arena.checks.machine.installed import maps; found = maps(); print(found.status, found.detail)"
    run = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True,
        check=True, cwd=tmp_path,
    )  # fmt: skip
    assert run.stdout.startswith("problem 3 maps of 4")
    assert "atlantis" in run.stdout


@pytest.mark.parametrize("how", ["a file is in the way", "read-only"])
def test_a_cache_folder_that_cannot_be_written(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cache"
    if how == "read-only":
        folder.mkdir(mode=0o500)
        if os.access(folder, os.W_OK):
            pytest.skip("this user may write everywhere")
    else:
        folder.touch()
    monkeypatch.setenv("ARENA_CACHE_DIR", str(folder / "code"))
    finding = machine.cache()
    assert finding.status == WARNING
    assert f"{folder / 'code'} cannot be written (" in finding.detail
    assert not finding.numbers["folder"].startswith(str(tmp_path))


def test_the_cache_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path))
    (tmp_path / "0123456789abcdef").mkdir()
    (tmp_path / "0123456789abcdef" / "x.code").write_bytes(bytes(5 << 20))
    finding = machine.cache()
    assert finding.numbers["bytes"] == 5 << 20
    assert finding.numbers["folder"] == str(tmp_path)
    assert "5.0 MB in 1 folder," in finding.detail


def test_a_missing_and_an_old_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The installed distribution says what is needed."""
    info = tmp_path / f"{machine.DISTRIBUTION.replace('-', '_')}-0.0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {machine.DISTRIBUTION}\nVersion: 0.0.1\nRequires-Dist: numpy>=99.0\n"
        "Requires-Dist: no-such-package>=1.0\nRequires-Dist: choix>=0.3; extra == 'test'\nRequires-Dist: numba>=0.61\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    finding = machine.versions()
    assert finding.status == PROBLEM
    assert "numpy must be 99.0 or newer." in finding.detail
    assert "no-such-package is not installed." in finding.detail
    assert "0.0.1 is installed, but what runs is " in finding.detail
    assert "numba must" not in finding.detail
    assert "choix" not in finding.detail


def test_slow_settings_are_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert machine.settings().status == WARNING
    assert machine.settings().numbers["variables"]["NUMBA_DISABLE_JIT"] == "1"


@pytest.mark.parametrize(("free", "status"), [(1 << 20, PROBLEM), (500 << 20, WARNING), (50 << 30, OK)])
def test_a_full_disk(free: int, status: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")._replace(free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    assert machine.disk().status == status


def test_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "free_memory", lambda: (100 << 20, 8 << 30))
    assert machine.memory().status == WARNING


@pytest.mark.skipif(sys.platform != "linux", reason="bots are isolated on Linux")
def test_guards_that_do_not_hold_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.engine.external import sandbox

    holding = [sandbox.Guard(what, True, "") for what in sandbox.GUARDS]
    monkeypatch.setattr(sandbox, "available", lambda: holding)
    assert machine.isolation().status == OK
    monkeypatch.setattr(sandbox, "available", lambda: [*holding[1:], sandbox.Guard("memory", False, "no such kernel")])
    finding = machine.isolation()
    assert finding.status == WARNING
    assert "Not here: memory (no such kernel)." in finding.detail
    assert finding.numbers["guards"]["memory"] is False


def test_a_deleted_folder_is_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    finding = doctor.guarded("disk", machine.disk)
    assert finding.status == PROBLEM
    assert "FileNotFoundError" in finding.detail


def test_games_that_come_to_other_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = json.loads(selftest.KNOWN.read_text())
    spec = catalog.load_map(catalog.default_map())
    known[spec.digest] = "0" * 16
    (tmp_path / "known.json").write_text(json.dumps(known))
    monkeypatch.setattr(selftest, "KNOWN", tmp_path / "known.json")
    finding = selftest.rules(lambda text: None)
    assert finding.status == PROBLEM
    assert finding.numbers["wrong"] == [spec.key]


def test_known_results_are_those_of_today() -> None:
    """They change with a rule or a map: UPDATE_SNAPSHOTS=1 writes them anew."""
    specs = [catalog.load_map(name) for name in catalog.map_names()]
    known = {spec.digest: selftest.outcome_digest(spec) for spec in specs}
    if os.environ.get("UPDATE_SNAPSHOTS"):
        selftest.KNOWN.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")
    assert json.loads(selftest.KNOWN.read_text(encoding="utf-8")) == known


def test_long_texts_are_wrapped() -> None:
    found = doctor.Examination((
        Finding("versions", OK, "word " * 100),
        findings.joined("bots", "9 bots.", [(WARNING, "One is slow."), (PROBLEM, "One is broken."), (WARNING, "x.")]),
        Finding("disk", WARNING, "Nearly full."),
    ))  # fmt: skip
    lines = found.to_text().splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[-1] == "Problems: bots. See also the warnings: disk."
    assert any(line.startswith("bots      PROBLEM  9 bots. One is slow. One is broken. x.") for line in lines)
