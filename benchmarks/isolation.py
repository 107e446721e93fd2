"""What a process of its own costs a bot: microseconds a decision with and without, and seconds to start.

    python benchmarks/isolation.py [--games 100] [--bot tutorial]

The two kinds of games take turns, so that a busy machine slows both down. Only the bot's own decisions are timed, as
the table sees them. On a busy machine the mean holds what others took.
"""

import argparse
import time
from typing import Any

import numpy as np

from arena import catalog
from arena.isolation.isolated import close_all
from arena.limits import Limits
from arena.play import deal_words
from arena.table import Table

TARGET = 120
"""Microseconds a decision that isolation may add."""


def timed_table(bot: str, map_name: str, isolate: bool) -> tuple[Table, list[float]]:
    """A table for the bot and `random`, and where the seconds of the bot's decisions are collected."""
    entrants = catalog.load_entrants([bot, "random"], isolate=isolate)
    table = Table(catalog.load_map(map_name), 2, entrants, Limits(isolate=isolate))
    seconds: list[float] = []
    sit = table.sit

    def timed(seat: int, entrant: Any, luck: int) -> Any:
        decider = sit(seat, entrant, luck)
        if entrant is not entrants[0]:
            return decider

        def decide(count: int) -> int:
            begun = time.perf_counter()
            code = decider(count)
            seconds.append(time.perf_counter() - begun)
            return code

        return decide

    table.sit = timed  # type: ignore[method-assign]
    return table, seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--bot", default="tutorial", help="a class; its own thinking is in both numbers")
    parser.add_argument("--map", default=catalog.default_map())
    options = parser.parse_args()
    tables = [timed_table(options.bot, options.map, isolate) for isolate in (False, True)]
    words = deal_words(1, range(options.games))
    starts = []
    for table, seconds in tables:
        begun = time.perf_counter()
        table.play(np.array([[0, 1]]), words[:1])
        starts.append(time.perf_counter() - begun)
        seconds.clear()
    for game in range(options.games):
        outcomes = [table.play(np.array([[game % 2, 1 - game % 2]]), words[game : game + 1])[0] for table, _ in tables]
        assert outcomes[0].tobytes() == outcomes[1].tobytes()
    close_all()
    here, apart = (1e6 * np.array(seconds) for _, seconds in tables)
    print(f"{len(here):,} decisions of {options.bot} in {options.games} games, the same in both modes")
    for name, of in (("median", np.median), ("mean", np.mean)):
        one, other = float(of(here)), float(of(apart))
        print(f"{name:6}  in the worker {one:.1f} us, in its own process {other:.1f} us: {other - one:.1f} us more")
    print(f"first game: {starts[0]:.2f} s in the worker, {starts[1]:.2f} s with the start of a process")
    kept = np.median(apart) - np.median(here) <= TARGET
    print(f"target: a median of at most {TARGET} us more: {'kept' if kept else 'MISSED'}")


if __name__ == "__main__":
    main()
