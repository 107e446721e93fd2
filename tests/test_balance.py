"""`arena balance`, `diff` and `sweep` as their users meet them: real commands, real directories, real mistakes."""

import json
import re
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from commands import arena
from conftest import Shared

QUICK = ("--bots", "hungry", "--games", 60, "--players", 2)


@pytest.fixture(scope="module")
def study(shared: Shared) -> Path:
    """A small study of the base game's map, and beside it what was printed."""

    def make(folder: Path) -> None:
        done = arena("balance", *QUICK, "--out", "study", cwd=folder)
        assert done.returncode == 0, done.stderr
        (folder / "out.txt").write_text(done.stdout)

    return shared("balance", make) / "study"


def test_a_study(study: Path) -> None:
    """Its text fits 80 columns and names every section; its runs are ordinary ones."""
    text = (study.parent / "out.txt").read_text()
    assert max(map(len, text.splitlines()[:-1])) <= 80
    for title in (
        "What matters",
        "Seats",
        "Tickets",
        "Routes",
        "Cities",
        "Colors",
        "Double routes",
        "Course",
        "Styles",
    ):
        assert title in text
    for run in ("play-2", "tickets-2", "styles-2"):
        done = arena("verify", study / run, cwd=study)
        assert done.returncode == 0, done.stdout + done.stderr
    tickets = json.loads((study / "tickets-2" / "plan.json").read_text())
    assert tickets["forced"] == 30
    assert "--force-tickets" in tickets["command"]


def test_the_same_study_is_the_same_bytes(study: Path, tmp_path: Path) -> None:
    done = arena("balance", *QUICK, "--jobs", 1, "--out", "study", "--format", "json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    again, first = (
        json.loads(text) for text in (done.stdout, arena("balance", study, "--format", "json", cwd=tmp_path).stdout)
    )
    for data in (again, first):
        del data["directory"]
    assert again == first


