"""What is said of a run before it is played: its plan in words, and about how long it will take."""

import logging
import multiprocessing
import os
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from arena.engine.bots import Outside
from arena.runs.processes import available_cores, forking, start_method
from arena.runs.worker import begin, load_table, play_range
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
    """A time with as many digits as an estimate deserves."""
    for unit, length in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 1.5 * length:
            count = seconds / length
            return f"{count:.0f} {unit}" if count >= 10 or unit == "min" else f"{count:.1f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 1.5 else "a second"


def _sample(plan: Plan) -> tuple[int, float | None]:
    """Blocks played and the seconds they took; no block if the first is not done in time, no seconds if it failed."""
    context: Any = multiprocessing.get_context(start_method())
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_play_sample, args=(plan, sender), daemon=True)
    with forking():
        process.start()
    sender.close()
    found: tuple[int, float | None] = (0, None)
    begun, end = 0.0, time.perf_counter() + 20 * SAMPLE_SECONDS  # to load the bots; no longer for any of them
    try:
        while receiver.poll(max(0.0, end - time.perf_counter())):
            found = receiver.recv()
            if not begun:
                begun = time.perf_counter()
                end = begun + 2 * SAMPLE_SECONDS
        if begun and not found[0]:
            found = 0, time.perf_counter() - begun
    except EOFError:  # it has ended: done, or a bot ended it
        pass
    finally:
        process.kill()
        process.join()
    return found


def _play_sample(plan: Plan, sender: Connection) -> None:
    begin(Path(os.devnull), Path(os.devnull))
    logging.getLogger("arena").setLevel(logging.CRITICAL)
    table = load_table(plan)
    for entrant in table.entrants:
        if isinstance(entrant.bot, Outside):
            entrant.bot.seat_bot(table, 0, 0)  # starts its process, which is not to count
    sender.send((0, None))
    first, size, seconds = 0, 1, 0.0
    while first + size <= max(2, plan.blocks // SAMPLED) and seconds < SAMPLE_SECONDS:
        begun = time.perf_counter()
        play_range(plan, first * plan.block_games, (first + size) * plan.block_games)
        spent = time.perf_counter() - begun
        if first == 0:  # it may have loaded something: it counts only where it is all there is
            sender.send((1, spent))
        else:
            seconds += spent
            sender.send((first + size - 1, seconds))
        first += size
        size = 2 * size if seconds < SAMPLE_SECONDS / 4 else 1
