"""Plays games of a plan again in worker processes, with the faults entered that need not recur."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from arena.engine.faults import Fault
from arena.engine.loop import OUTCOME
from arena.replay.record import without_clock
from arena.runs.pool import LocalPool, open_pool
from arena.runs.worker import load_table
from arena.tournament.plan import Plan
from arena.tournament.schedule import game_deals

CHUNK = 50
"""Games that a worker is given at once."""
PATIENCE = 10.0
"""How many times longer than in the run a decision may take before the game is given up."""
LOOK_SECONDS = 0.5
MOST_DEATHS = 3
"""How often a game is tried if its worker dies each time."""

FaultsByGame = Mapping[int, Sequence[Fault]]


@dataclass
class Again:
    """Games that were played again."""

    games: np.ndarray
    """Their numbers, ascending."""
    outcomes: np.ndarray
    """OUTCOME [games]."""
    faults: dict[int, list[Fault]] = field(default_factory=dict)
    """The faults by the number of the game."""
    lost: dict[int, str] = field(default_factory=dict)
    """Why a game could not be played to its end."""


def play_games(plan: Plan, bots: Sequence[int], games: Sequence[int], attributed: FaultsByGame) -> Again:
    """Play games again in this process, by these bots of the plan (indices)."""
    seatings = np.concatenate([plan.seatings(game, game + 1)[1] for game in games])
    deals = game_deals(plan, np.array(games))
    forced = {row: attributed[game] for row, game in enumerate(games) if game in attributed}
    seatings = np.searchsorted(np.array(bots), seatings)
    specs, names = (tuple(values[bot] for bot in bots) for values in (plan.bots, plan.names))
    loaded = replace(plan, bots=specs, names=names, limits=without_clock(plan.limits))
    outcomes, faults = load_table(loaded).play(seatings, deals, forced=forced)
    return Again(np.array(games), outcomes, {games[row]: found for row, found in faults.items()})


def play_again(
    plan: Plan, bots: Sequence[int], games: np.ndarray, attributed: FaultsByGame, jobs: int, tell: Callable[[int], None]
) -> Again:
    """Play games again with `jobs` processes; `tell` is called with the number of games that are done.

    A worker that dies or hangs costs the games that it was at, which are tried again one by one.
    """
    parts: list[Again] = []
    lost: dict[int, str] = {}
    with tempfile.TemporaryDirectory(prefix="arena-") as folder, open_pool(plan, Path(folder), jobs) as pool:
        for part in _played(pool, plan, bots, _cut(games, jobs), attributed, lost):
            parts.append(part)
            tell(len(part.games))
    if not parts:
        return Again(np.zeros(0, np.int64), np.zeros(0, OUTCOME), {}, lost)
    parts.sort(key=lambda part: int(part.games[0]))
    numbers, outcomes = (np.concatenate(arrays) for arrays in zip(*((p.games, p.outcomes) for p in parts), strict=True))
    return Again(numbers, outcomes, {game: found for part in parts for game, found in part.faults.items()}, lost)


def _cut(games: np.ndarray, jobs: int) -> list[tuple[int, ...]]:
    """Chunks of the games, at least one for each process."""
    size = max(1, min(CHUNK, -(-len(games) // jobs)))
    return [tuple(games[first : first + size].tolist()) for first in range(0, len(games), size)]


def _played(
    pool: LocalPool,
    plan: Plan,
    bots: Sequence[int],
    chunks: list[tuple[int, ...]],
    attributed: FaultsByGame,
    lost: dict[int, str],
) -> Iterator[Again]:
    waiting = list(reversed(chunks))
    deaths: dict[int, int] = {}
    limit = PATIENCE * plan.limits.move_time
    pending: dict[Future[Again], tuple[int, ...]] = {}
    while waiting or pending:
        while waiting and len(pending) < 2 * pool.jobs:
            games = waiting.pop()
            known = {game: attributed[game] for game in games if game in attributed}
            pending[pool.submit(play_games, plan, tuple(bots), games, known)] = games
        done, _ = wait(pending, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED)
        if limit:
            pool.watch(limit)
        for future in done:
            games, worker = pending.pop(future), pool.worker_of(future)
            try:
                yield future.result()
            except BrokenProcessPool:
                if len(games) > 1:
                    waiting += [(game,) for game in games]
                    continue
                deaths[games[0]] = deaths.get(games[0], 0) + 1
                if deaths[games[0]] < MOST_DEATHS:
                    waiting.append(games)
                else:
                    hung = f"a decision took longer than {limit:g} s"
                    lost[games[0]] = hung if worker.overdue else f"its process is gone: {worker.ending()}"
