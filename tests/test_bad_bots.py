"""Tournaments with bots that misbehave: every game is there, each fault is its own seat's, nobody else notices."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

import bad_field
from arena import catalog
from arena.api import Report
from arena.engine.bots import Entrant
from arena.engine.limits import Limits, parse_size
from arena.engine.loop import FAULT_SUSPENDED, FAULTS, OUTCOME
from arena.engine.table import Table
from arena.rules.deal import make_deals
from arena.runs import runner
from arena.runs.compile import compile_all
from arena.runs.runner import play_plan
from arena.runs.suspension import WARM_UP_GAMES
from arena.store import run_directory
from arena.store.reader import Recorded
from arena.tournament.plan import Plan
from bad_field import MEMORY, MOVE_TIME, Scripted, twin
from helpers import make_plan

HERE = Path(__file__).parent
GOOD = ("greedy", "random", "tutorial")
RANDOM = "random"
HANGS = ("SleepsForever", "loops")
COMPILED = {"loops": "move_time", "slips": "illegal"}
NEVER_STOP = ("RaisesAtOnce", "RaisesLate", "ReturnsNone", "ReturnsHuge", "ReturnsView", "ReturnsForeign", *HANGS,
              "Crashes", "Allocates", "RaisesAtLoad", "slips")  # fmt: skip
"""Those that fail in every game: after their warm-up games they are not asked."""


class Played(NamedTuple):
    """A tournament that has been played."""

    run: Path
    plan: Plan
    outcomes: np.ndarray
    """OUTCOME [games]."""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever hangs is found out a little sooner."""
    monkeypatch.setattr(runner, "GRACE_SECONDS", 0.2)
    monkeypatch.setattr(runner, "LOOK_SECONDS", 0.1)


def spec_of(bot: str) -> str:
    """`Exits` is a bad bot, `greedy` a shipped one."""
    if bot in GOOD:
        return bot
    return f"{HERE / ('bad_load.py' if bot == 'RaisesAtLoad' else 'bad_field.py')}:{bot}"


def play(
    folder: Path,
    bots: Sequence[str],
    *,
    players: int,
    games: int,
    move_time: float = 30.0,
    isolate: bool = False,
    **options: Any,
) -> Played:
    """Play a tournament with two worker processes."""
    limits = Limits(move_time, 0, parse_size(MEMORY), "stand-in", isolate)
    plan, spec, entrants = make_plan([spec_of(bot) for bot in bots], "usa", players, games, 3, limits=limits, **options)
    compile_all(entrants, spec, players, lambda text: None)
    run = run_directory.create(folder / "r", plan)
    assert play_plan(plan, run, 2, lambda chunk: None) == plan.games >= games
    recorded = Recorded.of(run, plan)
    assert recorded.ranges == [(0, plan.games)]
    return Played(run, plan, recorded.load(0, plan.games)[0])


def harmless(name: str) -> Entrant:
    """The twin of a bot, under the name of that one."""
    bad = getattr(bad_field, name.partition(":")[2], None) if name.startswith("bad_field.py") else None
    if isinstance(bad, type) and issubclass(bad, Scripted):
        return Entrant(name, name, twin(bad), {}, "")
    if name.partition(":")[2] in COMPILED:
        return Entrant(name, name, bad_field.AskedAlways(bad_field.CompiledTwin), {}, "")
    return catalog.load_entrant(RANDOM if name.startswith("bad_") else name)


def with_harmless(played: Played) -> np.ndarray:
    """The outcomes of the same games with a harmless twin in place of each bad bot, OUTCOME [games]."""
    plan, spec = played.plan, catalog.load_map(played.plan.map)
    entrants = [*map(harmless, plan.names), catalog.load_entrant(RANDOM)]
    deals, seatings = plan.seatings(0, plan.games)
    not_asked = played.outcomes["fault"][:, : plan.players] == FAULT_SUSPENDED
    table = Table(spec, plan.players, entrants, logged=True)
    outcomes, faults = table.play(np.where(not_asked, len(plan.names), seatings), make_deals(plan.seed, deals.tolist()))
    assert faults == {}
    return outcomes


def ranked(ranks: np.ndarray, wrong: np.ndarray) -> np.ndarray:
    """The places of a game in which some seats are ranked behind all others."""
    better = ((ranks[None, :] < ranks[:, None]) & ~wrong[None, :]).sum(axis=1)
    return 1 + np.where(wrong, (~wrong).sum(), better)


def expected_of(bot: str) -> set[str]:
    """The faults that a bot may have before it is suspended."""
    if bot in COMPILED:
        return {COMPILED[bot]}
    return set(getattr(getattr(bad_field, bot, None), "kinds", ["exception"] * (bot == "RaisesAtLoad")))


