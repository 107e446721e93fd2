"""`regress` and `save_baseline`, as the command line and the API call them."""

import inspect
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from arena.engine.bots import Entrant
from arena.engine.external.command import is_command
from arena.errors import ArenaError, UsageError
from arena.experiments.regress.baseline import (
    Baseline,
    check_place,
    read_baseline,
    record,
    refuse_other_rules,
    write_baseline,
)
from arena.experiments.regress.compare import Comparison, Verdict, compare
from arena.experiments.regress.options import Options
from arena.experiments.regress.rounds import (
    AnyBot,
    Condition,
    Context,
    InlineExecutor,
    deals_within,
    entrant_of,
    make_conditions,
)
from arena.runs.compile import compile_all
from arena.runs.pool import open_pool, stop_now
from arena.runs.processes import available_cores
from arena.stats.sprt import Sprt

F = TypeVar("F", bound=Callable[..., object])


def _with_options(function: F) -> F:
    """Say, to `help`, that the keyword arguments of a function are the fields of `Options`."""
    shown = inspect.signature(function)
    own = [each for each in shown.parameters.values() if each.kind is not each.VAR_KEYWORD]
    options = inspect.signature(Options).parameters.values()
    function.__signature__ = shown.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
    return function


def silent(text: str) -> None:
    """Ignore the text."""


@_with_options
def regress(
    candidate: AnyBot, against: AnyBot | Path, *, say: Callable[[str], None] = silent,
    progress: Callable[[str], None] = silent, **options: Any,
) -> Verdict:  # fmt: skip
    """Whether `candidate` is as strong as `against`, in its seat, on the same deals, against the same opponents.

    candidate, against: bots as on the command line, or a class or policy itself; against also a baseline file
    (`*.json`), which then says maps, players, field, settings, seed and seating. A class or policy itself cannot be
    loaded by another process, so everything is played in this one, where it may print, or end it. field: the
    opponents, by default the baseline itself. maps, players: every combination is played, by default the base game
    with 2; a single value need not be a list. gain: (P0, P1) or "P0,P1" in points of win share, the question whether it
    gained P1 rather than P0; else no_loss: whether it lost nothing rather than so many points. UsageError for what does
    not fit.
    """
    asked = Options(**options)
    hypotheses, first = asked.hypotheses, entrant_of(candidate)
    name = str(against) if isinstance(against, (str, Path)) else ""
    file = name if name.endswith(".json") and not is_command(name) else ""
    second = _read(Path(file).expanduser(), asked) if file else entrant_of(against)  # type: ignore[arg-type]  # a path is refused
    setting = second.setting if isinstance(second, Baseline) else asked.setting
    comparison = Comparison(first, second, setting, hypotheses, asked.max_games, file)
    deals_within(comparison.conditions, asked.max_games, Sprt.least)
    bots = [bot for bot in (first, second) if isinstance(bot, Entrant)]
    with _context(bots, comparison.conditions, asked.jobs, say, progress) as context:
        if isinstance(second, Baseline):
            refuse_other_rules(Path(file), second, context.executor)
        return compare(comparison, context)


@_with_options
def save_baseline(
    bot: str, file: str | Path, *, say: Callable[[str], None] = silent, progress: Callable[[str], None] = silent,
    **options: Any,
) -> Baseline:  # fmt: skip
    """Play a bot against opponents and keep on file what it is known by, and how it did on each deal.

    The arguments are those of `regress` that do not ask for a test; the field must be named, as the bot's own code may
    change. UsageError for what does not fit, and if the file exists.
    """
    asked, file = Options(**options), Path(file)
    setting = asked.setting
    if not setting.field:
        raise UsageError("a baseline needs opponents that stay as they are: name them with --field")
    if not isinstance(bot, str):
        raise UsageError("a baseline is saved of a bot with a name: its code must be found by other processes")
    entrant = entrant_of(bot)
    conditions = make_conditions(setting, entrant, None)
    deals_within(conditions, asked.max_games, Sprt.least)
    check_place(file)
    with _context([entrant], conditions, asked.jobs, say, progress) as context:
        baseline = record(entrant, setting, conditions, asked.max_games, context)
    write_baseline(file, baseline)
    return baseline


def _read(file: Path, asked: Options) -> Baseline:
    """A baseline to compare with; UsageError if the options contradict it, or if it holds too few deals for a test."""
    baseline = read_baseline(file)
    if named := asked.of_setting:
        raise UsageError(f"{file} says the {named[0]} itself: leave the option out, or compare with a bot")
    if baseline.blocks < Sprt.least:
        raise UsageError(
            f"{file} holds only {baseline.blocks} deals, and a test needs {Sprt.least}: save the baseline again with "
            "more --max-games"
        )
    return baseline


@contextmanager
def _context(
    bots: Sequence[Entrant], conditions: Sequence[Condition], jobs: int | None, say: Callable[[str], None],
    progress: Callable[[str], None],
) -> Iterator[Context]:  # fmt: skip
    """Everything compiled, and processes to play in; bots that no other process can load by name play in this one."""
    for condition in conditions:
        for arm in (condition.candidate, condition.baseline):
            if arm:
                compile_all(arm.entrants, condition.spec, arm.plan.players, say)
    jobs = jobs or available_cores()
    if not all(bot.spec for bot in bots):
        yield Context(InlineExecutor(), 1, progress)
        return
    plan = conditions[0].candidate.plan
    with tempfile.TemporaryDirectory(prefix="arena-") as folder, open_pool(plan, Path(folder), jobs) as executor:
        try:
            yield Context(executor, jobs, progress)
        except KeyboardInterrupt:
            stop_now()
            raise
        except BrokenProcessPool:
            raise ArenaError("a worker process died; `arena bots check` says whether one of the bots ends it") from None
