"""Ranges of games, pairs of the first number and the last one + 1, and the shards into which a plan cuts its games."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from arena.tournament.plan import Plan

Range = tuple[int, int]
LEAST_GAMES, MOST_GAMES = 500, 20_000
"""How many games a shard holds."""
SHARD_NAME = re.compile(r"(\d{10})-(\d{10})\.parquet")


def union(ranges: Iterable[Range]) -> list[Range]:
    """The same games in ascending ranges with gaps between them."""
    joined: list[Range] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        elif first < last:
            joined.append((first, last))
    return joined


def without(wanted: Range, covered: Sequence[Range]) -> list[Range]:
    """The stretches of a range that lie in no other one; `union` has put the others in order."""
    first, last = wanted
    left = []
    for index in range(max(0, bisect_right(covered, (first, last)) - 1), len(covered)):
        begin, end = covered[index]
        if begin >= last:
            break
        if first < begin:
            left.append((first, begin))
        first = max(first, end)
    return [*left, (first, last)] if first < last else left


def size(ranges: Iterable[Range]) -> int:
    """The number of games in ranges that do not overlap."""
    return sum(last - first for first, last in ranges)


def holds(ranges: Sequence[Range], game: int) -> bool:
    """Whether a game lies in one of some ranges, which `union` has put in order."""
    index = bisect_right(ranges, game, key=lambda found: found[0]) - 1
    return index >= 0 and game < ranges[index][1]


def shard_size(plan: Plan) -> int:
    """Games in a shard, in whole blocks: about 64 shards a run, of 500 to 20,000 games. It depends on the plan only."""
    wanted = min(max(plan.games // 64, LEAST_GAMES), MOST_GAMES)
    return -(-wanted // plan.block_games) * plan.block_games


def shard_of(plan: Plan, game: int) -> Range:
    """First game and last game + 1 of the canonical shard that holds a game."""
    games = shard_size(plan)
    first = game - game % games
    return first, min(first + games, plan.games)


def shards(plan: Plan, first: int = 0, last: int | None = None) -> Iterator[Range]:
    """The canonical shards that hold the games first to last - 1, by default all."""
    last = plan.games if last is None else last
    while first < last:
        yield shard_of(plan, first)
        first = shard_of(plan, first)[1]


def shard_path(run: Path, first: int, last: int) -> Path:
    """The file of the games first to last - 1."""
    return run / "seats" / f"{first:010d}-{last:010d}.parquet"


def named_games(plan: Plan, path: Path) -> Range | None:
    """The games that a file's name says it holds; None if it is no name of a shard of this plan."""
    match = SHARD_NAME.fullmatch(path.name)
    first, last = (int(match[1]), int(match[2])) if match else (0, 0)
    whole = first % plan.block_games == last % plan.block_games == 0
    return (first, last) if first < last <= plan.games and whole else None
