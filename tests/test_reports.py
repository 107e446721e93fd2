"""What is said of a run: every format, at 80 columns, and never a number that cannot be told."""

import csv
import json
import os
import shutil
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.reports.comparison import OPPONENTS, compare_runs
from arena.reports.document import STOPPED, read_document
from arena.reports.page_model import number
from arena.reports.report_json import SCHEMA
from arena.reports.tables import tables
from arena.store.reader import Recorded
from arena.store.run_directory import read_plan
from arena.store.seat_tables import write_shard
from commands import arena as arena_process

Call = Callable[..., Any]
Print = Callable[..., str]
BOTS = ("random", "greedy", "racer", "onestep")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four bots at three seats, 120 deals."""
    out = tmp_path_factory.mktemp("reports") / "r"
    result = arena_process("run", *BOTS, "--players", 3, "--games", 360, "--out", out, cwd=out.parent)
    assert result.returncode == 0, result.stderr
    return out


@pytest.fixture
def printed(arena: Call) -> Print:
    """What `arena report` prints."""

    def report(*arguments: object) -> str:
        result = arena("report", *arguments)
        assert result.returncode == 0, result.stderr
        return str(result.stdout)

    return report


@pytest.mark.parametrize("form", ["text", "md", "json"])
def test_printed_formats(run: Path, form: str, printed: Print) -> None:
    """Every format holds every bot; the text fits 80 columns."""
    text = printed(run, "--format", form, "--explain")
    assert all(name in text for name in BOTS)
    assert "nan" not in text
    if form == "text":
        wide = [line for line in text.splitlines() if len(line) > 80]
        assert all(line.startswith(("Again:", "Results:")) for line in wide)


def test_every_column_is_explained(run: Path, printed: Print) -> None:
    text = " ".join(printed(run, "--explain").split())
    for table in tables(read_document(run)):
        for column in table.columns:
            assert f"{column.head}: {column.meaning}" in text


def test_csv_is_a_file_a_table(run: Path, tmp_path: Path, printed: Print) -> None:
    names = printed(run, "--format", "csv", "-o", "tables").split()
    expected = {table.key for table in tables(read_document(run))} | {"scores", "superiority"}
    assert {Path(name).stem for name in names} == expected
    for name in names:
        with (tmp_path / name).open() as file:
            rows = list(csv.reader(file))
        assert len({len(row) for row in rows}) == 1
        assert not {"nan", "inf", "None"} & {cell for row in rows for cell in row}
    with (tmp_path / "tables/results.csv").open() as file:
        assert {row["bot"] for row in csv.DictReader(file)} == set(BOTS)


def test_json_has_a_version(run: Path, printed: Print) -> None:
    data = json.loads(printed(run, "--format", "json"))
    assert data["schema"] == SCHEMA
    assert sum(row["games"] for row in data["bots"]) == 3 * data["games"] == 1080
    assert len(data["pairs"]) == 6
    assert sum(part["share"] for part in data["components"]) == pytest.approx(1, abs=0.01)
    assert all(sum(row["scores_by_ten"].values()) == row["games"] for row in data["bots"])


def test_anchor(run: Path, printed: Print, arena: Call) -> None:
    """Ratings move together; a name that is none is an error with the nearest one."""
    by_anchor = []
    for anchor in ("racer", "onestep"):
        bots = json.loads(printed(run, "--format", "json", "--anchor", anchor))["bots"]
        by_anchor.append({row["bot"]: row.get("rating") for row in bots})
    racer, onestep = by_anchor
    assert (racer["racer"], onestep["onestep"]) == (0, 0)
    assert racer["onestep"] == pytest.approx(-onestep["racer"], abs=0.1)
    result = arena("report", run, "--anchor", "raser")
    assert result.returncode == 2
    assert "did you mean racer" in result.stderr


def test_same_run_same_report(run: Path, tmp_path: Path, printed: Print) -> None:
    for form in ("text", "json", "html"):
        for name in ("a", "b"):
            printed(run, "--format", form, "-o", name)
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("games", [2, 4])
def test_few_deals_leave_out_what_cannot_be_told(games: int, tmp_path: Path, printed: Print, arena: Call) -> None:
    """One or two deals: no rating, no shares of luck, the reasons said, and never nan."""
    arena("run", "racer", "greedy", "--games", games, "--out", "r")
    for form in ("text", "md", "json"):
        text = printed("r", "--format", form)
        assert not {"nan", "inf", "None"} & set(text.replace(",", " ").replace(":", " ").split())
    assert "Too few deals" in " ".join(printed("r").split())


def test_damaged_shard_is_named_and_the_rest_reported(tmp_path: Path, arena: Call) -> None:
    arena("run", "random", "greedy", "--games", 1200, "--out", "r")
    first, *others = sorted((tmp_path / "r/seats").iterdir())
    assert others
    first.write_bytes(first.read_bytes()[:-50])
    result = arena("report", "r")
    assert result.returncode == 1
    assert f"Error: shard r/seats/{first.name} is damaged" in result.stderr
    assert "Traceback" not in result.stderr
    assert "700 games of 1,200 planned" in result.stdout
    assert first.name in " ".join(result.stdout.split())


def test_output_must_fit_the_format(run: Path, tmp_path: Path, arena: Call) -> None:
    (tmp_path / "file").touch()
    for form, path in (("csv", "file"), ("html", ".")):
        result = arena("report", run, "--format", form, "-o", path)
        assert result.returncode == 2
        assert "Traceback" not in result.stderr


@pytest.mark.parametrize("form", ["csv", "html", "json"])
@pytest.mark.parametrize("place", ["file/x", "/proc/xx/y", "n" * 300, "n" * 300 + "/x"])
def test_what_cannot_be_written_is_one_sentence(form: str, place: str, run: Path, tmp_path: Path, arena: Call) -> None:
    (tmp_path / "file").touch()
    result = arena("report", run, "--format", form, "-o", place)
    assert result.returncode == 1
    assert result.stderr.startswith("Error: cannot ")
    assert result.stderr.count("\n") == 1


def test_run_directory_that_cannot_be_made_is_one_sentence(arena: Call) -> None:
    result = arena("run", "random", "greedy", "--games", 2, "--out", "n" * 300)
    assert result.returncode == 1
    assert "Error: cannot make the run directory" in result.stderr


def test_long_file_names_are_written(run: Path, tmp_path: Path, printed: Print) -> None:
    printed(run, "-o", "n" * 255)
    assert [path.name for path in tmp_path.iterdir()] == ["n" * 255]


def test_links_and_pipes_are_written_through(run: Path, tmp_path: Path, printed: Print) -> None:
    """What a path is, it stays: only plain files are replaced."""
    text = printed(run)
    (tmp_path / "there").touch()
    (tmp_path / "link").symlink_to("there")
    os.mkfifo(tmp_path / "pipe")
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append((tmp_path / "pipe").read_text(encoding="utf-8")))
    reader.start()
    for name in ("link", "pipe"):
        printed(run, "-o", name)
    reader.join()
    assert (tmp_path / "there").read_text(encoding="utf-8") == text == found[0]
    assert (tmp_path / "link").is_symlink()
    assert stat.S_ISFIFO((tmp_path / "pipe").lstat().st_mode)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe", "there"]


def test_missing_shards_are_said_and_no_speed(tmp_path: Path, printed: Print, arena: Call) -> None:
    arena("run", "random", "greedy", "--games", 1200, "--out", "r")
    assert "games a second" in printed("r")
    min((tmp_path / "r/seats").iterdir()).unlink()
    result = arena("report", "r")
    assert result.returncode == 1
    assert "500 games of the run are missing" in result.stderr
    assert "500 games of the run are missing" in result.stdout
    assert "games a second" not in result.stdout
    assert STOPPED not in " ".join(result.stdout.split())
    assert json.loads(arena("report", "r", "--format", "json").stdout)["seconds"] is None


def test_a_stopped_run_says_so(tmp_path: Path, printed: Print, arena: Call) -> None:
    """With bots and line-ups that did not play; none of them can be the anchor."""
    arena("run", "random", "greedy", "racer", "--players", 2, "--games", 3000, "--out", "r")
    plan = read_plan(tmp_path / "r")
    outcomes, _ = Recorded.of(tmp_path / "r", plan).load(0, 2)
    for shard in (tmp_path / "r/seats").iterdir():
        shard.unlink()
    write_shard(tmp_path / "r", plan, 0, outcomes)
    (tmp_path / "r/times.json").unlink()
    notes = json.loads(printed("r", "--format", "json"))["notes"]
    assert notes[0] == STOPPED
    assert "No game was played by: racer." in notes
    assert "Not all line-ups were played: 2 of 3 are missing." in notes
    result = arena("report", "r", "--anchor", "racer")
    assert result.returncode == 2
    assert "racer played no game of this run" in result.stderr


def test_gauntlet_shows_the_pairs_of_its_first_bot(printed: Print, arena: Call) -> None:
    bots = ["racer", "random", "random", "random", "greedy"]
    arena("run", *bots, "--players", 3, "--games", 180, "--format", "gauntlet", "--out", "r")
    text = printed("r")
    assert "Pairs of racer" in text
    assert "Neighbors" not in text


def test_names_of_columns_are_the_same_everywhere(run: Path, printed: Print) -> None:
    """JSON's bots have the columns of results, ratings, means and seats; whole numbers are whole."""
    data = json.loads(printed(run, "--format", "json"))
    keys = set().union(*data["bots"])
    for table in tables(read_document(run)):
        if table.key in ("results", "ratings", "means", "bot_seats"):
            assert {column.key for column in table.columns if column.key in table.frame} <= keys
            assert set(table.frame.columns) <= keys
    assert all(isinstance(row.get("games_needed", 0), int) for row in data["pairs"])


