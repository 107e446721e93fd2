"""What users are told before a run is played: its plan in words, and about how long it will take."""

import tempfile
import time
from pathlib import Path

from arena.engine.bots import Outside
from arena.runs.pool import open_pool
from arena.runs.processes import available_cores
from arena.runs.worker import load_table, play_range
from arena.texts import counted
from arena.tournament import designs
from arena.tournament.plan import Plan

SAMPLE_SECONDS = 0.5
LEAST_BLOCKS = 10
"""A run of fewer blocks is not worth a sample."""
SAMPLED = 10
"""At most one block in so many is played as a sample."""


def plan_lines(plan: Plan, asked: int) -> list[str]:
    """The plan in lines for a terminal, and what differs from what was asked for."""
    what = f"{plan.format}, {len(plan.bots)} bots at {plan.players} seats"
    deals = f"{plan.blocks:,} {'deal' if plan.blocks == 1 else 'deals, each'} in {counted(plan.block_games, 'seating')}"
    lines = [f"Plan: {what}, {_lineups(plan)}.", f"{deals} ({plan.seating}): {plan.games:,} games."]
    if plan.games != asked:
        lines.append(f"{asked:,} games are not whole deals of {plan.block_games} seatings: playing {plan.games:,}.")
    if plan.unplayed_rest:
        closed = (plan.blocks + plan.unplayed_rest) * plan.block_games
        lines.append(
            f"{plan.blocks:,} deals do not divide evenly among {plan.lineups:,} line-ups:\n"
            f"{closed:,} games would close the design."
        )
    return lines


def _lineups(plan: Plan) -> str:
    if plan.lineups == 1:
        return "1 line-up"
    if plan.design == "all":
        return f"all {plan.lineups:,} line-ups"
    every = designs.lineups(plan.format, "all", len(plan.bots), plan.players).count
    return f"{plan.lineups:,} balanced line-ups of {every:,}"


def expected_time(plan: Plan, jobs: int, games: int | None = None) -> str | None:
    """A line that says how long so many games, by default all, will take.

    None for a run that is too short to ask, or that cannot be told. The first blocks of the plan are played in a
    process of their own, for half a second: what bots do there, they do not do here.
    """
    wanted = plan.blocks if games is None else games // plan.block_games
    if wanted < LEAST_BLOCKS:
        return None
    blocks, seconds = _sample(plan)
    if seconds is None:
        return None
    share = wanted / min(jobs, available_cores(), wanted)
    with_jobs = f"with {jobs} process{'es' * (jobs > 1)}"
    if not blocks:
        return f"More than {in_words(share * seconds)} {with_jobs}."
    return f"About {in_words(share * seconds / blocks)} {with_jobs}."


def in_words(seconds: float) -> str:
    """A duration in words, with as many digits as an estimate deserves."""
    for unit, length in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 1.5 * length:
            count = seconds / length
            return f"{count:.0f} {unit}" if count >= 10 or unit == "min" else f"{count:.1f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 1.5 else "a second"


def _sample(plan: Plan) -> tuple[int, float | None]:
    """Blocks played and the seconds they took; no block if the first is not done in time, no seconds if it failed."""
    found: tuple[int, float | None] = (0, None)
    first, size, seconds, begun = 0, 1, 0.0, 0.0
    try:
        with tempfile.TemporaryDirectory(prefix="arena-") as folder, open_pool(plan, Path(folder), 1) as pool:
            try:
                pool.submit(_load, plan).result(20 * SAMPLE_SECONDS)  # no longer for any of the bots
                begun = time.perf_counter()
                while first + size <= max(2, plan.blocks // SAMPLED) and seconds < SAMPLE_SECONDS:
                    started = time.perf_counter()
                    games = first * plan.block_games, (first + size) * plan.block_games
                    pool.submit(play_range, plan, *games).result(max(0.0, begun + 2 * SAMPLE_SECONDS - started))
                    spent = time.perf_counter() - started
                    # The first block may have loaded something: it counts only where it is all there is.
                    seconds, blocks = (seconds + spent, first + size - 1) if first else (0.0, 1)
                    found = blocks, seconds or spent
                    first += size
                    size = 2 * size if seconds < SAMPLE_SECONDS / 4 else 1
            finally:
                pool.shutdown(wait=False)
    except TimeoutError:
        return found if found[0] or not begun else (0, time.perf_counter() - begun)
    except Exception:  # a bot or its process fails: the run tells about it
        return found
    return found


def _load(plan: Plan) -> None:
    """Load what the first game would load, and start the processes of bots that play in their own."""
    table = load_table(plan)
    for entrant in table.entrants:
        if isinstance(entrant.bot, Outside):
            entrant.bot.seat_bot(table, 0, 0)
