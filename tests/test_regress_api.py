"""`regress` from Python and in the tests of a bot's author: bots themselves, bots that misbehave, wrong arguments."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.bot import Bot, next_below, policy
from arena.errors import ArenaError, UsageError
from arena.experiments.regress.regress import regress, save_baseline
from arena.testing import assert_not_weaker

Call = Callable[..., Any]

BAD = """import os
from arena.bot import Bot


class Exits(Bot):
    def choose(self, view):
        os._exit(7)


class Raises(Bot):
    def choose(self, view):
        print("aside", flush=True)
        os.write(2, b"aside")
        raise ValueError("no idea")
"""


@policy
def other_luck(view, board, actions, memory, random_state):
    """Any legal action, as `random`, but by other numbers."""
    next_below(random_state, 0, 7)
    return actions[next_below(random_state, 0, len(actions))]


def a_bot(*, is_good: bool) -> type[Bot]:
    """Bots of one name, as when a cell of a notebook is run again."""

    class MyBot(Bot):
        def choose(self, view: Any) -> Any:
            claims = [action for action in view.actions if action.kind == "claim"]
            return (claims if is_good and claims else view.actions)[0]

    return MyBot


def test_bots_of_this_process() -> None:
    """A policy itself, not its name: for the tests of a bot's author."""
    verdict = regress(other_luck, "random", no_loss=10)
    assert verdict.word == "no worse"
    assert str(verdict) == "\n".join(verdict.lines)
    assert verdict.command == 'regress(other_luck, "random", maps=["usa"], players=[2], seed=1, no_loss=10)'
    assert_not_weaker(other_luck, "random", no_loss=10)
    with pytest.raises(AssertionError, match="random against greedy: WORSE"):
        assert_not_weaker("random", "greedy", jobs=1)


def test_classes_of_one_name_are_two_bots() -> None:
    """Each plays by its own code, in one comparison and in one process."""
    bad, good = a_bot(is_good=False), a_bot(is_good=True)
    options: dict[str, Any] = {"field": ["random"], "max_games": 400}
    assert regress(bad, good, **options).word == "worse"
    assert regress(good, bad, **options).word == "better"
    assert regress(bad, good, no_loss=10, max_games=400).word == "worse"


FURTHER = ("baseline", "field", "saved")
PLACES = ("candidate", "field of saved", "pytest", *(pytest.param(p, marks=pytest.mark.full) for p in FURTHER))


