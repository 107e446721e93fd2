"""`arena verify`: a true run passes, also a part of one; what the sample shows, and what the command prints."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy.stats import hypergeom

from arena import catalog
from arena.boards.spec import MapSpec
from arena.checks.run.possible_scores import facts_of
from arena.checks.run.rows import complaints_of, rows_of
from arena.checks.run.sample import Size, draw, fewest_shown, meaning
from arena.checks.run.verify import verify
from arena.engine.bots import is_repeatable
from arena.engine.limits import Limits
from arena.errors import UsageError
from arena.runs.worker import play_range
from arena.store import run_directory
from arena.store.seat_tables import seat_table
from conftest import Result, Shared
from helpers import make_plan
from verified_runs import SHAKY, alter, altered, check, copy, faulty_run, play, rewrite, shards_of, sound_run


@pytest.fixture
def run(shared: Shared, tmp_path: Path) -> Path:
    return copy(sound_run(shared), tmp_path)


@pytest.fixture
def faulty(shared: Shared, tmp_path: Path) -> Path:
    return copy(faulty_run(shared), tmp_path)


# A true run


def test_a_true_run_passes(run: Path, arena: Callable[..., Result]) -> None:
    result = arena("verify", run, "--seed", 7)
    assert result.returncode == 0, result.stdout
    lines = result.stdout.splitlines()
    assert lines[-1] == "Verified: 1,200 games in 3 shards; 24 replayed, all fields equal."
    assert [line.split()[:2] for line in lines if line[:1].strip()][:4] == [
        ["digests", "ok"], ["games", "ok"], ["faults", "ok"], ["sample", "ok"],
    ]  # fmt: skip
    assert "Sample: seed 7." in result.stdout
    assert max(map(len, lines)) <= 80
    assert shards_of(run) == shards_of(run)


def test_nothing_is_written_into_the_run(run: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in sorted(run.rglob("*"))}
    assert check(run, "20").holds
    assert {path: path.stat().st_mtime_ns for path in sorted(run.rglob("*"))} == before


def test_every_game_of_a_run_with_faults_can_be_replayed(faulty: Path) -> None:
    """Also those in which a process died: its fault is entered, not provoked."""
    kinds = {json.loads(line)["kind"] for line in (faulty / "faults.jsonl").read_text().splitlines()}
    assert {"died", "wrong_type"} < kinds
    found = check(faulty, "100%")
    assert found.holds, found.sentence()
    assert found.sample.games == 60
    assert "faults" in found.findings[2].detail
    booked = found.to_json()["sample"]["faults_as_recorded"]
    assert booked == sum('"died"' in line for line in (faulty / "faults.jsonl").read_text().splitlines())
    assert f"({booked} of them with faults of the machine taken as recorded)" in found.sentence()
    rows = pq.read_table(shards_of(faulty)[0]).to_pandas()
    assert "probation" in set(rows["fault"])


@pytest.mark.parametrize(("bot", "asked"), [("random", "was"), ("Useless", "was not")])
def test_who_is_suspended_follows_from_the_faults(faulty: Path, bot: str, asked: str) -> None:
    """Else whoever wrote a false result could have had a random player sit down for any other bot."""
    (path,) = shards_of(faulty)

    def change(values: dict[str, list[Any]]) -> None:
        row = max(
            row
            for row, name in enumerate(values["bot"])
            if name.endswith(bot) and values["fault"][row] in ("none", "probation")
        )
        values["fault"][row] = "probation" if values["fault"][row] == "none" else "wrong_type"

    rewrite(path, change)
    found = check(faulty)
    told = [complaint.text for complaint in found.complaints]
    assert any(f"the bot {asked} suspended, but not by the faults in the first games" in text for text in told), told


def test_a_line_that_is_no_fault_or_for_nobody(faulty: Path, tmp_path: Path, arena: Callable[..., Result]) -> None:
    """One sentence, whatever somebody has written there; and it does nothing to a terminal."""
    file = faulty / "faults.jsonl"
    line = json.loads(file.read_text().splitlines()[0])
    for wrong in ({"seat": 4}, {"decision": "x"}, {"reason": None}, {"bot": "\x1b[2J"}):
        file.write_text(json.dumps(line | wrong) + "\n")
        assert not check(faulty).holds
        assert "\x1b" not in check(faulty).to_text()
        merged = arena("merge", faulty, "-o", tmp_path / f"{next(iter(wrong))}")
        assert "Traceback" not in merged.stderr
        assert (merged.returncode, "is damaged" in merged.stderr) == (("bot" not in wrong) * 1, "bot" not in wrong)


@pytest.mark.parametrize("on_fault", ["forfeit"])
def test_forfeited_games_are_true(on_fault: str, tmp_path: Path) -> None:
    (tmp_path / "shaky.py").write_text(SHAKY)
    bots = [f"{tmp_path}/shaky.py:Shaky", "random", "greedy"]
    run = play(tmp_path, *bots, games=24, players=3, limits=Limits(on_fault=on_fault))
    assert set(pq.read_table(shards_of(run)[0]).to_pandas()["end"]) > {"forfeit"}
    assert check(run, "100%").holds


def test_every_map_and_number_of_players(spec: MapSpec) -> None:
    """The arithmetic finds nothing in games that were just played."""
    for players in (2, 3, 4, 5):
        plan, _, _ = make_plan(["random", "greedy", "racer", "hungry", "path"], spec.key, players, 300, 3)
        rows = rows_of(seat_table(plan, 0, play_range(plan, 0, plan.games).outcomes), plan)
        assert complaints_of(rows, plan, 0, facts_of(spec, players)) == []


@pytest.mark.parametrize("settings", [{"trains": 12}, {"longest_path": 0}, {"tickets_keep": 3}], ids=str)
def test_other_rule_numbers(settings: dict[str, int]) -> None:
    plan, spec, _ = make_plan(["random", "greedy", "racer"], catalog.default_map(), 3, 300, 3, settings)
    rows = rows_of(seat_table(plan, 0, play_range(plan, 0, plan.games).outcomes), plan)
    assert complaints_of(rows, plan, 0, facts_of(spec, 3)) == []


# What is there only in part, or was put together


def test_parts_merged_extended_and_resumed(arena: Callable[..., Result]) -> None:
    """Each of them is true, and one altered number in what came of it all is not."""
    plan = ("random", "greedy", "racer", "--players", 2, "--seed", 3, "--games", 120)
    for number in (1, 2):
        assert arena("run", *plan, "--shard", f"{number}/2", "--out", f"part{number}").returncode == 0
    part = arena("verify", "part2", "--sample", "100%")
    assert part.stdout.splitlines()[-1] == "Verified: 60 games in 1 shard; 60 replayed, all fields equal."
    assert arena("merge", "part1", "part2", "-o", "all").returncode == 0
    assert arena("verify", "all").returncode == 0
    assert arena("extend", "all", "--games", 1320).returncode == 0
    shards_of(Path("all"))[1].unlink()
    assert "NOT verified: 500 games of the run are missing" in arena("verify", "all").stdout
    assert arena("resume", "all").returncode == 0
    whole = arena("verify", "all", "--sample", "100%")
    assert whole.stdout.splitlines()[-1] == "Verified: 1,320 games in 3 shards; 1,320 replayed, all fields equal."
    alter(shards_of(Path("all"))[2], "turns", 9)
    assert arena("verify", "all", "--sample", "100%").returncode == 1


def test_an_unfinished_run_is_verified_as_far_as_it_goes(run: Path) -> None:
    shards_of(run)[2].unlink()
    times = json.loads((run / "times.json").read_text())
    times["sessions"][-1]["recorded"] = 1000
    (run / "times.json").write_text(json.dumps(times))
    found = check(run, "20")
    assert found.sentence() == (
        "Verified: 1,000 of 1,200 games, the others are not played yet, in 2 shards; 20 replayed, all fields equal."
    )


def test_a_run_without_games(run: Path) -> None:
    shutil.rmtree(run / "seats")
    (run / "times.json").unlink()
    assert check(run, "20").sentence() == "Verified: there are no games yet."


def test_bots_that_play_by_the_clock_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "shaky.py").write_text(SHAKY)
    run = play(tmp_path, f"{tmp_path}/shaky.py:Timed", "random", "greedy", games=30)
    found = check(run, "100%")
    assert found.holds, found.sentence()
    assert (found.sample.games, found.sample.by_clock) == (10, 20)
    assert found.sentence() == (
        "Verified: 30 games in 1 shard; 10 replayed, all fields equal; 20 cannot be, as bots in them play by the clock."
    )


def test_a_run_of_clocks_alone(tmp_path: Path) -> None:
    (tmp_path / "shaky.py").write_text(SHAKY)
    run = play(tmp_path, *[f"{tmp_path}/shaky.py:Timed"] * 2, games=2)
    found = check(run)
    assert found.sentence() == (
        "Verified by digests and arithmetic only: 2 games in 1 shard; none replayed, as all have bots that play by the "
        "clock."
    )
    assert found.holds


def test_which_bots_are_repeatable() -> None:
    entrants = [catalog.load_entrant(spec) for spec in ("mcts", "mcts:sims=9", "mcts:ms=5", "greedy")]
    assert [is_repeatable(entrant.bot, entrant.parameters) for entrant in entrants] == [True, True, False, True]


def test_a_bot_that_cannot_say_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "shaky.py").write_text(SHAKY)
    with pytest.raises(UsageError, match=r"Undecided: repeatable\({}\) raises KeyError"):
        is_repeatable(catalog.load_entrant(f"{tmp_path}/shaky.py:Undecided").bot, {})


def test_repeatable_is_asked_of_the_class(tmp_path: Path) -> None:
    (tmp_path / "shaky.py").write_text(SHAKY.replace("    @classmethod\n", ""))
    with pytest.raises(UsageError, match=r"Timed.repeatable must be a class method"):
        catalog.load_entrant(f"{tmp_path}/shaky.py:Timed")


@pytest.mark.skipif(sys.platform != "linux", reason="bots are isolated on Linux")
@pytest.mark.slow("each bot has a process of its own, in the run and when it is replayed")
def test_a_run_of_isolated_bots(tmp_path: Path) -> None:
    """Their faults too; nothing of them is loaded here, and they say by themselves whether they are repeatable."""
    (tmp_path / "shaky.py").write_text(SHAKY)
    bots = [f"{tmp_path}/shaky.py:{name}" for name in ("Shaky", "Timed")]
    run = play(tmp_path, *bots, "random", games=18, limits=Limits(isolate=True))
    found = check(run, "100%")
    assert found.holds, found.sentence()
    assert (found.sample.games, found.sample.by_clock) == (6, 12)
    (tmp_path / "shaky.py").write_text(SHAKY + "# changed")
    assert "shaky.py:Shaky has different code than in the run" in check(run).sentence()


# The sample


def test_sizes_of_a_sample() -> None:
    assert Size.parse("2%").of(10_000) == 200
    assert Size.parse("2%").of(1_000) == 20
    assert Size.parse("2%").of(100) == 20
    assert Size.parse("2%").of(7) == 7
    assert Size.parse("0.5%").of(10_001) == 51
    assert Size.parse("100%").of(333) == 333
    assert Size.parse("200").of(333) == 200
    assert Size.parse("200").of(33) == 33
    assert Size.parse("0").of(33) == 0
    assert Size.parse("0%").of(33) == 0
    for text in ("", "two", "-1", "101%", "1e3", "2 percent", "%"):
        with pytest.raises(UsageError, match="is not a valid sample size"):
            Size.parse(text)


def test_the_same_seed_draws_the_same_games() -> None:
    games = np.arange(0, 3000, 3)
    one, two, other = draw(games, 100, 4), draw(games, 100, 4), draw(games, 100, 5)
    assert one.tolist() == two.tolist() != other.tolist()
    assert sorted(set(one.tolist())) == one.tolist()
    assert set(one.tolist()) <= set(games.tolist())
    assert draw(games, 1000, 9).tolist() == games.tolist()


@pytest.mark.parametrize(("games", "size"), [(1000, 300), (1200, 24), (10, 1), (50, 49), (100_000, 20)])
def test_what_a_sample_shows(games: int, size: int) -> None:
    """The least number of wrong games that it shows with 95 %, against another hand's distribution."""
    wrong = fewest_shown(games, size)
    assert hypergeom.pmf(0, games, wrong, size) <= 0.05
    assert wrong == 1 or hypergeom.pmf(0, games, wrong - 1, size) > 0.05
    assert f"({wrong:,})" in meaning(games, size)


