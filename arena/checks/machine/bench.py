"""`arena bench`: games per CPU second on one core, start-up times, the size of a state."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from arena import catalog
from arena.boards.spec import MapSpec
from arena.checks.machine.playout import playout
from arena.engine.compile_board import compile_board
from arena.engine.loop import OUTCOME
from arena.engine.table import Table
from arena.rules.compiler import kernel
from arena.rules.deal import make_deals
from arena.rules.scoring import score_game
from arena.rules.state import STATE
from arena.rules.turn import new_game
from arena.runs.compile import compile_all

PLAYERS = (2, 4)
CASES = ("playout", "random", "greedy", "planner", "tutorial")
OTHER_MAPS_CASES = ("playout", "random", "planner")


@kernel
def play_out_games(states, boards, random_states, deals, outcomes):
    """Fast random games with final scoring, one for each deal."""
    for game in range(len(outcomes)):
        new_game(states[0], boards[0], deals[game])
        for seat in range(len(random_states)):
            random_states[seat] = deals[game].random_states[seat]
        playout(states[0], boards[0], random_states)
        score_game(states[0], boards[0], outcomes[game])


def measure(seconds: float, say: Callable[[str], None]) -> dict[str, Any]:
    """Run every case for about so many CPU seconds; the object that `arena bench --json` prints."""
    default = catalog.default_map()
    compile_all(catalog.load_entrants(CASES[1:]), catalog.load_map(default), PLAYERS[0], say)
    results = []
    for name in sorted(catalog.map_names(), key=lambda name: name != default):
        spec = catalog.load_map(name)
        for players in PLAYERS:
            for case in CASES if name == default else OTHER_MAPS_CASES:
                say(f"{name}: {case}, {players} players ...")
                play = _playouts(spec, players) if case == "playout" else _games(spec, case, players)
                rate = round(_games_per_second(play, seconds), 1)
                results.append({"map": name, "players": players, "case": case, "games_per_cpu_second": rate})
    say("cold and warm start ...")
    with tempfile.TemporaryDirectory() as folder:
        cold, warm = (_start_seconds(folder, number) for number in (1, 2))
    return {"results": results, "cold_start_s": cold, "warm_start_s": warm, "state_bytes": STATE.itemsize}


def _games_per_second(play: Callable[[int], None], seconds: float) -> float:
    """Games per CPU second, deals included: the median of five stretches, after one that compiles."""
    play(2)
    games = 1
    while True:
        begun = time.process_time()
        play(games)
        spent = time.process_time() - begun
        if spent > seconds / 20:
            break
        games *= 2
    games = max(1, int(games / spent * seconds / 5))
    rates = []
    for _ in range(5):
        begun = time.process_time()
        play(games)
        rates.append(games / (time.process_time() - begun))
    return float(np.median(rates))


def _playouts(spec: MapSpec, players: int) -> Callable[[int], None]:
    boards = compile_board(spec, players).reshape(1)
    states, random_states = np.zeros(1, STATE), np.zeros(5, np.uint64)

    def play(games: int) -> None:
        play_out_games(states, boards, random_states, make_deals(1, range(games)), np.zeros(games, OUTCOME))

    return play


def _games(spec: MapSpec, bot: str, players: int) -> Callable[[int], None]:
    """Games of a bot against itself through the normal bot interface, results kept."""
    names = [bot] * players
    table = Table(spec, players, catalog.load_entrants(names))

    def play(games: int) -> None:
        table.play(np.tile(np.arange(players), (games, 1)), make_deals(1, range(games)))

    return play


def _start_seconds(folder: str, number: int) -> float:
    """Wall seconds of a whole `arena run` of two games, with the code cache in `folder`."""
    options = ["--games", "2", "--jobs", "1", "--out", os.path.join(folder, f"run{number}")]
    begun = time.perf_counter()
    subprocess.run(
        [sys.executable, "-P", "-m", "arena", "run", "random", "greedy", *options],
        env={**os.environ, "ARENA_CACHE_DIR": os.path.join(folder, "cache")},
        check=True,
        capture_output=True,
    )
    return round(time.perf_counter() - begun, 2)


def to_text(result: dict[str, Any]) -> str:
    """The figures of `measure` as a table."""
    lines = ["games per CPU second on one core", f"{'map':12}{'players':>8}  {'case':10}{'games/s':>10}"]
    for row in result["results"]:
        lines.append(f"{row['map']:12}{row['players']:>8}  {row['case']:10}{row['games_per_cpu_second']:>10,.0f}")
    lines.append(f"cold start {result['cold_start_s']} s, warm start {result['warm_start_s']} s")
    lines.append(f"a state is {result['state_bytes']} bytes")
    return "\n".join(lines)
