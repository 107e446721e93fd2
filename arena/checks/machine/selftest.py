"""The self-test of `arena doctor`: ten seconds of games whose results are known, here and in workers."""

import json
import multiprocessing
import tempfile
import time
from pathlib import Path

import numpy as np

from arena import catalog
from arena.boards.spec import MapSpec
from arena.catalog.fingerprint import RULES_DEALS, rules_fingerprint
from arena.checks.findings import OK, PROBLEM, WARNING, Finding
from arena.engine.table import Table
from arena.rules.board import MAX_SEATS
from arena.rules.deal import make_deals
from arena.runs.compile import compile_all
from arena.runs.prepare import make_plan
from arena.runs.runner import play_plan
from arena.runs.worker import Chunk, play_range
from arena.store import run_directory
from arena.store.reader import read_shards
from arena.texts import Say, counted
from arena.tournament.request import Request

KNOWN = Path(__file__).with_name("known.json")
"""By the digest of a map, what games of random players come to on it: the same on every machine."""
SEATS = range(2, MAX_SEATS + 1)
BOTS = ("random", "greedy", "tutorial")
"""Compiled bots and one in Python."""
GAMES = 120
JOBS = 2
SECONDS = 1.0


def outcome_digest(spec: MapSpec) -> str:
    """What some games of random players on a map come to."""
    return rules_fingerprint([(spec.digest, spec)], SEATS)


def rules(say: Say) -> Finding:
    """Whether games on the shipped maps come to what they come to elsewhere."""
    specs = [catalog.load_map(name) for name in catalog.map_names()]
    compile_all(catalog.load_entrants(BOTS), specs[0], 2, say)
    known = json.loads(KNOWN.read_text(encoding="utf-8"))
    digests = {spec.key: outcome_digest(spec) for spec in specs if spec.digest in known}
    wrong = [spec.key for spec in specs if spec.digest in known and digests[spec.key] != known[spec.digest]]
    games = counted(len(digests) * len(SEATS) * RULES_DEALS, "game")
    if wrong:
        text = (
            f"Games on {', '.join(wrong)} have other results than elsewhere: either the rules were changed, or this "
            "machine computes wrongly. Do not trust any result from it."
        )
        return Finding("rules", PROBLEM, text, {"digests": digests, "wrong": wrong})
    others = [spec.key for spec in specs if spec.digest not in known]
    if others:
        text = f"{games} have the expected results; what those on {', '.join(others)} should come to is not known."
        return Finding("rules", OK if digests else WARNING, text, {"digests": digests, "unknown": others})
    text = f"{games} on {counted(len(specs), 'map')} have the expected results."
    return Finding("rules", OK, text, {"digests": digests})


def tournament() -> Finding:
    """Whether a tournament in worker processes is the same as in this one, and on the disk."""
    return _tournament("tournament", "")


def survival() -> Finding:
    """Whether it is so, too, if a worker is killed meanwhile."""
    return _tournament("survival", ", one of them killed meanwhile")


def _tournament(name: str, killed: str) -> Finding:
    plan, spec, entrants = make_plan(Request(BOTS, games=GAMES))
    compile_all(entrants, spec, plan.players, lambda text: None)
    here = play_range(plan, 0, plan.games).outcomes
    there = np.zeros_like(here)
    victims = [1] if killed else []

    def take(chunk: Chunk) -> None:
        there[chunk.first : chunk.first + len(chunk.outcomes)] = chunk.outcomes
        if victims and (workers := multiprocessing.active_children()):
            workers[victims.pop() % len(workers)].kill()

    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        run = run_directory.create(Path(folder, "run"), plan)
        play_plan(plan, run, JOBS, take)
        seconds = time.perf_counter() - begun
        problems: list[str] = []
        rows = sum(len(shard) for shard in read_shards(run, plan, problems))
    numbers = {"games": rows // plan.players, "seconds": round(seconds, 2)}
    if problems or rows != plan.games * plan.players:
        text = f"Of {plan.games} games {rows // plan.players} are on disk. {' '.join(problems)}"
        return Finding(name, PROBLEM, text, numbers)
    if there.tobytes() != here.tobytes():
        game = int(np.flatnonzero(there != here)[0])
        text = f"Game {game} of {plan.command} ended differently in a worker process than in this one."
        return Finding(name, PROBLEM, text, numbers)
    text = (
        f"{counted(plan.games, 'game')} with {JOBS} worker processes{killed}, in {seconds:.1f} s, written and read "
        "back: byte for byte the same as in one process."
    )
    return Finding(name, OK, text, numbers)


def speed() -> Finding:
    """Games a second, as `arena bench` counts them for `random` with two players."""
    table = Table(catalog.load_map(catalog.default_map()), 2, catalog.load_entrants(["random"]))
    seatings = np.zeros((100, 2), np.int64)
    deals = make_deals(1, range(100))
    games, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < SECONDS:
        table.play(seatings, deals)
        games += len(deals)
    rate = games / spent
    text = f"{rate:,.0f} games a second on one core (2 random players, {catalog.default_map()})."
    return Finding("speed", OK, text, {"games_per_cpu_second": round(rate)})
