"""Names to bots and maps; every mistake in one sentence with the nearest names."""

import os
import sys
from importlib.metadata import EntryPoint
from importlib.resources import files
from pathlib import Path

import pytest

from arena import catalog
from arena.boards.file import load_map_text
from arena.bot import Policy
from arena.catalog.listing import describe_bot, describe_bots
from arena.catalog.scaffold import write_package
from arena.engine.parameters import split_bots
from arena.engine.sources import sources_digest, sources_of
from arena.errors import UsageError

GOOD = """
import math
from arena.bot import Bot, has, kernel, policy

class Mine(Bot):
    def __init__(self, depth=3, name="x"):
        self.depth, self.name = depth, name
    def choose(self, view):
        return view.actions[0]

class NeedsValue(Bot):
    def __init__(self, depth):
        pass
    def choose(self, view):
        return view.actions[0]

class WrongSignature(Bot):
    def choose(self):
        return None

class NoChoose(Bot):
    pass

class Prepares(Mine):
    def prepare(self):
        pass

instance = Mine()

class Stranger:
    def choose(self, view):
        return view.actions[0]

@policy(weight=0.5, shortest=2)
def first(view, board, actions, memory, random_state):
    return actions[0]

@policy
def four(view, board, actions, memory):
    return actions[0]

@policy
def untypable(view, board, actions, memory, random_state):
    return actions.nonsense()

@policy
def only_raises(view, board, actions, memory, random_state):
    raise ValueError("never")

@policy
def unknown_field(view, board, actions, memory, random_state):
    return view.hands[0]

@policy
def former_field(view, board, actions, memory, random_state):
    return view.mine[0, 0]

@kernel
def helper(board):
    return board.trainz

@policy
def unknown_in_helper(view, board, actions, memory, random_state):
    return actions[helper(board)]

@policy
def no_return(view, board, actions, memory, random_state):
    if len(actions) > 3:
        return actions[0]

@policy
def returns_text(view, board, actions, memory, random_state):
    return "pass"

@policy
def wrong_call(view, board, actions, memory, random_state):
    return actions[math.sqrt("four")]

@policy
def wrong_arguments(view, board, actions, memory, random_state):
    return actions[has(view.tickets)]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(GOOD)
    return path


@pytest.mark.parametrize(
    ("lists", "bots"),
    [
        (["a,b:x=1,y=2,c", "d:z=1"], ("a", "b:x=1,y=2", "c", "d:z=1")),
        ([], ()),
        (["a:x=[1,2],y=3,b"], ("a:x=[1,2],y=3", "b")),
        ([" a , b:x=1 , y=2 ,c,"], ("a", "b:x=1,y=2", "c")),
        (["a:x=1,bot.py:B:y=2,z=c:d"], ("a:x=1", "bot.py:B:y=2,z=c:d")),
    ],
)
def test_lists_of_bots_are_read_by_one_rule(lists: list[str], bots: tuple[str, ...]) -> None:
    """In the command line of studies and of comparisons, whatever stands between the commas."""
    assert split_bots(lists) == bots


def test_shipped_bots_are_there() -> None:
    shipped = {"random", "greedy", "racer", "tutorial", "onestep", "longroute", "path", "hungry"}
    assert shipped <= set(catalog.bot_entry_points())


def test_same_bot_twice_is_two_entrants() -> None:
    names = [entrant.name for entrant in catalog.load_entrants(["random", "greedy", "random", "random"])]
    assert names == ["random", "greedy", "random#2", "random#3"]


def test_class_from_file_with_parameters(file: Path) -> None:
    entrant = catalog.load_entrant(f"{file}:Mine:depth=5,name=abc")
    assert entrant.parameters == {"depth": 5, "name": "abc"}
    assert entrant.name == "mine.py:Mine:depth=5,name=abc"


def test_values_with_commas_and_spaces(file: Path) -> None:
    entrant = catalog.load_entrant(f"{file}:Mine:name=[(1, 2), 3], depth=4")
    assert entrant.parameters == {"depth": 4, "name": [(1, 2), 3]}


def test_parameters_are_shown_alike(file: Path) -> None:
    assert describe_bot(f"{file}:first:shortest=4.0")[1:] == ["(no description)", "  weight = 0.5", "  shortest = 4"]
    assert describe_bot(f"{file}:Mine:depth=2.0")[1:] == ["(no description)", "  depth = 2", "  name = x"]


def test_policy_from_file_with_parameters(file: Path) -> None:
    entrant = catalog.load_entrant(f"{file}:first:shortest=4")
    assert isinstance(entrant.bot, Policy)
    assert entrant.memory()[:3].tolist() == [0.5, 4.0, 0.0]


def test_source_digest_follows_the_file(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text(GOOD + "\n# changed\n")
    assert catalog.load_entrant(f"{file}:Mine").digest != catalog.load_entrant(f"{other}:Mine").digest


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("gredy", "unknown bot 'gredy': did you mean greedy"),
        ("zzz", "known are"),
        ("racer:shortes=3", "unknown parameter 'shortes': did you mean shortest"),
        ("racer:shortest=long", "takes a number"),
        ("racer:shortest=1e400", "takes a number"),
        ("racer:shortest=True", "takes a number"),
        ("racer:shortest", "not of the form key=value"),
        ("racer:shortest=5,shortest=6", "given twice"),
        ("random:depth=1", "takes no parameters"),
        ("nowhere.py:Bot", "does not exist"),
        ("nowhere.py", "names a file but no class"),
        ("{file}:Mina", "did you mean Mine"),
        ("{file}:Mine:dept=1", "did you mean depth"),
        ("{file}:NeedsValue", "needs a value for its parameter depth"),
        ("{file}:WrongSignature", "must take (self, view)"),
        ("{file}:NoChoose", "does not define choose(self, view)"),
        ("{file}:Mine:depth=deep", "parameter depth takes a number, not 'deep'"),
        ("{file}:Mine:depth=[1,2]", "parameter depth takes a number, not [1, 2]"),
        ("{file}:Mine:depth=2, depth=3", "parameter depth is given twice"),
        ("{file}:Prepares", "Prepares.prepare must be a class method: write @classmethod above it"),
        ("{file}:instance", "is an instance of Mine: give the class itself"),
        ("{file}:Stranger", "neither a class derived from arena.bot.Bot nor"),
        ("{file}:four", "must take five: view, board, actions, memory, random_state"),
    ],
)
def test_mistakes(file: Path, spec: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        catalog.load_entrant(spec.format(file=file))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_policy_that_only_raises(file: Path) -> None:
    entrant = catalog.load_entrant(f"{file}:only_raises")
    assert isinstance(entrant.bot, Policy)
    with pytest.raises(UsageError, match="policy only_raises never returns an action"):
        entrant.bot.compile()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("untypable", "Unknown attribute 'nonsense' of type array(int32, 1d, C) ({place}: return actions.nonsense())"),
        ("unknown_field", "view has no field 'hands': did you mean hand or phase? ({place})"),
        ("former_field", "view has no field 'mine': it is now 'routes_claimed' ({place})"),
        ("unknown_in_helper", "board has no field 'trainz': did you mean trains"),
        ("no_return", "it does not return an action on every path: a `return` is missing"),
        (
            "returns_text",
            "it returns Literal[str](pass), which is not an action: an action is an integer ({place}: return",
        ),
        ("wrong_call", " for sqrt(Literal[str](four)) ({place}: return actions[math.sqrt("),
        ("wrong_arguments", "missing a required argument: 'index'"),
    ],
)
def test_policy_that_does_not_compile(file: Path, name: str, says: str) -> None:
    """What is wrong, in one sentence, with file and line where Numba tells them."""
    entrant = catalog.load_entrant(f"{file}:{name}")
    assert isinstance(entrant.bot, Policy)
    line = GOOD.splitlines().index(f"def {name}(view, board, actions, memory, random_state):") + 2
    with pytest.raises(UsageError) as caught:
        entrant.bot.compile()
    assert str(caught.value).startswith(f"policy {name} does not compile: ")
    assert says.replace("{place}", f"mine.py:{line}") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_compiled_code_follows_helper_files(tmp_path: Path) -> None:
    """A change in a file that the bot's file imports from beside it counts as a change of the bot."""
    bot, helper = tmp_path / "solo.py", tmp_path / "solohelp.py"
    bot.write_text("from solohelp import VALUE\n")
    digests = set()
    for value in (1, 2):
        helper.write_text(f"VALUE = {value}\n")
        (tmp_path / "unrelated.py").write_text(f"x = {value}\n")
        sources_digest.cache_clear()
        digests.add(sources_digest(str(bot)))
    assert len(digests) == 2
    (tmp_path / "unrelated.py").write_text("x = 3\n")
    sources_digest.cache_clear()
    assert sources_digest(str(bot)) in digests


