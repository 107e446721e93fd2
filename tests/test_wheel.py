"""The wheel as a stranger gets it: what is in it, and that it plays in an empty environment."""

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, ROOT]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


def test_wheel_holds_three_packages_and_the_maps(wheel: Path) -> None:
    """The names are common ones: nothing else may come along, and nothing may be missing."""
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"arena", "bots", "maps"}
    sources = {
        str(path.relative_to(ROOT)) for package in ("arena", "bots", "maps") for path in (ROOT / package).rglob("*.py")
    }
    maps = {f"maps/{path.name}" for path in (ROOT / "maps").glob("*.toml")}
    others = {"arena/py.typed", "arena/catalog/template/README.md", "arena/catalog/template/pyproject.toml"}
    page = {"arena/reports/page.css", "arena/reports/page.js"}
    schemas = {f"arena/schemas/{path.name}" for path in (ROOT / "arena" / "schemas").iterdir()}
    known = {"arena/checks/machine/known.json"}
    assert sources | maps | others | page | schemas | known == {name for name in names if ".dist-info/" not in name}


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """The scripts of an environment with nothing in it."""
    venv.create(tmp_path / "venv")
    return tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")


@pytest.fixture
def bare(empty: Path, tmp_path: Path) -> Path:
    """The same with what runs these tests, but for the arena: pip finds what the wheel needs and fetches nothing."""
    others = tmp_path / "others"
    others.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith(("arena", "bots", "maps", "ttr_arena", "__pycache__")) and path.suffix != ".pth":
            (others / path.name).symlink_to(path)
    site = subprocess.run(
        [empty / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    (Path(site) / "others.pth").write_text(f"{others}\n")
    return empty


def try_out(wheel: Path, scripts: Path, folder: Path, *options: str, tests: str = "") -> None:
    """A real pip install; bots of other distributions are found by their entry points, a package of the kit works.

    options: of pip; tests: which of the package's (as `pytest -k` takes it).
    """
    plugin = folder / "plugin"
    plugin.mkdir()
    (plugin / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[project]\nname = "my-bots"\nversion = "1"\ndependencies = ["ttr-arena"]\n'
        '[project.entry-points."arena.bots"]\nlast = "my_bots:Last"\n'
        '[tool.hatch.build.targets.wheel]\ninclude = ["my_bots.py"]\n'
    )
    (plugin / "my_bots.py").write_text(
        'from arena.bot import Bot\n\n\nclass Last(Bot):\n    """Plays the last legal action."""\n\n'
        "    def choose(self, view):\n        return view.actions[-1]\n"
    )
    # From outside, and only what is imported becomes bytecode.
    pip = [sys.executable, "-m", "pip", "--python", scripts / "python", "install", "--quiet", "--no-compile", *options]
    subprocess.run([*pip, wheel, plugin], check=True)

    def arena(*arguments: str) -> str:
        run = subprocess.run([scripts / "arena", *arguments], cwd=folder, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        return run.stdout

    assert "written: alice" in arena("bots", "new", "alice")
    subprocess.run([*pip, "./alice[test]"], cwd=folder, check=True)
    listed = arena("bots", "list")
    assert "last (Python): Plays the last legal action." in listed
    assert "alice:least=3 (Python): Claims" in listed
    assert "alice_compiled:least=3 (compiled): Claims" in listed
    assert "usa" in arena("maps", "list")
    assert "last" in arena("run", "last", "alice", "alice_compiled", "--games", "6", "--out", "r")
    subprocess.run([scripts / "python", "-m", "pytest", "--quiet", "-k", tests, "alice"], cwd=folder, check=True)
    where = "import arena, bots, maps; print(*(package.__path__[0] for package in (arena, bots, maps)), sep='\\n')"
    found = subprocess.run([scripts / "python", "-c", where], cwd=folder, capture_output=True, text=True, check=True)
    assert all(line.startswith(str(scripts.parent)) for line in found.stdout.splitlines()), found.stdout


@pytest.mark.slow("builds the wheel and installs it with pip, then a second package")
def test_wheel_plays_where_its_dependencies_are(wheel: Path, bare: Path, tmp_path: Path) -> None:
    try_out(wheel, bare, tmp_path, "--no-build-isolation", tests="compiled")


@pytest.mark.full
def test_wheel_plays_in_an_empty_environment(wheel: Path, empty: Path, tmp_path: Path) -> None:
    """All that is needed is named, and comes with it."""
    try_out(wheel, empty, tmp_path)
