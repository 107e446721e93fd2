"""Map files: everything wrong with one is named, its numbers and its picture are right, rule numbers can be set."""

import json
from importlib.resources import files
from pathlib import Path

import pytest

from arena import catalog
from arena.boards.drawing import draw
from arena.boards.file import load_map_text, read_map_text
from arena.boards.summary import describe, shortest_path
from arena.errors import UsageError
from commands import arena

USA = (files("maps") / "usa.toml").read_text(encoding="utf-8")

BROKEN = sorted((Path(__file__).parent / "broken_maps").glob("*.toml"))


@pytest.mark.parametrize("file", BROKEN, ids=lambda file: file.stem)
def test_all_problems_in_one_go(file: Path) -> None:
    """What is wrong with a broken map stands at the end of its file, behind `#!`."""
    text = file.read_text(encoding="utf-8")
    expected = [line.removeprefix("#! ") for line in text.splitlines() if line.startswith("#!")]
    assert expected
    assert list(read_map_text(text, file.stem).problems) == expected
    result = arena("maps", "check", file, cwd=file.parent)
    assert (result.returncode, result.stdout) == (2, "")
    assert [line.strip() for line in result.stderr.splitlines()[1:]] == expected


@pytest.mark.parametrize("name", catalog.map_names())
def test_shipped_maps_pass_the_check(name: str) -> None:
    result = arena("maps", "check", name, cwd=Path.cwd())
    assert (result.returncode, result.stderr) == (0, "")
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_malformed_toml_has_line_and_column() -> None:
    with pytest.raises(UsageError, match=r"not valid TOML: .*at line 2, column 10"):
        load_map_text('name = "X"\ncities = = 3\n', "malformed")


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


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("usa", ["36 cities, 78 connections (22 double), 100 tracks, 309 spaces",
                 "30 tickets worth 349; 25 are worth exactly their shortest path"]),
        ("japan", ["48 cities, 91 connections (22 double), 114 tracks, 277 spaces",
                   "23 of the tracks, 59 spaces, are bullet routes",
                   "54 tickets worth 402; 7 are worth exactly their shortest path"]),
        ("south_korea", ["South Korea (community layout, not the official board)",
                         "38 cities, 84 connections (22 double), 106 tracks, 310 spaces",
                         "44 tickets worth 503; 20 are worth exactly their shortest path"]),
    ],
)  # fmt: skip
def test_numbers_of_the_shipped_maps(name: str, facts: list[str]) -> None:
    """Facts of the boards, counted by others."""
    text = describe(catalog.load_map(name))
    assert set(facts) <= set(text)


def test_colors_of_the_base_map() -> None:
    text = "\n".join(describe(catalog.load_map("usa")))
    for color in ("purple", "blue", "orange", "white", "green", "yellow", "black", "red"):
        assert f"{color:10}      7      27" in text


def test_shortest_path_of_the_base_map() -> None:
    spec = catalog.load_map("usa")
    way = shortest_path(spec, "Los Angeles", "New York")
    assert way is not None
    assert sum(spec.routes[route].length for route in way) == 20


