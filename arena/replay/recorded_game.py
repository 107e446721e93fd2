"""A game of a run directory, played again and held against its record."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from arena import catalog
from arena.engine.bots import Outside, is_repeatable
from arena.engine.external.isolated import described
from arena.engine.faults import Fault, must_be_booked
from arena.engine.loop import FAULT_PROBATION, FAULTS
from arena.engine.table import Entrant
from arena.errors import ArenaError, UsageError
from arena.replay.answers import AnswersTable
from arena.replay.deck import Event
from arena.replay.events import setup_event
from arena.rules.compiler.digests import rules_digest
from arena.runs.compile import warm_up
from arena.runs.prepare import not_here
from arena.store.fault_log import FILE, read_faults
from arena.store.reader import Recorded
from arena.store.run_directory import read_plan
from arena.store.seat_tables import seat_table
from arena.tournament.deals import game_words
from arena.tournament.plan import GameSpec, Plan

Row = dict[str, Any]

MOST_DIFFERENCES = 4
"""That are named in a sentence."""


@dataclass(frozen=True)
class Replay:
    """A game of a run, played again."""

    events: list[Event]
    """All of them, `setup` first."""
    faults: list[Fault]
    difference: str
    """In a sentence, how it differs from the game that was recorded, and why it may, or what is broken; else empty."""
    notes: tuple[str, ...]
    """What should be known besides."""


def replay(run: Path, number: int, say: Callable[[str], None], *, live: bool = False) -> Replay:
    """Play a game of a run again.

    live: no fault of then is booked beforehand, all bots are asked but those on probation. UsageError if it is no run
    directory or has no such game, ArenaError if its map is another one by now, a file is damaged, or the game is broken
    so that it cannot be told.
    """
    plan = read_plan(run)
    if not 0 <= number < plan.games:
        raise UsageError(f"game {number} is out of range: {run} has games 0 to {plan.games - 1}")
    game = plan[number]
    try:
        spec = catalog.load_map(plan.map, plan.settings)
        pool = catalog.load_entrants(plan.bots, isolate=plan.limits.isolate and not live)
    except UsageError as error:
        raise not_here(error, plan) from None
    if spec.digest != plan.identity.get("map", spec.digest):
        raise ArenaError(f"map {plan.map} has changed since {run} was played on it: its games cannot be played again")
    recorded = recorded_rows(run, plan, number)
    forced = known_faults(run, number, recorded or (), live)
    # A machine that is slower today than the one that played makes no new faults.
    limits = replace(plan.limits, isolate=False) if live else replace(plan.limits, move_time=0.0, game_time=0.0)
    lineup = [pool[index] for index in game.seating]
    try:
        if limits.isolate:
            lineup = described(lineup, limits.memory)
        warm_up(lineup, spec, plan.players, say)
        table = AnswersTable(spec, plan.players, lineup, limits)
        table.game = number
        played = table.play_again(game_words(plan, np.array([number])), forced)
    finally:
        for entrant in lineup:
            if isinstance(entrant.bot, Outside):
                entrant.bot.close()
    names = [plan.names[index] for index in game.seating]
    setup = setup_event(
        game=number, deal=game.deal, seed=plan.seed, names=names, map_name=plan.map, spec=spec, settings=plan.settings
    )
    rows = rows_of(plan, number, np.array([played.outcome], played.outcome.dtype))
    changed = changes(plan, game, lineup)
    if played.broken:
        return Replay([setup, *played.events], played.faults, played.broken, tuple(changed))
    if recorded is None:
        notes = [f"{run} has no record of game {number}: there is nothing to compare with", *changed]
        return Replay([setup, *played.events], played.faults, "", tuple(notes))
    different = differences(recorded, rows)
    if not different:
        return Replay([setup, *played.events], played.faults, "", tuple(changed))
    clocks = [
        f"{entrant.name} plays by the clock" for entrant in lineup if not is_repeatable(entrant.bot, entrant.parameters)
    ]
    reason = "; ".join(changed + clocks) or "a bot decides by more than its view and luck: the clock or earlier games"
    sentence = f"game {number} was not played as it is recorded: {different} ({reason})"
    return Replay([setup, *played.events], played.faults, sentence, ())


def recorded_rows(run: Path, plan: Plan, number: int) -> list[Row] | None:
    """The seat rows of a game; None if it was not recorded, ArenaError if its file is damaged."""
    outcomes, there = Recorded.of(run, plan).load(number, number + 1)
    return rows_of(plan, number, outcomes) if there[0] else None


def rows_of(plan: Plan, number: int, outcomes: np.ndarray) -> list[Row]:
    """The seat rows of a game by its outcome, OUTCOME [1]."""
    rows: list[Row] = seat_table(plan, number, outcomes).to_pylist()
    return rows


def known_faults(run: Path, number: int, recorded: Sequence[Row], live: bool) -> list[Fault]:
    """What must be booked beforehand: bots that were not asked any more and, unless live, faults that need not recur.

    ArenaError if `faults.jsonl` does not say when one happened.
    """
    lines = {} if live else {fault["seat"]: fault for fault in read_faults(run, [(number, number + 1)])}
    found = []
    for row in recorded:
        seat, kind = row["seat"], row["fault"]
        if kind == FAULTS[FAULT_PROBATION]:
            found.append(Fault(seat, kind, "", 0))
        elif must_be_booked(kind) and not live:
            if seat not in lines:
                raise ArenaError(
                    f"{run / FILE} does not say when seat {seat} of game {number} came to its fault, {kind}; "
                    "--live asks all bots again"
                )
            found.append(Fault(seat, kind, lines[seat]["reason"], lines[seat]["decision"]))
    return found


def changes(plan: Plan, game: GameSpec, lineup: Sequence[Entrant]) -> list[str]:
    """What is not any more what it was when the plan was made, in words."""
    found = []
    if plan.identity.get("rules", rules_digest()) != rules_digest():
        found.append("the rules have changed since")
    then = plan.identity.get("bots", {})
    for index, entrant in zip(game.seating, lineup, strict=True):
        name = plan.names[index]
        if then.get(name, entrant.digest) != entrant.digest:
            found.append(f"the code of {name} has changed since")
    return found


def differences(recorded: Sequence[Row], rows: Sequence[Row]) -> str:
    """In which numbers two games differ, in words; empty if in none."""
    found = [
        f"{name} of seat {then['seat']} ({then['bot']}) is {now[name]}, not {then[name]}"
        for then, now in zip(recorded, rows, strict=True)
        for name in now
        if then.get(name) != now[name]
    ]
    more = len(found) - MOST_DIFFERENCES
    return ", ".join(found[:MOST_DIFFERENCES]) + (f", and {more} more" if more > 0 else "")
