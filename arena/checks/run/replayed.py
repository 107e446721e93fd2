"""Whether a sample of games, played again, gives the same rows."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from arena.checks.findings import Complaint, Finding, judged
from arena.checks.run.details import different_details
from arena.checks.run.installed import Installed
from arena.engine.external.launch import hide
from arena.engine.faults import BY_MACHINE, Fault
from arena.replay.in_workers import Again, play_again
from arena.replay.record import Rows, differences, known_faults, rows_of_outcomes
from arena.runs.compile import compile_all
from arena.texts import Say, counted
from arena.tournament.plan import Plan


def replay_sample(
    run: Path, plan: Plan, installed: Installed, games: np.ndarray, rows: Rows, logs: np.ndarray,
    attributed: Mapping[int, Sequence[Fault]], jobs: int, say: Say, tell: Callable[[int], None],
) -> tuple[Finding, int]:  # fmt: skip
    """Play the sample again and hold it against its rows; and the number of games with faults of the machine.

    These faults are taken as recorded: nothing says whether they would happen again.
    """
    if not len(games) or installed.spec is None:
        return judged("sample", "none replayed."), 0
    bots = [index for index in sorted(installed.entrants) if index not in installed.by_clock]
    compile_all([installed.entrants[index] for index in bots], installed.spec, plan.players, say)
    hide(run)
    known = known_faults(games, rows, attributed)
    again = play_again(plan, bots, games, known, jobs, tell)
    lost = [Complaint(f"game {game} cannot be played again: {why}", game) for game, why in sorted(again.lost.items())]
    different = [*compared(plan, games, rows, again), *_faults_compared(again, attributed)]
    told = {complaint.game for complaint in different}
    there = np.isin(games, again.games)
    others = different_details(games[there], logs[there], again.outcomes)
    different += [complaint for complaint in others if complaint.game not in told]
    text = f"{counted(len(games), 'game')} replayed"
    if not different and not lost:
        text += ", all fields equal"
    elif suspect := _suspect(plan, games, {complaint.game for complaint in different}):
        text += (
            f"; {suspect} sits in all that differ and in no other: does it play by the clock, or by chance that is not "
            "its own (docs/bots.md, repeatable)?"
        )
    believed = sum(any(fault.kind in BY_MACHINE for fault in found) for found in known.values())
    if believed:
        text += f"; in {believed:,} of them faults of time, memory or a dead process are taken as recorded"
    return judged("sample", f"{text}.", [*different, *lost]), believed


def _suspect(plan: Plan, games: np.ndarray, different: set[int | None]) -> str:
    """The bot that sits in all games that differ, and in no other, if there is just one."""
    there = np.array([game in different for game in games.tolist()])
    if not there.any():
        return ""
    seatings = np.array([plan[game].seating for game in games.tolist()])
    suspects = [name for index, name in enumerate(plan.names) if np.array_equal((seatings == index).any(axis=1), there)]
    return suspects[0] if len(suspects) == 1 else ""


def compared(plan: Plan, games: np.ndarray, rows: Rows, again: Again) -> list[Complaint]:
    """The first column that differs, of each game that does."""
    there = np.isin(games, again.games)
    games, recorded = games[there], {name: rows[name][there] for name in rows}
    by_game: dict[int, Complaint] = {}
    for game, seat, column, then, now in differences(
        plan, games, recorded, rows_of_outcomes(plan, games, again.outcomes)
    ):
        text = f"game {game}, seat {seat}: {column} recorded {then}, replayed {now}"
        by_game.setdefault(game, Complaint(text, game))
    return [by_game[game] for game in sorted(by_game)]


def _faults_compared(again: Again, attributed: Mapping[int, Sequence[Fault]]) -> list[Complaint]:
    """Games whose faults come at another decision than their lines say."""
    complaints = []
    for game in again.games.tolist():
        lines = {fault.seat: fault for fault in attributed.get(game, ())}
        for fault in again.faults.get(game, ()):
            line = lines.get(fault.seat)
            if line and line.kind == fault.kind and line.decision != fault.decision:
                text = f"game {game}, seat {fault.seat}: decision of the fault recorded {line.decision}, "
                complaints.append(Complaint(f"{text}replayed {fault.decision}", game))
    return complaints
