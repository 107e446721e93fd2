"""Compare the engine's speed in two checkouts, case by case, in one run: the machine's mood falls on both alike.

    python benchmarks/compare.py OTHER_CHECKOUT [--rounds 5] [--seconds 1]

Prints for each case the median games per CPU second here and there, and the median of the ratios round by round.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent


def bench(checkout: Path, seconds: float) -> dict[str, float]:
    """Games per CPU second of each case of `arena bench` with the code of a checkout."""
    run = subprocess.run(
        [sys.executable, "-c", "from arena.cli import main; main()", "bench", "--json", "--seconds", str(seconds)],
        env={**os.environ, "PYTHONPATH": str(checkout)},
        cwd=checkout,
        check=True,
        capture_output=True,
        text=True,
    )
    results = json.loads(run.stdout)["results"]
    return {f"{row['map']} {row['players']} {row['case']}": row["games_per_cpu_second"] for row in results}


def main() -> None:
    """Read the options, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    options = parser.parse_args()
    here, there = [], []
    for _ in range(options.rounds):
        here.append(bench(HERE, options.seconds))
        there.append(bench(options.other.resolve(), options.seconds))
    print(f"{'case':24}{'here':>10}{'there':>10}{'ratio':>8}")
    for case in here[0]:
        if case in there[0]:
            ratio = statistics.median(a[case] / b[case] for a, b in zip(here, there, strict=True))
            mine, other = (statistics.median(row[case] for row in rows) for rows in (here, there))
            print(f"{case:24}{mine:>10,.0f}{other:>10,.0f}{ratio:>8.3f}")


if __name__ == "__main__":
    main()
