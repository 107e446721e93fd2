"""A game of a run directory, played again and compared with its record."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from arena import catalog
from arena.engine.bots import Entrant, Outside, is_repeatable
from arena.engine.external.isolated import described
from arena.engine.faults import BY_MACHINE, Fault
from arena.errors import ArenaError, UsageError
from arena.replay.answers import AnswersTable
from arena.replay.deck import Event
from arena.replay.events import setup_event
from arena.replay.record import (
    Difference,
    Rows,
    differences,
    known_faults,
    rows_of_outcomes,
    without_clock,
)
from arena.rules.compiler.digests import rules_digest
from arena.runs.compile import compile_all
from arena.runs.prepare import not_here
from arena.store.fault_log import FILE, fault_of, read_faults
from arena.store.reader import Recorded
from arena.store.run_directory import read_plan
from arena.tournament.identity import Identity
from arena.tournament.plan import Plan
from arena.tournament.schedule import GameSpec, game_deals

MOST_DIFFERENCES = 4
"""How many differences a sentence names."""


@dataclass(frozen=True)
class Replay:
    """A game of a run, played again."""

    events: list[Event]
    """All of them, `setup` first."""
    faults: list[Fault]
    difference: str
    """A sentence that says how the game differs from its record, and why it may, or what is broken; else empty."""
    notes: tuple[str, ...]
    """What else a reader should know, a sentence each."""


def replay(run: Path, number: int, say: Callable[[str], None], *, live: bool = False) -> Replay:
    """Play a game of a run again.

    live: recorded faults are not attributed beforehand, and all bots are asked except those on probation. UsageError if
    this is not a run directory or has no such game; ArenaError if its map has changed, if a file is damaged, or if the
    game is so broken that it cannot be told.
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
    if plan.identity.differences(Identity(map=spec.digest)).parts:
        raise ArenaError(f"map {plan.map} has changed since {run} was played on it: its games cannot be played again")
    recorded = recorded_rows(run, plan, number)
    forced = faults_beforehand(run, number, recorded, live) if recorded else []
    limits = replace(plan.limits, isolate=False) if live else without_clock(plan.limits)
    lineup = [pool[index] for index in game.seating]
    try:
        if limits.isolate:
            lineup = described(lineup, limits.memory)
        compile_all(lineup, spec, plan.players, say)
        table = AnswersTable(spec, plan.players, lineup, limits)
        table.game = number
        played = table.play_again(game_deals(plan, np.array([number])), forced)
    finally:
        for entrant in lineup:
            if isinstance(entrant.bot, Outside):
                entrant.bot.close()
    names = [plan.names[index] for index in game.seating]
    setup = setup_event(
        game=number, deal=game.deal, seed=plan.seed, names=names, map_name=plan.map, spec=spec, settings=plan.settings
    )
    events = [setup, *played.events]
    changed = changes(plan, game, lineup)
    if played.broken:
        return Replay(events, played.faults, played.broken, tuple(changed))
    if recorded is None:
        note = f"{run} has no record of game {number}: there is nothing to compare with"
        return Replay(events, played.faults, "", (note, *changed))
    games = np.array([number])
    rows = rows_of_outcomes(plan, games, np.array([played.outcome], played.outcome.dtype))
    different = in_words(list(differences(plan, games, recorded, rows)), names)
    if not different:
        return Replay(events, played.faults, "", tuple(changed))
    clocks = [
        f"{entrant.name} plays by the clock" for entrant in lineup if not is_repeatable(entrant.bot, entrant.parameters)
    ]
    guess = "a bot decides by more than its view and random state: the clock or earlier games"
    reason = "; ".join(changed + clocks) or guess
    sentence = f"game {number} did not go as it is recorded: {different} ({reason})"
    return Replay(events, played.faults, sentence, ())


def recorded_rows(run: Path, plan: Plan, number: int) -> Rows | None:
    """The rows of a game; None if it was not recorded, ArenaError if its file is damaged."""
    outcomes, there = Recorded.of(run, plan).load(number, number + 1)
    return rows_of_outcomes(plan, np.array([number]), outcomes) if there[0] else None


def faults_beforehand(run: Path, number: int, recorded: Rows, live: bool) -> list[Fault]:
    """Bots that were not asked any more and, unless live, faults that need not happen again.

    ArenaError if `faults.jsonl` does not say when one happened.
    """
    lines = [] if live else [fault_of(line) for line in read_faults(run, [(number, number + 1)])]
    attributed = []
    for fault in known_faults(np.array([number]), recorded, {number: lines}).get(number, ()):
        if fault.kind in BY_MACHINE:
            if live:
                continue
            if fault.seat not in [line.seat for line in lines]:
                raise ArenaError(
                    f"{run / FILE} does not say when seat {fault.seat} of game {number} had its fault, "
                    f"{fault.kind}; --live asks all bots again"
                )
        attributed.append(fault)
    return attributed


def changes(plan: Plan, game: GameSpec, lineup: Sequence[Entrant]) -> list[str]:
    """What is not any more what it was when the plan was made, in words."""
    bots = {plan.names[index]: entrant.digest for index, entrant in zip(game.seating, lineup, strict=True)}
    changed = plan.identity.differences(Identity(rules=rules_digest(), bots=bots))
    rules = [f"the {part} have changed since" for part in changed.parts]
    return rules + [f"the code of {name} has changed since" for name in bots if name in changed.bots]


def in_words(differing: Sequence[Difference], names: Sequence[str]) -> str:
    """The numbers in which a game differs, seat by seat; empty if there are none. names: those of the bots, by seat."""
    told = [
        f"{column} of seat {seat} ({names[seat]}) is {now}, not {then}"
        for _, seat, column, then, now in sorted(differing, key=lambda difference: difference.seat)
    ]
    more = len(told) - MOST_DIFFERENCES
    return ", ".join(told[:MOST_DIFFERENCES]) + (f", and {more} more" if more > 0 else "")
