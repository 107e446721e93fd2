"""Everything is compiled before the first worker starts: in several processes, each part once, and not in silence."""

import inspect
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from arena.bot import Action, Bot, Outside, Policy, View, policy, prepares
from arena.errors import ArenaError, UsageError
from arena.kernels import INTERPRETED
from arena.kernels.decorators import progress_listeners, weight_of
from arena.kernels.linking import links_once
from arena.kernels.place import level_file
from arena.kernels.store import cache_dir, forget_old_code, locked
from arena.kernels.travel import require_level
from arena.kernels.units import compile_unit, is_compiled, unit_weight, units_below
from arena.mapspec import MapSpec
from arena.numbatext import explain
from arena.play import book_outcome, deal_words, play_games, start, step, step_randomly
from arena.runs.interrupts import interrupts_wait
from arena.runs.processes import available_cores, forking, start_method
from arena.sources import sources_digest
from arena.table import Entrant, Table

MOST_PROCESSES = 4
"""Each takes about 200 MB."""
_COMPILE = (
    "from arena import catalog; from arena.runs.compiling import warm_up; "
    "import sys; warm_up(catalog.load_entrants([*catalog.shipped_bots(), *sys.argv[1:]]), catalog.load_map(catalog.default_map()), 2, print)"
)
LOOP = (play_games, start, step, step_randomly, book_outcome)


@dataclass(frozen=True)
class Part:
    """Something that has to be compiled."""

    name: str
    weight: int
    """How much that is: bytes of bytecode."""
    work: Callable[[], object]
    here: bool = False
    """Whether it must be done in this process, because the workers inherit what it does."""


class _First(Bot):
    """The game loop is compiled with a bot of each kind that plays the first legal action; this one looks around."""

    def choose(self, view: View) -> Action:
        if view.offer:
            view.path(view.offer[0].a, view.offer[0].b)
        return view.actions[0]


@policy
def _first(view, board, actions, memory, luck):  # type: ignore[no-untyped-def]  # Numba types it
    return actions[0]


def warm_up(entrants: Sequence[Entrant], spec: MapSpec, seats: int, say: Callable[[str], None]) -> None:
    """Compile the rules and the compiled bots, or load them from the cache.

    While something is compiled a bar on the terminal says what, and how long it will take. `say` is told of interrupts.
    """
    if INTERPRETED:
        return
    with interrupts_wait(say):
        parts = missing_parts(entrants, spec, seats)
        if parts:
            forget_old_code()
            _compile_all(parts)
        for entrant in entrants:
            _make_ready(entrant)
        _play_first_games(spec, seats)


def missing_parts(entrants: Sequence[Entrant], spec: MapSpec, seats: int) -> list[Part]:
    """What has to be compiled: the rules first, then the game loop and what must be done here, then the bots."""
    functions = [*LOOP, *(work for entrant in entrants if (work := _function(entrant.bot)))]
    parts = [
        Part("rules" if name.startswith("arena.") else name.rpartition(".")[2], unit_weight(name), _unit(name))
        for name in sorted(units_below(functions) if links_once() else (), key=unit_weight, reverse=True)
        if not is_compiled(name)
    ]
    units = len(parts)
    if not _loop_marker().exists():
        parts.append(Part("game loop", weight_of(*LOOP), lambda: _play_first_games(spec, seats), here=True))
    for entrant in entrants:
        if isinstance(entrant.bot, Outside):
            if not entrant.bot.prepared:
                parts.append(Part(entrant.name, 0, entrant.bot.prepare, here=True))
        elif (file := _marker(entrant.bot)) and not file.exists():
            here = not isinstance(entrant.bot, Policy)
            parts.append(Part(entrant.name, weight_of(_function(entrant.bot)), _bot(entrant), here))
    others = {part.name: part for part in parts[units:]}  # a bot may play with several parameters
    return parts[:units] + sorted(others.values(), key=lambda part: not part.here)


def _unit(name: str) -> Callable[[], object]:
    return lambda: compile_unit(name)


def _bot(entrant: Entrant) -> Callable[[], object]:
    return lambda: _make_ready(entrant)


def _loop_marker() -> Path:
    return cache_dir() / "warm"


def _function(bot: Any) -> Any:
    """The function whose kernels a bot compiles; None if it compiles nothing."""
    if isinstance(bot, Policy):
        return bot.function
    return None if isinstance(bot, Outside) or not prepares(bot) else bot.prepare.__func__


def _marker(bot: Any) -> Path | None:
    """The file that says that a bot of this process is compiled; None for one that has nothing to compile."""
    if isinstance(bot, Policy):
        file = bot.file
    elif prepares(bot):
        file = inspect.getfile(bot)
    else:
        return None
    return cache_dir(sources_digest(file), bot.__module__) / f"warm-{bot.__name__}"


def _make_ready(entrant: Entrant) -> None:
    """Compile a policy, or what a class wants prepared, or load it; UsageError if that fails."""
    from numba.core.errors import NumbaError

    bot = entrant.bot
    marker = None if isinstance(bot, Outside) else _marker(bot)
    if marker is None:
        return
    try:
        with nullcontext() if marker.exists() else locked(marker):  # another process may be at it
            bot.compile() if isinstance(bot, Policy) else bot.prepare()  # type: ignore[union-attr]
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
        table.play(np.full((1, seats), kind), deal_words(0, [0]))
    with suppress(OSError):
        _loop_marker().touch()


