"""`arena regress`: the right verdict and exit code, the same text on any machine, baselines that are not misread."""

import json
import re
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena import catalog
from arena.errors import UsageError
from arena.experiments.regress.compare import word_of
from arena.experiments.regress.options import Hypotheses, Setting, parse_gain
from arena.experiments.regress.rounds import InlineExecutor, Played, make_conditions, play_rounds

Call = Callable[..., Any]


@pytest.mark.parametrize(
    ("candidate", "baseline", "options", "word", "code"),
    [
        ("racer", "greedy", [], "BETTER", 0),
        ("greedy", "racer", [], "WORSE", 1),
        ("racer", "racer", [], "UNCHANGED", 0),
        ("racer", "racer", ["--gain", "0,5"], "UNCHANGED", 1),
        ("racer", "racer", ["--gain", "-5,-1"], "UNCHANGED", 0),
        ("racer:shortest=5", "racer", [], "UNCHANGED", 0),
        ("greedy", "racer:shortest=1", ["--gain", "0,5"], "UNCHANGED", 1),
        ("racer", "greedy", ["--gain", "-5,-0.12345678"], "BETTER", 0),
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
    assert all(str(option) in result.stdout for option in options if option not in ("--field", "--map", "--players"))
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
        "from arena.bot import next_below, policy\n\n\n@policy\n"
        "def other(view, board, actions, memory, random_state):\n"
        "    next_below(random_state, 0, 7)\n    return actions[next_below(random_state, 0, len(actions))]\n"
    )
    result = arena("regress", "luck.py:other", "--against", "random", "--no-loss", 5, "--json")
    verdict = json.loads(result.stdout)
    assert (verdict["word"], verdict["exit_code"], result.returncode) == ("no worse", 0, 0)
    assert verdict["low"] < 0 < verdict["high"]


def test_blocks_do_not_depend_on_the_rounds() -> None:
    """However the work is cut, the same differences: those of the plan's games."""
    setting = Setting(("usa", "japan"), (2, 3), ("greedy",), 4, "rotation", {})
    bots = [catalog.load_entrant(name) for name in ("racer", "onestep")]
    conditions = make_conditions(setting, *bots)
    parts = [
        np.concatenate([part.differences for part in play_rounds(conditions, 12, InlineExecutor(), jobs)])
        for jobs in (1, 5)
    ]
    assert parts[0].shape == (12, 4)
    assert (parts[0] == parts[1]).all()
    assert parts[0].any()


def test_the_baseline_against_itself_has_its_share() -> None:
    """Without a field nothing of the baseline need be played: in its own seat it wins 1 / players of each deal."""
    bot = catalog.load_entrant("racer")
    setting = Setting(("usa",), (3,), (), 1, "rotation", {})
    played = next(play_rounds(make_conditions(setting, bot, bot), 10, InlineExecutor(), 10))
    assert played.shares == pytest.approx([1 / 3] * 10)
    assert not played.differences.round(12).any()


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
        ("racer --against greedy --max-games 59", "--max-games 59 is too few: a test needs 30 deals, here 60 games"),
        ("racer --save-baseline b.json --field greedy --max-games 59", "a test needs 30 deals, here 60 games"),
        ("racer --save-baseline b.json", "name them with --field"),
        ("racer --save-baseline there.json --field greedy", "exists already"),
        ("racer --save-baseline b.jsn --field greedy", "does not end in .json"),
        ("racer --save-baseline b.json --field greedy --gain 0,5", "--gain asks for a test"),
        ("racer --save-baseline b.json --field greedy --no-loss 3", "--no-loss asks for a test"),
        ("racer --save-baseline b.json --field greedy --alpha 0.05", "--alpha asks for a test"),
        ("racer --save-baseline b.json --field greedy --beta 0.1", "--beta asks for a test"),
        ("racer greedy", "name the one to compare with as --against greedy"),
    ],
)
def test_mistakes(options: str, says: str, arena: Call, tmp_path: Path) -> None:
    (tmp_path / "there.json").touch()
    result = arena("regress", *options.split())
    assert result.returncode == 2, result.stderr
    assert says in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["there.json"]