def test_an_interrupted_study_goes_on(study: Path, tmp_path: Path) -> None:
    """What is there is not played again; what another study left is not mixed in."""
    folder = tmp_path / "study"
    done = arena("balance", *QUICK, "--out", folder, cwd=tmp_path)
    assert done.returncode == 0
    played = (folder / "play-2" / "seats").stat().st_mtime_ns
    for file in (folder / "styles-2").rglob("*.parquet"):
        file.unlink()
    done = arena("balance", *QUICK, "--out", folder, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (folder / "play-2" / "seats").stat().st_mtime_ns == played
    assert done.stdout.replace(str(folder), "study") == (study.parent / "out.txt").read_text()
    done = arena("balance", *QUICK, "--seed", 2, "--out", folder, cwd=tmp_path)
    assert done.returncode == 2
    assert "holds another study: arena balance --map usa" in done.stderr


def test_a_study_that_is_not_whole(tmp_path: Path) -> None:
    """What is left out is said: games that are missing, deals in which a bot had a fault."""
    (tmp_path / "slips.py").write_text(
        "from bots.tutorial import Tutorial\n\n\nclass Slips(Tutorial):\n    def choose(self, view):\n"
        "        if self.rng.random() < 0.002:\n            raise ValueError\n        return super().choose(view)\n"
    )
    done = arena("balance", "--bots", "slips.py:Slips", "--games", 60, "--players", 2, "--out", "s", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(r"With 2 players \d+ of 30 games are left out: a bot had a fault", " ".join(done.stdout.split()))
    for file in (tmp_path / "s" / "play-2").rglob("*.parquet"):
        file.unlink()
    done = arena("balance", "s", cwd=tmp_path)
    assert done.returncode == 1
    assert "has no games with 2 players yet: arena balance --map usa" in done.stderr


def test_formats(study: Path, tmp_path: Path) -> None:
    done = arena("balance", study, "--format", "csv", "-o", tmp_path / "tables", cwd=tmp_path)
    assert done.returncode == 0
    assert {file.name for file in (tmp_path / "tables").iterdir()} >= {"seats-2.csv", "routes-2.csv", "tickets-2.csv"}
    study = shutil.copytree(study, tmp_path / "study")  # the page is written into it
    done = arena("balance", study, "--format", "html", "--explain", cwd=tmp_path)
    page = (study / "balance.html").read_text()
    assert done.stdout == f"{study / 'balance.html'}\n"
    assert page.count("<svg") > 5
    done = arena("balance", study, "--format", "md", "--explain", cwd=tmp_path)
    assert "## Tickets, 2 players" in done.stdout


def test_a_study_of_a_run(tmp_path: Path) -> None:
    """Any run with details will do; one without says how to play one."""
    for name, more in (("with", ()), ("without", ("--no-detail",))):
        done = arena("run", "greedy", "random", "--games", 40, "--out", name, *more, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    done = arena("balance", "with", cwd=tmp_path)
    assert done.returncode == 0
    assert "Routes, 2 players" in done.stdout
    done = arena("balance", "without", cwd=tmp_path)
    assert done.returncode == 2
    assert "has no details" in done.stderr
    assert "arena run greedy random --map usa --players 2 --games 40 --seed 1\n" in done.stderr


def test_pictures(study: Path, tmp_path: Path) -> None:
    done = arena("maps", "draw", "usa", "--study", study, "--measure", "contested", "-o", "x.svg", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "2 players" in "".join(ElementTree.parse(tmp_path / "x.svg").getroot().itertext())
    assert arena("maps", "draw", "usa", "--study", study, cwd=tmp_path).stdout == "drawn: usa-claimed-2.svg\n"
    for more, words in (
        (("--measure", "contest"), "did you mean contested?"),
        (("--players", 4), "has nothing about 4 players, but about 2"),
    ):
        done = arena("maps", "draw", "usa", "--study", study, *more, cwd=tmp_path)
        assert done.returncode == 2
        assert words in done.stderr
    done = arena("maps", "draw", "japan", "--study", study, cwd=tmp_path)
    assert (done.returncode, "is about usa, not japan" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("balance", "--players", "6"), "a game has 2 to 5 players"),
        (("balance", "--players", "two"), "is not a valid number of players"),
        (("balance", "--players", "4-2"), "is not a valid number of players"),
        (("balance", "--bots", "planer"), "did you mean planner"),
        (("balance", "--bots", "greedy,greedy"), "names a bot twice"),
        (("balance", "--games", "0"), "too few"),
        (("balance", "--set", "train=40"), "did you mean trains"),
        (("balance", "--map", "usaa"), "did you mean usa?"),
        (("balance", "nowhere"), "is neither a study"),
        (("balance", ".", "--games", "5"), "leave out --games"),
        (("balance", "--out", "."), "exists already and is not a study"),
        (("diff",), "nothing differs"),
        (("diff", "usa"), "two maps are compared"),
        (("diff", "usa", "usa"), "the same map with the same rules"),
        (("diff", "--with", "longest_path=10"), "the same map with the same rules"),
        (("diff", "usa", "japan", "--map", "usa"), "leave out --map"),
        (("balance", "--bots", "racer", "--seed", "-1"), "--seed -1 is out of range"),
        (("diff", "--with", "longest_path=0", "--seed", "-1"), "--seed -1 is out of range"),
        (("sweep", "--set", "trains=20,30", "--seed", "-1"), "--seed -1 is out of range"),
        (("sweep", "--set", "trains=20,30", "--games", "0"), "--games 0 is too few"),
        (("sweep",), "nothing is varied"),
        (("sweep", "--set", "trains=40"), "nothing is varied"),
        (("sweep", "--set", "trains=50..40"), "a range goes up"),
        (("sweep", "--set", "trains=1x"), "is not of the form"),
        (("sweep", "--set", "trains=35..90:5"), "trains is 65"),
        (("sweep", "--set", "trains=10..60", "--set", "hand=0..10"), "562 points"),
        (("sweep", "--set", "longest=1,2"), "did you mean longest_path"),
    ],
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_mistakes(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    """One sentence, exit code 2, and nothing is left behind."""
    done = arena(*words, cwd=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow("several studies, each of two runs")
def test_diff(tmp_path: Path) -> None:
    """What the rule pays for is the surest difference; two run directories give the same numbers."""
    words = ("diff", "--with", "longest_path=0", *QUICK, "--out", "d")
    done = arena(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert max(map(len, lines[:-1])) <= 80
    first = next(index for index, line in enumerate(lines) if line.startswith("what"))
    assert lines[first + 1].startswith("points: longest path")
    data = json.loads(arena(*words, "--format", "json", cwd=tmp_path).stdout)
    assert all(row.get("difference", 0) == 0 for row in data["cells"][0]["differences"] if row["measure"] == "when")
    assert any(line.startswith("The bots make the same moves on both sides") for line in lines)
    again = json.loads(arena("diff", "d/one-2", "d/other-2", "--format", "json", cwd=tmp_path).stdout)
    assert data["cells"][0]["differences"] == again["cells"][0]["differences"]
    done = arena(*words, "--format", "csv", "-o", "t", cwd=tmp_path)
    assert (tmp_path / "t" / "differences-2.csv").exists()
    assert arena(*words, "--format", "html", "--explain", cwd=tmp_path).stdout == "d/diff.html\n"


def test_diff_of_two_maps(tmp_path: Path) -> None:
    """Of other maps only what both have is compared."""
    done = arena("diff", "usa", "japan", *QUICK, "--format", "json", "--out", "d", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not any("same moves" in note for note in json.loads(done.stdout)["notes"])
    tables = {row["table"] for row in json.loads(done.stdout)["cells"][0]["differences"]}
    assert "course" in tables
    assert "routes" not in tables


@pytest.mark.slow("a sweep of five points, played and read again")
def test_sweep(tmp_path: Path) -> None:
    """Every point is a run; the map as it is comes first; a sweep goes on where it was stopped."""
    words = ("sweep", "--set", "trains=20,30", "--set", "hand=4,6", "--bots", "hungry", "--games", 40, "--out", "s")
    done = arena(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines()[:-1])) <= 80
    assert "5 points" in done.stdout
    assert {path.name for path in (tmp_path / "s").iterdir() if path.is_dir()} == {f"point-00{n}" for n in range(5)}
    for file in (tmp_path / "s" / "point-003").rglob("*.parquet"):
        file.unlink()
    again = arena(*words, cwd=tmp_path)
    assert again.stdout == done.stdout
    data = json.loads(arena(*words, "--format", "json", cwd=tmp_path).stdout)
    assert [point["settings"] for point in data["points"]] == [
        {}, {"trains": 20, "hand": 4}, {"trains": 20, "hand": 6}, {"trains": 30, "hand": 4}, {"trains": 30, "hand": 6},
    ]  # fmt: skip
    assert arena(*words, "--format", "html", cwd=tmp_path).stdout == "s/sweep.html\n"
    assert (tmp_path / "s" / "sweep.html").read_text().count("<svg") > 10


def test_one_at_a_time(tmp_path: Path) -> None:
    words = ("sweep", "--one-at-a-time", "--set", "trains=20,30", "--set", "hand=6,8", "--set", "longest_path=0")
    done = arena(*words, "--bots", "greedy", "--games", 20, "--out", "s", "--format", "json", cwd=tmp_path)
    points = [point["settings"] for point in json.loads(done.stdout)["points"]]
    assert points == [{}, {"trains": 20}, {"trains": 30}, {"hand": 6}, {"hand": 8}]
    assert json.loads((tmp_path / "s" / "point-000" / "plan.json").read_text())["settings"] == {"longest_path": 0}
