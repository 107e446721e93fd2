"""Tune the parameters of a compiled bot by CMA-ES over paired deals (needs the package cma).

    python benchmarks/tune.py planner --games usa:2 japan:2 south_korea:2 usa:4 --field planner racer --generations 60

A candidate sits in every seat of each deal against each bot of the field, which are the same for all candidates of a
generation and new in every generation. Its fitness is the mean of 1 / (1 + exp(-margin / SOFTNESS)), the margin being
its score less the best other's: smoother than wins, and still about winning. Parameters are searched as logarithms,
so their signs stay. The deals are those of seeds from TUNING_SEED on, which nothing else uses.
Progress goes to stderr; the mean of the search at the end, as a spec, to stdout.
"""

import argparse
import multiprocessing
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor

import cma
import numpy as np

from arena import catalog
from arena.engine.table import Table
from arena.rules.deal import make_deals

TUNING_SEED = 2_000_000_000
SOFTNESS = 12.0


def spec_of(bot: str, parameters: dict[str, float]) -> str:
    """A bot with its parameters, rounded to what is worth knowing."""
    return f"{bot}:" + ",".join(f"{name}={value:.4g}" for name, value in parameters.items())


def margins(map_name: str, players: int, candidate: str, other: str, seed: int, deals: int) -> np.ndarray:
    """The candidate's score less the best other's, a mean for each deal over all seats; float64 [deals]."""
    table = Table(catalog.load_map(map_name), players, catalog.load_entrants([candidate, other]))
    seatings = np.array([[int(seat != own) for seat in range(players)] for own in range(players)])
    dealt = np.repeat(make_deals(seed, range(deals)), players, axis=0)
    outcomes, faults = table.play(np.tile(seatings, (deals, 1)), dealt)
    if faults:
        raise SystemExit(f"{candidate} on {map_name}: {next(iter(faults.values()))[0]}")
    scores = outcomes["score"][:, :players].astype(float)
    games = np.arange(len(scores))
    own = scores[games, games % players]
    scores[games, games % players] = -np.inf
    return np.asarray((own - scores.max(axis=1)).reshape(deals, players).mean(axis=1))


def fitness(candidate: str, settings: list[tuple[str, int]], field: list[str], seed: int, deals: int) -> float:
    """The mean over all settings and opponents."""
    values = [
        np.mean(1 / (1 + np.exp(-margins(name, players, candidate, other, seed, deals) / SOFTNESS)))
        for name, players in settings
        for other in field
    ]
    return float(np.mean(values))


def main() -> None:
    """Read the options, search, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bot")
    parser.add_argument("--games", nargs="+", default=["usa:2"], metavar="MAP:PLAYERS")
    parser.add_argument("--field", nargs="+", default=["planner"], metavar="BOT")
    parser.add_argument("--deals", type=int, default=40, help="for each candidate, setting and opponent")
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--spread", type=float, default=0.25, help="of the logarithms at the beginning")
    parser.add_argument("--only", nargs="*", help="the parameters to tune; all by default")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    entrant = catalog.load_entrant(options.bot)
    defaults = {**entrant.bot.defaults, **entrant.parameters}  # type: ignore[union-attr]  # a Policy
    names = options.only or list(defaults)
    settings = [(name, int(players)) for name, players in (item.split(":") for item in options.games)]
    bot = options.bot.split(":")[0]

    def candidate(point: np.ndarray) -> str:
        tuned = {name: defaults[name] * float(np.exp(value)) for name, value in zip(names, point, strict=True)}
        return spec_of(bot, {**defaults, **tuned})

    warnings.simplefilter("ignore")
    search = cma.CMAEvolutionStrategy(np.zeros(len(names)), options.spread, {"seed": options.seed + 1, "verbose": -9})
    begun = time.perf_counter()
    with ProcessPoolExecutor(options.jobs, mp_context=multiprocessing.get_context("fork")) as pool:
        for generation in range(options.generations):
            seed = TUNING_SEED + 1000 * options.seed + generation
            points = search.ask()
            specs = [candidate(point) for point in points]
            futures = [pool.submit(fitness, spec, settings, options.field, seed, options.deals) for spec in specs]
            values = [future.result() for future in futures]
            search.tell(points, [-value for value in values])
            print(
                f"{generation + 1:3}  best {max(values):.3f}  mean {np.mean(values):.3f}  spread {search.sigma:.3f}  "
                f"{time.perf_counter() - begun:.0f} s  {candidate(search.mean)}",
                file=sys.stderr, flush=True,
            )  # fmt: skip
    print(candidate(search.mean))


if __name__ == "__main__":
    main()
