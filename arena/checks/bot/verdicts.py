"""From what was observed in games to a verdict on each point, in a sentence."""

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from arena.boards.spec import MapSpec
from arena.catalog import load_map
from arena.checks.bot.fresh_process import Fresh
from arena.checks.bot.games import EVERY_SEAT, Game, again
from arena.checks.findings import NOTE, OK, PROBLEM, Finding
from arena.engine.bots import Entrant, Policy
from arena.engine.faults import WROTE_BOARD, WROTE_STATE, describe_code
from arena.engine.table import Table
from arena.rules.deal import make_deals
from arena.rules.state import PHASES

WROTE = {WROTE_BOARD: "the board", WROTE_STATE: "the state of the game"}
"""What a compiled bot may have written into, by the reason of its fault."""


def unchecked(names: Sequence[str], why: str) -> list[Finding]:
    """Points that were not looked at."""
    return [Finding(name, NOTE, f"Not checked: {why}.") for name in names]


def legal(entrant: Entrant, games: Sequence[Game], where: str) -> Finding:
    """Whether every answer was a legal action, and none an exception."""
    faulty = [game for game in games if game.watched.fault and game.watched.fault.reason not in WROTE]
    decisions = sum(len(game.watched.decisions) for game in games)
    command = again(entrant, faulty[0].key) if faulty else ""
    passed = f"{len(games)} games on {where}, {decisions:,} decisions: no fault."
    return _verdict("legal", len(games), passed, "games with a fault", [game.fault for game in faulty], command)


def view_untouched(games: Sequence[Game]) -> Finding:
    """Whether view, actions and board were left as they were handed out."""
    cases = []
    for game in games:
        written = [f"view.{name}" if name.isidentifier() else name for name in dict.fromkeys(game.watched.changed)]
        if game.watched.fault and game.watched.fault.reason in WROTE:
            written.append(WROTE[game.watched.fault.reason])
        if written:
            cases.append(f"{game.key}: wrote into {' and '.join(written)}")
    passed = "The bot changed neither view nor actions nor board."
    return _unless_all_faulty("view", games, passed, "games in which the bot changed what it was shown", cases)


def own_chance(games: Sequence[Game]) -> Finding:
    """Whether no generator was used that the whole process shares."""
    cases = [f"{game.key}: used {' and '.join(game.touched)}" for game in games if game.touched]
    failed = "games with chance from outside of `self.rng` and `random_state`"
    return _unless_all_faulty("chance", games, "It used no random numbers but its own.", failed, cases)


def same(name: str, games: Sequence[Game], others: Sequence[Game], when: str) -> Finding:
    """Whether the games that were played again took the same course."""
    first = {game.key: game for game in games}
    cases = [text for other in others if (text := difference(first[other.key], other, when))]
    passed = f"{len(others)} games went the same way {when}."
    return _unless_all_faulty(name, others, passed, f"games that went differently {when}", cases)


def difference(one: Game, two: Game, when: str) -> str:
    """Where the second game leaves the course of the first; empty if nowhere."""
    for number, (a, b) in enumerate(zip(one.watched.decisions, two.watched.decisions, strict=False)):
        if a != b:
            change = f"{describe_code(a.action)}, {when} {describe_code(b.action)}"
            return f"{one.key}, decision {number} (phase {PHASES[a.phase]}): {change}"
    if one.fault != two.fault or len(one.watched.decisions) != len(two.watched.decisions):
        return f"{one.key}: it ends differently {when} ({two.fault or 'without a fault'})"
    return ""


def in_bounds(entrant: Entrant, fresh: Fresh) -> Finding:
    """Whether the compiled code stays within its arrays."""
    if fresh.died:
        return Finding("bounds", PROBLEM, f"The process with bounds checks ended: {fresh.died}.")
    faulty = [game for game in fresh.games if "IndexError" in game.fault]
    faults = [f"{game.fault} (with NUMBA_DISABLE_JIT=1 it names line and index)" for game in faulty]
    command = f"NUMBA_DISABLE_JIT=1 {again(entrant, faulty[0].key)}" if faulty else ""
    passed = f"{len(fresh.games)} games with bounds checks: every index in range."
    return _verdict("bounds", len(fresh.games), passed, "games with an index out of bounds", faults, command)


def memory(fresh: Fresh) -> Finding:
    """The memory of a process that only played."""
    if fresh.peak is None or fresh.growth is None:
        return Finding("memory", NOTE, "Not measured: this system does not report the peak of a process.")
    peak, growth = (number / 2**20 for number in (fresh.peak, fresh.growth))
    text = f"{growth:.0f} MB for {len(fresh.games)} games; the process held {peak:.0f} MB at its peak."
    return Finding("memory", NOTE, text, {"peak_bytes": fresh.peak, "growth_bytes": fresh.growth})


def time_of(entrant: Entrant, games: Sequence[Game]) -> Finding:
    """Wall time of a decision, asked for one by one; of a compiled bot also within the game loop."""
    seconds = [second for game in games for second in game.watched.seconds]
    median, p95, mean = (*np.percentile(seconds, (50, 95)).tolist(), float(np.mean(seconds))) if seconds else (0.0,) * 3
    numbers = {"median_seconds": median, "p95_seconds": p95, "mean_seconds": mean}
    text = f"median {in_units(median)}, p95 {in_units(p95)}, mean {in_units(mean)} a decision"
    if isinstance(entrant.bot, Policy) and not any(game.watched.fault for game in games):
        in_loop = seconds_in_the_loop(entrant, next(game for game in games if game.key.seat == EVERY_SEAT))
        numbers["loop_mean_seconds"] = in_loop
        text += f" called from Python; mean {in_units(in_loop)} in the compiled loop, the rules included"
    return Finding("time", NOTE, f"{text}.", numbers)


def seconds_in_the_loop(entrant: Entrant, game: Game) -> float:
    """Seconds a decision, rules included, of a game against itself in compiled code."""
    spec: MapSpec = load_map(game.key.map)
    table = Table(spec, game.key.seats, [entrant])

    def spent(games: int) -> float:
        deals = make_deals(1, [game.key.deal] * games)
        begun = perf_counter()
        table.play(np.zeros((games, game.key.seats), np.int64), deals)
        return perf_counter() - begun

    spent(1)
    games = int(min(1000, max(1, 0.2 / spent(1))))
    return spent(games) / games / max(1, len(game.watched.decisions))


def in_units(seconds: float) -> str:
    """A short time with a unit that fits: three digits at most before the point."""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "us")):
        if seconds * factor >= 1 or unit == "us":
            return f"{seconds * factor:.3g} {unit}" if seconds * factor < 100 else f"{seconds * factor:.0f} {unit}"
    raise AssertionError


def _unless_all_faulty(name: str, games: Sequence[Game], passed: str, failed: str, cases: Sequence[str]) -> Finding:
    """The verdict on a point; games that all break off in a fault do not speak for it."""
    if not cases and all(game.fault for game in games):
        return Finding(name, NOTE, f"Not checked: all {len(games)} games ended in a fault.")
    return _verdict(name, len(games), passed, failed, cases)


def _verdict(name: str, played: int, passed: str, failed: str, cases: Sequence[str], again: str = "") -> Finding:
    """Whether nothing was found; else in how many games, and the first one in full."""
    if not cases:
        return Finding(name, OK, passed)
    text = f"{len(cases)} of {played} {failed}. First: {cases[0]}"
    return Finding(name, PROBLEM, text, {"found": list(cases[:20])}, again)
