"""A whole tournament from request to run directory: planned, compiled and played."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from arena.boards.spec import MapSpec
from arena.engine.bots import Entrant
from arena.engine.external import isolated
from arena.errors import ArenaError, BrokenGame, StoppedAtFault, UsageError
from arena.runs.collector import earlier_chunks
from arena.runs.compile import compile_all
from arena.runs.prepare import Prepared, make_plan
from arena.runs.preview import expected_time, plan_lines
from arena.runs.processes import available_cores
from arena.runs.runner import play_plan
from arena.runs.worker import Chunk
from arena.store import run_directory
from arena.store.ranges import Range
from arena.store.reader import Recorded
from arena.tournament.plan import Plan
from arena.tournament.request import Request

Display = Callable[[Plan, Range, Iterable[Chunk]], AbstractContextManager[Callable[[Chunk], None]]]
"""Shows how the games of a range stand: it may look at those that are on disk, and is told of each further chunk."""


class Played(NamedTuple):
    """How much of a run is on disk after a session."""

    run: Path
    plan: Plan
    games: int
    """How many the plan, or the shard of it that the run is for, has."""
    recorded: int
    """Games of these on disk: fewer if the user has interrupted the run."""

    @property
    def is_complete(self) -> bool:
        """Whether no game is missing."""
        return self.recorded == self.games


def no_display(plan: Plan, games: Range, earlier: Iterable[Chunk]) -> AbstractContextManager[Callable[[Chunk], None]]:
    """Show nothing."""
    return nullcontext(lambda chunk: None)


def play_tournament(
    request: Request, say: Callable[[str], None], display: Display, prepared: Prepared | None = None
) -> Played:
    """Play it into a new run directory.

    `say` is told the plan before anything is played. prepared: what `make_plan` has made of the request, if it was
    called already. UsageError for what does not fit, ArenaError if a disk or a worker fails.
    """
    shard = run_directory.PlanShard.parse(request.shard) if request.shard else None
    out = Path(request.out) if request.out else None
    plan, spec, entrants = prepared or make_plan(request)
    games = shard.games(plan) if shard else (0, plan.games)
    run_directory.refuse_existing(out)
    for line in plan_lines(plan, request.games):
        say(line)
    if shard:
        say(f"Part {shard}: games {games[0]:,} to {games[1] - 1:,}.")
    jobs = get_ready(plan, spec, entrants, request.jobs, games[1] - games[0], say)
    run = run_directory.create(out, plan, shard)
    with run_directory.one_writer(run):
        return play_out(run, plan, jobs, say, display)


def get_ready(
    plan: Plan, spec: MapSpec, entrants: Sequence[Entrant], jobs: int | None, games: int, say: Callable[[str], None]
) -> int:
    """Compile everything and say how long so many games will take; the number of processes, by default one a core."""
    compile_all(entrants, spec, plan.players, say)
    if plan.limits.isolate:
        for line in isolated.notes(entrants):
            say(line)
    jobs = jobs or available_cores()
    if expected := expected_time(plan, jobs, games):
        say(expected)
    return jobs


def play_out(run: Path, plan: Plan, jobs: int, say: Callable[[str], None], display: Display) -> Played:
    """Play what is missing in a run directory, as its only writer."""
    games = run_directory.games_for(run, plan)
    try:
        with display(plan, games, earlier_chunks(run, plan, games)) as progress:
            play_plan(plan, run, jobs, progress, say, games)
    except BrokenGame as error:  # what would mend it gives the plan another digest: nothing resumes this run
        raise ArenaError(f"{error}, with what `arena replay {quote(str(run))} {error.game}` tells") from None
    except ArenaError as error:
        if isinstance(error, (StoppedAtFault, UsageError)) or not (run / "plan.json").exists():
            raise
        raise ArenaError(f"{error}; once that is fixed, `arena resume {quote(str(run))}` plays the rest") from None
    return played_in(run, plan)


def played_in(run: Path, plan: Plan) -> Played:
    """How much of what a run directory is for is there."""
    first, last = run_directory.games_for(run, plan)
    missing = sum(end - begin for begin, end in Recorded.of(run, plan).missing(first, last))
    return Played(run, plan, last - first, last - first - missing)
