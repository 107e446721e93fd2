"""The studies of the shipped maps: pages and pictures are what their numbers say, and these are as new as the rules."""

import json
import re
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from arena import catalog
from commands import arena
from helpers import load_benchmark

studies = load_benchmark("studies")
MOST_BYTES = 1_650_000
"""In docs/, which everybody who clones the project gets."""


@pytest.fixture(scope="module", params=catalog.map_names())
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Numbers, pages and pictures, to be spoiled; bots and rules behave as recorded (one test looks, in seconds)."""
    monkeypatch.setattr(studies, "behavior", lambda name: studies.read(studies.DOCS, name)["behavior"])
    for file in studies.DOCS.glob("balance-*"):
        shutil.copy(file, tmp_path)
    return tmp_path


def complaints(docs: Path) -> list[str]:
    """What `page --check` says; it must not be content."""
    with pytest.raises(SystemExit) as stopped:
        studies.main(["page", "--check", "--docs", str(docs)])
    assert stopped.value.code not in (0, None)
    return str(stopped.value.code).splitlines()


def page_of(name: str) -> str:
    return (studies.DOCS / f"balance-{name}.md").read_text(encoding="utf-8")


@pytest.mark.slow("takes the fingerprint of the studied bots on every map")
def test_studies_are_up_to_date() -> None:
    """If they are not, the message names what is older than what, and the command that renews it."""
    studies.main(["page", "--check"])


def test_every_map_has_its_page_and_nothing_else_is_there() -> None:
    wanted = {f"balance-{name}.json" for name in catalog.map_names()}
    for name in catalog.map_names():
        wanted |= set(studies.files(name, studies.read(studies.DOCS, name)))
    assert {file.name for file in studies.DOCS.glob("balance-*")} == wanted


def test_documentation_stays_small() -> None:
    assert sum(file.stat().st_size for file in studies.DOCS.rglob("*") if file.is_file()) < MOST_BYTES


@pytest.mark.parametrize(
    ("what", "said"), [("hungry", "hungry plays otherwise now"), ("the rules or the map", "the map has changed")]
)
def test_a_change_of_behavior_is_found(docs: Path, monkeypatch: pytest.MonkeyPatch, what: str, said: str) -> None:
    """On the map where it shows, and nowhere else."""
    old = studies.behavior  # as recorded
    monkeypatch.setattr(studies, "behavior", lambda name: {**old(name), **({what: "other"} if name == "usa" else {})})
    (found,) = complaints(docs)
    assert said in found
    assert found.endswith(f"{studies.COMMAND} run --map usa")


def test_another_form_and_another_study_are_found(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "SCHEMA", 0)
    assert all("another form" in line for line in complaints(docs))
    monkeypatch.setattr(studies, "PLAYERS", (2, 5))
    assert any("another study" in line for line in complaints(docs))


@pytest.mark.parametrize("file", ["balance-usa.md", "balance-usa-claimed-2.svg"])
def test_an_edited_file_is_found_and_written_anew(docs: Path, file: str) -> None:
    path, whole = docs / file, (studies.DOCS / file).read_text(encoding="utf-8")
    for spoil in (lambda: path.write_text(whole.replace("4", "5", 1), encoding="utf-8"), path.unlink):
        spoil()
        (found,) = complaints(docs)
        assert found.startswith(f"{file} is not what balance-usa.json says")
    studies.main(["page", "--docs", str(docs)])
    assert path.read_text(encoding="utf-8") == whole
    studies.main(["page", "--check", "--docs", str(docs)])


def test_edited_numbers_and_missing_ones_are_found(docs: Path) -> None:
    record = studies.read(docs, "usa")
    tables = record["study"]["cells"][0]["tables"]
    tables["seats"]["win_share"][0] = 0.123
    tables["cities"]["used"][0] = 0.123
    studies.write_record(docs, "usa", record)
    found = complaints(docs)
    assert {line.partition(" ")[0] for line in found} == {"balance-usa.md", "balance-usa-used-2.svg"}
    (docs / "balance-usa.json").unlink()
    (found,) = complaints(docs)
    assert found.startswith("usa: never played")


def test_page_follows_from_the_numbers_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for needless in ("behavior", "fingerprint", "rules_fingerprint"):
        monkeypatch.delattr(studies, needless)
    record = studies.read(studies.DOCS, name)
    before = json.dumps(record)
    assert studies.files(name, record)[f"balance-{name}.md"] == page_of(name)
    assert json.dumps(record) == before
    file = studies.DOCS / f"balance-{name}.json"
    assert studies.in_lines(record) + "\n" == file.read_text(encoding="utf-8")


def test_what_must_be_said_of_a_map_stands_at_the_top(name: str) -> None:
    """And in each of its pictures."""
    label = catalog.load_map(name).label
    first, second, *_ = page_of(name).split("\n\n")
    assert first == f"# Balance of {name}" + f" ({label})" * bool(label)
    assert (f"**{label.capitalize()}.**" in second) == bool(label)
    for file in studies.DOCS.glob(f"balance-{name}-*.svg"):
        assert label in " ".join(ElementTree.parse(file).getroot().itertext())


def test_pictures_are_shown_each_once_and_say_what_they_are(name: str) -> None:
    shown = re.findall(r"!\[(.*?)\]\((\S+)\)", page_of(name))
    assert sorted(file for _, file in shown) == sorted(
        studies.picture_name(name, measure, players) for measure in studies.SHOWN for players in studies.PLAYERS
    )
    for about, file in shown:
        root = ElementTree.parse(studies.DOCS / file).getroot()
        title = root.findtext("{http://www.w3.org/2000/svg}title", "")
        assert title.partition(",")[0] in about
        assert f"{file[-5]} players" in title
        assert len(list(root.iter("{http://www.w3.org/2000/svg}title"))) == 1


def test_page_says_how_it_was_made(name: str) -> None:
    page, record = page_of(name), studies.read(studies.DOCS, name)
    assert f"\n{studies.COMMAND} run --map {name}\n" in page
    assert f"\narena {' '.join(studies.command(name, record['games']))}\n" in page
    assert str(Path.home()) not in page + json.dumps(record)
    assert "results/" not in page + json.dumps(record)


def test_long_tables_are_cut_and_say_so(name: str) -> None:
    spec, page = catalog.load_map(name), page_of(name)
    assert page.count(f"The first 15 of {len(spec.routes)}.") == 2 * len(studies.PLAYERS)  # routes, lost routes
    assert page.count(f"The first 15 of {len(spec.cities)}.") == len(studies.PLAYERS)
    for cell in studies.read(studies.DOCS, name)["study"]["cells"]:
        assert len(cell["tables"]["routes"]["name"]) == len(cell["tables"]["lost"]["name"]) == len(spec.routes)
        assert len(cell["tables"]["cities"]["city"]) == len(spec.cities)
        assert len(cell["tables"]["tickets"]["name"]) == len(spec.tickets)


def test_page_says_what_the_study_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recorded and read again, findings and tables are those of `arena balance`, what is not known included."""
    asked = ["balance", "--map", "usa", "--bots", "racer", "--games", "60", "--players", "2", "--out", tmp_path / "s"]
    printed = arena(*asked, "--format", "json", cwd=tmp_path).stdout
    shown = arena("balance", tmp_path / "s", "--format", "md", cwd=tmp_path).stdout
    monkeypatch.setattr(studies, "behavior", lambda name: {})
    record = json.loads(studies.in_lines(studies.record_of("usa", 60, json.loads(printed))))
    assert any(None in column for column in record["study"]["cells"][0]["tables"]["routes"].values())
    monkeypatch.setattr(studies, "MOST_ROWS", {})
    page = studies.render("usa", record)
    begin = "## Seats, 2 players"
    end = shown.rindex("\n", 0, shown.index(" things were asked; "))
    assert page[page.index(begin) :].split("\n") == shown[shown.index(begin) : end].split("\n")


