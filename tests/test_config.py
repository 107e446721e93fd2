"""A tournament in a file: read, refused, overridden by the command line, and played."""

import json
import shlex
from collections.abc import Callable
from dataclasses import fields
from inspect import signature
from pathlib import Path

import click
import pytest

from arena.api import run as arena_run
from arena.cli.config import KEYS, WANTED, read_config
from arena.cli.run import run
from arena.engine.limits import ON_FAULT
from arena.errors import UsageError
from arena.tournament.designs import DESIGNS, FORMATS, SEATINGS
from arena.tournament.request import Request
from commands import result_files
from conftest import Result

BOT = '''
from arena.bot import Bot
class First(Bot):
    """Plays the first action there is."""
    def __init__(self, place=0):
        self.place = place
    def choose(self, view):
        return view.actions[self.place]
'''
CUP = """
bots = ["random", "greedy", "first.py:First:place=0"]
format = "gauntlet"
seating = "ring"
players = 2
games = 8
seed = 3
out = "played"

[set]
trains = 20
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / "first.py").write_text(BOT)
    (tmp_path / "cup" / "cup.toml").write_text(CUP)
    return tmp_path


def test_everything_that_a_command_line_can_say() -> None:
    """A key for each option of `arena run`, and nothing else."""
    options = {p.opts[0].removeprefix("--") for p in run.params if isinstance(p, click.Option)}
    assert set(KEYS) == options - {"config"} | {"bots"}
    assert set(KEYS.values()) == set(WANTED)


def test_every_door_asks_for_the_same() -> None:
    """The command line, its usual values, and the function that Python calls: all are the fields of a request."""
    asked = {option.name: option.default for option in fields(Request) if option.name != "bots"}
    said = run.make_context("run", ["a", "b"]).params
    assert said == {**asked, "bots": ("a", "b"), "settings": (), "as_json": False}
    assert set(signature(arena_run).parameters) == {"bots", *asked}


def test_a_request_says_its_command() -> None:
    """What is as usual is left out, but for games and seed; what is said can be read again."""
    assert Request(["a", "b"]).command == "arena run a b --games 1000 --seed 1"
    asked = Request(
        ["a b", "c"], map="japan", settings={"trains": 20, "draft": "no"}, move_time=2.5, memory="1G", isolate=True,
        detail=False, shard="1/2",
    )  # fmt: skip
    words = shlex.split(asked.command)
    assert words[:3] == ["arena", "run", "a b"]
    said = run.make_context("run", words[2:]).params
    assert said.pop("as_json") is False
    again = Request.of_options(**said)
    assert (again.command, again.limits, again.settings) == (asked.command, asked.limits, asked.settings)


def test_choices_of_the_command_line_are_those_of_the_designs() -> None:
    """They stand twice: `arena run --help` must not load the designs."""
    choices = {p.name: tuple(p.type.choices) for p in run.params if isinstance(p.type, click.Choice)}
    assert choices == {"format": FORMATS, "seating": SEATINGS, "design": DESIGNS, "on_fault": ON_FAULT}


def test_paths_start_from_the_file(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text('bots = ["racer", "b/x.py:X:a=1//2", "/y.py:Y", "~/z.py:Z"]\nmap = "my.toml"\nout = "here"\n')
    assert read_config(file) == {
        "bots": ["racer", f"{tmp_path}/b/x.py:X:a=1//2", "/y.py:Y", "~/z.py:Z"],
        "map": f"{tmp_path}/my.toml",
        "out": f"{tmp_path}/here",
    }
    file.write_text('map = "name"\n')
    assert read_config(file) == {"map": "name"}


def test_paths_beside_us_stay_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.toml").write_text('bots = ["x.py:X", "y.py:Y"]\n[set]\ntrains = 40\ndraft = "word"\n')
    assert read_config(Path("t.toml")) == {"bots": ["x.py:X", "y.py:Y"], "set": ["trains=40", "draft=word"]}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("game = 4", "unknown key 'game': did you mean games"),
        ("config = 'x'", "unknown key 'config'"),
        ("games = 'many'", "games takes a whole number"),
        ("games = 4.5", "games takes a whole number"),
        ("games = true", "games takes a whole number"),
        ("json = 1", "json takes true or false"),
        ("bots = 'racer'", "bots takes a list of texts"),
        ("bots = [1]", "bots takes a list of texts"),
        ("set = 'trains=40'", "set takes a table of rules with whole numbers"),
        ("[set]\ntrains = 1.5", "set takes a table"),
        ("map = 1", "map takes a text"),
        ("games 4", "is not valid TOML"),
        ("\ud800", "cannot be read"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "t.toml"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(UsageError, match=says) as error:
        read_config(file)
    assert len(str(error.value).splitlines()) == 1


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.toml does not exist"):
        read_config(tmp_path / "none.toml")
    with pytest.raises(UsageError, match="cannot be read"):
        read_config(tmp_path)


def test_a_file_is_played(folder: Path, arena: Callable[..., Result]) -> None:
    """From another folder: the same games as its command line, which the report prints; then it says that it was."""
    result = arena("run", "--config", "cup/cup.toml")
    assert result.returncode == 0, result.stderr
    assert "Plan: gauntlet, 3 bots at 2 seats, all 2 line-ups.\n" in result.stderr
    assert "4 deals, each in 2 seatings (ring): 8 games.\n" in result.stderr
    plan = json.loads((folder / "cup/played/plan.json").read_text())
    assert plan["settings"] == {"trains": 20}
    assert plan["seed"] == 3
    again = result.stdout.splitlines()[-1].removeprefix("Again: arena ").split()
    assert "cup/first.py:First:place=0" in again
    assert arena(*again, "--out", "again").returncode == 0
    assert result_files(folder / "again") == result_files(folder / "cup/played")
    assert (folder / "again/plan.json").read_bytes() == (folder / "cup/played/plan.json").read_bytes()
    second = arena("run", "--config", "cup/cup.toml")
    assert second.returncode == 2
    assert "cup/played exists already" in second.stderr


def test_the_command_line_overrides_the_file(folder: Path, arena: Callable[..., Result]) -> None:
    """Option by option, rule by rule, and the bots as a whole."""
    rest = ("--games", 4, "--set", "longest_path=5", "--set", "trains=25", "--format", "round-robin", "--json")
    result = arena("run", "--config", "cup/cup.toml", *rest, "--out", "over", "racer", "greedy")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert {row["bot"] for row in report["bots"]} == {"racer", "greedy"}
    plan = json.loads((folder / "over/plan.json").read_text())
    found = {key: plan[key] for key in ("format", "seating", "players", "games", "seed", "settings")}
    assert found == {
        "format": "round-robin", "seating": "ring", "players": 2, "games": 4, "seed": 3,
        "settings": {"trains": 25, "longest_path": 5},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("games = 4", "Missing argument 'BOT BOT [BOT...]'"),
        ("bots = []", "Missing argument 'BOT BOT [BOT...]'"),
        ("bots = ['random', 'greedy']\nformat = 'cup'", "'cup' is not one of 'round-robin', 'gauntlet', 'lineup'"),
        ("bots = ['random', 'greedy']\njobs = 0", "0 is not in the range"),
        ("bots = ['random', 'greedy']\n[set]\ntrain = 4", "unknown rule 'train'"),
        ("bots = ['random', 'gredy']", "unknown bot 'gredy'"),
    ],
)
def test_values_are_checked_like_options(tmp_path: Path, text: str, says: str, arena: Callable[..., Result]) -> None:
    (tmp_path / "t.toml").write_text(text)
    result = arena("run", "--config", "t.toml")
    assert result.returncode == 2
    assert says in result.stderr
    assert "Traceback" not in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["t.toml"]