def test_parse_gain() -> None:
    assert parse_gain(None) is None
    assert parse_gain("-1,2.5") == (-1.0, 2.5)
    with pytest.raises(UsageError):
        parse_gain("1,2,3")


def test_words() -> None:
    """A gain that is asked for passes as better only; without one, what is not worse passes."""
    loss, gain = Hypotheses(-3, 0, 0.05, 0.05), Hypotheses(0, 5, 0.05, 0.05)
    assert word_of(loss, "h1", -0.01, 0.02) == ("no worse", 0)
    assert word_of(loss, "h1", 0.01, 0.02) == ("better", 0)
    assert word_of(loss, "h0", -0.05, 0.01) == ("worse", 1)
    assert word_of(gain, "h1", -0.01, 0.1) == ("better", 0)
    assert word_of(gain, "h0", -0.01, 0.02) == ("no better", 1)
    assert word_of(gain, "h0", -0.05, -0.02) == ("worse", 1)
    assert word_of(gain, "", -0.05, 0.2) == ("undecided", 3)
    less = Hypotheses(-5, -1, 0.05, 0.05)
    assert word_of(less, "h1", -0.03, 0.02) == ("no worse", 0)
    assert word_of(less, "h1", 0.01, 0.02) == ("better", 0)
    assert word_of(less, "h0", -0.1, 0.01) == ("worse", 1)
    assert str(less) == "gain -5,-1 points, alpha 0.05, beta 0.05"


def test_a_deal_in_all_conditions_is_one_block() -> None:
    """The conditions of a deal share its luck: they are one value of the test, their mean."""
    setting = Setting(("usa", "japan"), (2, 3), ("greedy",), 4, "rotation", {})
    conditions = make_conditions(setting, *map(catalog.load_entrant, ("racer", "onestep")))
    played = Played.joined(list(play_rounds(conditions, 6, InlineExecutor(), 2)))
    assert played.values == pytest.approx(played.differences.mean(axis=1))
    assert played.games == 2 * 2 * (2 + 3) * 6
    for number, (name, players) in enumerate(setting.conditions):
        alone = replace(setting, maps=(name,), players=(players,))
        conditions = make_conditions(alone, *map(catalog.load_entrant, ("racer", "onestep")))
        one = Played.joined(list(play_rounds(conditions, 6, InlineExecutor(), 2)))
        assert one.differences[:, 0] == pytest.approx(played.differences[:, number])


def test_several_conditions_stop_at_whole_deals(arena: Call) -> None:
    """A map or a number that is named twice is played once."""
    twice = ["--map", "usa", "--map", "usa", "--players", 2, "--players", 3, "--players", 2]
    result = arena("regress", "racer", "--against", "random", *twice, "--json")
    verdict = json.loads(result.stdout)
    assert verdict["schema"] == 1
    assert verdict["where"].startswith("usa; 2, 3 players")
    assert verdict["games"] == verdict["deals"] * 5


def test_interrupted(arena: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C tells how it stands; before that a line on the terminal does."""
    shown = []

    def stop(text: str) -> None:
        shown.append(text)
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.runs.progress.status_line", lambda: nullcontext(stop))
    result = arena("regress", "racer", "--against", "greedy", "--max-games", 500)
    assert (result.returncode, result.stdout) == (130, "")
    ratio = r"[+-][0-9.]+ points after [0-9]+ deals, log likelihood ratio [+-][0-9.]+ of -2.94 to \+2.94"
    assert re.fullmatch(rf"Interrupted: so far {ratio}\.\n", result.stderr)
    assert re.fullmatch(rf"[0-9]+ of at most 500 games: {ratio}", shown[0])