def test_cities_are_used_alike_with_two_and_four_players() -> None:
    """As in the study of 2017 (FDG): on the board of the base game their use correlates."""
    cells = studies.read(studies.DOCS, "usa")["study"]["cells"]
    two, four = (dict(zip(table["city"], table["used"], strict=True)) for table in tables_of(cells, "cities"))
    assert np.corrcoef([[two[city], four[city]] for city in two], rowvar=False)[0, 1] > 0.85


def test_links_of_one_space_are_contested() -> None:
    """Kansas City-Omaha and Dallas-Houston are among the dozen of a hundred whose claims hit others most often."""
    for table in tables_of(studies.read(studies.DOCS, "usa")["study"]["cells"], "routes"):
        first = {frozenset(ends) for ends in list(zip(table["from"], table["to"], strict=True))[:12]}
        assert {frozenset({"Kansas City", "Omaha"}), frozenset({"Dallas", "Houston"})} <= first
        contested = [value for value in table["contested"] if value is not None]
        assert contested == sorted(contested, reverse=True)


def tables_of(cells: list[dict[str, Any]], key: str) -> list[dict[str, list[Any]]]:
    return [cell["tables"][key] for cell in cells]


@pytest.mark.long
def test_the_command_of_a_page_plays_its_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "RUNS", tmp_path)
    recorded = studies.read(studies.DOCS, "usa")
    assert studies.play("usa", recorded["games"]) == recorded
