"""Do the statistics keep their promises? Simulated tournaments with a known truth; the table in docs/statistics.md.

    python benchmarks/calibration.py [-o PAGE] [--check] [--jobs N]

Prints the tables, and with -o writes them into the page, between its two marker comments. --check changes nothing and
exits with 1 if the page does not say what this run gives. It takes some minutes.

Games are drawn from the Plackett-Luce model with seat effects and, for each bot and block, luck that all games of the
block share. Of each line-up many blocks are drawn once; they are the population, whose means and ratings are the truth.
A tournament draws its blocks from them, with replacement, each line-up equally often.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pages import ROOT, renew
from scipy.special import zeta

from arena.stats.confidence_sequence import ConfidenceSequence, boundary
from arena.stats.intervals import share_interval, stratified_interval
from arena.stats.ratings import fit
from arena.stats.sprt import Sprt

PAGE = ROOT / "docs" / "statistics.md"
POPULATION = 50_000
LUCK = 1.0
"""Standard deviation of a bot's luck in a block, in units of strength; that of a single game is 1.28."""
SEAT = 0.15
"""Between the best seat and the next one, and so on."""
CLOSE = (0.0, 0.3, -0.3, 0.6, -0.6)
FAR = (4.2, 0.3, 0.0, -0.3, -3.0)
EQUAL = (0.0,) * 5

Row = tuple[str, str, str, str]


class Population(NamedTuple):
    """All blocks that could be drawn: line_ups [line-ups, seats], ranks [line-ups, blocks, rotations, seats]."""

    line_ups: np.ndarray
    bots: np.ndarray
    """[line-ups, rotations, seats]"""
    ranks: np.ndarray


def populate(rng: np.random.Generator, strength: Sequence[float], seats: int, blocks: int = POPULATION) -> Population:
    """The population of a pool."""
    line_ups = np.array(list(combinations(range(len(strength)), seats)))
    turn = (np.arange(seats) + np.arange(seats)[:, None]) % seats
    luck = rng.normal(0, LUCK, (len(line_ups), blocks, seats))[:, :, turn]
    bots = line_ups[:, turn]
    utility = np.array(strength)[bots][:, None] + luck - SEAT * np.arange(seats)
    utility += rng.gumbel(size=utility.shape)
    ranks = (-utility).argsort(axis=-1).argsort(axis=-1) + 1
    return Population(line_ups, bots, ranks.astype(np.int8))


def block_values(population: Population, bot: int) -> np.ndarray:
    """[line-ups with the bot, blocks] its win shares."""
    mine = (population.line_ups == bot).any(axis=1)
    won = (population.bots[mine] == bot)[:, None] & (population.ranks[mine] == 1)
    return np.asarray(won.sum(axis=-1).mean(axis=-1))


def shares(seed: int, name: str, strength: Sequence[float], seats: int, blocks: int, runs: int) -> Iterator[Row]:
    """Coverage of the interval of a win share; blocks: of a bot."""
    rng = np.random.default_rng(seed)
    population = populate(rng, strength, seats)
    covered, truths = [], []
    for bot in range(len(strength)):
        values = block_values(population, bot)
        truth, hits = values.mean(), 0
        each = blocks // len(values)
        counts = np.full(len(values), each)
        for _ in range(runs):
            drawn = np.take_along_axis(values, rng.integers(0, values.shape[1], (len(values), each)), axis=1)
            low, high = stratified_interval(counts, drawn.sum(axis=1), (drawn**2).sum(axis=1))
            hits += low <= truth <= high
        covered.append(hits / runs)
        truths.append(truth)
    setting = f"{name}, {seats} seats, {blocks} blocks of a bot; {runs:,} runs for each of {len(strength)} bots"
    spread = f"{min(truths):.1%} to {max(truths):.1%}"
    yield f"95 % interval of a win share holds it (shares of {spread})", setting, "94-96 %", span(covered)


def span(values: Sequence[float]) -> str:
    """The least and the greatest of some percentages."""
    return f"{min(values):.1%} to {max(values):.1%}"