def test_sources_of_installed_bots_are_their_own(tmp_path: Path) -> None:
    """In a package: the modules of that package that it imports; alone in site-packages: the file. Never others."""
    site = tmp_path / "site-packages"
    for name, text in {
        "mine/__init__.py": "",
        "mine/bots/__init__.py": "",
        "mine/bots/first.py": "import numpy\nfrom arena.bot import Bot\nfrom mine.tools import x\nfrom . import second",
        "mine/bots/second.py": "from ..deep import y",
        "mine/bots/unused.py": "",
        "mine/tools.py": "import other",
        "mine/deep/__init__.py": "",
        "other.py": "",
        "single.py": "import other, arena.bot",
        "arena/__init__.py": "",
        "arena/bot.py": "",
        "numpy.py": "",
    }.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    found = {str(path.relative_to(site / "mine")) for path in sources_of(site / "mine/bots/first.py")}
    assert found == {"bots/__init__.py", "bots/first.py", "bots/second.py", "tools.py", "deep/__init__.py"}
    assert sources_of(site / "single.py") == {site / "single.py"}


def test_name_claimed_twice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second distribution cannot silently stand in for a shipped bot."""
    ours = catalog.bot_entry_points()["random"]
    other = EntryPoint("random", "theirs:random", catalog.GROUP)
    monkeypatch.setattr("arena.catalog.bots.bot_entry_points", lambda: {"random": [*ours, other]})
    with pytest.raises(UsageError, match=r"declared by ttr-arena .* and by .* \(theirs:random\)"):
        catalog.load_entrant("random")


def test_entry_point_without_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of all bots goes on."""
    entries = {"mine": [EntryPoint("mine", "bots.greedy", catalog.GROUP)], **catalog.bot_entry_points()}
    monkeypatch.setattr("arena.catalog.bot_entry_points", lambda: entries)
    monkeypatch.setattr("arena.catalog.bots.bot_entry_points", lambda: entries)
    first, second = describe_bots()[:2]
    assert first == "mine: broken: bot 'mine' (bots.greedy) names a module but no bot in it: write"
    assert second == "    bots.greedy:MyBot as entry point"
    assert max(map(len, describe_bots())) <= 80


