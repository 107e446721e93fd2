"""`arena regress`: the right verdict and exit code, the same text on any machine, baselines that are not misread."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena import catalog
from arena.bot import next_below, policy
from arena.errors import UsageError
from arena.regression.match import Setting, make_cells
from arena.regression.options import parse_gain, split_bots
from arena.regression.play import InlineExecutor, play_rounds
from arena.regression.run import regress
from arena.regression.verdict import Question, word_of
from arena.testing import assert_not_weaker
from commands import arena as arena_process

Call = Callable[..., Any]


@policy
def other_luck(view, board, actions, memory, luck):
    """Any legal action, as `random`, but by other numbers."""
    next_below(luck, 0, 7)
    return actions[next_below(luck, 0, len(actions))]


@pytest.mark.parametrize(
    ("candidate", "baseline", "options", "word", "code"),
    [
        ("racer", "greedy", [], "BETTER", 0),
        ("greedy", "racer", [], "WORSE", 1),
        ("racer", "racer", [], "UNCHANGED", 0),
        ("greedy", "racer:shortest=1", [], "UNCHANGED", 0),
        ("racer", "racer:shortest=4", ["--gain", "40,60"], "NO BETTER", 1),
        ("racer", "greedy", ["--gain", "0,5"], "BETTER", 0),
        ("racer", "racer:shortest=4", ["--gain", "0,0.1", "--max-games", 100], "UNDECIDED", 3),
        ("racer", "greedy", ["--field", "onestep,racer:shortest=3", "--players", 3], "BETTER", 0),
        ("greedy", "racer", ["--map", "japan", "--map", "usa", "--players", 2, "--players", 4], "WORSE", 1),
    ],
)
def test_verdict_and_exit_code(
    candidate: str, baseline: str, options: list[object], word: str, code: int, arena: Call, tmp_path: Path
) -> None:
    """Five lines: the verdict, where, what was found, the test, and the command that finds it again."""
    result = arena("regress", candidate, "--against", baseline, *options)
    assert result.returncode == code, result.stderr
    head, where, found, test, command = result.stdout.splitlines()
    assert head == f"{candidate} against {baseline}: {word}"
    assert "seed 1" in where
    assert "points" in found or "same" in found
    assert "log likelihood ratio" in test
    assert command.startswith(f"arena regress {candidate} --against {baseline}")
    assert list(tmp_path.iterdir()) == []
    if word == "WORSE":
        again = arena(*command.split()[1:], "--jobs", 1)
        assert again.stdout == result.stdout


def test_equal_bots_are_no_worse(arena: Call, tmp_path: Path) -> None:
    """Equal in strength, different in every decision."""
    (tmp_path / "luck.py").write_text(
        "from arena.bot import next_below, policy\n\n\n@policy\ndef other(view, board, actions, memory, luck):\n"
        "    next_below(luck, 0, 7)\n    return actions[next_below(luck, 0, len(actions))]\n"
    )
    result = arena("regress", "luck.py:other", "--against", "random", "--no-loss", 5, "--json")
    verdict = json.loads(result.stdout)
    assert (verdict["word"], verdict["exit_code"], result.returncode) == ("no worse", 0, 0)
    assert verdict["low"] < 0 < verdict["high"]


def test_a_bot_of_this_process(capsys: pytest.CaptureFixture[str]) -> None:
    """A policy itself, not its name: for the tests of a bot's author."""
    verdict = regress(other_luck, "random", no_loss=10)
    assert verdict.word == "no worse"
    assert_not_weaker(other_luck, "random", no_loss=10)
    with pytest.raises(AssertionError, match="random against greedy: WORSE"):
        assert_not_weaker("random", "greedy", jobs=1)