def _compile_all(parts: Sequence[Part]) -> None:
    """Compile all parts, in as many processes as there are cores, and show how far that is."""
    context: Any = multiprocessing.get_context(start_method())
    board = Board(context, parts)
    processes = []
    if start_method() == "fork":
        from arena.kernels.numba_settings import numba

        numba()  # once for all
        count = min(MOST_PROCESSES, available_cores(), sum(not part.here for part in parts) + 1) - 1
        with forking():
            for _ in range(count):
                processes.append(context.Process(target=_work, args=(parts, board), daemon=True))
                processes[-1].start()
    try:
        with _shown(parts, board):
            board.listen()
            while (index := board.take(here=True)) is not None:
                parts[index].work()
                board.finish(index)
            for process in processes:
                process.join()
    finally:
        progress_listeners.remove(board.advance)
        for process in processes:
            process.kill()
            process.join()


def _work(parts: Sequence[Part], board: "Board") -> None:
    """A process that compiles: what fails here fails again, and is told, where it is wanted."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    devnull = os.open(os.devnull, os.O_WRONLY)  # what a bot prints while it is loaded was printed before
    os.dup2(devnull, 1)
    os.dup2(devnull, 2)
    progress_listeners.clear()
    board.listen()
    while (index := board.take(here=False)) is not None:
        with suppress(Exception):
            parts[index].work()
        board.finish(index)


class Board:
    """What the processes that compile know of each other: shared memory."""

    FREE, TAKEN, DONE = range(3)

    def __init__(self, context: Any, parts: Sequence[Part]) -> None:
        self._parts = parts
        self._lock = context.Lock()
        self._states = context.RawArray("i", len(parts))
        self._weights = context.RawArray("q", len(parts))
        self._current: int | None = None

    def listen(self) -> None:
        """Count what is compiled in this process from here on."""
        progress_listeners.append(self.advance)

    def take(self, here: bool) -> int | None:
        """The next part for this process; here: it is the one whose workers inherit what it does."""
        with self._lock:
            free = [i for i, part in enumerate(self._parts) if not self._states[i] and (here or not part.here)]
            self._current = free[0] if free else None
            if free:
                self._states[free[0]] = self.TAKEN
        return self._current

    def advance(self, weight: int) -> None:
        """So much more of this process's part is compiled."""
        if self._current is not None:
            self._weights[self._current] += weight

    def finish(self, index: int) -> None:
        """A part is done."""
        self._states[index] = self.DONE

    def share(self) -> float:
        """How much of all is done, from 0 to 1. A fifth of each part is what comes after its last function."""
        done = 0.0
        for part, state, weight in zip(self._parts, self._states, self._weights, strict=True):
            done += _size(part) if state == self.DONE else min(0.8 * _size(part), 0.8 * weight)
        return done / sum(map(_size, self._parts))

    def text(self) -> str:
        """What is being compiled, and how many parts are done."""
        names = [part.name for part, state in zip(self._parts, self._states, strict=True) if state == self.TAKEN]
        done = sum(state == self.DONE for state in self._states)
        return f"{', '.join(dict.fromkeys(names))}, {min(done + 1, len(self._parts))} of {len(self._parts)}"


def _size(part: Part) -> int:
    """The weight of a part; a small one for a part of which nothing is known."""
    return max(part.weight, 500)


@contextmanager
def _shown(parts: Sequence[Part], board: Board) -> Iterator[None]:
    """A bar that moves while something is compiled; where there is no terminal, a line every other second."""
    from tqdm import tqdm

    terminal = sys.stderr.isatty()
    stop = threading.Event()
    begun = time.monotonic()

    def left() -> str:
        share, spent = board.share(), time.monotonic() - begun
        return f"about {max(1.0, spent / share - spent):.0f} s left" if share > 0.05 and spent > 1 else "once"

    def draw() -> None:
        while not stop.wait(0.2 if terminal else 2.0):
            if terminal:
                bar.n = round(100 * board.share())
                bar.set_description_str(f"Compiling {board.text()}", refresh=False)
                bar.set_postfix_str(left())
            else:
                tqdm.write(f"compiling {board.text()}: {board.share():.0%}, {left()}", file=sys.stderr)

    if not terminal:
        tqdm.write("Compiling for this machine, once.", file=sys.stderr)
    form = "{desc} {bar} {percentage:3.0f} %{postfix}"
    with tqdm(total=100, bar_format=form, leave=False, disable=not terminal, dynamic_ncols=True) as bar:
        drawing = threading.Thread(target=draw, daemon=True)
        drawing.start()
        try:
            yield
        finally:
            stop.set()
            drawing.join()


@contextmanager
def compile_afresh(level: str | None, bots: Sequence[str] = ()) -> Iterator[Path]:
    """A folder with the rules, the shipped bots and further ones, compiled for a level of processors or for this processor.

    UsageError for a level that does not exist, or that this processor has not.
    """
    if level:
        require_level(level)
    with tempfile.TemporaryDirectory() as folder:
        if level:
            level_file(Path(folder)).write_text(level, encoding="utf-8")
        environment = {**os.environ, "ARENA_CACHE_DIR": folder}
        if subprocess.run([sys.executable, "-c", _COMPILE, *bots], env=environment, check=False).returncode:
            raise ArenaError("not everything could be compiled: the reason is above")
        yield Path(folder)