@pytest.mark.parametrize("name", catalog.map_names())
def test_pictures_in_the_docs_are_current(name: str) -> None:
    """`arena maps draw NAME -o docs/NAME.svg` writes one anew."""
    picture = Path(__file__).parent.parent / "docs" / f"{name}.svg"
    assert picture.read_text(encoding="utf-8") == draw(catalog.load_map(name))


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
        ({"trains": 2}, "rule trains is 2; it must be a whole number from 3 to 60"),
        ({"route_points.7": 20}, "for a length N from 1 to 6"),
        ({"route_points": 20}, "write route_points.N"),
        ({"trains.1": 20}, "write trains=20"),
        ({"tickets_keep": 5}, "more tickets must be kept than are dealt"),
        ({"tickets_returned": "shufled"}, "it must be one of under, shuffled, reshuffled"),
        ({"trains": "many"}, "rule trains is 'many'; it must be a whole number from 3 to 60"),
        ({"bullet_bonus": 3}, "write bullet_bonus.P.R=... for P players"),
        ({"bullet_bonus.2.3": 3}, "write bullet_bonus.P.R=... for P players"),
        ({"bullet_bonus.6.1": 3}, "write bullet_bonus.P.R=... for P players"),
        ({"province_bonus.2.1": 101}, "points of 2 players must be whole numbers within 100"),
        ({"express": 4}, "rule express is 4; it must be a whole number from 0 to 3"),
        ({"cards": 6}, "rule cards: write cards.X=... for X one of purple, blue"),
        ({"cards.gray": 6}, "rule cards.gray: write cards.X=... for X one of purple, blue"),
        ({"cards.red": 31}, "rule cards.red is 31; it must be a whole number from 0 to 30"),
        ({"cards.red": "few"}, "rule cards.red is 'few'; it must be a whole number from 0 to 30"),
        ({"cards.red": 30}, "at most 127"),
        ({"cards.red": 1, "locomotives": 4}, "no player can ever pay 6 spaces with the cards there are"),
        ({"extra_cards.5": 1}, "write extra_cards.X=... for X one of 0, 1, 2, 3, 4"),
        ({"extra_cards.0": 11}, "rule extra_cards.0 is 11; it must be a whole number from 0 to 10"),
        (
            {"cards_per_color": 3, "locomotives": 6, "extra_cards.3": 10},
            "more than five hands of 4 with 10 extra cards",
        ),
    ],
)
def test_settings_that_do_not_fit(settings: dict[str, int | str], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        catalog.load_map("usa", settings)
    assert says in str(caught.value)


def test_setting_changes_the_map_and_its_digest() -> None:
    spec = catalog.load_map("usa", {"trains": 30, "route_points.1": 2})
    assert (spec.rules.trains, spec.points(1), spec.points(2)) == (30, 2, 2)
    assert spec.digest != catalog.load_map("usa").digest
    assert catalog.load_map("usa", {"trains": 45}).digest == load_map_text(USA, "other").digest


def test_numbers_for_single_colors_and_seats() -> None:
    """A file says them as a setting does; in which order does not matter; what is not named follows the others."""
    settings: dict[str, int | str] = {"cards.red": 6, "extra_cards.3": 2, "cards.blue": 20, "cards_per_color": 10}
    spec = catalog.load_map("usa", settings)
    assert spec.rules.supply == (10, 20, 10, 10, 10, 10, 10, 6, 14)
    assert spec.rules.extras == (0, 0, 0, 2, 0)
    told = "cards = { red = 6, blue = 20 }\nextra_cards.3 = 2\ncards_per_color = 10\n"
    assert load_map_text(f"{USA}\n[rules]\n{told}", "usa").digest == spec.digest
    assert "rules: cards_per_color 10, cards blue 20 | red 6, extra_cards 3 2" in "\n".join(describe(spec))
    assert catalog.load_map("usa").rules.supply == (*[12] * 8, 14)


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("cards = 3", "rule cards is a table: write cards.red = ..."),
        ("cards.pink = 3", "rule cards: 'pink' is not one of purple"),
        ("extra_cards = [1, 0]", "rule extra_cards is a table: write extra_cards.4 = ..."),
        ("extra_cards.5 = 3", "rule extra_cards: '5' is not one of 0, 1, 2, 3, 4"),
        ("extra_cards.4 = 1.5", "rule extra_cards.4 is 1.5; it must be a whole number from 0 to 10"),
    ],
)
def test_numbers_for_single_colors_and_seats_that_do_not_fit(told: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_map_text(f"{USA}\n[rules]\n{told}\n", "usa")
    assert says in str(caught.value)


def test_settings_of_bonuses_and_words() -> None:
    spec = catalog.load_map("japan", {"bullet_bonus.4.3": 1, "tickets_returned": "under"})
    assert spec.rules.bullet_bonus == ((10, -10), (15, 5, -10), (20, 10, 1, -10), (25, 15, 5, -5, -10))
    assert spec.rules.tickets_returned == "under"
    assert catalog.load_map("south_korea", {"province_bonus.3.2": 7}).rules.province_bonus[1] == (10, 7)


def test_label_is_shown_with_the_map(tmp_path: Path) -> None:
    """A board that is not the official one says so wherever it is shown."""
    label = "community layout, not the official board"
    run = arena("run", "random", "random", "--map", "south_korea", "--games", 2, "--out", "r", cwd=tmp_path)
    for shown in (
        arena("maps", "list", cwd=tmp_path).stdout,
        arena("maps", "check", "south_korea", cwd=tmp_path).stdout,
        run.stdout,
        *(arena("report", "r", "--format", kind, cwd=tmp_path).stdout for kind in ("text", "md", "json")),
        json.loads((tmp_path / "r" / "plan.json").read_text())["identity"]["map_label"],
        draw(catalog.load_map("south_korea")),
    ):
        assert label in shown