def test_package_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_package("alice", tmp_path)
    with pytest.raises(UsageError, match=r"unknown bot 'alice': there is a package alice here; is it installed"):
        catalog.load_entrant("alice")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import nonsense_package", "ModuleNotFoundError"),
        ("x = (", "SyntaxError"),
        ("raise SystemExit", "SystemExit"),
        (
            "from arena.bot import policy\n@policy(3)\ndef f(): 0",
            r"TypeError: @policy\(3\): a parameter has a name and",
        ),
        (
            "from arena.bot import policy\n@policy(least='no')\ndef f(): 0",
            r"TypeError: @policy\(least='no'\): the default",
        ),
    ],
)
def test_file_that_does_not_import(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(text)
    with pytest.raises(UsageError, match=f"does not import: {says}"):
        catalog.load_entrant(f"{path}:Bot")


def test_unknown_map() -> None:
    with pytest.raises(UsageError, match="unknown map 'us': did you mean usa"):
        catalog.load_map("us")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("trains = 61", "rule trains is 61; it must be a whole number from 3 to 60"),
        ("cards_per_color = 1\nlocomotives = 0", "more than five hands of 4"),
        ("cards_per_color = 15\nlocomotives = 30", "at most 127"),
        ("route_points = [1, 101]", "up to 100"),
        ("tickets_keep = 4", "more tickets must be kept than are dealt"),
        ("tickets_dealt = 7", "rule tickets_dealt is 7"),
    ],
)
def test_rule_numbers_out_of_range(change: str, says: str) -> None:
    text = (files("maps") / "usa.toml").read_text(encoding="utf-8")
    with pytest.raises(UsageError, match=says):
        load_map_text(f"{text}\n[rules]\n{change}\n", "usa")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            '["Boston", "Miami"]',
            '["Bostn", "Miami"]',
            "Bostn-Miami (12): no city is called 'Bostn'; did you mean Boston?",
        ),
        ("points = 12", "points = 0", "points must be a whole number from 1 to 100"),
        ("length = 5", "length = 7", "length 7 has no points in rule route_points"),
        ("x = 1395", "x = nan", "x is nan; it must be a number"),
        ("length = 5", 'length = "5"', "length is '5'; it must be a number"),
        ("length = 5", "lenght = 5", "'lenght' is not a key of such a record; did you mean length?"),
        ('color = "blue"', 'color = "teal"', "color 'teal' is not one of purple"),
        ('name = "USA"', 'name = "USA', "is not valid TOML: Illegal character '\\n' (at line 2, column 12)"),
        ('name = "USA"', 'title = "USA"', "name must be one line of text"),
        ('["Boston", "Miami"]', '["Boston"]', "between is ['Boston']; it must be the names of two cities"),
        ('["Boston", "Miami"]', '["Miami", "Miami"]', "leads from a city to itself"),
        ('name = "Atlanta", ', 'name = "Boston", ', "line 8: Boston is listed twice"),
        ("[rules]", "[rules]\ntrain = 3", "no rule is called 'train'; did you mean trains?"),
        ("[rules]", "[rules]\ntrains = 5", "no player has the 6 trains it takes"),
    ],
)
def test_broken_maps(old: str, new: str, says: str) -> None:
    text = (files("maps") / "usa.toml").read_text(encoding="utf-8") + "\n[rules]\n"
    assert old in text
    with pytest.raises(UsageError) as caught:
        load_map_text(text.replace(old, new), "usa")
    assert says in str(caught.value)


def test_a_file_is_loaded_as_it_is_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Changed within a second, to something of the same length: compiled code of before would pass for it."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "quick.py"
    for number in (1, 2):
        source = (
            f"from arena.bot import Bot\nclass Mine(Bot):\n    number = {number}\n    def choose(self, view): pass\n"
        )
        file.write_text(source)
        os.utime(file, (1_000_000_000, 1_000_000_000))
        bot = catalog.load_entrant(f"{file}:Mine").bot
        assert bot.number == number  # type: ignore[union-attr]
        del sys.modules[bot.__module__]
