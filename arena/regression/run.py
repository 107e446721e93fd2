"""`regress` and `save_baseline`, with everything that they need around them: names, compiling, processes."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena import catalog
from arena.bot import Bot, Policy
from arena.errors import ArenaError, UsageError
from arena.regression.baseline import Baseline, read_baseline, refuse_other_rules, write_baseline
from arena.regression.compare import ERROR, MOST_GAMES, Crew, command_of, record, settle
from arena.regression.match import Setting, make_cells
from arena.regression.play import InlineExecutor
from arena.regression.verdict import Question, Verdict
from arena.runs.pool import available_cores, open_pool
from arena.runs.start import warm_up
from arena.table import Entrant

NO_LOSS = 3.0
"""Points of win share that a bot may lose unnoticed, if nothing else is asked."""

AnyBot = str | Policy | type[Bot]


def silent(text: str) -> None:
    """Say nothing."""


def regress(
    candidate: AnyBot,
    against: AnyBot,
    *,
    field: Sequence[str] = (),
    maps: Sequence[str] = (),
    players: Sequence[int] = (),
    settings: Mapping[str, int | str] | None = None,
    gain: tuple[float, float] | None = None,
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
    (`*.json`), which then says maps, players, field, settings, seed and seating. field: the other bots, by default the
    baseline itself. maps, players: every combination is played, by default the base game with 2. gain: (P0, P1) in
    points of win share, the question whether it gained P1 rather than P0; else no_loss: whether it lost nothing rather
    than so many points. UsageError for what does not fit.
    """
    if gain is not None and no_loss is not None:
        raise UsageError("ask for a gain or for no loss, not for both")
    question = Question(*gain, alpha, beta) if gain else Question(-_points(no_loss), 0.0, alpha, beta)
    if max_games < 1:
        raise UsageError(f"--max-games {max_games} is too few: at least one game must be played")
    first = _entrant(candidate)
    given = {"field": field, "maps": maps, "players": players, "settings": settings, "seed": seed, "seating": seating}
    file = Path(against) if isinstance(against, str) and against.endswith(".json") else None
    second: Entrant | Baseline
    if file:
        second = read_baseline(file)
        if named := [name for name, value in given.items() if value not in (None, (), {})]:
            raise UsageError(f"{file} says the {named[0]} itself: leave the option out, or compare with a bot")
        refuse_other_rules(file, second)
        setting = second.setting
    else:
        second = _entrant(against)
        setting = _setting(given)
    bots = [first, *([second] if isinstance(second, Entrant) else [])]
    command = command_of(first.spec, str(file or bots[-1].spec), None if file else setting, question, max_games)
    with _crew(bots, setting, jobs, say, progress) as crew:
        return settle(first, second, setting, question, max_games, crew, command)


def save_baseline(
    bot: str,
    file: Path,
    *,
    field: Sequence[str],
    maps: Sequence[str] = (),
    players: Sequence[int] = (),
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
    if not field:
        raise UsageError("a baseline needs opponents that stay as they are: name them with --field")
    if file.exists():
        raise UsageError(f"{file} exists already; a baseline is never overwritten")
    given = {"field": field, "maps": maps, "players": players, "settings": settings, "seed": seed, "seating": seating}
    setting, entrant = _setting(given), _entrant(bot)
    with _crew([entrant], setting, jobs, say, progress) as crew:
        baseline = record(entrant, setting, max_games, crew)
    write_baseline(file, baseline)
    return baseline


def _points(no_loss: float | None) -> float:
    points = NO_LOSS if no_loss is None else no_loss
    if not 0 < points <= 100:
        raise UsageError(f"--no-loss {points:g} does not fit: it takes more than 0, up to 100 points of win share")
    return points


def _setting(given: Mapping[str, Any]) -> Setting:
    return Setting(
        maps=tuple(given["maps"] or [catalog.default_map()]),
        players=tuple(given["players"] or [2]),
        field=tuple(given["field"]),
        seed=1 if given["seed"] is None else given["seed"],
        seating=given["seating"] or "rotation",
        settings=dict(given["settings"] or {}),
    )


def _entrant(bot: AnyBot) -> Entrant:
    return catalog.load_entrant(bot) if isinstance(bot, str) else catalog.make_entrant(bot.__name__, "", bot, {})


@contextmanager
def _crew(
    bots: Sequence[Entrant], setting: Setting, jobs: int | None, say: Callable[[str], None],
    progress: Callable[[str], None],
) -> Iterator[Crew]:  # fmt: skip
    """Everything compiled, and processes to play in; bots that no other process can load by name play in this one."""
    for cell in make_cells(setting, bots[0], bots[-1]):
        for arm in (cell.candidate, cell.baseline):
            if arm:
                warm_up(arm.entrants, cell.spec, arm.plan.players, say)
    jobs = jobs or available_cores()
    if not all(bot.spec for bot in bots):
        yield Crew(InlineExecutor(), 1, progress)
        return
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        plan = make_cells(setting, bots[0], bots[-1])[0].candidate.plan
        with open_pool(plan, Path(folder), jobs) as executor:
            try:
                yield Crew(executor, jobs, progress)
            except BrokenProcessPool:
                raise ArenaError(
                    "a worker process died; `arena bots check` says whether one of the bots ends it"
                ) from None
