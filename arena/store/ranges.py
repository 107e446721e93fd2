"""Arithmetic of ranges of games: pairs of the first number and the last one + 1."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

Range = tuple[int, int]


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
    """What of a range does not lie in others, which `union` has put in order."""
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
