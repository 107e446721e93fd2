"""What a decision of a bot that is not compiled costs beyond its own thinking.

    python benchmarks/decisions.py [--games 100] [--rounds 5]

Four trivial bots, on the base map with two seats:

- first: a class whose `choose` is `return view.actions[0]`; it hoards cards, and looks at 400 legal actions a decision.
- last: the same with `view.actions[-1]`, so that it claims whenever it can.
- claimer: a class that takes the first of `view.claims`; where there is none it draws blind.
- a program in C that does as `last`, and answers by the index of the action or by a copy of it.

For the classes, in both seats, games per CPU second: the median of some rounds. For an isolated bot (`last` in a
process of its own against itself in this one, the same decisions in turn), the microseconds that it adds to a decision,
and for the program the microseconds of a decision without those that it takes itself when the same questions come out
of a file. Those two are wall time, which on a busy machine holds what others took: compare medians.
"""

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np

from arena import catalog
from arena.bot import Action, Bot, View
from arena.engine.bots import Entrant
from arena.engine.external.isolated import close_all
from arena.engine.external.program import end_idle
from arena.engine.limits import Limits
from arena.engine.table import Table
from arena.rules.deal import make_deals

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int count, char **words) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        if (!strncmp(line, "{\"type\":\"hello\"", 15)) puts("{\"type\":\"hello\",\"protocol\":1}");
        else if (strncmp(line, "{\"type\":\"decide\"", 16)) continue;
        else if (count > 1) {
            char *last = strrchr(line, '{');
            printf("{\"action\":%.*s}\n", (int)(strrchr(line, ']') - last), last);
        } else {
            int last = -1;
            for (char *each = strstr(line, "\"actions\":["); (each = strchr(each, '{')); each++) last++;
            printf("{\"action\":%d}\n", last);
        }
        fflush(stdout);
    }
    return 0;
}
"""


class First(Bot):
    """The first action."""

    def choose(self, view: View) -> Action:
        """Whatever it is."""
        return view.actions[0]


class Last(Bot):
    """The last action."""

    def choose(self, view: View) -> Action:
        """Whatever it is."""
        return view.actions[-1]


class Claimer(Bot):
    """The first claim, or a blind card."""

    def choose(self, view: View) -> Action:
        """The first action where neither is possible."""
        if view.claims:
            return view.claims[0]
        return next((action for action in view.draws if action.kind == "blind"), view.actions[0])


def entrant_of(bot: type[Bot]) -> Entrant:
    """A class at a table."""
    return Entrant(bot.__name__.lower(), "", bot, {}, "")


def games_per_second(bot: type[Bot], games: int) -> Callable[[], float]:
    """A round of games against itself: how many a CPU second."""
    table = Table(catalog.load_map(catalog.default_map()), 2, [entrant_of(bot)])
    deals, seatings = make_deals(1, range(games)), np.zeros((games, 2), np.int64)
    table.play(seatings[:3], deals[:3])

    def play() -> float:
        begun = time.process_time()
        _, faults = table.play(seatings, deals)
        assert not faults
        return games / (time.process_time() - begun)

    return play


def timed_table(entrants: Sequence[Entrant], limits: Limits) -> tuple[Table, list[float]]:
    """A table, and where the seconds of the first entrant's decisions are collected."""
    table = Table(catalog.load_map(catalog.default_map()), 2, entrants, limits)
    seconds: list[float] = []
    seat_bot = table.seat_bot

    def timed(seat: int, entrant: Any, seed: int) -> Any:
        agent = seat_bot(seat, entrant, seed)
        if entrant is not entrants[0]:
            return agent

        def decide(count: int) -> int:
            begun = time.perf_counter()
            code = agent(count)
            seconds.append(time.perf_counter() - begun)
            return code

        return decide

    table.seat_bot = timed  # type: ignore[method-assign]
    return table, seconds


def isolated(games: int) -> None:
    """Print what a process of its own adds to a decision of `last`."""
    spec = f"{Path(__file__).resolve()}:Last"
    sides = [
        timed_table(catalog.load_entrants([spec, "random"], isolate=isolate), Limits(isolate=isolate))
        for isolate in (False, True)
    ]
    deals = make_deals(1, range(games))
    starts = []
    for table, seconds in sides:
        begun = time.perf_counter()
        table.play(np.array([[0, 1]]), deals[:1])
        starts.append(time.perf_counter() - begun)
        seconds.clear()
    for game in range(games):
        outcomes = [table.play(np.array([[game % 2, 1 - game % 2]]), deals[game : game + 1])[0] for table, _ in sides]
        assert outcomes[0].tobytes() == outcomes[1].tobytes()
    close_all()
    here, apart = (1e6 * np.array(seconds) for _, seconds in sides)
    added = apart - here
    print(
        f"isolated  {np.median(added):7.1f} us added a decision (median; mean {added.mean():.1f}), "
        f"{len(here):,} decisions; its first game takes {starts[1] - starts[0]:.2f} s more"
    )


def own_microseconds(command: Sequence[str], questions: Path, count: int) -> float:
    """What the program takes for a question out of a file: user and system time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with questions.open("rb") as lines:
        subprocess.run(command, stdin=lines, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e6 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / count


def program(games: int, rounds: int) -> None:
    """Print what a decision of a program in C costs beyond its own time."""
    compiler = shutil.which("cc")
    if compiler is None:
        print("program   not measured: there is no C compiler")
        return
    with tempfile.TemporaryDirectory() as folder:
        binary, questions = f"{folder}/last", Path(folder, "questions")
        subprocess.run([compiler, "-O2", "-x", "c", "-", "-o", binary], input=PROGRAM, text=True, check=True)
        seatings, deals = np.array([[game % 2, 1 - game % 2] for game in range(games)]), make_deals(1, range(games))
        keeper = Path(folder, "keeper")
        keeper.write_text(f"#!/bin/sh\ntee {questions} | {binary}\n")
        keeper.chmod(0o755)
        for name, command in (("index", binary), ("copy", f"{binary} copy"), ("", str(keeper))):
            table, seconds = timed_table(catalog.load_entrants([f"cmd:{command}", "random"]), Limits())
            table.play(seatings[:1], deals[:1])
            figures = []
            for _ in range(rounds if name else 1):
                seconds.clear()
                _, faults = table.play(seatings, deals)
                assert not faults
                figures.append((1e6 * mean(seconds), 1e6 * median(seconds)))
            end_idle()
            if name:
                print(f"program   {median(a for a, _ in figures):7.1f} us a decision (mean; median ", end="")
                print(f"{median(b for _, b in figures):.1f}), answers by {name}")
        asked = questions.read_bytes().count(b'"decide"')
        own = [
            median(own_microseconds([binary, *more], questions, asked) for _ in range(rounds)) for more in ([], [""])
        ]
        size = questions.stat().st_size / 1000 / asked
        print(
            f"          its own share: {own[0]:.1f} us by index, {own[1]:.1f} us by copy; a question has {size:.1f} kB"
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    bots = [First, Last, Claimer]
    rates: dict[str, list[float]] = {bot.__name__: [] for bot in bots}
    plays = [games_per_second(bot, options.games) for bot in bots]
    for _ in range(options.rounds):
        for bot, play in zip(bots, plays, strict=True):
            rates[bot.__name__].append(play())
    for name, found in rates.items():
        print(f"{name.lower():8}  {median(found):7,.0f} games per CPU second")
    isolated(options.games)
    program(options.games, options.rounds)


if __name__ == "__main__":
    sys.exit(main())
