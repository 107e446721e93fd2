"""Results on disk: tables and their digests, pieces and whole shards, faults in order, parts of a plan."""

import json
import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from arena import catalog
from arena.boards.spec import MapSpec
from arena.engine.faults import Fault
from arena.engine.loop import OUTCOME, RESULTS
from arena.engine.table import Table
from arena.errors import ArenaError, UsageError
from arena.rules.deal import make_deals
from arena.runs.collector import Collector
from arena.runs.worker import Chunk
from arena.store import ranges, run_directory
from arena.store.detail_tables import CLAIMS, OFFERS
from arena.store.fault_log import append_faults, read_faults, tidy_faults
from arena.store.ranges import shards
from arena.store.reader import Recorded, read_shards
from arena.store.run_directory import PlanShard
from arena.store.seat_tables import COLUMNS, check_shard, outcomes_of, seat_table, write_shard
from arena.tournament.identity import Identity
from arena.tournament.plan import Plan
from commands import result_files, seat_files
from helpers import make_plan

FAULT = Fault(1, "exception", "RuntimeError: no", 3, "File ...", "printed")


def made_plan(games: int = 1400, **changes: object) -> Plan:
    names = ("a", "b", "c")
    values = {"bots": names, "names": names, "map": "m", "players": 2, "games": games, "seed": 5}
    identity = Identity(rules="r", engine="e", map="x", bots=dict.fromkeys(names, "d"), python="3.11")
    return Plan.of_size(**{**values, "identity": identity, **changes})  # type: ignore[arg-type]


def made_outcomes(plan: Plan) -> np.ndarray:
    """Outcomes of every game, of no real ones."""
    rng = np.random.default_rng(plan.games)
    outcomes = np.zeros(plan.games, OUTCOME)
    for name in OUTCOME.names or ():
        outcomes[name] = rng.integers(0, 4, outcomes[name].shape)
    for count, names in (("claims", ("claim_seat", *CLAIMS)), ("offers", OFFERS)):  # nothing where nothing happened
        there = np.arange(outcomes[names[0]].shape[1]) < outcomes[count][:, None]
        for name in names:
            outcomes[name] *= there.astype(outcomes[name].dtype)
    taken = np.arange(outcomes["claim_turn"].shape[1]) < outcomes["claims"][:, None]
    outcomes["claim_seat"] = np.where(taken, (outcomes["claim_turn"] - 1) % plan.players, 0)
    outcomes["draws"][:, plan.players :] = 0
    first = rng.integers(0, 2, plan.games)
    outcomes["rank"][np.arange(plan.games), first] = 1
    outcomes["rank"][np.arange(plan.games), 1 - first] = 2
    for name in (name for name in RESULTS if name != "end"):
        outcomes[name][:, plan.players :] = 0
    return outcomes


def new_run(folder: Path, plan: Plan) -> Path:
    return run_directory.create(folder, plan)


# Ranges


def test_ranges_are_sets_of_games() -> None:
    rng = random.Random(3)
    for _ in range(500):
        pairs = [(first, first + rng.randint(0, 6)) for first in (rng.randint(0, 30) for _ in range(rng.randint(0, 6)))]
        covered = ranges.union(pairs)
        games = {game for first, last in pairs for game in range(first, last)}
        assert {game for first, last in covered for game in range(first, last)} == games
        assert all(a[1] < b[0] for a, b in pairwise(covered))
        assert ranges.size(covered) == len(games)
        assert all(ranges.holds(covered, game) == (game in games) for game in range(40))
        first = rng.randint(0, 30)
        last = first + rng.randint(1, 20)
        left = ranges.without((first, last), covered)
        assert [game for a, b in left for game in range(a, b)] == [g for g in range(first, last) if g not in games]


# Tables and digests


def test_table_is_read_back(spec: MapSpec) -> None:
    """Of real games: the outcomes are those that the table was made of."""
    plan, _, entrants = make_plan(["random", "greedy", "racer"], catalog.default_map(), 3, 12, 1)
    _, seatings = plan.seatings(0, 12)
    outcomes, _ = Table(spec, 3, entrants).play(seatings, np.repeat(make_deals(1, range(4)), 3, axis=0))
    again = outcomes_of(seat_table(plan, 0, outcomes), plan)
    for name in RESULTS:
        assert np.array_equal(again[name][:, :3] if name != "end" else again[name],
                              outcomes[name][:, :3] if name != "end" else outcomes[name]), name  # fmt: skip
    assert outcomes["score"].any()