def check(played: Played) -> dict[str, dict[str, int]]:
    """Hold a tournament against the same one with harmless bots; how many faults of each kind each bot has."""
    run, plan, outcomes = played
    _, seatings = plan.seatings(0, plan.games)
    seats = plan.players
    faults = outcomes["fault"][:, :seats]
    reference = with_harmless(played)
    for name in OUTCOME.names or ():
        if name not in ("rank", "fault"):
            assert outcomes[name].tobytes() == reference[name].tobytes(), name
    ranks = np.array([ranked(*game) for game in zip(reference["rank"][:, :seats], faults > 0, strict=True)])
    assert (outcomes["rank"][:, :seats] == ranks).all()

    lines = [json.loads(line) for line in (run / "faults.jsonl").read_text().splitlines()]
    attributed = {(line["game"], line["seat"]): (line["bot"], line["kind"]) for line in lines}
    assert len(attributed) == len(lines)
    there = {
        (int(game), int(seat)): (plan.names[seatings[game, seat]], FAULTS[faults[game, seat]])
        for game, seat in np.argwhere((faults > 0) & (faults != FAULT_SUSPENDED))
    }
    assert attributed == there

    found: dict[str, dict[str, int]] = {}
    for bot, name in enumerate(plan.names):
        kinds = faults[seatings == bot]  # in the order of the games
        short = name.rpartition(":")[2]
        expected = expected_of(short)
        compile_all = -(-WARM_UP_GAMES // plan.block_games) * plan.block_games
        told = [FAULTS[kind] for kind in kinds.tolist()]
        if short in NEVER_STOP:
            assert set(told[:compile_all]) == expected, name
            assert set(told[compile_all:]) <= {"probation"}, name
        else:
            assert {*told} - {"none"} == expected, name
            assert "none" in told, name
        found[short] = {kind: told.count(kind) for kind in sorted({*told})}
    return found


@pytest.mark.full  # eighteen seconds; test_runs and test_faults have one bot that hangs each
def test_whoever_does_not_come_back(tmp_path: Path) -> None:
    """Two in each game that hang, one of them in compiled code, one that is late, and a good bot."""
    played = play(tmp_path, [*HANGS, "SleepsNowAndThen", "greedy"], players=4, games=4, move_time=MOVE_TIME)
    found = check(played)
    assert found["greedy"] == {"none": 4}
    assert found["loops"] == {"move_time": 4}


@pytest.mark.slow("twelve kinds of misdeed, most of them only now and then")
@pytest.mark.parametrize("games", [100, pytest.param(200, marks=pytest.mark.full)])
def test_bad_bots_in_the_arenas_own_processes(games: int, tmp_path: Path) -> None:
    bots = [bot.__name__ for bot in bad_field.IN_PROCESS if bot.__name__ not in (*HANGS, "SleepsNowAndThen")]
    bots.append("slips")
    played = play(tmp_path, [*bots, *GOOD], players=4, games=games)
    found = check(played)
    assert all(set(found[name]) == {"none"} for name in GOOD)
    report = str(Report(played.run))
    assert "\nFaults\n" in report
    assert "Crashes failed in all of its first 8 games" in " ".join(report.split())
    assert max(map(len, report.splitlines()[:-3])) <= 80 or all(
        line.startswith(("Replay:", "Again:", "Results:")) for line in report.splitlines() if len(line) > 80
    )


@pytest.mark.slow("each bot has a process, and some lose it in every game")
def test_bad_bots_in_processes_of_their_own(tmp_path: Path) -> None:
    """Those too that the arena's own processes cannot be guarded from: at import, and in the arena's modules."""
    bots = ["RaisesAtLoad", "TampersWithArena", "Allocates", "slips", "greedy"]
    found = check(play(tmp_path, bots, players=5, games=5, isolate=True, format="lineup"))
    assert found == {
        "RaisesAtLoad": {"exception": 5},
        "TampersWithArena": {"none": 5},
        "Allocates": {"memory": 5},
        "slips": {"illegal": 5},
        "greedy": {"none": 5},
    }


@pytest.mark.long
@pytest.mark.parametrize(("games", "isolate"), [(4000, False), (4000, True)])
def test_a_whole_tournament(games: int, isolate: bool, tmp_path: Path) -> None:
    """All of them at once."""
    bots = [*(bot.__name__ for bot in bad_field.IN_PROCESS), *COMPILED, *GOOD]
    bots += ["RaisesAtLoad", "TampersWithArena"] if isolate else []
    found = check(play(tmp_path, bots, players=4, games=games, move_time=2 * MOVE_TIME, isolate=isolate))
    print(pd.DataFrame(found).T.fillna(0).astype(int).to_string())
    assert all(set(found[name]) == {"none"} for name in GOOD)
