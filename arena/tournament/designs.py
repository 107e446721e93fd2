"""Who meets whom: the line-ups of a tournament, balanced designs, and the seatings of each deal.

A balanced design is a choice of line-ups in which every two bots meet equally often: a balanced incomplete block
design, found as a difference family. Integers only: every machine finds the same one.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice, permutations
from typing import NamedTuple

FORMATS = ("round-robin", "gauntlet", "lineup")
SEATINGS = ("rotation", "ring", "all", "once")
DESIGNS = ("all", "balanced")

MOST_BOTS = 40
"""Of more bots no balanced design is looked for."""
TRIES, MOVES = 12, 4000
"""Searches for one design, and steps of one: mostly a hundredth of a second, at worst a few tenths."""
WINDOW = 40
"""Of so many choices the one that plays next is chosen; all of a larger design would take long."""

Members = tuple[int, ...]


# Seatings


@cache
def seatings(seating: str, players: int) -> tuple[tuple[Members, ...], ...]:
    """The seatings of one deal, for each of the turns that a line-up takes: [turn][game][seat] -> member.

    rotation: one cyclic order in all its rotations; turn by turn the next order, each followed by its mirror image.
    ring: everyone equally often in each seat and equally often right before each other one. Five players need four
    cyclic orders for that, x -> x + d modulo 5. Of four players the orders cannot be chosen so (Tillson 1980): all six.
    all: every order of the players. once: a deal is played once, and the next one in another order: for copies of one
    bot, which would play the same game in each seat.
    """
    orders = cyclic_orders(players)
    if seating == "once":
        return tuple((seated,) for order in orders for seated in _rotations(order))
    if seating == "rotation":
        return tuple(_rotations(order) for order in orders)
    if seating == "all" or players < 5:
        return (tuple(seated for order in orders for seated in _rotations(order)),)
    rings = dict.fromkeys(
        tuple(sorted(tuple(order[step * seat % players] for seat in range(players)) for step in range(1, players)))
        for order in orders
    )
    return tuple(tuple(seated for order in ring for seated in _rotations(order)) for ring in rings)


def cyclic_orders(players: int) -> list[Members]:
    """The orders around a table, which differ by more than a rotation, each followed by its mirror image."""
    halves = [rest for rest in permutations(range(1, players)) if rest <= rest[::-1]]
    halves = [halves[spread(index, len(halves))] for index in range(len(halves))]
    return [(0, *rest) for half in halves for rest in dict.fromkeys((half, half[::-1]))]


def _rotations(order: Members) -> tuple[Members, ...]:
    return tuple(order[first:] + order[:first] for first in range(len(order)))


# Line-ups


@dataclass(frozen=True)
class Lineups:
    """The line-ups of a tournament by their number; those of successive numbers have little in common."""

    bots: int
    players: int
    always: int
    """How many of the first bots sit in every line-up."""
    listed: tuple[Members, ...] | None
    """The choices of the others, if not all of them are played."""

    @property
    def count(self) -> int:
        """How many line-ups there are."""
        return len(self.listed) if self.listed else math.comb(self.bots - self.always, self.players - self.always)

    def __getitem__(self, number: int) -> Members:
        if self.listed:
            chosen = self.listed[number]
        else:
            index = spread(number, self.count)
            chosen = combination(self.bots - self.always, self.players - self.always, index)
        return (*range(self.always), *(self.always + other for other in chosen))


def lineups(form: str, design: str, bots: int, players: int) -> Lineups:
    """The line-ups of a format: all of them, or a balanced design where there is a smaller one."""
    always = int(form == "gauntlet")
    listed = balanced(bots - always, players - always) if design == "balanced" else None
    return Lineups(bots, players, always, listed)


def choose_design(form: str, bots: int, players: int, blocks: int) -> str:
    """All line-ups if so many blocks are enough for each to play, else a balanced design if there is a smaller one."""
    if blocks >= lineups(form, "all", bots, players).count:
        return "all"
    return "balanced" if lineups(form, "balanced", bots, players).listed else "all"


def spread(index: int, count: int) -> int:
    """A permutation of 0 ... count - 1 whose neighbors lie far apart: no part of it leaves anything out for long."""
    stride = max(1, round(0.618 * count))  # the golden section
    while math.gcd(stride, count) > 1:
        stride += 1
    return index * stride % count


def combination(n: int, k: int, index: int) -> Members:
    """The index-th, in lexicographic order, of the ways to choose k of n things."""
    chosen = []
    for thing in range(n):
        if k == 0:
            break
        with_it = math.comb(n - thing - 1, k - 1)
        if index < with_it:
            chosen.append(thing)
            k -= 1
        else:
            index -= with_it
    return tuple(chosen)


# Balanced designs


@cache
def balanced(things: int, size: int) -> tuple[Members, ...] | None:
    """Choices of `size` things in which every two meet equally often, fewer than all; None if none was found.

    Looked for are few base choices whose shifts modulo n are the design: in them each difference occurs equally often
    (a difference family). Either all things are shifted, or the last one stays where it is.
    """
    if not 3 <= size < things <= MOST_BOTS:
        return None
    searches = (search for meetings in _meetings(things, size) for search in _searches(things, size, meetings))
    for search in islice(searches, TRIES):
        if found := _climb(search):
            return _evenly([shifted for base in found for shifted in _shifts(base, search.modulus)], things)
    return None


def _evenly(choices: list[Members], things: int) -> tuple[Members, ...]:
    """The choices in an order in which all things play about equally often from the start."""
    left = [choices[spread(index, len(choices))] for index in range(len(choices))]
    played = [0] * things
    ordered = []
    while left:
        index = min(range(min(WINDOW, len(left))), key=lambda i: sum(played[thing] for thing in left[i]))
        ordered.append(left.pop(index))
        for thing in ordered[-1]:
            played[thing] += 1
    return tuple(ordered)


def _meetings(things: int, size: int) -> Iterator[int]:
    """How often two things may meet in designs that are smaller than all choices, growing."""
    least = 1
    for meetings in range(1, math.comb(things - 2, size - 2)):
        whole = meetings * (things - 1) % (size - 1) == 0 == meetings * things * (things - 1) % (size * (size - 1))
        if whole and meetings >= least:
            yield meetings
            least = -(-3 * meetings // 2)  # larger ones are easier to find: soon take a larger step


class _Search(NamedTuple):
    """Find base choices of these sizes, so that the shifts of all have each difference as often as wanted."""

    modulus: int
    sizes: tuple[int, ...]
    """Of the base choices to be found; those one smaller than the others hold the thing that stays."""
    wanted: tuple[int, ...]
    """By difference, 0 to modulus // 2."""
    short: tuple[Members, ...]
    """Base choices that are given: some shift leaves them as they are, so they have fewer shifts."""
    size: int


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
    """By difference, how often two things at that difference meet in all the shifts of a base choice."""
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
    for _ in range(MOVES):
        if uneven == 0 and (family := _family(search, bases)):
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
