"""What is asked of a study and what lies in its directory: mistakes, other versions of a bot, odd files."""

import json
import shutil
from itertools import combinations
from pathlib import Path

import pytest

from arena.catalog import load_map
from arena.experiments.balance.study import BalanceSpecification
from arena.experiments.specification import parse_bots
from arena.experiments.variants import sweep
from arena.experiments.variants.differences import HEADLINES, differences, grouped, headline_numbers, read_side
from arena.experiments.variants.sweep import Sweep, SweepSpecification, read_point
from arena.reports.json_csv import to_json
from arena.runs.prepare import make_plan
from commands import arena
from planted import even_map, plan_of, played

BOT = (
    "from arena.bot import Bot\n\n\nclass Mine(Bot):\n    edited = False\n\n    def choose(self, view):\n"
    "        return (view.claims or view.actions)[0]\n"
)
OLD = ("--bots", "mine.py:Mine", "--players", 2, "--games", 20)
STUDIES = {
    "balance": (("balance", *OLD), "tickets-2"),
    "diff": (("diff", "--with", "longest_path=0", *OLD), "other-2"),
    "sweep": (("sweep", "--set", "trains=20,30", *OLD), "point-001"),
}


@pytest.mark.parametrize("kind", STUDIES)
@pytest.mark.slow("a study is asked for five times")
def test_two_versions_of_a_bot_are_not_mixed(kind: str, tmp_path: Path) -> None:
    """What is missing is not played by another version than the rest; what is complete is reported on all the same."""
    words, run = STUDIES[kind]
    (tmp_path / "mine.py").write_text(BOT)
    done = arena(*words, "--out", "s", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (tmp_path / "mine.py").write_text(BOT.replace("False", "True"))
    again = arena(*words, "--out", "s", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, done.stdout), again.stderr
    shutil.rmtree(tmp_path / "s" / run)  # as if the study had been interrupted before
    again = arena(*words, "--out", "s", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (2, "")
    (line,) = again.stderr.splitlines()
    assert "was played with another mine.py:Mine than there is now" in line
    assert "with another --out" in line
    assert not (tmp_path / "s" / run).exists()
    (tmp_path / "mine.py").write_text(BOT)
    again = arena(*words, "--out", "s", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, done.stdout), again.stderr


def test_what_was_begun_is_not_mixed_either(tmp_path: Path) -> None:
    """A run that lacks games is the same case; one that is of another study is refused even if it is whole."""
    words, run = STUDIES["diff"]
    (tmp_path / "mine.py").write_text(BOT)
    assert arena(*words, "--out", "s", cwd=tmp_path).returncode == 0
    (tmp_path / "mine.py").write_text(BOT.replace("False", "True"))
    for file in (tmp_path / "s" / run).rglob("*.parquet"):
        file.unlink()
    done = arena(*words, "--out", "s", cwd=tmp_path)
    assert (done.returncode, "another mine.py:Mine than there is now" in done.stderr) == (2, True)
    shutil.rmtree(tmp_path / "s" / run)
    assert arena("run", "racer", "racer", "--games", 20, "--out", tmp_path / "s" / run, cwd=tmp_path).returncode == 0
    done = arena(*words, "--out", "s", cwd=tmp_path)
    assert (done.returncode, "is not the run that this study needs" in done.stderr) == (1, True)


def test_a_mistake_does_not_hold_the_directory(tmp_path: Path) -> None:
    """The corrected command plays there."""
    words = ("sweep", "--set", "trains=20,30", "--bots", "racer", "--out", "s")
    for wrong in (("--games", 0), ("--seed", -1)):
        assert arena(*words, *wrong, cwd=tmp_path).returncode == 2
    assert arena(*words, "--games", 20, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("text", ["", "[]", '"study"', "{}", "\xff"])
def test_a_damaged_study_is_told(text: str, tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "study.json").write_bytes(text.encode("latin-1"))
    for words in (("balance",), ("diff", "--with", "longest_path=0"), ("sweep", "--set", "trains=20,30")):
        done = arena(*words, "--bots", "racer", "--out", "s", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (1, "Error: s/study.json is damaged: it does not describe a study\n")


@pytest.mark.slow("four studies")
def test_bots_may_stand_apart(tmp_path: Path) -> None:
    assert parse_bots("racer, planner:card=1 ,hungry") == parse_bots("racer,planner:card=1,hungry")
    for kind in (("diff", "--with", "longest_path=0"), ("sweep", "--set", "trains=20,30")):
        for bots in ("racer,random", "racer, random"):  # the same study
            done = arena(*kind, "--bots", bots, "--players", 2, "--games", 20, "--out", kind[0], cwd=tmp_path)
            assert done.returncode == 0, done.stderr


def test_runs_are_compared_as_they_were_played(tmp_path: Path) -> None:
    for out, rule in (("a", "longest_path=10"), ("b", "longest_path=0")):
        assert arena("run", "racer", "racer", "--games", 40, "--set", rule, "--out", out, cwd=tmp_path).returncode == 0
    assert arena("diff", "a", "b", "--format", "md", "--explain", cwd=tmp_path).returncode == 0
    done = arena("diff", "a", "b", "--players", 4, "--with", "x=1", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "Error: a and b are compared as they were played: leave out --with, --players\n"


@pytest.mark.parametrize("option", [("--measure", "contest"), ("--measure", "claimed"), ("--players", 2)], ids=str)
def test_a_measure_needs_a_study(option: tuple[str, object], tmp_path: Path) -> None:
    done = arena("maps", "draw", "usa", *option, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"Error: {option[0]}: only of a study, which --study DIR names\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("bots", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_bots_of_a_study_are_on_equal_footing(bots: int, players: int) -> None:
    """Over all line-ups each plays as often as any other, and any two meet as often, copies of one bot too."""
    asked = ("racer", "random", "onestep", "longroute", "path", "hungry")[:bots]
    study = BalanceSpecification(map="usa", players=(players,), bots=asked, games=600, seed=1, settings={})
    wanted = study.request(600, Path("never"))
    plan = make_plan(wanted)[0]
    seats, meetings = dict.fromkeys(asked, 0), {}
    for block in range(plan.lineups):
        names = [plan.bots[member] for member in plan.lineup(block)]
        for name in names:
            seats[name] += 1
        for pair in combinations(sorted(names), 2):
            meetings[pair] = meetings.get(pair, 0) + 1
    assert len(set(seats.values())) == 1
    for same in (True, False):
        assert len({times for (one, other), times in meetings.items() if (one == other) == same}) <= 1


def sweep_of(sides: tuple) -> Sweep:
    """A sweep that was not played."""
    specification = SweepSpecification(
        map="usa", settings={}, values={"trains": (20, 21)}, one_at_a_time=False, players=(2,), bots=("random",),
        games=60, seed=1, asked=("--set", "trains=20,21"),
    )  # fmt: skip
    return Sweep(specification, ({}, {"trains": 20}), sides, Path("s"))


def test_sure_changes_are_those_of_all_that_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a hundred intervals five miss nothing by chance: what is called sure is so for all numbers together."""
    spec = even_map()
    plan = plan_of(spec, "random", 2, 60, 1)
    swept = sweep_of((grouped(spec, plan, [played(spec, plan)]),) * 2)
    frame = sweep.change_frame(swept).head(2).assign(sure=[2.0, 1.0], q=[0.01, 0.5], low=1.0, high=3.0)
    monkeypatch.setattr(sweep, "change_frame", lambda swept: frame)
    ranking, changes = sweep.tables(swept)
    assert changes.frame["q"].tolist() == ranking.frame["q"].tolist() == [0.01]


def test_json_of_a_sweep_explains_all_its_columns() -> None:
    spec = even_map()
    plan = plan_of(spec, "random", 2, 60, 1)
    swept = sweep_of((grouped(spec, plan, [played(spec, plan)]),) * 2)
    assert "meanings" not in json.loads(to_json(sweep.sweep_page(swept)))
    data = json.loads(to_json(sweep.sweep_page(swept), explain=True))
    for key in ("values", "changes"):
        assert {column for row in data[key] for column in row} <= set(data["meanings"][key])


def test_a_point_keeps_what_is_asked_of_it(tmp_path: Path) -> None:
    """As the whole run it gives the headline numbers; the large measures are not kept."""
    for out, trains in (("a", 20), ("b", 30)):
        words = ("run", "racer", "random", "--games", 80, "--set", f"trains={trains}", "--out", out)
        assert arena(*words, cwd=tmp_path).returncode == 0
    whole, kept = ([read(tmp_path / run) for run in "ab"] for read in (read_side, read_point))
    assert differences(*kept, headline_numbers).equals(differences(*whole, headline_numbers))
    assert [side.games for side in kept] == [80, 80]
    assert {table for cell in kept[0].groups for table in cell.sums} == set(HEADLINES)
    assert len(kept[0].groups) > 10
    assert kept[0].spec == load_map("usa", {"trains": 20})
