"""Map files: everything wrong with one is named, its numbers and its picture are right, rule numbers can be set."""

import json
import xml.etree.ElementTree as ElementTree
from importlib.resources import files
from pathlib import Path

import pytest

from arena import catalog
from arena.drawing import draw
from arena.errors import UsageError
from arena.mapfile import load_map_text, read_map_text
from arena.mapnumbers import describe, shortest_path
from arena.mapspec import MapSpec
from commands import arena

USA = (files("maps") / "usa.toml").read_text(encoding="utf-8")

BROKEN = """\
name = "Broken"
cities = [
  { name = "A", x = 0, y = 0 },
  { name = "B", x = 1, y = 0 },
  { name = "B", x = 2, y = 0 },
]
routes = [
  { between = ["A", "B"], length = 2, color = "red" },
  { between = ["A", "C"], length = 2, color = "rde" },
  { between = ["A", "B"], length = 2, color = "gray" },
  { between = ["B", "A"], length = 2, color = "gray" },
]
tickets = [
  { between = ["A", "A"], points = 300 },
  { between = ["A", "B"], points = 3 },
  { between = ["A", "B"], points = 3 },
]
[rules]
trains = 200
"""


def test_all_problems_in_one_go() -> None:
    assert read_map_text(BROKEN, "broken").problems == (
        "rule trains is 200; it takes a whole number from 3 to 60",
        "line 5: B stands there twice",
        "line 9: A-C: no city is called 'C'",
        "line 9: A-C: color 'rde' is none of purple, blue, orange, white, green, yellow, black, red, gray",
        "line 14: A-A (300) leads from a city to itself",
        "line 14: A-A (300): points take a whole number from 1 to 100",
        "line 16: A-B (3) stands there twice",
        "line 11: B-A: more than two tracks of length 2",
        "3 tickets are too few to deal 3 to each of five players",
    )


def test_malformed_records_are_found_before_anything_else() -> None:
    lines = ['name = ""', 'lable = "x"', "cities = [", '  { nam = "A", x = "0", y = 0 },', "]", "tickets = 3"]
    text = "\n".join([*lines, "[rules]", "route_points = 3"])
    assert read_map_text(text, "malformed").problems == (
        "'lable' is no part of a map; did you mean label?",
        "name must be a text",
        "line 4: 'nam' is no part of such a record; did you mean name?",
        "line 4: name is missing",
        "line 4: x is '0'; it takes a number",
        "routes is missing: a list of { between, length, color }",
        "tickets is missing: a list of { between, points }",
        "rule route_points must be a list",
    )


def test_records_written_as_tables_have_lines_too() -> None:
    text = 'name = "T"\n[[cities]]\nname = "A"\nx = 1\n\n[[cities]]\nname = "B"\nx = 1\ny = 2\n'
    problems = read_map_text(text, "tables").problems
    assert "line 2: y is missing" in problems


def test_city_out_of_reach() -> None:
    """A city and a ticket that no route leads to."""
    lonely = USA.replace("cities = [", 'cities = [\n  { name = "Honolulu", x = 0, y = 999 },')
    lonely = lonely.replace("tickets = [", 'tickets = [\n  { between = ["Honolulu", "Miami"], points = 9 },')
    problems = read_map_text(lonely, "lonely").problems
    assert "line 7: Honolulu cannot be reached from Honolulu" not in problems
    assert any(problem.endswith("Honolulu-Miami (9) can never be completed") for problem in problems)


def test_shipped_maps_are_playable(spec: MapSpec) -> None:
    assert spec.problems() == []


def test_numbers_of_the_base_map() -> None:
    """Facts of the board, counted by others."""
    text = "\n".join(describe(catalog.load_map("usa")))
    assert "36 cities, 78 connections (22 double), 100 tracks, 309 spaces" in text
    assert "30 tickets worth 349; 25 are worth exactly their shortest path" in text
    for color in ("purple", "blue", "orange", "white", "green", "yellow", "black", "red"):
        assert f"{color:10}      7      27" in text


def test_shortest_path_of_the_base_map() -> None:
    spec = catalog.load_map("usa")
    way = shortest_path(spec, "Los Angeles", "New York")
    assert way is not None
    assert sum(spec.routes[route].length for route in way) == 20


def test_drawing_shows_everything(spec: MapSpec) -> None:
    """Well-formed SVG with a rectangle a space, a dot and a name a city, and no two tracks on top of each other."""
    root = ElementTree.fromstring(draw(spec))
    tag = "{http://www.w3.org/2000/svg}"
    spaces = [rect.get("transform") for rect in root.iter(f"{tag}rect") if rect.get("transform")]
    assert len(spaces) == sum(route.length for route in spec.routes)
    assert len(set(spaces)) == len(spaces)
    assert {text.text for text in root.iter(f"{tag}text")} >= {city.name for city in spec.cities}
    assert len(list(root.iter(f"{tag}circle"))) == len(spec.cities)
    assert spec.label in str(root.findtext(f"{tag}title"))


def test_picture_in_the_docs_is_current() -> None:
    """`arena maps draw usa -o docs/usa.svg` writes it anew."""
    picture = Path(__file__).parent.parent / "docs" / "usa.svg"
    assert picture.read_text(encoding="utf-8") == draw(catalog.load_map("usa"))


def test_own_map_is_played(tmp_path: Path) -> None:
    """A map file with other rule numbers; the run's plan and its repetition name both."""
    (tmp_path / "mine.toml").write_text(USA.replace('name = "USA"', 'name = "Mine"\nlabel = "not the official board"'))
    command = ["run", "random", "greedy", "--map", "mine.toml", "--games", 20]
    result = arena(*command, "--set", "trains=20", "--set", "route_points.6=30", "--out", "r", "--json", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["settings"] == {"trains": 20, "route_points.6": 30}
    assert report["label"] == "not the official board"
    assert report["command"].endswith(
        "--map mine.toml --players 2 --games 20 --seed 1 --set trains=20 --set route_points.6=30"
    )
    assert (
        "mine (not the official board), trains=20, route_points.6=30, 2 players"
        in arena("report", "r", cwd=tmp_path).stdout
    )
    plain = arena(*command, "--out", "plain", "--json", cwd=tmp_path)
    turns = [max(bot["turns"] for bot in each["bots"]) for each in (report, json.loads(plain.stdout))]
    assert turns[0] < turns[1]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"train": 20}, "unknown rule 'train': did you mean trains"),
        ({"trains": 2}, "rule trains is 2; it takes a whole number from 3 to 60"),
        ({"route_points.7": 20}, "for a length N from 1 to 6"),
        ({"route_points": 20}, "write route_points.N"),
        ({"trains.1": 20}, "write trains=20"),
        ({"tickets_keep": 5}, "more tickets must be kept than are dealt"),
    ],
)
def test_settings_that_do_not_fit(settings: dict[str, int], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        catalog.load_map("usa", settings)
    assert says in str(caught.value)


def test_setting_changes_the_map_and_its_digest() -> None:
    spec = catalog.load_map("usa", {"trains": 30, "route_points.1": 2})
    assert (spec.rules.trains, spec.points(1), spec.points(2)) == (30, 2, 2)
    assert spec.digest != catalog.load_map("usa").digest
    assert catalog.load_map("usa", {"trains": 45}).digest == load_map_text(USA, "other").digest