@pytest.mark.parametrize("column", COLUMNS)
def test_one_altered_number_is_found(column: str, tmp_path: Path) -> None:
    """In any column, with everything else of the file as it was, its digests too."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    plan = made_plan(20)
    run = new_run(tmp_path / "r", plan)
    path = write_shard(run, plan, 0, made_outcomes(plan))
    assert check_shard(path, plan) is None
    table = pq.read_table(path)
    values = table.column(column).to_pylist()
    others = [value for value in values if value != values[7]]
    values[7] = others[0] if others else values[7] + 1
    place = table.column_names.index(column)
    changed = table.set_column(place, table.schema.field(place), pa.array(values).cast(table.schema.field(place).type))
    pq.write_table(changed, path)
    assert pq.read_table(path).schema.metadata == table.schema.metadata
    problem = check_shard(path, plan)
    assert problem
    assert "its numbers do not match their digest" in problem or "does not hold the games" in problem
    problems: list[str] = []
    assert list(read_shards(run, plan, problems)) == []
    assert problems == [problem]


def test_a_shard_of_another_plan_is_found(tmp_path: Path) -> None:
    """What decides its games counts: a seed, a bot's source, a limit. What does not: versions, the number of games."""
    plan = made_plan(20)
    path = write_shard(new_run(tmp_path / "r", plan), plan, 0, made_outcomes(plan))
    other_bot = replace(plan.identity, bots={"a": "d", "b": "d", "c": "new"})
    for other in (made_plan(20, seed=6), made_plan(20, identity=other_bot), made_plan(20, settings={"trains": 40})):
        assert "is of another plan" in (check_shard(path, other) or "")
    for same in (made_plan(20, identity=replace(plan.identity, python="3.13")), made_plan(90)):
        assert check_shard(path, same) is None


def test_files_that_are_no_shards(tmp_path: Path) -> None:
    plan = made_plan(20)
    run = new_run(tmp_path / "r", plan)
    path = write_shard(run, plan, 0, made_outcomes(plan)[:10])
    content = path.read_bytes()
    for name, damaged, says in [
        ("copy.parquet", content, "is not a shard of this run"),
        ("0000000010-0000000022.parquet", content, "does not hold the games"),
        ("0000000001-0000000011.parquet", content, "does not hold the games"),
        ("0000000010-0000000020.parquet", content, "does not hold the games"),
        ("0000000010-0000000020.parquet", content[:-30], "is damaged"),
        ("0000000010-0000000020.parquet", b"", "is damaged"),
    ]:
        other = path.with_name(name)
        other.write_bytes(damaged)
        problems: list[str] = []
        assert sum(len(rows) for rows in read_shards(run, plan, problems)) == 20
        assert len(problems) == 1
        assert says in problems[0]
        assert name in problems[0]
        other.unlink()
    assert check_shard(path.with_name("0000000002-0000000004.parquet"), plan) == f"shard {run}/seats/" + (
        "0000000002-0000000004.parquet is gone"
    )


# What is on disk


