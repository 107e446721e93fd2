"""Designs, counted from scratch: who meets whom, who sits where, who plays right after whom."""

import os
import subprocess
import sys
from collections import Counter
from itertools import combinations, permutations
from math import comb, factorial

import pytest

from arena.tournament.balanced_designs import FEW_BOTS, MOST_BOTS, MOST_EXACT, balanced
from arena.tournament.designs import FORMATS, SEATINGS, choose_design, lineups, seatings

SMALLEST = {
    (6, 3): 10, (7, 3): 7, (9, 3): 12, (10, 3): 30, (13, 3): 26, (15, 3): 35,
    (7, 4): 7, (8, 4): 14, (9, 4): 18, (12, 4): 33, (13, 4): 13, (16, 4): 20, (19, 4): 57, (22, 4): 77,
    (9, 5): 18, (10, 5): 18, (11, 5): 11, (16, 5): 48, (21, 5): 21, (25, 5): 30,
}  # fmt: skip
"""Designs with the fewest choices that counting allows: Fano's plane is (7, 3), affine and projective planes others."""
NONE = [(4, 3), (5, 3), (8, 3), (5, 4), (6, 4), (6, 5), (7, 5), (8, 5)]
"""Here counting allows no design smaller than all choices."""
COVERED = {(26, 3), (32, 3), (38, 3), (40, 5)}
"""Here the search finds none: two bots meet once or twice."""

BALANCED = [seating for seating in SEATINGS if seating != "once"]
"""Those that put everyone in each seat within a deal."""


def check_design(design: tuple[tuple[int, ...], ...], things: int, size: int) -> None:
    """Every choice once; every thing, and every two things, equally often."""
    assert len(set(design)) == len(design) < comb(things, size)
    assert all(len(set(choice)) == size and set(choice) <= set(range(things)) for choice in design)
    single = Counter(thing for choice in design for thing in choice)
    pairs = Counter(pair for choice in design for pair in combinations(sorted(choice), 2))
    assert len(single) == things
    assert len(pairs) == comb(things, 2)
    assert len(set(single.values())) == len(set(pairs.values())) == 1


def check_cover(design: tuple[tuple[int, ...], ...], things: int, size: int) -> None:
    """Everybody equally often, every two once or twice, and everybody about equally often in any part of it."""
    assert len(set(design)) == len(design) <= 1.6 * comb(things, 2) / comb(size, 2)
    pairs = Counter(pair for choice in design for pair in combinations(sorted(choice), 2))
    assert len(pairs) == comb(things, 2)
    assert max(pairs.values()) <= 2
    played = [0] * things
    for choice in design:
        assert len(set(choice)) == size
        for thing in choice:
            played[thing] += 1
        assert max(played) - min(played) <= 4
    assert max(played) == min(played)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_designs_are_balanced(size: int) -> None:
    """For every number of bots up to the most of an exact design; where there is none, it is known."""
    missing, covered = set(), set()
    for things in range(size + 1, MOST_EXACT + 1):
        design = balanced(things, size)
        if not design:
            missing.add((things, size))
        elif (things, size) in COVERED:
            assert things >= FEW_BOTS
            check_cover(design, things, size)
            covered.add((things, size))
        else:
            check_design(design, things, size)
    assert missing == {case for case in NONE if case[1] == size}
    assert covered == {case for case in COVERED if case[1] == size}


@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize("things", [MOST_EXACT + 1, 60, 131, MOST_BOTS])
def test_many_bots_meet_once_or_twice(things: int, size: int) -> None:
    """The audit's 60 bots at 4 seats: 188 to 344 games a bot, and 2.5 % of the pairs never met."""
    check_cover(balanced(things, size) or (), things, size)


@pytest.mark.full
@pytest.mark.parametrize("size", [3, 4, 5])
def test_any_number_of_bots_has_a_design(size: int) -> None:
    """All remainders of the number by small ones occur."""
    for things in range(MOST_EXACT + 1, MOST_BOTS + 1, 7):
        check_cover(balanced(things, size) or (), things, size)


@pytest.mark.parametrize(("things", "size"), SMALLEST)
def test_the_smallest_designs(things: int, size: int) -> None:
    assert len(balanced(things, size) or ()) == SMALLEST[things, size]


def test_a_changed_design_is_found_out() -> None:
    """The check itself: one member of one choice replaced."""
    design = balanced(13, 4)
    assert design
    first = design[0]
    other = next(thing for thing in range(13) if thing not in first)
    with pytest.raises(AssertionError):
        check_design(((*first[1:], other), *design[1:]), 13, 4)


@pytest.mark.parametrize(("things", "size"), [(40, 2), (201, 4), (5, 5), (3, 4)])
def test_no_design_is_looked_for(things: int, size: int) -> None:
    """All pairs are a design; pools beyond the limit and pools of one line-up have none."""
    assert balanced(things, size) is None