def sequences(seed: int, seats: int, blocks: int, runs: int) -> Iterator[Row]:
    """How often the live intervals are ever left, looked at after each block; and plain ones, every 100 blocks."""
    rng = np.random.default_rng(seed)
    population = populate(rng, CLOSE, seats)
    values = block_values(population, 0)
    order = np.arange(blocks) % len(values)
    truth = np.cumsum(values.mean(axis=1)[order]) / np.arange(1, blocks + 1)
    count = np.arange(1, blocks + 1)
    sequence = ConfidenceSequence(1, blocks, guess=1 / seats)
    grid = np.geomspace(0.01, blocks, 4000)
    bounds = boundary(grid, sequence.alpha, sequence.rho)
    left = plain = late = 0
    for _ in range(runs):
        drawn = values[order, rng.integers(0, values.shape[1], blocks)]
        total = np.cumsum(drawn)
        predicted = (sequence.guess + total - drawn) / count
        half = np.interp(np.cumsum((drawn - predicted) ** 2), grid, bounds) / count
        left += bool((np.abs(total / count - truth) > half).any())
        squares = np.cumsum(drawn**2)
        looks = range(99, blocks, 100)
        ends = np.array([share_interval(look + 1, total[look], squares[look]) for look in looks])
        missed = (ends[:, 0] > truth[99::100]) | (ends[:, 1] < truth[99::100])
        plain += bool(missed.any())
        late += bool(missed[-1])
    setting = f"{seats} seats, {blocks:,} blocks, {runs:,} runs"
    yield "the live interval is ever left, looked at after each block", setting, "at most 5 %", f"{left / runs:.1%}"
    yield (
        "for comparison: the plain interval is left at some look, every 100 blocks",
        setting,
        "",
        f"{plain / runs:.1%}",
    )
    yield "for comparison: the plain interval is left at the end", setting, "", f"{late / runs:.1%}"


def differences(rng: np.random.Generator, seats: int, gain: float) -> np.ndarray:
    """[blocks] a candidate's block value less the baseline's, in its seat, with the same luck of the block."""
    turn = (np.arange(seats) + np.arange(seats)[:, None]) % seats
    luck = rng.normal(0, LUCK, (4 * POPULATION, seats))[:, turn] - SEAT * np.arange(seats)
    mine = turn == 0
    values = []
    for strength in (gain, 0.0):
        utility = luck + strength * mine + rng.gumbel(size=luck.shape)
        values.append(((utility.argmax(axis=-1)[..., None] == np.arange(seats)) & mine).sum(axis=-1).mean(axis=-1))
    return np.asarray(values[0] - values[1])


def rare_wins(rng: np.random.Generator, seats: int, gain: float) -> np.ndarray:
    """[blocks] differences that are mostly 0, at times a little negative, and rarely a great win."""
    return rng.choice([-1 / (2 * seats), 0.0, 1.0], p=[0.2, 0.78, 0.02], size=4 * POPULATION)


def moved(values: np.ndarray, mean: float) -> tuple[np.ndarray, np.ndarray]:
    """The distinct values and their chances, moved to exactly this mean as an exponential family moves."""
    found, counts = np.unique(values, return_counts=True)
    low, high = -60.0, 60.0
    for _ in range(100):
        middle = (low + high) / 2
        chances = counts * np.exp(middle * found)
        chances = chances / chances.sum()
        low, high = (middle, high) if chances @ found < mean else (low, middle)
    return found, chances


