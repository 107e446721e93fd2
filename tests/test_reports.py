"""What is said of a run: every format, at 80 columns, and never a number that cannot be told."""

import csv
import json
from pathlib import Path

import pytest

from arena.reports.data import SCHEMA
from arena.reports.document import read_document
from arena.reports.tables import tables
from commands import arena

BOTS = ("random", "greedy", "racer", "onestep")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four bots at three seats, 120 deals."""
    out = tmp_path_factory.mktemp("reports") / "r"
    result = arena("run", *BOTS, "--players", 3, "--games", 360, "--out", out, cwd=out.parent)
    assert result.returncode == 0, result.stderr
    return out


def printed(*arguments: object, cwd: Path) -> str:
    result = arena("report", *arguments, cwd=cwd)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("form", ["text", "md", "json"])
def test_printed_formats(run: Path, form: str) -> None:
    """Every format holds every bot; the text fits 80 columns."""
    text = printed("r", "--format", form, "--explain", cwd=run.parent)
    assert all(name in text for name in BOTS)
    assert "nan" not in text
    if form == "text":
        assert [line for line in text.splitlines() if len(line) > 80 and not line.startswith("Again:")] == []


def test_every_column_is_explained(run: Path) -> None:
    text = " ".join(printed("r", "--explain", cwd=run.parent).split())
    for table in tables(read_document(run)):
        for column in table.columns:
            assert f"{column.head}: {column.meaning}" in text


def test_csv_is_a_file_a_table(run: Path, tmp_path: Path) -> None:
    names = printed(run, "--format", "csv", "-o", "tables", cwd=tmp_path).split()
    expected = {table.key for table in tables(read_document(run))} | {"scores", "superiority"}
    assert {Path(name).stem for name in names} == expected
    for name in names:
        with (tmp_path / name).open() as file:
            rows = list(csv.reader(file))
        assert len({len(row) for row in rows}) == 1
        assert not {"nan", "inf", "None"} & {cell for row in rows for cell in row}
    with (tmp_path / "tables/results.csv").open() as file:
        assert {row["bot"] for row in csv.DictReader(file)} == set(BOTS)


def test_json_has_a_version(run: Path) -> None:
    data = json.loads(printed("r", "--format", "json", cwd=run.parent))
    assert data["schema"] == SCHEMA
    assert sum(row["games"] for row in data["bots"]) == 3 * data["games"] == 1080
    assert len(data["pairs"]) == 6
    assert sum(part["share"] for part in data["components"]) == pytest.approx(1, abs=0.01)
    assert all(sum(row["scores_by_ten"].values()) == row["games"] for row in data["bots"])


def test_anchor(run: Path) -> None:
    """Ratings move together; a name that is none is an error with the nearest one."""
    by_anchor = [
        {row["bot"]: row.get("rating") for row in json.loads(printed("r", "--format", "json", "--anchor", anchor,
                                                                    cwd=run.parent))["bots"]}
        for anchor in ("racer", "onestep")
    ]  # fmt: skip
    racer, onestep = by_anchor
    assert (racer["racer"], onestep["onestep"]) == (0, 0)
    assert racer["onestep"] == pytest.approx(-onestep["racer"], abs=0.1)
    result = arena("report", "r", "--anchor", "raser", cwd=run.parent)
    assert result.returncode == 2
    assert "did you mean racer" in result.stderr


def test_same_run_same_report(run: Path, tmp_path: Path) -> None:
    for form in ("text", "json", "html"):
        for name in ("a", "b"):
            printed(run, "--format", form, "-o", name, cwd=tmp_path)
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("games", [2, 4])
def test_few_deals_leave_out_what_cannot_be_told(games: int, tmp_path: Path) -> None:
    """One or two deals: no rating, no shares of luck, the reasons said, and never nan."""
    arena("run", "racer", "greedy", "--games", games, "--out", "r", cwd=tmp_path)
    for form in ("text", "md", "json"):
        text = printed("r", "--format", form, cwd=tmp_path)
        assert not {"nan", "inf", "None"} & set(text.replace(",", " ").replace(":", " ").split())
    assert "Too few deals" in " ".join(printed("r", cwd=tmp_path).split())


def test_damaged_shard_is_named_and_the_rest_reported(tmp_path: Path) -> None:
    arena("run", "random", "greedy", "--games", 1200, "--out", "r", cwd=tmp_path)
    first, *others = sorted((tmp_path / "r/seats").iterdir())
    assert others
    first.write_bytes(first.read_bytes()[:-50])
    result = arena("report", "r", cwd=tmp_path)
    assert result.returncode == 1
    assert f"Error: shard r/seats/{first.name} is damaged" in result.stderr
    assert "Traceback" not in result.stderr
    assert "700 games of 1,200 planned" in result.stdout
    assert first.name in " ".join(result.stdout.split())


def test_output_must_fit_the_format(run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for form, path in (("csv", "file"), ("html", ".")):
        result = arena("report", run, "--format", form, "-o", path, cwd=tmp_path)
        assert result.returncode == 2
        assert "Traceback" not in result.stderr


def test_compare(run: Path, tmp_path: Path) -> None:
    """Paired over the deals that both have; what changed is said; runs of another game are refused by name."""
    arena("run", *BOTS[:3], "racer:shortest=3", "--players", 3, "--games", 240, "--out", "b", cwd=tmp_path)
    result = arena("compare", run, "b", "--json", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    data = json.loads(result.stdout)
    assert "games: 360 -> 240" in data["changes"]
    rows = {row["bot"]: row for row in data["bots"]}
    assert {"random", "greedy", "racer", "onestep -> racer:shortest=3"} == set(rows)
    assert all(row["paired"] and row["low"] <= row["difference"] <= row["high"] for row in rows.values())
    text = arena("compare", run, "b", "--explain", cwd=tmp_path)
    assert [line for line in text.stdout.splitlines() if len(line) > 80 and not line.startswith("before:")] == []
    others = {"map": ["--map", "japan"], "map too": ["--set", "trains=40"], "players": ["--players", 2]}
    for name, options in others.items():
        arena("run", *BOTS[:3], "--games", 12, *options, "--out", name, cwd=tmp_path)
        result = arena("compare", run, name, cwd=tmp_path)
        assert result.returncode == 2
        assert name.split()[0] in result.stderr
        assert "cannot be compared" in result.stderr
