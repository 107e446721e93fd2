"""Balanced designs: choices of line-ups in which every two bots meet equally often, or nearly so.

A balanced incomplete block design, found as a difference family; for many bots a difference cover. Integers only: every
machine finds the same one.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from typing import NamedTuple

MOST_BOTS = 200
"""No design is looked for with more bots than this."""
MOST_EXACT, FEW_BOTS = 40, 20
"""Up to the first number of bots every two meet equally often, if such a design is found; from the second on they may
meet once or twice instead."""
TRIES, MOVES = 12, 4000
"""Searches for one design, and steps of one: mostly a hundredth of a second, at worst a few tenths."""
COVERINGS, COVERING_MOVES = 6, 40_000
WINDOW = 40
"""The choice that plays next is found among so many; to compare all of a larger design would take long."""

Members = tuple[int, ...]


def spread(index: int, count: int) -> int:
    """A permutation of 0 ... count - 1 whose neighbors lie far apart: no part of it leaves anything out for long."""
    stride = max(1, round(0.618 * count))  # the golden section
    while math.gcd(stride, count) > 1:
        stride += 1
    return index * stride % count


@cache
def balanced(things: int, size: int) -> tuple[Members, ...] | None:
    """Choices of `size` things in which every two meet equally often, fewer than all; None if none was found.

    Looked for are few base choices whose shifts modulo n are the design: in them each difference occurs equally often
    (a difference family). Either all things are shifted, or the last one stays where it is. For many things, and where
    no such design was found, the base choices cover each difference once or twice: every two things meet once or twice.
    """
    if not 3 <= size < things <= MOST_BOTS:
        return None
    if things <= MOST_EXACT:
        searches = (search for meetings in _meetings(things, size) for search in _searches(things, size, meetings))
        for search in islice(searches, TRIES):
            if found := _climb(search):
                shifted = [choice for base in found for choice in _shifts(base, search.modulus)]
                return tuple(_evenly(shifted, [0] * things, WINDOW))
    if things >= FEW_BOTS:
        for search in _coverings(things, size):
            if found := _climb(search):
                played = [0] * things
                return tuple(choice for base in found for choice in _evenly(_shifts(base, things), played, things))
    return None


def _evenly(choices: list[Members], played: list[int], window: int) -> Iterator[Members]:
    """The choices in an order in which all things play about equally often; counts up how often each has played."""
    left = [choices[spread(index, len(choices))] for index in range(len(choices))]
    while left:
        index = min(range(min(window, len(left))), key=lambda i: sum(played[thing] for thing in left[i]))
        chosen = left.pop(index)
        for thing in chosen:
            played[thing] += 1
        yield chosen


def _meetings(things: int, size: int) -> Iterator[int]:
    """How often two things may meet in designs that are smaller than all choices, growing."""
    least = 1
    for meetings in range(1, math.comb(things - 2, size - 2)):
        whole = meetings * (things - 1) % (size - 1) == 0 == meetings * things * (things - 1) % (size * (size - 1))
        if whole and meetings >= least:
            yield meetings
            least = -(-3 * meetings // 2)  # larger ones are easier to find: soon take a larger step


class _Search(NamedTuple):
    """Find base choices of these sizes, so that the shifts of all have each difference as often as wanted.

    If they have more differences than are wanted in all, each may occur once more than wanted.
    """

    modulus: int
    sizes: tuple[int, ...]
    """The sizes of the base choices to be found; those that are one smaller hold the thing that stays."""
    wanted: tuple[int, ...]
    """How often each difference is wanted, from 0 to modulus // 2."""
    short: tuple[Members, ...]
    """Base choices that are given: some shift leaves them as they are, so they have fewer shifts."""
    size: int
    moves: int = MOVES


