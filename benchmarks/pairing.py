"""What pairing is worth: the variance of a comparison by blocks, against that of as many independent games.

    python benchmarks/pairing.py [--deals 2000] [-o docs/statistics.md | --check]

Two designs. In one game: two bots at one table, every deal in all rotations, compared with games that each have a
deal and a seating of their own. In one seat: as `arena regress` plays, candidate and baseline in turn against the same
field on the same deals, compared with each on deals of its own.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from pages import ROOT, renew

from arena import catalog
from arena.engine.table import Table
from arena.experiments.regress.options import Setting
from arena.experiments.regress.rounds import InlineExecutor, make_conditions, play_rounds
from arena.rules.deal import make_deals
from arena.runs.compile import compile_all
from arena.tournament.plan import MAX_GAMES, Plan

PAGE = ROOT / "docs" / "statistics.md"
CASES = (
    ("hungry", "longroute", ("onestep", "path")),
    ("planner", "longroute", ("onestep", "path")),
    ("planner:late=0.5", "planner", ("longroute", "hungry")),
)
"""The two that are compared, and who else plays at a table of four."""
HEAD = ("design", "players", "compared", "paired", "independent", "games saved")


def single_games(first: str, second: str, others: Sequence[str], players: int, deals: int) -> np.ndarray:
    """Win share of the first bot less that of the second, in each game of each deal, float64 [deals, rotations]."""
    bots = (first, second, *others[: players - 2])
    plan = Plan.of_size(bots=bots, names=bots, map=catalog.default_map(), players=players, games=MAX_GAMES, seed=5)
    spec, entrants = catalog.load_map(plan.map), catalog.load_entrants(bots)
    compile_all(entrants, spec, players, lambda text: None)
    numbers, seatings = plan.seatings(0, deals * players)
    outcomes, faults = Table(spec, players, entrants).play(seatings, make_deals(plan.seed, numbers.tolist()))
    if faults:
        sys.exit(str(faults))
    winners = outcomes["rank"][:, :players] == 1
    shares = winners / winners.sum(axis=1, keepdims=True)
    one, other = ((shares * (seatings == bot)).sum(axis=1) for bot in (0, 1))
    return (one - other).reshape(deals, players)


def in_one_game(first: str, second: str, others: Sequence[str], players: int, deals: int) -> tuple[float, float]:
    """Variance of the mean difference, times the number of games: by blocks, and by games on deals of their own."""
    values = single_games(first, second, others, players, deals)
    return players * float(values.mean(axis=1).var(ddof=1)), float(values.var(ddof=1))


def in_one_seat(first: str, second: str, others: Sequence[str], players: int, deals: int) -> tuple[float, float]:
    """The same for candidate and baseline in one seat, against the field."""
    setting = Setting((catalog.default_map(),), (players,), tuple(others), 5, "rotation", {})
    cells = make_conditions(setting, *map(catalog.load_entrant, (first, second)))
    rounds = list(play_rounds(cells, deals, InlineExecutor(), 1))
    differences = np.concatenate([part.differences for part in rounds])
    shares = np.concatenate([part.shares for part in rounds])
    games = 2 * cells[0].candidate.plan.block_games
    apart = sum(np.mean(values) * (1 - np.mean(values)) for values in (shares, shares - differences))
    return games * float(differences.var(ddof=1)), 2 * float(apart)


def rows(deals: int) -> Iterator[tuple[str, ...]]:
    """The rows of the table."""
    for words, measure in (("in one game", in_one_game), ("in one seat", in_one_seat)):
        for players in (2, 4):
            for first, second, others in CASES:
                paired, independent = measure(first, second, others, players, deals)
                yield (words, str(players), f"`{first}`, `{second}`", f"{paired:.3f}", f"{independent:.3f}",
                       f"{1 - paired / independent:.0%}")  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options; print, and write or check the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=2000, help="of each row")
    parser.add_argument("-o", "--output", type=Path, help="the page to write the table into")
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if the page says otherwise")
    options = parser.parse_args(arguments)
    lines = [HEAD, ("---", "--:", "---", "--:", "--:", "--:"), *rows(options.deals)]
    found = "\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"
    print(found)
    if options.check or options.output:
        renew(options.output or PAGE, "pairing", found, f"{Path(__file__).name} -o {PAGE}", options.check)


if __name__ == "__main__":
    main()
