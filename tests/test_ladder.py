"""The ladder: its page is what its numbers say, and these are as new as the bots and the rules."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena import catalog
from helpers import load_benchmark

ladder = load_benchmark("ladder")


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The numbers and the page, to be spoiled; bots and rules behave as recorded (one test looks, it takes seconds)."""
    runs = runs_of(ladder.NUMBERS)
    behaviors = {row["bot"]: row["behavior"] for run in runs for row in run["bots"]}
    monkeypatch.setattr(ladder, "behavior_of_bot", behaviors.__getitem__)
    monkeypatch.setattr(ladder, "behavior_of_rules", lambda: runs[0]["rules"])
    for file in (ladder.NUMBERS, ladder.PAGE):
        shutil.copy(file, tmp_path)
    return tmp_path / ladder.NUMBERS.name, tmp_path / ladder.PAGE.name


def runs_of(numbers: Path) -> list[dict[str, Any]]:
    return list(ladder.read_numbers(numbers).values())


def complaints(numbers: Path, page: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What `page --check` says; it must not be content."""
    with pytest.raises(SystemExit) as stopped:
        ladder.main(["page", "--check", "--numbers", str(numbers), "--page", str(page)])
    assert stopped.value.code not in (0, None)
    return str(stopped.value.code)


def table_rows(page: str) -> Iterator[list[list[str]]]:
    """The tables that have places, as rows of cells."""
    for block in page.split("\n\n"):
        if block.startswith("|  | bot"):
            yield [[cell.strip() for cell in line.split("|")[1:-1]] for line in block.splitlines()[2:]]


@pytest.mark.slow("takes the fingerprint of every shipped bot on every map")
def test_the_ladder_is_up_to_date() -> None:
    """If it is not, the message names what is older than what, and the command that renews it."""
    ladder.main(["page", "--check"])


def test_every_map_number_of_players_and_shipped_bot_has_its_place() -> None:
    cells = ladder.read_numbers(ladder.NUMBERS)
    assert [(cell.map, cell.players) for cell in cells if cell.field == "all"] == [
        (name, players) for name in dict.fromkeys(cell.map for cell in cells) for players in range(2, 6)
    ]
    assert {cell.map for cell in cells} == set(catalog.map_names())
    ranked = {row["bot"].partition(":")[0] for run in cells.values() for row in run["bots"]}
    assert ranked == set(catalog.shipped_bots())


def test_a_bot_that_plays_otherwise_is_found(copies: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    old = ladder.behavior_of_bot  # as recorded
    monkeypatch.setattr(ladder, "behavior_of_bot", lambda spec: "other" if spec == "hungry" else old(spec))
    found = ladder.problems(*copies)
    assert len(found) == 1
    assert found[0].startswith("hungry plays otherwise now: ")
    assert ladder.COMMAND in found[0]


def test_a_change_of_the_rules_is_found(copies: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "behavior_of_rules", lambda: "other")
    found = ladder.problems(*copies)
    assert len(found) == 1
    assert found[0].startswith("the rules or maps have changed: ")
    assert "23 runs more" in found[0]


def test_a_new_bot_and_a_lost_one_are_found(copies: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "shipped_bots", lambda: ["greedy", "racer"])
    assert "the field has other bots now" in ladder.problems(*copies)[0]


def test_an_edited_page_is_found(copies: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    numbers, page = copies
    page.write_text(page.read_text(encoding="utf-8").replace("planner", "my bot", 1), encoding="utf-8")
    assert "is not what ladder.json says" in complaints(numbers, page, capsys)
    ladder.main(["page", "--numbers", str(numbers), "--page", str(page)])
    assert page.read_text(encoding="utf-8") == ladder.PAGE.read_text(encoding="utf-8")


def test_edited_numbers_and_a_missing_run_are_found(
    copies: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    numbers, page = copies
    runs = runs_of(numbers)
    runs[0]["bots"][0]["win_share"] = 0.123
    ladder.write_numbers(numbers, runs[:-1])
    found = complaints(numbers, page, capsys).splitlines()
    assert found[0].startswith("never played: ")
    assert "is not what ladder.json says" in found[1]


def test_the_page_follows_from_the_numbers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = runs_of(ladder.NUMBERS)
    for name in ("behavior_of_bot", "behavior_of_rules", "fingerprint"):
        monkeypatch.delattr(ladder, name)
    before = json.dumps(runs)
    assert ladder.render(runs) == ladder.render(runs) == ladder.PAGE.read_text(encoding="utf-8")
    assert json.dumps(runs) == before


def test_rows_are_sorted_by_win_share() -> None:
    page = ladder.render(runs_of(ladder.NUMBERS))
    tables = list(table_rows(page))
    assert len(tables) == 2 * 4 * len(catalog.map_names())
    for rows in tables:
        shares = [float(row[2].rstrip("%")) for row in rows]
        assert shares == sorted(shares, reverse=True)
        assert [row[0] for row in rows] == [str(place) for place in range(1, len(rows) + 1)]


def test_every_run_has_its_interval_its_games_and_its_line() -> None:
    page = ladder.render(runs_of(ladder.NUMBERS))
    for run in runs_of(ladder.NUMBERS):
        assert f"\n{run['command']}\n" in page
        words = run["command"].split()
        options = dict(zip(words[-8::2], words[-7::2], strict=True))
        assert options == {"--map": run["map"], "--players": str(run["players"]), "--games": str(run["games"]),
                           "--seed": str(run["seed"])}  # fmt: skip
        assert sum(row["games"] for row in run["bots"]) == run["games"] * run["players"]
        assert sum(row["win_share"] * row["games"] for row in run["bots"]) == pytest.approx(run["games"], rel=0.01)
        assert all(row["low"] <= row["win_share"] <= row["high"] for row in run["bots"])


def test_labels_are_shown_where_their_map_is() -> None:
    page = ladder.render(runs_of(ladder.NUMBERS))
    for name in catalog.map_names():
        label = catalog.load_map(name).label
        assert all((label in line) for line in page.splitlines() if line.startswith((f"### {name}", f"## {name}")))
        assert all((label in line) for line in page.splitlines() if line.startswith(f"{name}"))


@pytest.mark.long
def test_a_line_of_the_page_plays_its_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "RUNS", tmp_path)
    cell, recorded = next(iter(ladder.read_numbers(ladder.NUMBERS).items()))
    assert ladder.play(cell, recorded["games"]) == recorded
