"""Baselines on file of `arena regress`: what they hold, what is said of them, and when they are refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.experiments.regress import regress as run
from arena.experiments.regress.regress import regress

Call = Callable[..., Any]


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
        ({"shares": []}, "is not a baseline of this version"),
        ({"shares": [[None] * 200]}, "is not a baseline of this version"),
        ({"shares": [[0.5] * 199 + [1.5]]}, "is not a baseline of this version"),
        ({"shares": [[0.5] * 200, [0.5] * 200]}, "is not a baseline of this version"),
        ({"shares": [[0.5] * 200, [0.5] * 199], "cells": ["a", "b"]}, "is not a baseline of this version"),
        ({"shares": [0.5]}, "is not a baseline of this version"),
        ({"cells": data["cells"] * 2, "shares": data["shares"] * 2}, "is not a baseline of this version"),
        ({"setting": {**data["setting"], "players": ["three"]}}, "is not a baseline of this version"),
        ({"setting": {**data["setting"], "maps": 7}}, "is not a baseline of this version"),
        ({"setting": {**data["setting"], "extra": 7}}, "is not a baseline of this version"),
        ({"parameters": None}, "is not a baseline of this version"),
        ({"faults": "none"}, "is not a baseline of this version"),
        ({"shares": [[0.5] * 20]}, "holds only 20 deals, and a test needs 30"),
        ({"format": 99}, "is not a baseline of this version"),
    ):
        file.write_text(json.dumps({**data, **change}))
        result = arena("regress", "random", "--against", "b/racer.json")
        assert result.returncode in (1, 2)
        assert says in result.stderr
        assert "Traceback" not in result.stderr
    file.write_text(json.dumps(data)[:100])
    assert "cannot read the baseline file" in arena("regress", "random", "--against", "b/racer.json").stderr
    for option in ("--against", "--save-baseline"):
        result = arena("regress", "random", option, f"{'x' * 300}.json", *field * (option != "--against"))
        assert result.returncode == 1
        assert "File name too long" in result.stderr


def test_options_of_a_file_are_its_own(arena: Call, tmp_path: Path) -> None:
    arena("regress", "racer", "--save-baseline", "b.json", "--field", "greedy", "--max-games", 60)
    for option in (["--seed", 2], ["--map", "usa"], ["--field", "random"], ["--set", "trains=40"]):
        result = arena("regress", "racer", "--against", "b.json", *option)
        assert result.returncode == 2
        assert "says the" in result.stderr


def test_too_few_deals_to_decide(arena: Call, tmp_path: Path) -> None:
    """It is the file that ended the test, and no option makes it longer."""
    arena("regress", "racer", "--save-baseline", "b.json", "--field", "greedy", "--max-games", 60)
    result = arena("regress", "racer:shortest=4", "--against", "b.json", "--no-loss", 1)
    assert result.returncode == 3
    assert result.stdout.splitlines()[3].endswith("; the baseline holds only 30 deals")


def test_a_folder_that_cannot_be_written(arena: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found before anything is played."""
    (tmp_path / "file").touch()
    monkeypatch.setattr(run, "record", None)
    result = arena("regress", "racer", "--save-baseline", "file/b.json", "--field", "greedy")
    assert (result.returncode, result.stdout) == (1, "")
    assert "cannot write file/b.json" in result.stderr


@pytest.mark.slow("four comparisons, each with games of its own")
def test_two_bots_of_one_file(arena: Call, tmp_path: Path) -> None:
    """Sources are known by their file; a bot also by its name in it, and a baseline's faults from its record."""
    (tmp_path / "two.py").write_text(
        "from arena.bot import Bot\n\n\n"
        "class One(Bot):\n    def __init__(self, after=9):\n        self.left = after\n\n"
        "    def choose(self, view):\n        self.left -= 1\n        return view.actions[0 if self.left else 9999]\n\n"
        "\nclass Two(One):\n    pass\n"
    )
    saved = ["--save-baseline", "one.json", "--field", "random", "--max-games", 400]
    arena("regress", "two.py:One", *saved)
    recorded = json.loads((tmp_path / "one.json").read_text())["faults"]
    assert recorded > 0
    for name, deals in (("two.py:One", 0), ("./two.py:One:after=9", 0), ("two.py:Two", 60)):
        verdict = regress(name, tmp_path / "one.json")
        assert (verdict.word, verdict.exit_code, verdict.deals > 0) == ("unchanged", 0, deals > 0), name
        assert f"in all games of its file the baseline had {recorded} with a fault" in verdict.lines[2]
        assert (verdict.faults[0] > 0, verdict.faults[1]) == (deals > 0, 0)
    assert verdict.lines[5].startswith("the candidate's first fault: exception: IndexError")
    verdict = regress("two.py:Two", "two.py:One", field="random", max_games=800)
    assert (verdict.word, verdict.deals > 0) == ("unchanged", True)
