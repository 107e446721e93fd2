"""What moves on the terminal while games are played. Only the parent draws, and only on a terminal."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from arena.plan import Plan
from arena.ranges import Range
from arena.runs.standings import Standing, Standings
from arena.runs.worker import Chunk

MOST_LINES = 10
SECONDS = 0.5
"""Between two looks at the standings."""
NAME_WIDTH = 24


@contextmanager
def live_display(plan: Plan, games: Range, earlier: Iterable[Chunk]) -> Iterator[Callable[[Chunk], None]]:
    """Games, games a second, time left and faults in a bar, and below it the standings with their intervals."""
    if not sys.stderr.isatty():
        yield lambda chunk: None
        return
    from tqdm import tqdm

    standings = Standings(plan, games[0])
    faults, looked = 0, time.monotonic()
    there = 0
    for chunk in earlier:
        there += len(chunk.outcomes)
        faults += sum(map(len, chunk.faults.values()))
        standings.add(chunk)
    with ExitStack() as stack:
        bar = stack.enter_context(
            tqdm(total=games[1] - games[0], initial=there, unit=" games", smoothing=0.1, dynamic_ncols=True)
        )
        lines = [stack.enter_context(_text_line(place)) for place in range(1, min(MOST_LINES, len(plan.names)) + 1)]

        def progress(chunk: Chunk) -> None:
            nonlocal faults, looked
            faults += sum(map(len, chunk.faults.values()))
            if faults:
                bar.set_postfix(faults=faults, refresh=False)
            standings.add(chunk)
            bar.update(len(chunk.outcomes))
            if time.monotonic() - looked > SECONDS:
                looked = time.monotonic()
                for line, standing in zip(lines, standings.lines(), strict=False):
                    line.set_description_str(standing_text(standing))

        yield progress


def standing_text(standing: Standing) -> str:
    """A line of the standings, less than 80 columns."""
    name = standing.bot if len(standing.bot) <= NAME_WIDTH else f"{standing.bot[: NAME_WIDTH - 1]}…"
    return f"{name:{NAME_WIDTH}} {standing.share:6.1%}  95 %: {standing.low:.1%}-{standing.high:.1%}"


@contextmanager
def status_line() -> Iterator[Callable[[str], None]]:
    """Yields a function that shows a text in place of the last one, on a terminal."""
    with _text_line(0) as line:
        yield line.set_description_str


def _text_line(place: int) -> Any:
    """A line of text so many lines below, which vanishes at the end."""
    from tqdm import tqdm

    return tqdm(total=0, bar_format="{desc}", leave=False, position=place, disable=not sys.stderr.isatty())
