"""How much stronger `mcts` gets by thinking longer: duels with `planner` by budget, and a plot of them.

    python benchmarks/budget.py [--map usa] [--deals 100] [--sims 8 16 32 64 128 256] [--jobs 2] [-o docs/mcts.svg]

Each deal is played in both seatings. The table goes to stdout, the plot to the file, if one is named.
"""

import argparse
import multiprocessing
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from arena import catalog
from arena.checks.bot.duels import play_deals
from arena.engine.table import Table
from arena.runs.compile import compile_all
from arena.stats.intervals import share_interval

SEED = 3_000
CHUNK = 5  # deals


def play(map_name: str, bot: str, first: int) -> tuple[list[float], float]:
    """Mean win share of a bot against `planner` in each of CHUNK deals, and the CPU seconds for them."""
    warnings.simplefilter("ignore")
    table = Table(catalog.load_map(map_name), 2, catalog.load_entrants([bot, "planner"]))
    begun = time.process_time()
    shares, fault = play_deals(table, range(first, first + CHUNK), SEED)
    if fault:
        raise SystemExit(fault)
    return shares, time.process_time() - begun


def plot(rows: list[tuple[int, float, float, float]], map_name: str) -> str:
    """An SVG picture: win share and interval by budget, a step to the right for each row."""
    width, height, left, top, bottom = 640, 320, 60, 30, 50
    low, high = 0.4, 1.0

    def y(share: float) -> float:
        return top + (high - min(high, max(low, share))) / (high - low) * (height - top - bottom)

    def x(index: int) -> float:
        return left + (index + 0.5) * (width - left - 20) / len(rows)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        'font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{left}" y="18">Win share of mcts against planner, {map_name}, 2 players, 95 % interval</text>',
    ]
    for percent in range(40, 101, 10):
        line = y(percent / 100)
        stroke = "#888" if percent == 50 else "#ddd"
        parts.append(f'<path d="M{left} {line:.1f}H{width - 20}" stroke="{stroke}"/>')
        parts.append(f'<text x="{left - 8}" y="{line + 4:.1f}" text-anchor="end">{percent} %</text>')
    course = " ".join(f"{x(index):.1f},{y(row[1]):.1f}" for index, row in enumerate(rows))
    parts.append(f'<polyline points="{course}" fill="none" stroke="#1f6fb2" stroke-width="2"/>')
    for index, (sims, share, lower, upper) in enumerate(rows):
        parts.append(f'<path d="M{x(index):.1f} {y(lower):.1f}V{y(upper):.1f}" stroke="#1f6fb2"/>')
        parts.append(f'<circle cx="{x(index):.1f}" cy="{y(share):.1f}" r="4" fill="#1f6fb2"/>')
        parts.append(f'<text x="{x(index):.1f}" y="{height - 30}" text-anchor="middle">{sims}</text>')
    middle = (left + width - 20) / 2
    parts.append(f'<text x="{middle}" y="{height - 10}" text-anchor="middle">sampled games a decision (sims)</text>')
    return "\n".join([*parts, "</svg>\n"])


def main() -> None:
    """Read the options, play, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--map", default=catalog.default_map())
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--sims", type=int, nargs="+", default=[8, 16, 32, 64, 128, 256])
    parser.add_argument("--with", dest="more", default="", help="further parameters of mcts, as in `tree=1`")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-o", "--out", type=Path)
    options = parser.parse_args()
    spec = catalog.load_map(options.map)
    compile_all(catalog.load_entrants(["mcts", "planner"]), spec, 2, lambda text: print(text, file=sys.stderr))
    rows = []
    print(f"{'sims':>5}{'games':>7}{'wins':>8}{'interval':>16}{'s a game':>10}")
    with ProcessPoolExecutor(options.jobs, mp_context=multiprocessing.get_context("fork")) as pool:
        for sims in options.sims:
            bot = f"mcts:sims={sims}" + (f",{options.more}" if options.more else "")
            chunks = [pool.submit(play, options.map, bot, first) for first in range(0, options.deals, CHUNK)]
            shares = np.concatenate([chunk.result()[0] for chunk in chunks])
            seconds = sum(chunk.result()[1] for chunk in chunks) / (2 * len(shares))
            lower, upper = share_interval(len(shares), float(shares.sum()), float((shares**2).sum()))
            rows.append((sims, float(shares.mean()), lower, upper))
            interval = f"{lower:.1%}-{upper:.1%}"
            print(f"{sims:>5}{2 * len(shares):>7}{shares.mean():>8.1%}{interval:>16}{seconds:>10.2f}", flush=True)
    if options.out:
        options.out.write_text(plot(rows, options.map), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
