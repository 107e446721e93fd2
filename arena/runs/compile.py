"""Compiles everything before the first worker starts, each task once, in several processes."""

import inspect
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import numpy as np

from arena import catalog
from arena.boards.spec import MapSpec
from arena.engine.bots import Bot, Entrant, Outside, Policy, policy, prepares
from arena.engine.loop import finish, play_games, start, step, step_randomly
from arena.engine.numba_errors import explain
from arena.engine.sources import sources_digest
from arena.engine.table import Table
from arena.engine.view import View
from arena.errors import ArenaError, UsageError
from arena.rules.actions import Action
from arena.rules.compiler import INTERPRETED
from arena.rules.compiler.decorators import progress_listeners, weight_of
from arena.rules.compiler.linking import links_once, load_compiler
from arena.rules.compiler.place import level_file
from arena.rules.compiler.store import cache_dir, forget_old_code, locked
from arena.rules.compiler.travel import require_level
from arena.rules.compiler.units import compile_unit, is_compiled, unit_weight, units_below
from arena.rules.deal import make_deals
from arena.runs.compile_progress import CompileProgress, CompileTask, shown
from arena.runs.interrupts import interrupts_wait
from arena.runs.processes import available_cores, end_with_parent, forking, start_method

MOST_PROCESSES = 4
"""Each takes about 200 MB."""
COMPILE = """
import sys
from arena import catalog
from arena.runs.compile import compile_all

compile_all(catalog.load_entrants(sys.argv[1:]), catalog.load_map(catalog.default_map()), 2, print)
"""
LOOP = (play_games, start, step, step_randomly, finish)


class _First(Bot):
    """The game loop is compiled with a bot of each kind that plays the first legal action; this one looks around."""

    def choose(self, view: View) -> Action:
        if view.offer:
            view.path(view.offer[0].a, view.offer[0].b)
        return view.actions[0]


@policy
def _first(view, board, actions, memory, random_state):  # type: ignore[no-untyped-def]  # Numba types it
    return actions[0]


def compile_all(entrants: Sequence[Entrant], spec: MapSpec, seats: int, say: Callable[[str], None]) -> None:
    """Compile the rules and the compiled bots, or load them from the cache.

    While something is compiled a bar on the terminal says what, and how long it will take. `say` is told of interrupts.
    """
    if INTERPRETED:
        return
    with interrupts_wait(say) as interrupted:
        ready: set[Any] = set()
        tasks = missing_tasks(entrants, spec, seats, ready)
        if tasks:
            forget_old_code()
            _compile_tasks(tasks, interrupted)
        if interrupted():
            return
        for entrant in entrants:
            _make_ready(entrant, ready)
        _play_first_games(spec, seats)


def missing_tasks(entrants: Sequence[Entrant], spec: MapSpec, seats: int, ready: set[Any]) -> list[CompileTask]:
    """What has to be compiled: the rules first, then the game loop and what must be done here, then the bots.

    ready: where bots that are compiled here are put.
    """
    functions = [*LOOP, *(work for entrant in entrants if (work := _function(entrant.bot)))]
    units = sorted(units_below(functions) if links_once() else (), key=unit_weight, reverse=True)
    titles = {name: "rules" if name.startswith("arena.") else name.rpartition(".")[2] for name in units}
    missing = [name for name in units if not is_compiled(name)]
    first = [CompileTask(titles[name], unit_weight(name), partial(compile_unit, name)) for name in missing]
    tasks = []
    if not _loop_marker().exists():
        tasks.append(CompileTask("game loop", weight_of(*LOOP), partial(_play_first_games, spec, seats), here=True))
    for entrant in entrants:
        if isinstance(entrant.bot, Outside):
            if not entrant.bot.prepared:
                tasks.append(CompileTask(entrant.name, 0, entrant.bot.prepare, here=True))
        elif (file := _marker(entrant.bot)) and not file.exists():
            work, here = partial(_make_ready, entrant, ready), not isinstance(entrant.bot, Policy)
            tasks.append(CompileTask(entrant.name, weight_of(_function(entrant.bot)), work, here))
    others = {task.name: task for task in tasks}  # a bot may play with several parameters
    return first + sorted(others.values(), key=lambda task: not task.here)


