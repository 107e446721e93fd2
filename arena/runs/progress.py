"""The progress bar: games, games a second, time left. Only the parent draws, and only on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(games: int) -> Iterator[Callable[[int, int], None]]:
    """Yields `progress(games, faults)`, to be called with what has been played since the last call."""
    from tqdm import tqdm

    faults = 0
    with tqdm(total=games, unit=" games", smoothing=0.1, disable=not sys.stderr.isatty(), dynamic_ncols=True) as bar:

        def progress(played: int, new_faults: int) -> None:
            nonlocal faults
            faults += new_faults
            if faults:
                bar.set_postfix(faults=faults, refresh=False)
            bar.update(played)

        yield progress


@contextmanager
def status_line() -> Iterator[Callable[[str], None]]:
    """Yields a function that shows a text in place of the last one, on a terminal."""
    from tqdm import tqdm

    with tqdm(total=0, bar_format="{desc}", leave=False, disable=not sys.stderr.isatty()) as line:
        yield line.set_description_str