def test_a_sample_of_all_needs_no_words() -> None:
    assert meaning(80, 80) == ""


# The command


def test_as_json(run: Path, arena: Callable[..., Result]) -> None:
    alter(shards_of(run)[0], "score", 8)
    result = arena("verify", run, "--json", "--sample", "30", "--seed", "3", "--jobs", "1")
    assert result.returncode == 1
    found = json.loads(result.stdout)
    assert found["verified"] is False
    assert found["sentence"].startswith("NOT verified: game 4, seat 0: score is ")
    assert found["sample"]["seed"] == 3
    assert next(part["name"] for part in found["parts"] if not part["ok"]) == "games"
    assert found["parts"][1]["problems"][0]["game"] == 4


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [(["nowhere"], "is not a run directory"), ([".", "--sample", "many"], "is not a valid sample size")],
)
def test_wrong_use(arguments: list[str], complaint: str, arena: Callable[..., Result]) -> None:
    result = arena("verify", *arguments)
    assert result.returncode == 2
    assert complaint in result.stderr


def test_a_new_seed_each_time(run: Path) -> None:
    seeds = {verify(run, Size.parse("0"), None, 1, lambda text: None).sample.seed for _ in range(3)}
    assert len(seeds) == 3


def test_many_complaints_are_summed_up(run: Path) -> None:
    def change(values: dict[str, list[Any]]) -> None:
        values["score"] = [score + 1 for score in values["score"]]
        for name in ("rank", "turns", "routes", "win_share", "deal", "end"):
            values[name][9] = altered(run_directory.read_plan(run), name, values[name][9])

    rewrite(shards_of(run)[0], change)
    found = check(run, "20")
    text = found.to_text()
    assert max(map(len, text.splitlines())) <= 80
    assert "(and 998 rows more)" in " ".join(complaint.text for complaint in found.complaints)
    assert "  and " in text
    assert json.loads(json.dumps(found.to_json()))["verified"] is False


@pytest.mark.long
def test_a_million_rows_in_seconds() -> None:
    from time import process_time

    plan, spec, _ = make_plan(["random", "greedy"], catalog.default_map(), 2, 5000, 1)
    table = seat_table(plan, 0, play_range(plan, 0, 5000).outcomes)
    facts = facts_of(spec, 2)
    begun = process_time()
    for _ in range(100):
        assert complaints_of(rows_of(table, plan), plan, 0, facts) == []
    assert process_time() - begun < 30