def _loop_marker() -> Path:
    return cache_dir() / "warm"


def _function(bot: Any) -> Any:
    """The function whose kernels a bot compiles; None if it compiles nothing in this process."""
    if isinstance(bot, Policy):
        return bot.function
    return None if isinstance(bot, Outside) or not prepares(bot) else bot.prepare.__func__


def _marker(bot: Any) -> Path | None:
    """The file that says that a bot is compiled; None for one that compiles nothing in this process."""
    if not _function(bot):
        return None
    file = bot.file if isinstance(bot, Policy) else inspect.getfile(bot)
    return cache_dir(sources_digest(file), bot.__module__) / f"warm-{bot.__name__}"


def _make_ready(entrant: Entrant, ready: set[Any]) -> None:
    """Compile a policy, or what a class wants prepared, or load it, unless it is ready; UsageError if that fails."""
    from numba.core.errors import NumbaError

    bot = entrant.bot
    marker = _marker(bot)
    if marker is None or bot in ready:
        return
    ready.add(bot)
    try:
        with nullcontext() if marker.exists() else locked(marker):  # another process may be at it
            bot.compile() if isinstance(bot, Policy) else bot.prepare()
    except UsageError:
        raise
    except Exception as error:
        reason = explain(error) if isinstance(error, NumbaError) else error
        raise UsageError(f"bot {entrant.name}: prepare raises {type(error).__name__}: {reason}") from error
    with suppress(OSError):
        marker.touch()


def _play_first_games(spec: MapSpec, seats: int) -> None:
    """A game of a compiled and one of a Python bot run through every kernel; the run's own bots are not played."""
    table = Table(spec, seats, [Entrant("first", "first", bot, {}, "") for bot in (_first, _First)])
    for kind in (0, 1):
        table.play(np.full((1, seats), kind), make_deals(0, [0]))
    with suppress(OSError):
        _loop_marker().touch()


def _compile_tasks(tasks: Sequence[CompileTask], interrupted: Callable[[], bool]) -> None:
    """Compile everything, in as many processes as there are cores, and show how far that is."""
    context: Any = multiprocessing.get_context(start_method())
    progress = CompileProgress(context, tasks)
    processes = []
    if start_method() == "fork":
        load_compiler()  # once for all
        count = min(MOST_PROCESSES, available_cores(), sum(not task.here for task in tasks) + 1) - 1
        with forking():
            for _ in range(count):
                processes.append(context.Process(target=_work, args=(progress,), daemon=True))
                processes[-1].start()
    try:
        with shown(tasks, progress):
            for task in progress.tasks_for(here=True):
                if interrupted():
                    break
                task.work()
            while not interrupted() and any(process.is_alive() for process in processes):
                wait([process.sentinel for process in processes if process.is_alive()], 0.1)
    finally:
        for process in processes:
            process.kill()
            process.join()


def _work(progress: CompileProgress) -> None:
    """Compile in another process; what fails here fails again, and is told, where it is wanted."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    devnull = os.open(os.devnull, os.O_WRONLY)  # what a bot prints while it is loaded was printed before
    os.dup2(devnull, 1)
    os.dup2(devnull, 2)
    progress_listeners.clear()
    for task in progress.tasks_for(here=False):
        with suppress(Exception):
            task.work()


def compile_apart(bots: Sequence[str], **environment: str) -> bool:
    """Compile the rules and some bots in a process with these environment variables; whether that worked."""
    command = [sys.executable, "-c", COMPILE, *bots]
    return not subprocess.run(command, env={**os.environ, **environment}, check=False).returncode


@contextmanager
def compiled_afresh(level: str | None, bots: Sequence[str] = ()) -> Iterator[Path]:
    """A cache folder with the rules, the shipped bots and further ones.

    level: of the processors that it is for; None for this one. UsageError for a level that does not exist, or that this
    processor does not have.
    """
    if level:
        require_level(level)
    with tempfile.TemporaryDirectory() as folder:
        if level:
            level_file(Path(folder)).write_text(level, encoding="utf-8")
        if not compile_apart([*catalog.shipped_bots(), *bots], ARENA_CACHE_DIR=folder):
            raise ArenaError("not everything could be compiled: the reason is above")
        yield Path(folder)