def test_no_number_is_less_than_nothing() -> None:
    assert number("x", "+z.0f")({"x": -0.2}) == "+0"
    assert number("x")({"x": -0.01}) == "0.0"


def test_compare(run: Path, tmp_path: Path, arena: Call) -> None:
    """Paired over the deals that both have; what changed is said; runs of another game are refused by name."""
    arena("run", *BOTS[:3], "racer:shortest=3", "--players", 3, "--games", 240, "--out", "b")
    result = arena("compare", run, "b", "--json")
    assert result.returncode == 0, result.stderr
    data = json.loads(result.stdout)
    assert "games: 360 -> 240" in data["changes"]
    rows = {row["bot"]: row for row in data["bots"]}
    assert {"random", "greedy", "racer", "onestep -> racer:shortest=3"} == set(rows)
    assert all(row["paired"] and row["low"] <= row["difference"] <= row["high"] for row in rows.values())
    assert data["notes"] == []
    assert "in one seat: onestep -> racer:shortest=3" in data["changes"]
    text = arena("compare", run, "b", "--explain")
    assert "\nracer:shortest=3  " in text.stdout
    comparison = compare_runs(run, Path("b"))
    assert str(comparison) == arena("compare", run, "b").stdout
    assert comparison.to_dict() == data
    assert [line for line in text.stdout.splitlines() if len(line) > 80 and not line.startswith("before:")] == []
    others = {"map": ["--map", "japan"], "map too": ["--set", "trains=40"], "players": ["--players", 2]}
    for name, options in others.items():
        arena("run", *BOTS[:3], "--games", 12, *options, "--out", name)
        result = arena("compare", run, name)
        assert result.returncode == 2
        assert name.split()[0] in result.stderr
        assert "cannot be compared" in result.stderr
    other_rules = arena("compare", "map too", run).stderr  # of three players both
    assert "other rules: the map's own trains there, trains=40 in the first" in other_rules


