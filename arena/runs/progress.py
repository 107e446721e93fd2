"""The progress bar of a run on the terminal, and the lines of progress where there is no terminal."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Any, TextIO

from arena.runs.processes import repeated
from arena.runs.standings import Standing, Standings
from arena.runs.worker import Chunk
from arena.store.ranges import Range
from arena.tournament.plan import Plan

MOST_LINES = 10
SECONDS = 0.5
"""Seconds between two looks at the standings."""
NAME_WIDTH = 24
REDRAWN = 1.0
"""Seconds until a bar is drawn again although nothing came."""
FIRST_LINE, LONGEST_WAIT = 10.0, 60.0
"""Seconds until the first line where there is no terminal, and between two lines in the end."""


@contextmanager
def live_display(plan: Plan, games: Range, earlier: Iterable[Chunk]) -> Iterator[Callable[[Chunk], None]]:
    """Games, games a second, time left and faults in a bar, and below it the standings with their intervals."""
    if not sys.stderr.isatty():
        yield _lines(games, sum(len(chunk.outcomes) for chunk in earlier))
        return
    from tqdm import tqdm

    standings = Standings(plan, games[0])
    faults, there, looked = 0, 0, time.monotonic()

    def count(chunk: Chunk) -> None:
        nonlocal faults, there
        there += len(chunk.outcomes)
        faults += sum(map(len, chunk.faults.values()))
        standings.add(chunk)

    for chunk in earlier:
        count(chunk)
    with ExitStack() as stack:
        bar = stack.enter_context(
            tqdm(total=games[1] - games[0], initial=there, unit=" games", smoothing=0.1, dynamic_ncols=True)
        )
        stack.enter_context(refreshed(bar))
        lines = [stack.enter_context(_text_line(place)) for place in range(1, min(MOST_LINES, len(plan.names)) + 1)]

        def progress(chunk: Chunk) -> None:
            nonlocal looked
            count(chunk)
            if faults:
                bar.set_postfix(faults=faults, refresh=False)
            bar.update(len(chunk.outcomes))
            if time.monotonic() - looked > SECONDS:
                looked = time.monotonic()
                for line, standing in zip(lines, standings.lines(), strict=False):
                    line.set_description_str(standing_text(standing))

        yield progress


def standing_text(standing: Standing) -> str:
    """A line of the standings in less than 80 columns."""
    name = standing.bot if len(standing.bot) <= NAME_WIDTH else f"{standing.bot[: NAME_WIDTH - 1]}…"
    return f"{name:{NAME_WIDTH}} {standing.share:6.1%}  95 %: {standing.low:.1%}-{standing.high:.1%}"


def _lines(games: Range, there: int) -> Callable[[Chunk], None]:
    """Writes lines of progress, more and more seldom, into a log, where no bar can move."""
    begun = time.monotonic()
    first, due, wait = there, begun + FIRST_LINE, FIRST_LINE

    def progress(chunk: Chunk) -> None:
        nonlocal there, due, wait
        there += len(chunk.outcomes)
        now = time.monotonic()
        if now < due:
            return
        wait = min(2 * wait, LONGEST_WAIT)
        due = now + wait
        total = games[1] - games[0]
        left = (now - begun) / max(1, there - first) * (total - there)
        sys.stderr.write(f"played {there:,} of {total:,} games, about {left:.0f} s left\n")

    return progress


@contextmanager
def status_line() -> Iterator[Callable[[str], None]]:
    """Yields a function that shows a text in place of the last one, on a terminal, with the time since the first."""
    with _text_line(0, "{desc} {elapsed}") as line, refreshed(line):
        yield line.set_description_str


@contextmanager
def said_lines(stream: TextIO) -> Iterator[Callable[[str], None]]:
    """Yields a function that prints a line; on a terminal the time that it stands for is counted behind it."""
    from tqdm import tqdm

    with ExitStack() as stack:

        def say(text: str) -> None:
            stack.close()  # the line before
            if stream.isatty():
                bar = tqdm(total=0, desc=text, bar_format="{desc} {elapsed}", file=stream, dynamic_ncols=True)
                stack.enter_context(bar)
                stack.enter_context(refreshed(bar))
            else:
                stream.write(f"{text}\n")

        yield say


def refreshed(bar: Any) -> AbstractContextManager[None]:
    """Draw a bar again and again, also when nothing comes: one slow game can take a minute."""
    return nullcontext() if bar.disable else repeated(REDRAWN, bar.refresh)


def _text_line(place: int, form: str = "{desc}") -> Any:
    """A line of text `place` lines below the bar, which vanishes at the end."""
    from tqdm import tqdm

    return tqdm(total=0, bar_format=form, leave=False, position=place, disable=not sys.stderr.isatty())
