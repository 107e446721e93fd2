"""`arena resume` and `arena extend`: play what is missing of a run, or more of the same."""

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from itertools import chain, count
from pathlib import Path

from arena.boards.spec import MapSpec
from arena.engine.bots import Entrant
from arena.errors import ArenaError, UsageError
from arena.files import PARTS, make_folder, remove
from arena.runs.collector import Collector
from arena.runs.pool import OUTPUTS
from arena.runs.prepare import make_plan, not_here
from arena.runs.session import Display, Played, get_ready, play_out, played_in
from arena.store import run_directory
from arena.store.arrow import OF_ANOTHER_PLAN
from arena.store.detail_tables import FOLDER, detail_path
from arena.store.fault_log import tidy_faults
from arena.store.ranges import named_games, size
from arena.store.reader import Recorded
from arena.store.seat_tables import check_shard, remove_shard
from arena.tournament.identity import SOURCES
from arena.tournament.plan import Plan

SET_ASIDE = "damaged"
"""The folder in a run directory that keeps damaged files."""
VERSIONS = {"python": "Python", "numba": "Numba", "numpy": "NumPy", "pyarrow": "PyArrow"}

Say = Callable[[str], None]


def resume_run(run: Path, jobs: int | None, say: Say, display: Display) -> Played:
    """Play exactly what is missing in a run directory.

    UsageError if it is not a run directory, or if bots, map or arena have changed since it was begun; ArenaError if
    somebody else is playing it, or a disk or a worker fails.
    """
    plan = run_directory.read_plan(run)
    if _is_finished(run, plan):
        say(f"{run} is complete: nothing is missing.")
        return played_in(run, plan)
    # Killed, or damaged, after the last game?
    if not Recorded.of(run, plan).missing(*run_directory.games_for(run, plan)):
        with run_directory.one_writer(run):
            tidy(run, plan, say)
            if played_in(run, plan).is_complete:
                collector = Collector(run, plan, run_directory.games_for(run, plan))
                collector.finish()  # whole shards of pieces, and a session that knows of all games
                session = run_directory.Session.now()._replace(recorded=size(collector.ranges()))
                run_directory.add_session(run, session)
                say(f"{run} is complete: nothing is missing.")
                return played_in(run, plan)
    spec, entrants = same_bots(plan, say)
    with run_directory.one_writer(run):
        return _play_rest(run, run_directory.read_plan(run), spec, entrants, jobs, say, display)


def extend_run(run: Path, games: int, jobs: int | None, say: Say, display: Display) -> Played:
    """Make the plan of a run larger, to `games` in all, and play what is missing; errors as of `resume_run`.

    The larger plan begins with the same games. What it leaves on disk is what it would be without the smaller one.
    """
    plan = run_directory.read_plan(run)
    if shard := run_directory.read_plan_shard(run, plan):
        raise UsageError(f"{run} is part {shard} of its plan: merge the parts first (arena merge), then extend the run")
    larger = Plan.of_size(**{field.name: getattr(plan, field.name) for field in fields(plan)} | {"games": games})
    if larger.games <= plan.games:
        raise UsageError(f"--games {games} is the new total, but {run} has {plan.games:,} games planned already")
    if replace(larger, games=plan.games) != plan:
        raise UsageError(f"{run} cannot be extended: a plan of {larger.games:,} games would begin with other games")
    spec, entrants = same_bots(plan, say)
    with run_directory.one_writer(run):
        if run_directory.read_plan(run) != plan:
            raise ArenaError(f"{run} has just been extended by another process")
        tidy(run, plan, say)  # before the switch: after it, all that is there counts as pieces of the larger plan
        run_directory.write_plan(run, larger)
        say(f"{plan.games:,} games become {larger.games:,}.")
        return _play_rest(run, larger, spec, entrants, jobs, say, display)


def _play_rest(
    run: Path, plan: Plan, spec: MapSpec, entrants: Sequence[Entrant], jobs: int | None, say: Say, display: Display
) -> Played:
    """Tidy up and play what is missing, as the only writer."""
    tidy(run, plan, say)
    there = played_in(run, plan)
    missing = there.games - there.recorded
    say(f"{there.recorded:,} of {there.games:,} games are there: playing the other {missing:,}.")
    jobs = get_ready(plan, spec, entrants, jobs, missing, say)
    return play_out(run, plan, jobs, say, display)


