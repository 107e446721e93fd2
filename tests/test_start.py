"""What a command loads before it works, and the report that is made ready in a process of its own."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from arena.cli import main, reporter
from arena.cli.reporter import Reporter, make_report
from arena.engine.sources import sources_of
from arena.errors import UsageError
from arena.store import arrow
from commands import arena

HEAVY = {"llvmlite", "numba", "numpy", "pandas", "pyarrow", "scipy", "tqdm"}
FOR_REPORTS = {"pandas", "scipy.special", "scipy.stats", "tqdm"}
"""What reports need, and displays on a terminal. (Numba loads other parts of SciPy.)"""
FOR_GAMES = {"concurrent.futures.process", "numba", "scipy.optimize", "scipy.stats", "tqdm"}

NOT_LOADED = {
    "--version": HEAVY,
    "maps list": HEAVY,
    "maps check usa": HEAVY,
    "maps draw usa": HEAVY,
    "bots list": HEAVY - {"numpy"},
    "run random random --games 2 --out r": FOR_REPORTS,
    "resume r": FOR_REPORTS,
    "replay r 0": FOR_REPORTS,
    "report r": FOR_GAMES,
    "compare r r": FOR_GAMES,
}
"""From a command to modules that it must not load, in the process that is started; in this order."""

COMMAND = """
import atexit, json, sys
from arena.cli import main
atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))
main(prog_name="arena")
"""


def modules_of(arguments: str, folder: Path) -> set[str]:
    """The modules that are loaded when a command ends."""
    words = [sys.executable, "-c", COMMAND, *arguments.split()]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.slow("ten commands from the start")
def test_commands_load_what_they_use(tmp_path: Path) -> None:
    found = {command: modules_of(command, tmp_path) & heavy for command, heavy in NOT_LOADED.items()}
    assert {command: modules for command, modules in found.items() if modules} == {}


def test_help_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys; from click.testing import CliRunner; from arena.cli import main\n"
        "for words in sys.argv[1:]:\n"
        "    assert CliRunner().invoke(main, [*words.split(), '--help']).exit_code == 0\n"
        f"print({HEAVY!r} & set(sys.modules))"
    )
    names = [
        "",
        *main.commands,
        *(f"{group} {name}" for group in ("bots", "maps") for name in main.commands[group].commands),
    ]
    done = subprocess.run([sys.executable, "-c", code, *names], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a few games."""
    folder = tmp_path_factory.mktemp("reported")
    assert arena("run", "random", "greedy", "--games", 20, "--out", "r", cwd=folder).returncode == 0
    return folder / "r"


@pytest.mark.parametrize("as_json", [False, True])
def test_a_report_made_elsewhere_is_the_same(run: Path, as_json: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporter, "available_cores", lambda: 2)
    here = make_report(run, as_json)
    with Reporter() as made, monkeypatch.context() as patched:
        patched.setattr(reporter, "make_report", None)
        process = made._process
        assert made.report(run, as_json) == here
    assert not process.is_alive()
    assert here.problems == ()


def test_without_a_core_to_spare_the_report_is_made_here(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporter, "available_cores", lambda: 1)
    with Reporter() as made:
        assert made._process is None
        assert made.report(run, False) == make_report(run, False)


def test_a_report_survives_the_process_that_was_to_make_it(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporter, "available_cores", lambda: 2)
    with Reporter() as made:
        os.kill(made._process.pid, signal.SIGTERM)
        assert made.report(run, False) == make_report(run, False)


def test_what_is_wrong_with_a_run_is_said_as_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporter, "available_cores", lambda: 2)
    with Reporter() as made, pytest.raises(UsageError, match="is not a run directory"):
        made.report(tmp_path, False)


def test_numbers_and_names_are_what_pyarrow_makes_of_them() -> None:
    """Without pandas: any type, parts of arrays, nothing at all, names that are no ASCII."""
    for kind in ("i1", "i2", "i4", "i8", "u8", "f8"):
        values = np.arange(12).astype(kind)
        for part in (values, values[::3], values[:0]):
            assert arrow.of_numbers(part).equals(pa.array(part))
            assert arrow.numbers_of(pa.array(part)).tolist() == part.tolist()
            assert arrow.numbers_of(pa.array(part)).dtype == part.dtype
    assert arrow.numbers_of(pa.array([1, 2, 3, 4])[1:3]).tolist() == [2, 3]
    assert arrow.numbers_of(pa.chunked_array([[1, 2], [3]])).tolist() == [1, 2, 3]
    names = ["random", "größter", "", "bot.py:Ω"]
    codes = np.array([3, 0, 1, 1, 2], np.int16)
    made = arrow.of_names(codes, names)
    assert made.equals(pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(names)))
    made.validate(full=True)


def test_the_arenas_own_files_are_no_part_of_a_bot() -> None:
    file = Path(reporter.__file__)
    assert sources_of(file) == {file}
