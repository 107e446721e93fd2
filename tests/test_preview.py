"""What is said before a run: the plan in a few lines, and the expected time, measured where it can do no harm."""

import re
import time
from pathlib import Path

import pytest

from arena import catalog
from arena.runs.compile import compile_all
from arena.runs.preview import expected_time, in_words, plan_lines
from arena.tournament.plan import Plan
from commands import arena
from helpers import make_plan

BOTS = """
import os, time
from arena.bot import Bot

class Sleeps(Bot):
    def choose(self, view):
        time.sleep(300)

class Steady(Bot):
    def choose(self, view):
        time.sleep(0.0005)
        return view.actions[0]

class Dies(Bot):
    def choose(self, view):
        os._exit(9)

class Notes(Bot):
    def choose(self, view):
        print("in the sample")
        raise RuntimeError("a fault in the sample")
"""


def of(bots: int, players: int, games: int, **fields: str) -> Plan:
    names = tuple(f"bot{index}" for index in range(bots))
    return Plan.of_size(bots=names, names=names, map="m", players=players, games=games, seed=1, **fields)


@pytest.mark.parametrize(
    ("plan", "asked", "says"),
    [
        (of(4, 4, 1000), 1000, [
            "Plan: round-robin, 4 bots at 4 seats, 1 line-up.",
            "250 deals, each in 4 seatings (rotation): 1,000 games.",
        ]),
        (of(10, 4, 1680), 1680, [
            "Plan: round-robin, 10 bots at 4 seats, all 210 line-ups.",
            "420 deals, each in 4 seatings (rotation): 1,680 games.",
        ]),
        (of(10, 4, 101, format="gauntlet", seating="ring"), 101, [
            "Plan: gauntlet, 10 bots at 4 seats, 12 balanced line-ups of 84.",
            "5 deals, each in 24 seatings (ring): 120 games.",
            "101 games are not whole deals of 24 seatings: playing 120.",
            "5 deals do not divide evenly among 12 line-ups:",
            "288 games would close the design.",
        ]),
        (of(2, 2, 1, format="lineup"), 2, [
            "Plan: lineup, 2 bots at 2 seats, 1 line-up.",
            "1 deal in 2 seatings (rotation): 2 games.",
        ]),
        (of(50, 5, 10**9, seating="all"), 10**9, [
            "Plan: round-robin, 50 bots at 5 seats, all 2,118,760 line-ups.",
            "8,333,334 deals, each in 120 seatings (all): 1,000,000,080 games.",
            "1,000,000,000 games are not whole deals of 120 seatings: playing 1,000,000,080.",
            "8,333,334 deals do not divide evenly among 2,118,760 line-ups:",
            "1,017,004,800 games would close the design.",
        ]),
    ],
)  # fmt: skip
def test_plan_in_words(plan: Plan, asked: int, says: list[str]) -> None:
    lines = "\n".join(plan_lines(plan, asked)).splitlines()
    assert lines == says
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("seconds", "says"),
    [(0, "a second"), (1.4, "a second"), (2.4, "2 s"), (89, "89 s"), (95, "2 min"), (200, "3 min"), (5300, "88 min"),
     (5500, "1.5 h"), (40_000, "11 h"), (140_000, "1.6 days"), (1e7, "116 days")],
)  # fmt: skip
def test_times_in_words(seconds: float, says: str) -> None:
    assert in_words(seconds) == says


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.py").write_text(BOTS)
    return tmp_path


def expected(*bots: str, games: int, jobs: int = 1) -> str | None:
    plan, spec, entrants = make_plan(bots, catalog.default_map(), len(bots), games, 1)
    compile_all(entrants, spec, len(bots), lambda text: None)
    return expected_time(plan, jobs)


def test_the_expected_time_is_measured(folder: Path) -> None:
    """A bot that takes half a millisecond a decision, some hundred decisions a game."""
    says = expected("bad.py:Steady", "random", games=100_000)
    assert re.fullmatch(r"About [\d.]+ (h|min) with 1 process\.", says or ""), says
    says = expected("racer", "greedy", games=20, jobs=2)
    assert re.fullmatch(r"(About|More than) (a second|\d+ s) with 2 processes\.", says or ""), says


def test_small_runs_are_not_held_up(folder: Path) -> None:
    assert expected("bad.py:Sleeps", "random", games=18) is None


def test_a_slow_bot_is_not_waited_for(folder: Path) -> None:
    begun = time.perf_counter()
    says = expected("bad.py:Sleeps", "random", games=40_000)
    assert re.fullmatch(r"More than \d+(\.\d)? h with 1 process\.", says or ""), says
    assert time.perf_counter() - begun < 60  # its 40,000 games take hours


def test_a_bot_that_ends_its_process_ends_only_the_sample(folder: Path) -> None:
    assert expected("bad.py:Dies", "random", games=400) is None


def test_nothing_is_heard_of_the_sample(folder: Path) -> None:
    """What bots print and do wrong there is neither shown nor counted; the run's own 40 games are."""
    result = arena("run", "bad.py:Notes", "random", "--games", 40, "--out", "r", cwd=folder)
    assert re.search(r"^(About|More than) .* with \d+ process(es)?\.$", result.stderr, re.MULTILINE), result.stderr
    assert "in the sample" not in result.stderr
    assert "40 faults" in result.stdout
    assert (
        len(re.findall(r"^in the sample$", (folder / "r/run.log").read_text(), re.MULTILINE)) == 8
    )  # then it is suspended
