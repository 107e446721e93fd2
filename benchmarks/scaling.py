"""Games a second with one process and with more, in turn; start-up not counted.

python benchmarks/scaling.py [--jobs 2] [--games 200000] [--rounds 5] [BOT ...]
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from arena.store.run_directory import read_times


def rate(bots: list[str], games: int, jobs: int) -> float:
    """Games a second of one run, as it records it."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        command = ["run", *bots, "--games", str(games), "--jobs", str(jobs), "--out", str(out)]
        start = "from arena.cli import main; main()"
        subprocess.run([sys.executable, "-c", start, *command], check=True, capture_output=True)
        return float(read_times(out)["games_per_second"])


def main() -> None:
    """Read the options, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bots", nargs="*", default=["random", "greedy"])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    ratios = []
    for _ in range(options.rounds):
        one, many = (rate(options.bots, options.games, jobs) for jobs in (1, options.jobs))
        ratios.append(many / one)
        print(f"1 process: {one:,.0f} games/s; {options.jobs}: {many:,.0f}; ratio {ratios[-1]:.2f}")
    print(f"median ratio {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
