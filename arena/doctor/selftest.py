"""Ten seconds of play: whether games come to what they should here, in this process and in workers."""

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from arena import catalog, records
from arena.doctor.findings import OK, PROBLEM, WARNING, Finding, counted
from arena.fingerprint import RULES_DEALS, rules_fingerprint
from arena.mapspec import MapSpec
from arena.play import deal_words
from arena.rules.board import MAX_SEATS
from arena.runs.runner import play_plan
from arena.runs.start import make_plan, warm_up
from arena.runs.worker import Chunk, play_range
from arena.table import Table

KNOWN = Path(__file__).with_name("known.json")
"""By the digest of a map, what games of random players come to on it: the same on every machine."""
SEATS = range(2, MAX_SEATS + 1)
BOTS = ("random", "greedy", "tutorial")
"""Compiled bots and one in Python."""
GAMES = 240
JOBS = 2
SECONDS = 1.0

Say = Callable[[str], None]


def outcome_digest(spec: MapSpec) -> str:
    """What some games of random players on a map come to."""
    return rules_fingerprint([(spec.digest, spec)], SEATS)


def rules(say: Say) -> Finding:
    """Whether games on the shipped maps come to what they come to elsewhere."""
    specs = [catalog.load_map(name) for name in catalog.map_names()]
    warm_up(catalog.load_entrants(BOTS), specs[0], 2, say)
    known = json.loads(KNOWN.read_text(encoding="utf-8"))
    digests = {spec.key: outcome_digest(spec) for spec in specs if spec.digest in known}
    wrong = [spec.key for spec in specs if spec.digest in known and digests[spec.key] != known[spec.digest]]
    games = counted(len(digests) * len(SEATS) * RULES_DEALS, "game")
    if wrong:
        text = (
            f"Games on {', '.join(wrong)} come to other results than they should: rules were changed, or this machine "
            "computes wrongly. No result from it can be trusted."
        )
        return Finding("rules", PROBLEM, text, {"digests": digests, "wrong": wrong})
    others = [spec.key for spec in specs if spec.digest not in known]
    if others:
        text = f"{games} came to what they should; what those on {', '.join(others)} should come to is not known."
        return Finding("rules", OK if digests else WARNING, text, {"digests": digests, "unknown": others})
    text = f"{games} on {counted(len(specs), 'map')} came to what they should."
    return Finding("rules", OK, text, {"digests": digests})


def tournament() -> Finding:
    """Whether a tournament in worker processes is the same as in this one, and on the disk."""
    plan, spec, entrants = make_plan(BOTS, catalog.default_map(), len(BOTS), GAMES, 1)
    warm_up(entrants, spec, plan.players, lambda text: None)
    here = play_range(plan, 0, plan.games)
    chunks: list[Chunk] = []
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        run = records.create(Path(folder, "run"), plan)
        played = play_plan(plan, run, JOBS, chunks.append)
        seconds = time.perf_counter() - begun
        problems: list[str] = []
        rows = sum(len(shard) for shard in records.read_shards(run, plan, problems))
    there = np.concatenate([chunk.outcomes for chunk in sorted(chunks, key=lambda chunk: chunk.first)])
    numbers = {"games": played, "seconds": round(seconds, 2)}
    if played < plan.games or problems or rows != plan.games * plan.players:
        text = f"Of {plan.games} games {played} were played. {' '.join(problems)}"
        return Finding("tournament", PROBLEM, text, numbers)
    if there.tobytes() != here.outcomes.tobytes():
        game = int(np.flatnonzero(there != here.outcomes)[0])
        text = f"Game {game} of {plan.command} ended otherwise in a worker process than in this one."
        return Finding("tournament", PROBLEM, text, numbers)
    text = (
        f"{counted(played, 'game')} with {JOBS} worker processes in {seconds:.1f} s, written and read again: byte for "
        "byte those of one process."
    )
    return Finding("tournament", OK, text, numbers)


def speed() -> Finding:
    """Games a second, as `arena bench` counts them for `random` with two players."""
    table = Table(catalog.load_map(catalog.default_map()), 2, catalog.load_entrants(["random"]))
    seatings = np.zeros((100, 2), np.int64)
    words = deal_words(1, range(100))
    games, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < SECONDS:
        table.play(seatings, words)
        games += len(words)
    rate = games / spent
    text = f"{rate:,.0f} games a second on one core (2 random players, {catalog.default_map()})."
    return Finding("speed", OK, text, {"games_per_cpu_second": round(rate)})
