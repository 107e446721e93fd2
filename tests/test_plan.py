"""Plans are arithmetic: blocks of rotations, line-ups in turn, the same games however they are asked for."""

from collections import Counter
from itertools import combinations
from math import comb, factorial

import numpy as np
import pytest

from arena.designs import combination
from arena.errors import UsageError
from arena.plan import Plan
from arena.play import deal_words


def plan(bots: int = 4, players: int = 2, games: int = 60, seed: int = 1) -> Plan:
    names = tuple(f"bot{index}" for index in range(bots))
    return Plan.of_size(bots=names, names=names, map="m", players=players, games=games, seed=seed)


@pytest.mark.parametrize(("bots", "players"), [(2, 2), (4, 4), (5, 3), (6, 2), (7, 5), (5, 5)])
def test_blocks_are_rotations(bots: int, players: int) -> None:
    """In a block each member of the line-up sits once in each seat, and nobody else plays."""
    some = plan(bots, players, games=20 * players)
    for block in range(some.blocks):
        games = [some[block * players + rotation] for rotation in range(players)]
        assert {game.deal for game in games} == {block}
        for seat in range(players):
            assert sorted(game.seating[seat] for game in games) == sorted(games[0].seating)


@pytest.mark.parametrize(("bots", "players"), [(4, 2), (6, 4), (5, 3), (20, 2)])
def test_every_lineup_plays_in_turn(bots: int, players: int) -> None:
    """As many blocks as line-ups: each plays once. Fewer: the bots play about equally often."""
    lineups = comb(bots, players)
    full = plan(bots, players, games=lineups * players)
    assert full.unplayed_rest == 0
    assert {tuple(sorted(full.lineup(block))) for block in range(lineups)} == set(combinations(range(bots), players))
    half = plan(bots, players, games=(lineups // 2) * players)
    assert half.unplayed_rest == lineups - lineups // 2
    games = Counter(bot for block in range(half.blocks) for bot in half.lineup(block))
    assert max(games.values()) <= 3 * min(games[bot] for bot in range(bots))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_cyclic_orders_take_turns(players: int) -> None:
    """Over (players - 1)! deals everyone sits equally often upstream of everyone else."""
    orders = {3: 2, 4: 6, 5: 24}[players]
    some = plan(players, players, games=orders * players)
    upstream = Counter(
        (game.seating[seat], game.seating[(seat + 1) % players]) for game in some for seat in range(players)
    )
    assert len(upstream) == players * (players - 1)
    assert len(set(upstream.values())) == 1


@pytest.mark.parametrize("players", [3, 4, 5])
def test_cyclic_orders_take_turns_among_lineups(players: int) -> None:
    """With more bots than seats too: nobody sits always upstream of another because of the command line's order."""
    lineups, orders = comb(6, players), factorial(players - 1)
    for blocks in (2 * lineups, lineups * orders):
        some = plan(6, players, games=blocks * players)
        upstream = Counter(
            (game.seating[seat], game.seating[(seat + 1) % players]) for game in some for seat in range(players)
        )
        assert all(upstream[a, b] == upstream[b, a] > 0 for a, b in combinations(range(6), 2))


@pytest.mark.parametrize(("first", "last"), [(0, 60), (7, 8), (5, 23), (58, 60)])
def test_seatings_agree_with_single_games(first: int, last: int) -> None:
    some = plan(5, 3, games=60)
    deals, seatings = some.seatings(first, last)
    assert [(int(deal), tuple(row)) for deal, row in zip(deals, seatings.tolist(), strict=True)] == [
        (some[game].deal, some[game].seating) for game in range(first, last)
    ]


def test_combination_is_the_lexicographic_one() -> None:
    assert [combination(7, 3, index) for index in range(comb(7, 3))] == list(combinations(range(7), 3))


def test_games_are_rounded_up_to_whole_deals() -> None:
    assert len(plan(4, 4, games=1001)) == 1004


def test_json_round_trip() -> None:
    assert Plan.from_json(plan().to_json()) == plan()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"bots": 1}, "at least two bots"),
        ({"players": 1}, "2 to 5 players"),
        ({"players": 6, "bots": 7}, "2 to 5 players"),
        ({"players": 5}, "use 2 to 4"),
        ({"games": 0}, "at least one game"),
        ({"games": 10**400}, "at most 1,000,000,000"),
        ({"seed": -1}, "out of range"),
    ],
)
def test_numbers_that_do_not_fit(change: dict[str, int], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        plan(**change)


def test_deal_words_are_pinned() -> None:
    """The same seed deals the same games for ever: these words must never change."""
    assert deal_words(1, [0])[0, :2].tolist() == [10074613132006831021, 13054659144438348706]
    assert len(np.unique(deal_words(1, range(1000)))) == 8000
    assert (deal_words(1, [7]) == deal_words(1, range(10))[7]).all()