def false_decisions(
    rng: np.random.Generator, test: Sprt, law: tuple[np.ndarray, np.ndarray], wrong: str, runs: int, blocks: int
) -> tuple[float, float]:
    """The share of wrong decisions, and the mean number of blocks."""
    false, used = 0, 0
    low, high = test.bounds
    for _ in range(runs // 100):
        llr = test.path(rng.choice(law[0], p=law[1], size=(100, blocks)))[0]
        crossed = (llr >= high) | (llr <= low)
        crossed[:, : test.least - 1] = False
        place = np.where(crossed.any(axis=1), crossed.argmax(axis=1), blocks - 1)
        end = llr[np.arange(100), place]
        false += int(((end >= high) if wrong == "h1" else (end <= low)).sum())
        used += int((place + 1).sum())
    return false / runs, used / runs


def sequential_tests(
    seed: int,
    name: str,
    draw: Callable[[np.random.Generator, int, float], np.ndarray],
    seats: int,
    test: Sprt,
    runs: int,
) -> Iterator[Row]:
    """Errors and length of the sequential test, and the interval and estimate after it stopped."""
    rng = np.random.default_rng(seed)
    blocks = 4000
    setting = f"{name}, H0 at {test.m0:g}, H1 at {test.m1:g}"
    for mean, wrong, limit in ((test.m0, "h1", test.alpha), (test.m1, "h0", test.beta)):
        law = moved(draw(rng, seats, 0.4 * (wrong == "h0")), mean)
        false, used = false_decisions(rng, test, law, wrong, 10 * runs, blocks)
        what = f"sequential test decides for {wrong.upper()} with the mean at {mean:g}"
        yield (
            what,
            f"{setting}; {10 * runs:,} runs, {used:,.0f} blocks on average",
            f"at most {limit:.0%}",
            f"{false:.1%}",
        )
    for mean in (test.m0 - (test.m1 - test.m0) / 2, test.m0, (test.m0 + test.m1) / 2, test.m1):
        law = moved(draw(rng, seats, 0.2), mean)
        found = [test.decide(rng.choice(law[0], p=law[1], size=blocks)) for _ in range(runs)]
        ends = np.array([(one.low, one.estimate, one.high, one.raw) for one in found], float)
        covered = np.mean((ends[:, 0] <= mean) & (mean <= ends[:, 2]))
        below, plain = (np.mean(ends[:, column] < mean) + np.mean(ends[:, column] == mean) / 2 for column in (1, 3))
        where = f"{setting}, mean {mean:g}; {runs:,} runs"
        yield "interval after stopping holds the mean", where, "95 %", f"{covered:.1%}"
        yield "estimate after stopping is below the mean (plain mean)", where, "50 %", f"{below:.1%} ({plain:.1%})"


def rating_errors(seed: int, name: str, strength: Sequence[float], seats: int, each: int, runs: int) -> Iterator[Row]:
    """Coverage and bias of ratings; each: blocks of a line-up. The truth is the rating from the whole population."""
    rng = np.random.default_rng(seed)
    population = populate(rng, strength, seats)
    bots = len(strength)
    size = population.ranks.shape[1]
    every = np.broadcast_to(population.bots[:, None], population.ranks.shape).reshape(-1, seats)
    ids = np.repeat(np.arange(len(every) // seats), seats)
    truth = fit(every, population.ranks.reshape(-1, seats), ids, bots, 0).rating
    seatings = np.repeat(population.bots, each, axis=0).reshape(-1, seats)
    ids = np.repeat(np.arange(len(seatings) // seats), seats)
    scaled = []
    for _ in range(runs):
        chosen = rng.integers(0, size, (len(population.line_ups), each))
        ranks = population.ranks[np.arange(len(chosen))[:, None], chosen].reshape(-1, seats)
        found = fit(seatings, ranks, ids, bots, 0)
        rated = [bot for bot in range(1, bots) if bot not in found.unrated]
        scaled += ((found.rating - truth) / found.error)[rated].tolist()
    z = np.array(scaled)
    gap = f"{truth.max() - truth.min():.0f} Elo apart"
    setting = f"{name} ({gap}), {seats} seats, {each * len(population.line_ups)} blocks; {runs:,} runs"
    yield "95 % interval of a rating holds it", setting, "95 %", f"{np.mean(np.abs(z) < 1.96):.1%}"
    yield "mean bias of a rating, in standard errors", setting, "0", f"{z.mean():+.2f}"


def widths(seed: int) -> Iterator[Row]:
    """The live interval against the plain one and the stitched boundary, for a run planned to be 10,000 blocks long."""
    rng = np.random.default_rng(seed)
    for seats in (2, 4):
        values = block_values(populate(rng, EQUAL[:seats], seats), 0)[0][:10_000]
        sequence = ConfidenceSequence(1, 10_000, guess=1 / seats)
        done = 0
        for blocks in (100, 1000, 10_000):
            sequence.add(0, values[done:blocks])
            done = blocks
            low, high = sequence.interval()
            seen = values[:blocks]
            plain = share_interval(blocks, seen.sum(), (seen**2).sum())
            other = 2 * stitched(float(sequence.squares[0]), sequence.alpha) / blocks
            width = high[0] - low[0]
            ratios = (f"{width / (plain[1] - plain[0]):.2f}", f"{min(other, 1.0) / (plain[1] - plain[0]):.2f}")
            yield f"{seats}", f"{blocks:,}", *ratios


def stitched(time: float, alpha: float) -> float:
    """The polynomial stitched boundary of Howard et al. (2021), Theorem 1, with eta = 2, s = 1.4, m = 1 and c = 1."""
    time = max(time, 1.0)
    logs = 1.4 * np.log(np.log2(2 * time)) + np.log(zeta(1.4) / alpha)
    first, second = (2**0.25 + 2**-0.25) / np.sqrt(2), (np.sqrt(2) + 1) / 2
    return float(np.sqrt(first**2 * time * logs + second**2 * logs**2) + second * logs)


TASKS: list[tuple[Callable[..., Iterator[Row]], tuple[object, ...]]] = [
    (sequential_tests, (11, "paired, 2 seats", differences, 2, Sprt(0, 0.05), 2000)),
    (sequential_tests, (12, "paired, 4 seats", differences, 4, Sprt(0, 0.05), 2000)),
    (sequential_tests, (13, "rare great wins", rare_wins, 4, Sprt(0, 0.05), 2000)),
    (shares, (1, "close pool", CLOSE, 2, 400, 10_000)),
    (shares, (2, "close pool", CLOSE, 4, 400, 10_000)),
    (shares, (3, "wide pool", FAR, 2, 1000, 10_000)),
    (shares, (4, "wide pool", FAR, 4, 1000, 10_000)),
    (shares, (5, "two bots", (0.0, 0.5), 2, 100, 10_000)),
    (sequences, (6, 2, 10_000, 2000)),
    (sequences, (7, 4, 10_000, 2000)),
    (rating_errors, (8, "close pool", CLOSE, 2, 20, 2000)),
    (rating_errors, (9, "close pool", CLOSE, 4, 40, 2000)),
    (rating_errors, (10, "wide pool", FAR, 4, 100, 2000)),
]


def work(task: tuple[Callable[..., Iterator[Row]], tuple[object, ...]]) -> list[Row]:
    """All rows of a task, in a process of its own."""
    return list(task[0](*task[1]))


def tables(jobs: int) -> str:
    """Both tables as Markdown."""
    with ProcessPoolExecutor(jobs) as pool:
        parts = list(pool.map(work, TASKS))
    order = sorted(range(len(TASKS)), key=lambda number: TASKS[number][1][0])
    rows = [row for number in order for row in parts[number]]
    head = ("what", "of what", "promised", "measured")
    ratios = ("seats", "blocks", "live / plain interval", "stitched / plain interval")
    return f"{markdown(head, rows)}\n{markdown(ratios, list(widths(20)))}"


def markdown(head: Row, rows: Sequence[Row]) -> str:
    """A table; the last two columns are numbers."""
    lines = [head, ("---", "---", "--:", "--:"), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options; print, and write or check the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, help="the page to write the tables into")
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if the page says otherwise")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    options = parser.parse_args(arguments)
    found = tables(options.jobs)
    print(found)
    if options.check or options.output:
        renew(options.output or PAGE, "calibration", found, f"{Path(__file__).name} -o {PAGE}", options.check)


if __name__ == "__main__":
    main()