def test_designs_are_the_same_in_another_process() -> None:
    """Whatever the order of sets; a plan names its design by a word, so it must never change either."""
    code = "from arena.tournament.balanced_designs import balanced\n"
    code += "print([balanced(n, k) for k in (3, 4, 5) for n in (10, 14, 20)])"
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    found = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert found == f"{[balanced(n, k) for k in (3, 4, 5) for n in (10, 14, 20)]}\n"
    assert balanced(7, 3) == ((0, 1, 5), (1, 3, 4), (0, 2, 3), (2, 4, 5), (0, 4, 6), (3, 5, 6), (1, 2, 6))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seating", BALANCED)
def test_seatings_of_a_block(seating: str, players: int) -> None:
    """Everyone sits equally often in each seat; every turn has as many seatings, no seating twice."""
    for block in seatings(seating, players):
        assert len(set(block)) == len(block)
        assert all(sorted(seated) == list(range(players)) for seated in block)
        seats = Counter((seat, seated[seat]) for seated in block for seat in range(players))
        assert len(seats) == players**2
        assert len(set(seats.values())) == 1
    assert len({len(block) for block in seatings(seating, players)}) == 1


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_number_of_seatings(players: int) -> None:
    assert len(seatings("rotation", players)[0]) == players
    assert len(seatings("ring", players)[0]) == {2: 2, 3: 6, 4: 24, 5: 20}[players]
    assert set(seatings("all", players)[0]) == set(permutations(range(players)))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seating", ["ring", "all"])
def test_rings_are_balanced_in_one_block(seating: str, players: int) -> None:
    """Everyone plays equally often right before each other one."""
    for block in seatings(seating, players):
        upstream = Counter((seated[seat - 1], seated[seat]) for seated in block for seat in range(players))
        assert len(upstream) == players * (players - 1)
        assert len(set(upstream.values())) == 1


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seating", SEATINGS)
def test_turns_go_through_all_orders(seating: str, players: int) -> None:
    """When every turn was taken once, every order of the players was played once."""
    played = Counter(seated for block in seatings(seating, players) for seated in block)
    assert len(played) == factorial(players)
    assert set(played.values()) == {1}


def test_four_rings_cannot_be_chosen_from_six() -> None:
    """No three of the cyclic orders of four players are balanced (Tillson 1980), so a ring of four takes all."""
    orders = list(seatings("rotation", 4))
    for some in [chosen for count in range(1, 6) for chosen in combinations(orders, count)]:
        upstream = Counter((s[seat - 1], s[seat]) for block in some for s in block for seat in range(4))
        assert len(upstream) < 12 or len(set(upstream.values())) > 1


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("design", ["all", "balanced"])
@pytest.mark.parametrize(("bots", "players"), [(2, 2), (5, 2), (8, 3), (10, 4), (14, 5)])
def test_lineups_of_a_format(form: str, design: str, bots: int, players: int) -> None:
    """Each once; all pairs meet equally often, in a gauntlet those of the others, who all meet the first."""
    if form == "lineup":
        bots = players
    found = lineups(form, design, bots, players)
    members = [found[number] for number in range(found.count)]
    assert len(set(members)) == found.count
    assert all(list(lineup) == sorted(set(lineup)) and len(lineup) == players for lineup in members)
    others = range(int(form == "gauntlet"), bots)
    pairs = Counter(pair for lineup in members for pair in combinations(lineup, 2))
    assert len({pairs[pair] for pair in combinations(others, 2)}) <= 1
    assert len({sum(bot in lineup for lineup in members) for bot in others}) == 1
    if form == "gauntlet":
        assert all(lineup[0] == 0 for lineup in members)
    if design == "all":
        assert found.count == comb(len(others), players - int(form == "gauntlet"))


@pytest.mark.parametrize(
    ("form", "bots", "players", "blocks", "chosen"),
    [
        ("round-robin", 10, 4, 210, "all"),
        ("round-robin", 10, 4, 209, "balanced"),
        ("round-robin", 10, 4, 1, "balanced"),
        ("round-robin", 60, 4, 1000, "balanced"),
        ("round-robin", 10, 2, 1, "all"),
        ("round-robin", 6, 4, 1, "all"),
        ("gauntlet", 10, 4, 84, "all"),
        ("gauntlet", 10, 4, 83, "balanced"),
        ("gauntlet", 10, 3, 1, "all"),
        ("lineup", 4, 4, 1, "all"),
    ],
)
def test_choice_of_the_design(form: str, bots: int, players: int, blocks: int, chosen: str) -> None:
    """All line-ups when each can play, else a smaller design if there is one."""
    assert choose_design(form, bots, players, blocks) == chosen


def test_part_of_a_design_leaves_nobody_out() -> None:
    for bots, players in ((10, 4), (13, 4), (9, 3), (16, 5)):
        found = lineups("round-robin", "balanced", bots, players)
        for some in range(found.count):
            played = Counter(bot for number in range(some) for bot in found[number])
            assert max(played.values(), default=0) <= 3 + min(played[bot] for bot in range(bots))