@pytest.mark.parametrize("place", PLACES)
def test_a_bot_that_ends_its_process(
    place: str, arena: Call, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It ends a worker, not this process."""
    (tmp_path / "bad.py").write_text(BAD)
    spec = "bad.py:Exits"
    calls: dict[str, Callable[[], object]] = {
        "candidate": lambda: regress(spec, "random"),
        "baseline": lambda: regress("random", spec),
        "field": lambda: regress("random", "greedy", field=spec),
        "saved": lambda: save_baseline(spec, "b.json", field="random", max_games=60),
        "field of saved": lambda: save_baseline("random", "b.json", field=spec, max_games=60),
        "pytest": lambda: assert_not_weaker(spec, "random"),
    }
    with pytest.raises(ArenaError, match="a worker process died"):
        calls[place]()
    assert capfd.readouterr() == ("", "")


def test_a_field_that_ends_its_process_since(arena: Call, tmp_path: Path) -> None:
    """The opponents of a baseline are looked at in a worker too."""
    (tmp_path / "field.py").write_text(BAD.replace("os._exit(7)", "return view.actions[0]"))
    save_baseline("random", "b.json", field="field.py:Exits", max_games=60)
    (tmp_path / "field.py").write_text(BAD)
    for name in [name for name in sys.modules if name.startswith("arena_bot_field")]:
        del sys.modules[name]
    result = arena("regress", "random", "--against", "b.json")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: a worker process died")


def test_faults_and_prints(arena: Call, tmp_path: Path) -> None:
    """A fault is counted, told and loses; prints stay away."""
    (tmp_path / "bad.py").write_text(BAD)
    result = arena("regress", "bad.py:Raises", "--against", "random")
    lines = result.stdout.splitlines()
    assert (result.returncode, lines[0], result.stderr) == (1, "bad.py:Raises against random: WORSE", "")
    assert "games with a fault: 60 of the candidate, 0 of the baseline" in lines[2]
    assert re.match(r"the candidate's first fault: exception: .*ValueError.*no idea", lines[5])
    assert "aside" not in result.stdout
    again = arena("regress", "bad.py:Raises", "--against", "random", "--jobs", 1)
    assert again.stdout == result.stdout
    result = arena("regress", "random", "--against", "bad.py:Raises", "--field", "random")
    assert result.stdout.splitlines()[5].startswith("the baseline's first fault: exception")


def test_the_same_result_on_each_deal(arena: Call, tmp_path: Path) -> None:
    """Other sources, other decisions, but none that matters: the gain is 0."""
    for name, last in (("one", 3), ("two", 6)):
        (tmp_path / f"{name}.py").write_text(
            "from arena.bot import Bot\n\n\nclass Mine(Bot):\n    made = 0\n\n    def choose(self, view):\n"
            f"        self.made += 1\n        return view.actions[9999 if self.made == {last} else 0]\n"
        )
    verdict = regress("one.py:Mine", "two.py:Mine", field="random", gain=(0, 5))
    assert (verdict.word, verdict.exit_code, verdict.gain) == ("no better", 1, 0.0)
    assert re.match(r"the same result on each of [0-9]+ deals, [0-9]+ games", verdict.lines[2])


def test_single_values_and_lists_are_alike() -> None:
    """As on the command line."""
    one = regress("racer", "onestep", players=3, maps="usa", field="greedy,racer:shortest=3", gain="0,5", max_games=600)
    other = regress(
        "racer", "onestep", players=[3, 3], maps=["usa"], field=["greedy", "racer:shortest=3"], gain=(0, 5),
        max_games=600,
    )  # fmt: skip
    assert one == other


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"gain": 5}, "--gain '5' is not of the form P0,P1"),
        ({"gain": (1, 2, 3)}, "is not of the form P0,P1"),
        ({"gain": (0, 5), "no_loss": 3}, "not for both"),
        ({"no_loss": "3"}, "--no-loss takes a number, not '3'"),
        ({"alpha": None}, "--alpha takes a number, not None"),
        ({"players": "3"}, "players takes one or more whole numbers, not '3'"),
        ({"players": 2.5}, "players takes one or more whole numbers, not 2.5"),
        ({"maps": [3]}, "maps takes one or more names"),
        ({"field": [a_bot]}, "field takes one or more names"),
        ({"settings": ["trains=40"]}, "settings takes rules with their numbers"),
        ({"settings": {"trains": 4.5}}, "settings takes rules with their numbers"),
        ({"seed": "1"}, "seed takes a whole number, not '1'"),
        ({"seating": 3}, "seating takes a word, not 3"),
        ({"jobs": 0}, "jobs takes a whole number from 1 on, not 0"),
        ({"max_games": "many"}, "--max-games takes a whole number, not 'many'"),
    ],
)
def test_wrong_arguments(options: dict[str, Any], says: str) -> None:
    """One sentence, also in a test of the bot's author, whose own line is the last that pytest shows."""
    with pytest.raises(UsageError, match=re.escape(says)):
        regress("racer", "greedy", **options)
    if "gain" not in options and "no_loss" not in options:
        with pytest.raises(UsageError, match=re.escape(says)) as found:
            assert_not_weaker("racer", "greedy", **options)
        assert [entry.name for entry in found.traceback][-1] == "assert_not_weaker"
        assert found.value.__suppress_context__


def test_what_is_no_bot() -> None:
    """An instance, a path, a class without a file."""
    with pytest.raises(UsageError, match="is an instance of MyBot: give the class itself"):
        regress(a_bot(is_good=True)(), "random")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="is neither a class"):
        regress("random", Path("my_bot.py"))
    made = type("Made", (Bot,), {"choose": lambda self, view: view.actions[0], "__module__": "nowhere"})
    with pytest.raises(UsageError, match="'Made' has no source file"):
        regress(made, "random")
