"""Who meets whom: the line-ups of a tournament, and the seatings of each deal."""

import math
from dataclasses import dataclass
from functools import cache
from itertools import permutations

from arena.tournament.balanced_designs import Members, balanced, spread

FORMATS = ("round-robin", "gauntlet", "lineup")
SEATINGS = ("rotation", "ring", "all", "once")
DESIGNS = ("all", "balanced")

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
    """How many of the first bots are in every line-up."""
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
