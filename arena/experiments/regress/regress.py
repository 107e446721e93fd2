"""`regress` and `save_baseline`, as the command line and the API call them."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.engine.bots import Entrant
from arena.engine.external.command import is_command
from arena.errors import ArenaError, UsageError
from arena.experiments.regress.baseline import Baseline, check_place, read_baseline, refuse_other_rules, write_baseline
from arena.experiments.regress.command import ERROR, MOST_GAMES, again
from arena.experiments.regress.decide import Crew, Match, record, settle
from arena.experiments.regress.match import AnyBot, Cell, deals_within, entrant_of, make_cells
from arena.experiments.regress.options import Gain, check_effort, question_of, setting_of
from arena.experiments.regress.rounds import InlineExecutor
from arena.experiments.regress.verdict import Verdict
from arena.runs.compile import compile_all
from arena.runs.pool import open_pool, stop_now
from arena.runs.processes import available_cores
from arena.stats.sprt import Sprt


def silent(text: str) -> None:
    """Say nothing."""


def regress(
    candidate: AnyBot,
    against: AnyBot | Path,
    *,
    field: str | Sequence[str] = (),
    maps: str | Sequence[str] = (),
    players: int | Sequence[int] = (),
    settings: Mapping[str, int | str] | None = None,
    gain: Gain | None = None,
    no_loss: float | None = None,
    alpha: float = ERROR,
    beta: float = ERROR,
    max_games: int = MOST_GAMES,
    seed: int | None = None,
    seating: str | None = None,
    jobs: int | None = None,
    say: Callable[[str], None] = silent,
    progress: Callable[[str], None] = silent,
) -> Verdict:
    """Whether `candidate` is as strong as `against`, in its chair, on the same deals, against the same field.

    candidate, against: bots as on the command line, or a class or policy itself; against also a baseline file
    (`*.json`), which then says maps, players, field, settings, seed and seating. A class or policy itself cannot be
    loaded by another process, so everything is played in this one, where it may print, or end it. field: the other
    bots, by default the baseline itself. maps, players: every combination is played, by default the base game with 2; a
    single value need not be a list. gain: (P0, P1) or "P0,P1" in points of win share, the question whether it gained P1
    rather than P0; else no_loss: whether it lost nothing rather than so many points. UsageError for what does not fit.
    """
    question = question_of(gain, no_loss, alpha, beta)
    check_effort(jobs, max_games)
    first = entrant_of(candidate)
    given = {"field": field, "maps": maps, "players": players, "settings": settings, "seed": seed, "seating": seating}
    name = str(against) if isinstance(against, (str, Path)) else ""
    file = Path(name) if name.endswith(".json") and not is_command(name) else None
    second: Entrant | Baseline
    if file:
        second = _read(file.expanduser(), given)
        setting = second.setting
    else:
        second, setting = entrant_of(against), setting_of(given)  # type: ignore[arg-type]  # a path is refused
    match = Match(first, second, setting, question, max_games)
    cells = match.cells()
    deals_within(cells, max_games, Sprt.least)
    other = str(file) if isinstance(second, Baseline) else second
    command = again(first, other, None if file else setting, question, max_games)
    bots = [first, *([second] if isinstance(second, Entrant) else [])]
    with _crew(bots, cells, jobs, say, progress) as crew:
        if file and isinstance(second, Baseline):
            refuse_other_rules(file, second, crew.executor)
        return settle(match, cells, crew, command)


def save_baseline(
    bot: str,
    file: str | Path,
    *,
    field: str | Sequence[str],
    maps: str | Sequence[str] = (),
    players: int | Sequence[int] = (),
    settings: Mapping[str, int | str] | None = None,
    max_games: int = MOST_GAMES,
    seed: int | None = None,
    seating: str | None = None,
    jobs: int | None = None,
    say: Callable[[str], None] = silent,
    progress: Callable[[str], None] = silent,
) -> Baseline:
    """Play a bot against a field and pin it on file: what it is known by, and how it did on each deal.

    The arguments are those of `regress`; the field must be named, as the bot's own code may be another one tomorrow.
    UsageError for what does not fit, and if the file exists.
    """
    given = {"field": field, "maps": maps, "players": players, "settings": settings, "seed": seed, "seating": seating}
    setting, file = setting_of(given), Path(file)
    check_effort(jobs, max_games)
    if not setting.field:
        raise UsageError("a baseline needs opponents that stay as they are: name them with --field")
    if not isinstance(bot, str):
        raise UsageError("a baseline is saved of a bot with a name: its code must be found by other processes")
    entrant = entrant_of(bot)
    cells = make_cells(setting, entrant, None)
    deals_within(cells, max_games, Sprt.least)
    check_place(file)
    with _crew([entrant], cells, jobs, say, progress) as crew:
        baseline = record(entrant, setting, cells, max_games, crew)
    write_baseline(file, baseline)
    return baseline


def _read(file: Path, given: Mapping[str, Any]) -> Baseline:
    """A baseline that a test can be made with; UsageError if it says what is asked for otherwise, or too little."""
    baseline = read_baseline(file)
    if named := [name for name, value in given.items() if value not in (None, (), {}, [])]:
        raise UsageError(f"{file} says the {named[0]} itself: leave the option out, or compare with a bot")
    if baseline.blocks < Sprt.least:
        raise UsageError(
            f"{file} holds only {baseline.blocks} deals, and a test needs {Sprt.least}: save the baseline again with "
            "more --max-games"
        )
    return baseline


@contextmanager
def _crew(
    bots: Sequence[Entrant], cells: Sequence[Cell], jobs: int | None, say: Callable[[str], None],
    progress: Callable[[str], None],
) -> Iterator[Crew]:  # fmt: skip
    """Everything compiled, and processes to play in; bots that no other process can load by name play in this one."""
    for cell in cells:
        for arm in (cell.candidate, cell.baseline):
            if arm:
                compile_all(arm.entrants, cell.spec, arm.plan.players, say)
    jobs = jobs or available_cores()
    if not all(bot.spec for bot in bots):
        yield Crew(InlineExecutor(), 1, progress)
        return
    plan = cells[0].candidate.plan
    with tempfile.TemporaryDirectory(prefix="arena-") as folder, open_pool(plan, Path(folder), jobs) as executor:
        try:
            yield Crew(executor, jobs, progress)
        except KeyboardInterrupt:
            stop_now()
            raise
        except BrokenProcessPool:
            raise ArenaError("a worker process died; `arena bots check` says whether one of the bots ends it") from None