def test_compare_says_whose_change_it_may_be(tmp_path: Path, arena: Call) -> None:
    """Another pool: no pairing, the runs' own win shares, and a note."""
    arena("run", "racer", "random", "--games", 40, "--out", "a")
    arena("run", "racer", "random", "planner", "--players", 2, "--games", 60, "--out", "b")
    data = json.loads(arena("compare", "a", "b", "--json").stdout)
    assert data["notes"] == [OPPONENTS]
    row = next(row for row in data["bots"] if row["bot"] == "racer")
    for name, run in (("before", "a"), ("after", "b")):
        assert row[name] == pytest.approx(read_document(tmp_path / run).summary.bots.loc["racer", "win_share"])
    assert not row["paired"]
    assert OPPONENTS in arena("compare", "a", "b").stdout


def test_compare_names_damage(tmp_path: Path, arena: Call) -> None:
    arena("run", "random", "greedy", "--games", 1200, "--out", "a")
    shutil.copytree("a", "b")
    shard = min((tmp_path / "b/seats").iterdir())
    shard.write_bytes(shard.read_bytes()[:-50])
    for pair in (("a", "b"), ("b", "a")):
        for options in ((), ("--json",)):
            result = arena("compare", *pair, *options)
            assert result.returncode == 1
            assert f"Error: shard b/seats/{shard.name} is damaged" in result.stderr
            assert shard.name in result.stdout
