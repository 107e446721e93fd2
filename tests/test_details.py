"""What is recorded of the course of games: as the replay tells it, in few bytes, however it was played."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arena import catalog
from arena.boards.spec import MapSpec
from arena.engine.loop import OUTCOME, RESULTS
from arena.engine.table import Table
from arena.errors import ArenaError
from arena.replay.recorded_game import replay
from arena.rules.board import CARDS
from arena.rules.deal import make_deals
from arena.rules.game_log import DRAWS, MOST_OFFERS
from arena.store import run_directory
from arena.store.detail_tables import detail_path, fill_log, load_details, write_details
from arena.store.reader import Recorded
from arena.store.seat_tables import check_shard
from conftest import Shared

Event = dict[str, Any]
BOTS = ("greedy", "random", "tutorial", "planner")


@pytest.fixture(scope="module", params=catalog.map_names())
def run(request: pytest.FixtureRequest, shared: Shared) -> Path:
    """A run of four bots on a shipped map, with one in Python, so that it is played step by step."""
    from arena.api import run

    name = request.param
    return shared(f"details-{name}", lambda folder: run(BOTS, map=name, games=8, jobs=1, out=folder / "r")) / "r"


def in_turns(events: list[Event]) -> Iterator[tuple[int, Event]]:
    """The events with the number of their turn, 0 before the first."""
    turn = 0
    for event in events:
        turn = event["number"] if event["event"] == "turn" else turn
        yield turn, event


def listed(outcome: np.void, count: int, *names: str) -> list[tuple[int, ...]]:
    return list(zip(*(outcome[name][:count].tolist() for name in names), strict=True))


def test_notes_are_what_the_replay_tells(run: Path) -> None:
    outcomes, _ = Recorded.of(run, run_directory.read_plan(run)).load(0, 8)
    kept = 0
    for game, outcome in enumerate(outcomes):
        turns = list(in_turns(replay(run, game, lambda text: None).events))
        claims = [(turn, event) for turn, event in turns if event["event"] == "claim"]
        noted = listed(outcome, outcome["claims"], "claim_turn", "claim_seat", "claim_route", "claim_locomotives")
        assert noted == [
            (turn, event["seat"], event["route"], event["cards"].get("locomotive", 0)) for turn, event in claims
        ]
        for card, (_, event) in zip(outcome["claim_card"].tolist(), claims, strict=False):
            assert CARDS[card] in event["cards"]
        taken = [event for turn, event in turns if event["event"] == "draw"]
        for seat in range(4):
            own = [event for event in taken if event["seat"] == seat]
            wild = sum(event["source"] == "row" and event["card"] == "locomotive" for event in own)
            colors = sum(event["source"] == "row" for event in own) - wild
            assert outcome["draws"][seat][1:3].tolist() == [colors, wild]
        kept += check_tickets(outcome, [(turn, event) for turn, event in turns if event["event"] == "keep"])
        scores = {event["seat"]: event for _, event in turns if event["event"] == "score"}
        left = sum((Counter(event["cards"]) for event in scores.values()), Counter[str]())
        assert outcome["cards_left"].tolist() == [left[card] for card in CARDS]
        check_completed(outcome, scores)
    assert kept > 8 * 4


def check_tickets(outcome: np.void, choices: list[tuple[int, Event]]) -> int:
    """How many were kept."""
    rows = listed(outcome, outcome["offers"], "offer_turn", "offer_seat", "offer_ticket", "offer_kept")
    told = [(turn, event["seat"], ticket, 1) for turn, event in choices for ticket in event["kept"]]
    told += [(turn, event["seat"], ticket, 0) for turn, event in choices for ticket in event["returned"]]
    assert sorted(rows) == sorted(told)
    return sum(row[3] for row in rows)


def check_completed(outcome: np.void, scores: dict[int, Event]) -> None:
    rows = listed(outcome, outcome["offers"], "offer_seat", "offer_ticket", "offer_kept", "offer_completed")
    for seat, event in scores.items():
        done = sorted(ticket for whose, ticket, _, completed in rows if whose == seat and completed)
        failed = sorted(ticket for whose, ticket, kept, completed in rows if whose == seat and kept and not completed)
        assert (done, failed) == (sorted(event["completed"]), sorted(event["failed"]))


def test_the_lead_follows_from_the_claims(run: Path) -> None:
    """By the points of the routes alone, on maps where a claim is nothing else."""
    plan = run_directory.read_plan(run)
    spec = catalog.load_map(plan.map)
    if spec.rules.bullet_trains:
        pytest.skip("a bullet route pays in progress, not on the track")
    outcomes, _ = Recorded.of(run, plan).load(0, 8)
    changes = 0
    for outcome in outcomes:
        points, leaders, turns = [0] * 4, [], []
        for turn, seat, route in listed(outcome, outcome["claims"], "claim_turn", "claim_seat", "claim_route"):
            points[seat] += spec.points(spec.routes[route].length)
            first = [seat for seat in range(4) if points[seat] == max(points)]
            if len(first) == 1 and leaders[-1:] != first:
                leaders += first
                turns.append(turn)
        assert points == outcome["points"][:4, 0].tolist()
        assert (outcome["leader"], outcome["lead_turn"]) == (leaders[-1], turns[-1])
        assert outcome["lead_changes"] == len(leaders) - 1
        changes += len(leaders) - 1
    assert changes


@pytest.mark.parametrize("seats", [2, 5])
def test_notes_change_nothing_and_are_the_same_step_by_step(spec: MapSpec, seats: int) -> None:
    entrants = catalog.load_entrants(["random", "greedy", "racer", "hungry", "longroute"][:seats])
    seatings = np.tile(np.arange(seats), (20, 1))
    deals = make_deals(3, range(20))
    plain, _ = Table(spec, seats, entrants).play(seatings, deals)
    table = Table(spec, seats, entrants, logged=True)
    noted, _ = table.play(seatings, deals)
    assert all(np.array_equal(plain[name], noted[name]) for name in RESULTS)
    assert not plain["claims"].any()
    assert not plain["leader"].any()
    steps = np.zeros(20, OUTCOME)
    for game in range(20):
        table.play_one(entrants, deals[game : game + 1], steps[game : game + 1])
    assert steps.tobytes() == noted.tobytes()


def test_at_most_250_bytes_a_game(tmp_path: Path, arena: Callable[..., Any]) -> None:
    bots = ["random", "random", "greedy", "racer", "random"]
    assert arena("run", *bots, "--games", 500, "--out", "r").returncode == 0
    [path] = (tmp_path / "r/detail").iterdir()
    assert path.stat().st_size <= 250 * 500


def test_without_details(tmp_path: Path, arena: Callable[..., Any]) -> None:
    """The results are the same; only the digest of the plan is another."""
    for options in ([], ["--no-detail"]):
        out = "without" if options else "with"
        assert arena("run", "random", "greedy", "--games", 40, *options, "--out", out).returncode == 0
    assert not (tmp_path / "without/detail").exists()
    plan = run_directory.read_plan(tmp_path / "without")
    assert plan.command.endswith(" --no-detail")
    shards = [Recorded.of(tmp_path / name, run_directory.read_plan(tmp_path / name)).load(0, 40)[0]
              for name in ("with", "without")]  # fmt: skip
    assert all(np.array_equal(shards[0][name], shards[1][name]) for name in RESULTS)
    assert shards[0]["claims"].all()
    assert arena("extend", "without", "--games", 60).returncode == 0
    assert not (tmp_path / "without/detail").exists()
    assert arena("merge", "with", "without", "-o", "both").returncode == 2


@pytest.mark.parametrize("damage", ["gone", "cut off", "one number", "other games"])
def test_damaged_details_are_found_and_played_again(damage: str, tmp_path: Path, arena: Callable[..., Any]) -> None:
    assert arena("run", "random", "greedy", "--games", 600, "--out", "r").returncode == 0
    run, plan = tmp_path / "r", run_directory.read_plan(tmp_path / "r")
    shard = sorted((run / "seats").iterdir())[1]
    path, before = detail_path(shard), detail_path(shard).read_bytes()
    if damage == "gone":
        path.unlink()
    elif damage == "cut off":
        path.write_bytes(before[:-100])
    elif damage == "one number":
        table = pq.read_table(path)
        turns = table.column("lead_turn").to_numpy() + (np.arange(100) == 7)
        place = table.column_names.index("lead_turn")
        pq.write_table(table.set_column(place, "lead_turn", pa.array(turns, pa.int16())), path)
    else:
        write_details(shard, plan, 400, Recorded.of(run, plan).load(400, 500)[0])
    assert str(path) in str(check_shard(shard, plan))
    with pytest.raises(ArenaError):
        Recorded.of(run, plan).load(500, 600)
    assert arena("resume", "r").returncode == 0
    assert path.read_bytes() == before


def test_more_tickets_than_are_noted(tmp_path: Path) -> None:
    """They are counted, and the table can be read."""
    plan = run_directory.read_plan(_small(tmp_path))
    outcomes = np.zeros(2, OUTCOME)
    outcomes["offers"] = MOST_OFFERS + 3, 2
    outcomes["cards_left"] = np.arange(18).reshape(2, 9)
    shard = tmp_path / "r/seats/0000000000-0000000002.parquet"
    write_details(shard, replace(plan, games=2), 0, outcomes)
    table = load_details(shard, replace(plan, games=2))
    assert not isinstance(table, str)
    again = np.zeros(2, OUTCOME)
    fill_log(again, table, 2)
    assert again["offers"].tolist() == [MOST_OFFERS + 3, 2]
    assert again["cards_left"].tolist() == outcomes["cards_left"].tolist()
    assert len(DRAWS) == again["draws"].shape[2]


def _small(folder: Path) -> Path:
    from arena.api import run

    run(["random", "greedy"], games=2, jobs=1, out=folder / "r")
    return folder / "r"
