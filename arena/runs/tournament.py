"""A whole tournament: planned, compiled, played into its run directory."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from arena import records
from arena.limits import Limits
from arena.plan import Plan, Settings
from arena.runs.pool import available_cores
from arena.runs.preview import expected_time, plan_lines
from arena.runs.runner import play_plan
from arena.runs.start import make_plan, warm_up
from arena.runs.worker import Chunk

Display = Callable[[Plan], AbstractContextManager[Callable[[Chunk], None]]]
"""Shows how a run stands: it is told of each chunk."""


@dataclass(frozen=True)
class Request:
    """What a user asks for; the words are those of the command line."""

    bots: Sequence[str]
    map: str
    players: int | None
    games: int
    seed: int
    format: str
    seating: str
    design: str | None
    settings: Settings
    limits: Limits
    jobs: int | None
    out: Path | None


def no_display(plan: Plan) -> AbstractContextManager[Callable[[Chunk], None]]:
    """Show nothing."""
    return nullcontext(lambda chunk: None)


def play_tournament(request: Request, say: Callable[[str], None], display: Display) -> tuple[Path, Plan, int]:
    """Play it; the run directory, the plan and how many games were played, fewer than planned after an interrupt.

    `say` is told the plan before anything is played. UsageError for what does not fit, ArenaError if a disk or a
    worker fails.
    """
    plan, spec, entrants = make_plan(
        request.bots, request.map, request.players, request.games, request.seed, request.settings, request.format,
        request.seating, request.design, request.limits,
    )  # fmt: skip
    records.refuse_existing(request.out)
    for line in plan_lines(plan, request.games):
        say(line)
    warm_up(entrants, spec, plan.players, say)
    jobs = request.jobs or available_cores()
    if expected := expected_time(plan, jobs):
        say(expected)
    directory = records.create(request.out, plan)
    with display(plan) as progress:
        played = play_plan(plan, directory, jobs, progress, say)
    return directory, plan, played