def test_bots_that_misbehave(tmp_path: Path) -> None:
    """A fault is counted and loses; a bot that ends its process ends a worker, not the command; prints stay away."""
    (tmp_path / "bad.py").write_text(
        "import os\nfrom arena.bot import Bot\n\n\nclass Exits(Bot):\n    def choose(self, view):\n"
        "        os._exit(7)\n\n\nclass Raises(Bot):\n    def choose(self, view):\n        print('aside')\n"
        "        raise ValueError\n"
    )
    result = arena_process("regress", "bad.py:Raises", "--against", "random", cwd=tmp_path)
    assert (result.returncode, result.stdout.splitlines()[0]) == (1, "bad.py:Raises against random: WORSE")
    assert "games with a fault: 60 of the candidate, 0 of the baseline" in result.stdout
    assert "aside" not in result.stdout + result.stderr
    result = arena_process("regress", "bad.py:Exits", "--against", "random", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: a worker process died")


def test_blocks_do_not_depend_on_the_rounds() -> None:
    """However the work is cut, the same differences: those of the plan's games."""
    setting = Setting(("usa", "japan"), (2, 3), ("greedy",), 4, "rotation", {})
    bots = [catalog.load_entrant(name) for name in ("racer", "onestep")]
    cells = make_cells(setting, *bots)
    parts = [
        np.concatenate([part.differences for part in play_rounds(cells, 12, InlineExecutor(), jobs)]) for jobs in (1, 5)
    ]
    assert len(parts[0]) == 48
    assert (parts[0] == parts[1]).all()
    assert parts[0].any()


def test_the_baseline_against_itself_has_its_share() -> None:
    """Without a field nothing of the baseline need be played: in its own chair it wins 1 / players of each deal."""
    bot = catalog.load_entrant("racer")
    setting = Setting(("usa",), (3,), (), 1, "rotation", {})
    played = next(play_rounds(make_cells(setting, bot, bot), 10, InlineExecutor(), 10))
    assert played.shares == pytest.approx([1 / 3] * 10)
    assert not played.differences.round(12).any()


def test_baseline_file(arena: Call, tmp_path: Path) -> None:
    """What a bot did on each deal, without its code; refused where it does not fit."""
    field = ["--field", "onestep", "--players", 3, "--map", "japan"]
    saved = arena("regress", "racer", "--save-baseline", "b/racer.json", *field, "--max-games", 600)
    assert saved.returncode == 0, saved.stderr
    file = tmp_path / "b/racer.json"
    data = json.loads(file.read_text())
    assert (data["games"], len(data["shares"][0])) == (600, 200)
    for candidate, word, code in (("racer", "UNCHANGED", 0), ("random", "WORSE", 1)):
        result = arena("regress", candidate, "--against", "b/racer.json")
        assert result.returncode == code, result.stderr
        assert result.stdout.startswith(f"{candidate} against racer: {word}")
    for change, says in (
        ({"rules": "0" * 16}, "other rules or another map"),
        ({"field": {"onestep": "0" * 16}}, "against another onestep: it decides differently"),
        ({"shares": []}, "holds no baseline"),
        ({"format": 99}, "holds no baseline"),
    ):
        file.write_text(json.dumps({**data, **change}))
        result = arena("regress", "random", "--against", "b/racer.json")
        assert result.returncode in (1, 2)
        assert says in result.stderr
        assert "Traceback" not in result.stderr
    file.write_text(json.dumps(data)[:100])
    assert "cannot read the baseline file" in arena("regress", "random", "--against", "b/racer.json").stderr


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("racer", "name either --against BASELINE or --save-baseline FILE"),
        ("racer --against gredy", "did you mean greedy"),
        ("racer --against greedy --gain 5", "is not of the form P0,P1"),
        ("racer --against greedy --gain 5,1", "does not fit"),
        ("racer --against greedy --gain nan,nan", "does not fit"),
        ("racer --against greedy --gain 0,5 --no-loss 3", "not for both"),
        ("racer --against greedy --no-loss -3", "does not fit"),
        ("racer --against greedy --alpha 0.9", "--alpha 0.9 does not fit"),
        ("racer --against greedy --beta 0", "--beta 0 does not fit"),
        ("racer --against greedy --players 6", "--players 6 does not fit"),
        ("racer --against greedy --max-games 0", "--max-games 0 is too few"),
        ("racer --against greedy --seating rings", "is not one of"),
        ("racer --against greedy --seed -1", "--seed -1 is out of range"),
        ("racer --against nobody.json", "there is no baseline file nobody.json"),
        ("racer --save-baseline b.json", "name them with --field"),
        ("racer --save-baseline there.json --field greedy", "exists already"),
    ],
)
def test_mistakes(options: str, says: str, arena: Call, tmp_path: Path) -> None:
    (tmp_path / "there.json").touch()
    result = arena("regress", *options.split())
    assert result.returncode == 2, result.stderr
    assert says in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["there.json"]


def test_options_of_a_file_are_its_own(arena: Call, tmp_path: Path) -> None:
    arena("regress", "racer", "--save-baseline", "b.json", "--field", "greedy", "--max-games", 20)
    for option in (["--seed", 2], ["--map", "usa"], ["--field", "random"], ["--set", "trains=40"]):
        result = arena("regress", "racer", "--against", "b.json", *option)
        assert result.returncode == 2
        assert "says the" in result.stderr


def test_split_bots() -> None:
    assert split_bots(["a,b:x=1,y=2,c", "d:z=1"]) == ("a", "b:x=1,y=2", "c", "d:z=1")
    assert split_bots([]) == ()


def test_parse_gain() -> None:
    assert parse_gain(None) is None
    assert parse_gain("-1,2.5") == (-1.0, 2.5)
    with pytest.raises(UsageError):
        parse_gain("1,2,3")


def test_words() -> None:
    """A gain that is asked for passes as better only; without one, what is not worse passes."""
    loss, gain = Question(-3, 0, 0.05, 0.05), Question(0, 5, 0.05, 0.05)
    assert word_of(loss, "h1", -0.01, 0.02) == ("no worse", 0)
    assert word_of(loss, "h1", 0.01, 0.02) == ("better", 0)
    assert word_of(loss, "h0", -0.05, 0.01) == ("worse", 1)
    assert word_of(gain, "h1", -0.01, 0.1) == ("better", 0)
    assert word_of(gain, "h0", -0.01, 0.02) == ("no better", 1)
    assert word_of(gain, "h0", -0.05, -0.02) == ("worse", 1)
    assert word_of(gain, "", -0.05, 0.2) == ("undecided", 3)
