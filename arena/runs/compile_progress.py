"""The progress bar of a compilation in several processes, and what these tell each other."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from arena.rules.compiler.decorators import progress_listeners
from arena.runs.processes import repeated
from arena.texts import counted


@dataclass(frozen=True)
class CompileTask:
    """Something that has to be compiled."""

    name: str
    weight: int
    """The size of its bytecode in bytes, which tells how long it takes."""
    work: Callable[[], object]
    here: bool = False
    """Whether it must be done in this process, because the workers inherit what it does."""


class CompileProgress:
    """Shared memory in which the processes that compile tell each other what they do."""

    FREE, TAKEN, DONE = range(3)

    def __init__(self, context: Any, tasks: Sequence[CompileTask]) -> None:
        self._tasks = tasks
        self._sizes = [max(task.weight, 500) for task in tasks]  # a little for a task of which nothing is known
        self._lock = context.Lock()
        self._states = context.RawArray("i", len(tasks))
        self._weights = context.RawArray("q", len(tasks))
        self._current = 0

    def tasks_for(self, *, here: bool) -> Iterator[CompileTask]:
        """The tasks of this process, each done when the next is asked for; here: the workers inherit what it does."""
        progress_listeners.append(self._advance)
        try:
            while True:
                with self._lock:
                    free = (i for i, task in enumerate(self._tasks) if not self._states[i] and (here or not task.here))
                    if (index := next(free, None)) is None:
                        return
                    self._states[index] = self.TAKEN
                self._current = index
                yield self._tasks[index]
                self._states[index] = self.DONE
        finally:
            progress_listeners.remove(self._advance)

    def _advance(self, weight: int) -> None:
        """Count what this process has compiled of its task."""
        self._weights[self._current] += weight

    def share(self) -> float:
        """How much of all is done, from 0 to 1. A fifth of each task is what comes after its last function."""
        done = 0.0
        for size, state, weight in zip(self._sizes, self._states, self._weights, strict=True):
            done += size if state == self.DONE else min(0.8 * size, 0.8 * weight)
        return done / sum(self._sizes)

    def text(self) -> str:
        """What is being compiled, and how many tasks are done."""
        names = [task.name for task, state in zip(self._tasks, self._states, strict=True) if state == self.TAKEN]
        done = sum(state == self.DONE for state in self._states)
        what = ", ".join(dict.fromkeys(names)) or "done"
        return f"{what}, {min(done + 1, len(self._tasks))} of {len(self._tasks)}"


@contextmanager
def shown(tasks: Sequence[CompileTask], progress: CompileProgress) -> Iterator[None]:
    """A bar that moves while something is compiled; where there is no terminal, a line every other second."""
    from tqdm import tqdm

    terminal = sys.stderr.isatty()
    begun = time.monotonic()

    def left() -> str:
        share, spent = progress.share(), time.monotonic() - begun
        return f"about {max(1.0, spent / share - spent):.0f} s left" if share > 0.05 and spent > 1 else "only this once"

    def draw() -> None:
        if terminal:
            bar.n = round(100 * progress.share())
            bar.set_description_str(f"Compiling {progress.text()}", refresh=False)
            bar.set_postfix_str(left())
        else:
            tqdm.write(f"compiling {progress.text()}: {progress.share():.0%}, {left()}", file=sys.stderr)

    if not terminal:
        tqdm.write(f"Compiling for this machine, only this once: {counted(len(tasks), 'part')}.", file=sys.stderr)
    form = "{desc} {bar} {percentage:3.0f} %{postfix}"
    bar = tqdm(total=100, bar_format=form, leave=False, disable=not terminal, dynamic_ncols=True)
    with bar, repeated(0.2 if terminal else 2.0, draw):
        yield