def test_any_heap_of_pieces_is_read_once(tmp_path: Path) -> None:
    """Whole shards, pieces inside, beside and across them, in any number: each game once, gaps are known."""
    plan = made_plan()
    outcomes = made_outcomes(plan)
    rng = random.Random(1)
    for number in range(25):
        run = new_run(tmp_path / str(number), plan)
        there = np.zeros(plan.games, bool)
        cuts = [bounds for bounds in shards(plan) if rng.random() < 0.5]
        for _ in range(rng.randint(0, 5)):
            first = 2 * rng.randrange(plan.games // 2)
            cuts.append((first, min(plan.games, first + 2 * rng.randint(1, 400))))
        for first, last in cuts:
            write_shard(run, plan, first, outcomes[first:last])
            there[first:last] = True
        recorded = Recorded.of(run, plan)
        assert recorded.games == there.sum()
        missing = np.ones(plan.games, bool)
        for first, last in recorded.missing():
            assert missing[first:last].all()
            missing[first:last] = False
            assert any(a <= first and last <= b for a, b in shards(plan))
        assert (missing == there).all()
        first = rng.randrange(plan.games - 1)
        last = rng.randint(first + 1, plan.games)
        loaded, known = recorded.load(first, last)
        assert (known == there[first:last]).all()
        assert loaded[known].tobytes() == outcomes[first:last][known].tobytes()
        problems: list[str] = []
        games = [game for rows in read_shards(run, plan, problems) for game in rows["game"][::2]]
        assert games == np.flatnonzero(there).tolist()
        assert problems == []


def test_a_piece_that_has_just_become_part_of_shards(tmp_path: Path) -> None:
    """A report of a run that is being played: the file is gone when it is opened."""
    plan = made_plan()
    run, outcomes = new_run(tmp_path / "r", plan), made_outcomes(plan)
    piece = write_shard(run, plan, 400, outcomes[400:600])
    rows = read_shards(run, plan, [])
    recorded = Recorded.of(run, plan)
    for first, last in list(shards(plan))[:2]:
        write_shard(run, plan, first, outcomes[first:last])
    piece.unlink()
    loaded, known = recorded.load(398, 602)
    assert known.sum() == 200
    assert loaded[2:-2].tobytes() == outcomes[400:600].tobytes()
    assert next(rows)["game"].iloc[0] == 0  # it had not yet looked
    recorded.segments[0].path.with_name("0000000500-0000001000.parquet").unlink()
    with pytest.raises(ArenaError, match="is gone"):
        recorded.load(398, 602)


def test_collector_however_it_is_fed(tmp_path: Path) -> None:
    """Chunks in any order and size, put aside at any time, ended at any time: the same files."""
    plan = made_plan()
    outcomes = made_outcomes(plan)
    faults = {game: [FAULT] for game in range(3, plan.games, 37)}
    whole = new_run(tmp_path / "whole", plan)
    for first, last in shards(plan):
        write_shard(whole, plan, first, outcomes[first:last])
    append_faults(whole, plan, faults)
    rng = random.Random(2)
    for number in range(8):
        run = new_run(tmp_path / str(number), plan)
        sessions = 0
        while missing := Collector(run, plan).missing():
            sessions += 1
            collector = Collector(run, plan)
            chunks = []
            for first, last in missing:
                while first < last:
                    end = min(last, first + rng.randint(1, 300))
                    found = {game: faults[game] for game in range(first, end) if game in faults}
                    chunks.append(Chunk(first, outcomes[first:end], found, 0.1))
                    first = end
            rng.shuffle(chunks)
            for chunk in chunks[: max(1, int(len(chunks) * rng.random() * 1.5))]:
                collector.add(chunk)
                if rng.random() < 0.3:
                    collector.flush()
            if rng.random() < 0.5:
                collector.finish()
                assert collector.played == Recorded.of(run, plan).games - collector.recorded.games
            tidy_faults(run, Recorded.of(run, plan).ranges)  # as whoever resumes a killed run does
        assert result_files(run) == result_files(whole), sessions
        assert (run / "faults.jsonl").read_bytes() == (whole / "faults.jsonl").read_bytes()


def test_pieces_become_shards_of_a_larger_plan(tmp_path: Path) -> None:
    """Whatever the smaller one has cut: whole shards are made of what is there, one after the other."""
    plan, larger = made_plan(1400), made_plan(90_000)
    run = new_run(tmp_path / "r", plan)
    outcomes = made_outcomes(plan)
    for first, last in shards(plan):
        write_shard(run, plan, first, outcomes[first:last])
    assert Collector(run, larger).missing()[0] == (1400, 1406)
    assert [name[:21] for name in seat_files(run)] == [f"{first:010d}-{last:010d}" for first, last in shards(plan)]
    middle = made_plan(36_000)  # shards of 562
    assert Collector(run, middle).missing()[0] == (1400, 1686)
    assert [name[:21] for name in seat_files(run)] == [
        "0000000000-0000000562", "0000000562-0000001124", "0000001000-0000001400",
    ]  # fmt: skip
    loaded, known = Recorded.of(run, middle).load(0, 1400)
    assert known.all()
    assert loaded.tobytes() == outcomes.tobytes()


# Faults


def lines(run: Path) -> list[dict]:
    return [json.loads(line) for line in (run / "faults.jsonl").read_text().splitlines()]


def test_faults_are_put_in_order(tmp_path: Path) -> None:
    """The later one of two, those of recorded games alone, nothing that was torn; in order already: untouched."""
    plan = made_plan(40)
    run = new_run(tmp_path / "r", plan)
    tidy_faults(run, [(0, 40)])
    assert not (run / "faults.jsonl").exists()
    again = FAULT._replace(reason="again")
    append_faults(run, plan, {7: [FAULT], 8: [FAULT, FAULT._replace(seat=0)]})
    append_faults(run, plan, {2: [FAULT], 30: [FAULT], 7: [again]})
    with (run / "faults.jsonl").open("a") as file:
        file.write("nonsense\n")
        file.write('{"game": 9, "seat": 0')
    tidy_faults(run, [(0, 10), (20, 22)])
    assert [(line["game"], line["seat"], line["reason"]) for line in lines(run)] == [
        (2, 1, FAULT.reason), (7, 1, "again"), (8, 0, FAULT.reason), (8, 1, FAULT.reason),
    ]  # fmt: skip
    assert lines(run)[0]["bot"] == plan.names[plan[2].seating[1]]
    before = (run / "faults.jsonl").stat()
    tidy_faults(run, [(0, 10)])
    after = (run / "faults.jsonl").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    tidy_faults(run, [(3, 7)])
    assert not (run / "faults.jsonl").exists()


def test_faults_are_read_while_a_run_is_played(tmp_path: Path) -> None:
    """In any order, with a line that is half written; a damaged one is named."""
    plan = made_plan(40)
    run = new_run(tmp_path / "r", plan)
    assert list(read_faults(run, [(0, 40)])) == []
    append_faults(run, plan, {30: [FAULT]})
    append_faults(run, plan, {2: [FAULT], 5: [FAULT]})
    with (run / "faults.jsonl").open("a") as file:
        file.write('{"game": 9, "seat": 0')
    assert [fault["game"] for fault in read_faults(run, [(0, 4), (20, 40)])] == [2, 30]
    with (run / "faults.jsonl").open("a") as file:
        file.write("\n")
    with pytest.raises(ArenaError, match=r"faults\.jsonl is damaged: '{\"game\": 9"):
        list(read_faults(run, [(0, 4)]))


# Parts


def test_parts_are_the_whole() -> None:
    """Any number of them: every game in one part, parts of about one size, in whole blocks."""
    for games in (2, 10, 1400, 40_000, 3_000_000):
        plan = made_plan(games)
        for of in (1, 2, 3, 8, 61):
            if of > plan.blocks:
                with pytest.raises(UsageError, match="too few for"):
                    PlanShard(1, of).games(plan)
                continue
            cuts = [PlanShard(number, of).games(plan) for number in range(1, of + 1)]
            assert cuts[0][0] == 0
            assert cuts[-1][1] == plan.games
            assert all(a[1] == b[0] for a, b in pairwise(cuts))
            assert all(first % plan.block_games == 0 and first < last for first, last in cuts)
            sizes = [last - first for first, last in cuts]
            assert max(sizes) - min(sizes) <= max(plan.block_games, games // of // 3)


@pytest.mark.parametrize("text", ["", "2", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b", "1.0/4", "1/99999999999"])
def test_a_part_that_is_none(text: str) -> None:
    with pytest.raises(UsageError, match="is not a valid part: write 1/8 to 8/8 for eight parts"):
        PlanShard.parse(text)


def test_damaged_part_is_named(tmp_path: Path) -> None:
    plan = made_plan(40)
    run = run_directory.create(tmp_path / "r", plan, PlanShard(2, 4))
    assert run_directory.read_plan_shard(run, plan) == PlanShard(2, 4)
    assert run_directory.games_for(run, plan) == (10, 20)
    for damage in ("", "{}", "[]", '{"part": 5, "of": 4}', '{"part": 1, "of": 400}'):
        (run / "part.json").write_text(damage)
        with pytest.raises(ArenaError, match=r"part\.json is damaged"):
            run_directory.read_plan_shard(run, plan)


def test_times_add_up(tmp_path: Path) -> None:
    plan = made_plan(40)
    run = new_run(tmp_path / "r", plan)
    assert run_directory.read_times(run) == {}
    for number in (1, 2):
        run_directory.add_session(run, run_directory.Session(f"2026-01-0{number}", 2.0, 2, 10, 10 * number))
    assert run_directory.read_times(run) == {
        "started": "2026-01-01", "seconds": 4.0, "jobs": 2, "games": 20, "recorded": 20, "sessions": 2,
        "games_per_second": 5.0,
    }  # fmt: skip
    for damage in ("", "{}", "[1]", '{"sessions": [{}]}', '{"sessions": 3}'):
        (run / "times.json").write_text(damage)
        assert run_directory.read_times(run) == {}