def _is_finished(run: Path, plan: Plan) -> bool:
    """Whether all games are there, and all files as a finished session leaves them."""
    recorded = Recorded.of(run, plan)
    first, last = run_directory.games_for(run, plan)
    if recorded.missing(first, last) or recorded.strangers or recorded.leftovers:
        return False
    if (first, last) == (0, plan.games) and recorded.pieces:
        return False
    # If it is not told, the last session was killed at its end.
    is_told = run_directory.read_times(run).get("recorded") == recorded.games
    return is_told and not any(check_shard(segment.path, plan) for segment in recorded.segments)


def tidy(run: Path, plan: Plan, say: Say) -> None:
    """Delete what a killed process left half done, and set aside what is damaged: its games will be played again.

    ArenaError if no file is of this plan: then it is the plan that is not right.
    """
    folders = [run / "seats", *([run / FOLDER] if plan.detail else [])]
    for folder in folders:
        make_folder(folder)
    for folder in (run, *folders):
        for file in folder.glob(PARTS):
            remove(file)
    shutil.rmtree(run / OUTPUTS, ignore_errors=True)
    recorded = Recorded.of(run, plan)
    for path in recorded.leftovers:
        remove_shard(path)
    paths = sorted({segment.path for segment in recorded.segments} | set(recorded.strangers))
    problems = {path: problem for path in paths if (problem := check_shard(path, plan))}
    foreign = [problem for problem in problems.values() if OF_ANOTHER_PLAN in problem]
    if foreign and len(problems) == len(paths):
        raise ArenaError(f"{run / 'plan.json'} is not the plan that was played here: {foreign[0]}")
    for path, problem in problems.items():
        kept = _set_aside(run, path)
        remove(detail_path(path))  # both are written again
        say(f"{problem}; it is kept in {kept}, and its games are played again.")
    for path in (run / FOLDER).glob("*.parquet"):
        if named_games(plan, path) and not (run / "seats" / path.name).exists():
            remove(path)  # the process was killed between the two files of a shard
    tidy_faults(run, Recorded.of(run, plan).ranges)


def _set_aside(run: Path, path: Path) -> Path:
    """Move a file into a folder of its own, under a name that nothing has there."""
    names = chain([path.name], (f"{number}-{path.name}" for number in count(2)))
    target = next(run / SET_ASIDE / name for name in names if not os.path.lexists(run / SET_ASIDE / name))
    try:
        target.parent.mkdir(exist_ok=True)
        path.rename(target)
    except OSError as error:
        raise ArenaError(f"cannot set {path} aside: {error.strerror or error}") from None
    return target


def same_bots(plan: Plan, say: Say) -> tuple[MapSpec, list[Entrant]]:
    """The map and the bots of a plan; UsageError if they, or the arena, are not those that it was made with."""
    try:
        now, spec, entrants = make_plan(plan.request)
    except UsageError as error:
        raise not_here(error, plan) from None
    if changed := changes(plan, now):
        raise UsageError(changed)
    names = [VERSIONS[part] for part in plan.identity.differences(now.identity).parts if part in VERSIONS]
    if names:
        bytes_too = ", though perhaps not the same bytes of the files" if "PyArrow" in names else ""
        say(f"Begun with another {' and '.join(names)}: the games and their numbers are the same{bytes_too}.")
    return spec, entrants


def changes(plan: Plan, now: Plan) -> str:
    """Why the games of a plan cannot be played here and now, in one sentence; empty if they can."""
    found = plan.differences(now)
    if not found:
        return ""
    changed = plan.identity.differences(now.identity)
    then = plan.identity.arena or "?"
    if own := [SOURCES[part] for part in ("rules", "engine") if part in changed.parts]:
        return f"this is {' and '.join(own)} than the run was begun with ({then}): use that one, or start a new run"
    bots = [name for name in plan.names if name in changed.bots]
    what = f"bot {' and bot '.join(bots)}" if bots else f"the map {plan.map}"
    if not bots and "map" not in changed.parts:
        return f"the run was begun otherwise than it would be now: {'; '.join(found)}"
    return (
        f"{what} {'have' if len(bots) > 1 else 'has'} changed since the run was begun, and games of two versions must "
        f"not be mixed: undo the change, or play a new run: {plan.command}"
    )