def _coverings(things: int, size: int) -> Iterator[_Search]:
    """Searches with the fewest base choices that may cover each difference once or twice, then with a few more."""
    fewest = -(-(things // 2) // math.comb(size, 2))
    for number in range(fewest, fewest + COVERINGS):
        yield _Search(things, (size,) * number, (0,) + (1,) * (things // 2), (), size, COVERING_MOVES)


def _searches(things: int, size: int, meetings: int) -> Iterator[_Search]:
    """The first that is possible with all things shifted, and the first with one that stays."""
    choices = meetings * things * (things - 1) // (size * (size - 1))
    for modulus in (things, things - 1):
        short = _short(modulus, size)
        if modulus < things:
            short += [(*base, modulus) for base in _short(modulus, size - 1)]
        for given in (some for number in range(3) for some in combinations(short, number)):
            shifts = [_shifts(base, modulus) for base in given]
            wanted = [meetings - sum(_covered(s, modulus)[d] for s in shifts) for d in range(modulus // 2 + 1)]
            met = sum(modulus in choice for s in shifts for choice in s)  # choices with the thing that stays
            staying = meetings * (things - 1) // (size - 1) - met if modulus < things else 0
            others = choices - sum(map(len, shifts)) - staying
            if min(wanted[1:]) < 0 or staying < 0 or others < 0 or staying % modulus or others % modulus:
                continue
            sizes = (size - 1,) * (staying // modulus) + (size,) * (others // modulus)
            yield _Search(modulus, sizes, tuple(wanted), given, size)
            break


def _shifts(base: Members, modulus: int) -> list[Members]:
    """The different choices that a base choice is shifted to; the thing numbered `modulus` stays."""
    return sorted({
        tuple(sorted(thing if thing == modulus else (thing + shift) % modulus for thing in base))
        for shift in range(modulus)
    })  # fmt: skip


def _short(modulus: int, size: int) -> list[Members]:
    """The choices with fewer than `modulus` shifts, one of each family: unions of cosets of a subgroup."""
    found: dict[Members, Members] = {}
    for part in range(2, size + 1):
        if size % part == 0 == modulus % part:
            step = modulus // part
            for rest in combinations(range(1, step), size // part - 1):
                base = tuple(sorted(thing + step * k for thing in (0, *rest) for k in range(part)))
                found.setdefault(_shifts(base, modulus)[0], base)
    return list(found.values())


def _covered(choices: Sequence[Members], modulus: int) -> list[int]:
    """For each difference, how often two things at that difference meet in all the shifts of a base choice."""
    pairs = [0] * (modulus // 2 + 1)
    for choice in choices:
        for a, b in combinations([thing for thing in choice if thing < modulus], 2):
            pairs[min(b - a, modulus - b + a)] += 1
    return [count // (modulus // 2 if 2 * d == modulus else modulus) for d, count in enumerate(pairs)]


def _climb(search: _Search) -> list[Members] | None:
    """Change one thing of one base choice after another as long as the differences get no less even."""
    modulus = search.modulus
    weight = [2 if 2 * d == modulus else 1 for d in range(modulus)]
    chance = 1

    def below(n: int) -> int:
        nonlocal chance
        chance = (chance * 6364136223846793005 + 1442695040888963407) % 2**64  # Knuth's MMIX generator
        return (chance >> 33) * n >> 31

    bases = [list(range(size)) for size in search.sizes]
    excess = [-count for count in search.wanted]
    excess[0] = 0

    def put(base: list[int], place: int, sign: int) -> int:
        """Count the differences of one thing to the others of its base in or out; the change of the squares' sum."""
        change = 0
        for other, thing in enumerate(base):
            if other != place:
                d = abs(base[place] - thing)
                d = min(d, modulus - d)
                step = sign * weight[d]
                change += step * (2 * excess[d] + step)
                excess[d] += step
        return change

    for base in bases:
        for a, b in combinations(base, 2):
            d = min(b - a, modulus - b + a)
            excess[d] += weight[d]
    uneven = sum(count * count for count in excess)
    spare = 1 + max(0, sum(excess))
    for _ in range(search.moves):
        # The sum of the squares is the sum itself: each difference is there as often as wanted, or once more.
        if uneven <= spare and uneven == sum(excess) and (family := _family(search, bases)):
            return family
        if not bases:
            return None
        base = bases[below(len(bases))]
        place, thing = below(len(base)), below(modulus)
        if thing in base:
            continue
        before, change = base[place], put(base, place, -1)
        base[place] = thing
        change += put(base, place, 1)
        if change <= 0 or uneven == 0:
            uneven += change
        else:
            put(base, place, -1)
            base[place] = before
            put(base, place, 1)
    return None


def _family(search: _Search, bases: list[list[int]]) -> list[Members] | None:
    """The base choices of a design; None if some choice would be played twice."""
    found = [tuple(base) if len(base) == search.size else (*base, search.modulus) for base in bases]
    shifted = [_shifts(base, search.modulus)[0] for base in found]
    long = all(len(_shifts(base, search.modulus)) == search.modulus for base in found)
    return [*search.short, *found] if long and len(set(shifted)) == len(shifted) else None
