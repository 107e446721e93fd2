"""Japan: what completes a ticket, the last round and the bullet bonus (J6-J11)."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from arena.rules.scoring import BULLET, LONGEST_PATH, ROUTES, TICKETS

from .table import BLIND, Game, bare, claim, random_games, small_map
from .test_shared import (
    AB,
    BC,
    BULLETS,
    CD,
    JAPAN,
    SEATS,
    SMALL,
    along,
    completed,
    open_to,
    points,
    progress,
    share,
    shared,
    supply,
    trains,
)  # fmt: skip

# J6: tickets


def test_j06_tickets_mix_own_and_bullet_routes():
    """Own routes and bullet routes together complete a ticket, whoever claimed those; others' own routes do not."""
    game = bare(3, SMALL).give_hand(0, blue=4).give_hand(1, red=2).give_hand(2, blue=3)
    game.give_tickets(0, 2).give_tickets(1, 2).give_tickets(2, 2)
    game.play(claim(CD, "blue"), claim(BC, "red"))
    assert points(game, TICKETS) == [-11, -11, -11]
    game.play(claim(AB, "blue"))
    assert points(game, TICKETS) == [-11, 11, -11]


def joined(game: Game, seat: int, ticket: int) -> bool:
    """Whether own and bullet routes lead from one city of a ticket to the other, found city by city."""
    usable = [game.spec.routes[route][:2] for route in game.routes(seat) | shared(game)]
    goal, reached = game.spec.tickets[ticket].b, {game.spec.tickets[ticket].a}
    while more := {city for ends in usable if reached & set(ends) for city in ends} - reached:
        reached |= more
    return goal in reached


@pytest.mark.parametrize("boards", [6, pytest.param(20, marks=pytest.mark.full)])
@pytest.mark.parametrize("seats", SEATS)
def test_j06_all_54_tickets_on_random_boards(seats, boards):
    """A ticket is completed by any mix of own and claimed bullet routes: each ticket on boards of every kind."""
    random, found = np.random.default_rng(seats), Counter[bool]()
    for _ in range(boards):
        game = bare(seats, JAPAN)
        for route in range(len(JAPAN.routes)):
            if random.random() < 0.7:
                owner = int(random.integers(seats))
                share(game, route) if route in BULLETS and random.random() < 0.8 else game.give_routes(owner, route)
        for seat in range(seats):
            for ticket in range(54):
                done = joined(game, seat, ticket)
                found[done] += 1
                value = JAPAN.tickets[ticket].points
                assert points(game.give_tickets(seat, ticket), TICKETS)[seat] == (value if done else -value)
    assert min(found[True], found[False]) > 15 * boards


# J7: Aomori-Hakodate


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("claimer", [0, 1])
@pytest.mark.parametrize("colors", [("white", "gray"), ("gray", "white")])
def test_j07_the_two_routes_between_aomori_and_hakodate_are_claimed_each_by_itself(seats, claimer, colors):
    """Two tracks of different length are no double route: a claim of one leaves the other open, also for 2 players."""
    game = bare(seats, JAPAN).give_hand(0, white=5).give_hand(1, white=5)
    first, second = (game.track("Aomori", "Hakodate", color) for color in colors)
    game.play(claim(first, "white"))
    assert all(second in routes and first not in routes for routes in open_to(game))
    game.state.seat = claimer
    game.play(claim(second, "white"))
    owner = 0 if colors[0] == "white" else claimer
    assert game.routes(owner) == {game.track("Aomori", "Hakodate", "white")}
    assert shared(game) == {game.track("Aomori", "Hakodate", "gray")}


def test_j07_one_player_may_own_both_without_bullet_trains():
    """Each is claimed by itself also when both are ordinary routes (J5)."""
    game = supply(bare(2, JAPAN), 0).give_hand(0, white=5)
    white, gray = (game.track("Aomori", "Hakodate", color) for color in ("white", "gray"))
    game.play(claim(white, "white"))
    game.state.seat = 0
    game.play(claim(gray, "white"))
    assert (game.routes(0), points(game, ROUTES), trains(game)) == ({white, gray}, [6, 0], [15, 20])


@pytest.mark.parametrize("first", [0, 1])
def test_j07_tracks_of_different_length_are_no_double_route_of_ordinary_ones_either(first):
    """They do not have the same number of spaces, so the usual rules hold for both: one player may own them."""
    game = bare(2, small_map([("A", "B", 3, "white"), ("A", "B", 2, "gray")])).give_hand(0, white=5)
    game.play(claim(first, "white"))
    assert open_to(game) == [{1 - first}] * 2
    game.state.seat = 0
    assert game.play(claim(1 - first, "white")).routes(0) == {0, 1}


# J8: insets


def test_j08_osaka_to_shibuya_leads_through_tokyo():
    """The rulebook's example: Osaka to Tokyo on the main board, and Tokyo to Shibuya in the inset."""
    game = bare(2, JAPAN).give_tickets(0, bare(2, JAPAN).ticket("Osaka", "Shibuya"))
    shibuya = game.track("Tokyo", "Shibuya", "red")
    assert completed(game.give_routes(0, shibuya)) == [0, 0]
    *bullets, last = along(game, "Osaka", "Kyoto", "Nagoya", "Hamamatsu", "Odawara", "Tokyo")
    assert completed(share(game, *bullets)) == [0, 0]
    assert completed(game.give_routes(0, last)) == [1, 0]
    assert points(game, TICKETS) == [13, 0]
    game.state.routes_claimed[0] = 0
    assert completed(share(game, last)) == [0, 0]
    assert completed(game.give_routes(1, shibuya)) == [0, 0]


def test_j08_kokura_joins_kyushu_to_the_main_board():
    """A city that stands on the main board and in an inset is one city: so is Kokura."""
    game = bare(2, JAPAN).give_tickets(0, bare(2, JAPAN).ticket("Kumamoto", "Takamatsu"))
    game.give_routes(0, *along(game, "Kumamoto", "Oita", "Kokura", "Matsuyama"))
    assert points(game, TICKETS) == [-7, 0]
    assert points(game.give_routes(0, game.track("Matsuyama", "Takamatsu")), TICKETS) == [7, 0]


def test_j08_two_cities_stand_twice_on_the_board():
    """Tokyo and Kokura stand on the main board and in an inset, and each is in the list of cities once."""
    twice = {city.name: [place.inset for place in city.also] for city in JAPAN.cities if city.also}
    assert twice == {"Tokyo": ["tokyo"], "Kokura": ["kyushu"]}
    assert all(not city.inset for city in JAPAN.cities if city.also)
    assert len({city.name for city in JAPAN.cities}) == 48


# J9: the last round


def ending(seats: int, left: list[int], bullet_trains: int) -> Game:
    """A table where everybody can draw for long, with so many trains and bullet trains left."""
    game = supply(bare(seats, JAPAN), bullet_trains).stack_deck(*["red"] * 90)
    for seat, number in enumerate(left):
        game.give_trains(seat, number)
    return game


def movers(game: Game) -> list[int]:
    """Who has a turn until the game is over, if all draw cards; no longer than four rounds."""
    found: list[int] = []
    while game.phase != "over" and len(found) < 4 * game.seats:
        found.append(game.seat)
        game.play(BLIND, BLIND)
    return found


@pytest.mark.parametrize("left", [0, 1, 2, 3, 20])
@pytest.mark.parametrize("bullet_trains", [0, 1, 2, 3, 16])
@pytest.mark.parametrize("who", [0, 1, 2])
def test_j09_the_last_round_waits_for_few_trains_and_few_bullet_trains(left, bullet_trains, who):
    """At the end of any turn: some player has at most 2 trains, and at most 2 bullet trains are left."""
    game = ending(3, [left if seat == who else 20 for seat in range(3)], bullet_trains)
    begins = left <= 2 and bullet_trains <= 2
    assert movers(game) == ([0, 1, 2, 0] if begins else [0, 1, 2] * 4)
    assert game.end == ("trains" if begins else "none")


def test_j09_no_single_player_needs_both():
    """Few trains are one player's, the bullet trains are everybody's; many trains of the others do not matter."""
    assert movers(ending(3, [3, 3, 3], 0)) == [0, 1, 2] * 4
    assert movers(ending(3, [0, 0, 0], 3)) == [0, 1, 2] * 4
    assert movers(ending(5, [20, 20, 20, 20, 2], 2)) == [0, 1, 2, 3, 4, 0]


@pytest.mark.parametrize("seats", SEATS)
def test_j09_everyone_has_one_more_turn_and_the_player_whose_turn_ended_last(seats):
    """A claim that leaves 2 trains begins it, in whatever seat: all have exactly one more turn, the claimer last."""
    for seat in range(seats):
        game = ending(seats, [4 if other == seat else 20 for other in range(seats)], 2).give_hand(seat, white=2)
        game.play(*[BLIND] * (2 * seat), claim(game.track("Sendai", "Shinjo"), "white"))
        assert trains(game)[seat] == 2
        assert movers(game) == [(seat + turn) % seats for turn in range(1, seats + 1)]
        assert game.state.turns[:seats].tolist() == [1 + (other <= seat) for other in range(seats)]


@pytest.mark.parametrize("poor", [0, 1, 2])
def test_j09_a_bullet_claim_begins_it_when_any_player_has_few_trains(poor):
    """The last bullet train but two begins it, whoever claims and whoever has few trains; the claimer moves last."""
    game = ending(3, [2 if seat == poor else 9 for seat in range(3)], 4).give_hand(0, red=1).give_hand(1, red=3)
    game.play(claim(game.track("Kyoto", "Osaka"), "red"))
    assert game.state.last_turns == -1
    game.play(claim(game.track("Hiroshima", "Okayama"), "red"))
    assert (game.state.bullets_left, trains(game)[poor]) == (2, 2)
    assert movers(game) == [2, 0, 1]


def test_j09_the_last_round_is_not_prolonged():
    """Everyone has one more turn and no other, whatever is claimed in it."""
    game = ending(3, [2, 3, 20], 3).give_hand(0, red=9).give_hand(1, red=9).give_hand(2, red=9)
    game.play(claim(game.track("Kyoto", "Osaka"), "red"), claim(game.track("Hiroshima", "Masuda"), "red"))
    game.play(claim(game.track("Hakata", "Kokura"), "red"))
    assert movers(game) == [0]
    assert game.codes() == []


@pytest.mark.parametrize("seats", SEATS)
def test_j09_whole_games_end_one_round_after_it_begins(seats):
    """From the first turn that ends with few trains and few bullet trains on, every seat has one turn."""
    ends = 0
    for game in random_games(seats, games=10, seed=90 + seats, spec=JAPAN):
        if game.state.turns.sum() == 0:
            begun = None
        if begun is None and min(trains(game)) <= 2 and game.state.bullets_left <= 2:
            begun = game.state.turns.tolist()
        if game.end == "trains":
            assert game.state.turns[:seats].tolist() == [turns + 1 for turns in begun[:seats]]
            ends += 1
        # The pieces: every bullet train is in the supply or on a route, every train at its owner's or on a route.
        lengths = [sum(JAPAN.routes[route].length for route in game.routes(seat)) for seat in range(seats)]
        assert trains(game) == [20 - length for length in lengths]
        assert len(shared(game)) + game.state.bullets_left == 16
        assert sum(progress(game)) == sum(JAPAN.routes[route].length for route in shared(game))
    assert ends >= 5


# J10: the bullet bonus


def bonus(*numbers: int) -> list[int]:
    """The bonus of each player by their progress, with no bullet trains left."""
    game = supply(bare(len(numbers), JAPAN), 0)
    game.state.progress[: len(numbers)] = numbers
    assert game.score().score[: len(numbers)].tolist() == points(game, BULLET)
    return points(game, BULLET)


@pytest.mark.parametrize(
    "table",
    [[10, -10], [15, 5, -10], [20, 10, 0, -10], [25, 15, 5, -5, -10]],
    ids=lambda table: f"{len(table)} players",
)
def test_j10_the_bonus_goes_by_rank_of_progress(table):
    """Most progress first: the whole table, in every order of the players, and -20 for each without progress."""
    for order in permutations(range(len(table))):
        assert bonus(*[30 - 3 * rank for rank in order]) == [table[rank] for rank in order]
        for last in range(len(table)):
            expected = [table[rank] if rank < last else -20 for rank in order]
            assert bonus(*[last - rank if rank < last else 0 for rank in order]) == expected


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ([20, 11, 11, 7, 0], [25, 15, 15, -5, -20]),  # the rulebook's example
        ([7, 0, 11, 20, 11], [-5, -20, 15, 25, 15]),
        ([9, 9], [10, 10]),
        ([9, 9, 3], [15, 15, -10]),
        ([9, 3, 3], [15, 5, 5]),
        ([9, 9, 3, 3], [20, 20, 0, 0]),
        ([9, 5, 5, 3], [20, 10, 10, -10]),
        ([5, 5, 5, 3], [20, 20, 20, -10]),
        ([9, 3, 3, 0], [20, 10, 10, -20]),
        ([9, 9, 5, 5, 1], [25, 25, 5, 5, -10]),
        ([9, 5, 5, 5, 1], [25, 15, 15, 15, -10]),
        ([1, 0, 0, 0, 0], [25, -20, -20, -20, -20]),
    ],
)
def test_j10_equal_progress_shares_a_rank(numbers, expected):
    """Equal progress shares a rank, the ranks that follow are skipped; who has no progress takes none."""
    assert bonus(*numbers) == expected


@pytest.mark.parametrize(("seats", "first"), [(2, 10), (3, 15), (4, 20), (5, 25)])
def test_j10_all_equal(seats, first):
    """Who all tie share the first rank; if nobody has progress all have -20."""
    assert bonus(*[7] * seats) == [first] * seats
    assert bonus(*[0] * seats) == [-20] * seats


def test_j10_the_bonus_is_added_to_the_other_points():
    """The score is the sum of routes, tickets and bullet bonus; bullet routes bring no other points."""
    game = bare(2, JAPAN).give_hand(0, red=4).give_hand(1, white=3, red=3).give_tickets(1, 0)
    game.play(claim(game.track("Aomori", "Morioka"), "red"), claim(game.track("Aomori", "Hakodate", "white"), "white"))
    assert game.score().score[:2].tolist() == [10, 4 - 8 - 20]
    assert game.score().rank[:2].tolist() == [1, 2]


def test_j10_a_map_without_bullet_trains_has_no_bonus():
    """The bonus is for bullet trains: where there are none, nobody loses points for not using them."""
    assert points(bare(3, small_map([("A", "B", 1, "red")])), BULLET) == [0, 0, 0]


# J11: no longest path


def test_j11_the_longest_path_brings_nothing_and_breaks_no_tie():
    """There is no bonus for the longest path; without more completed tickets the victory is shared."""
    game = bare(3, JAPAN)
    game.give_routes(0, *along(game, "Kochi", "Takamatsu", "Matsuyama"))
    score = game.score()
    assert (score.longest[:3].tolist(), points(game, LONGEST_PATH)) == ([5, 0, 0], [0, 0, 0])
    assert score.score[:3].tolist() == [-20, -20, -20]
    assert score.rank[:3].tolist() == [1, 1, 1]


def test_j11_a_tie_is_broken_by_completed_tickets():
    """A tie is broken by completed tickets, whoever has the longer path of own routes."""
    game = share(bare(3, JAPAN), *BULLETS).give_routes(0, bare(3, JAPAN).track("Masuda", "Tottori"))
    game.give_tickets(0, game.ticket("Kagoshima-Chuo", "Osaka"))
    game.give_tickets(1, game.ticket("Osaka", "Tokyo"), game.ticket("Tokyo", "Sendai"))
    game.give_tickets(2, game.ticket("Tokyo", "Hakodate"))
    score = game.score()
    assert score.score[:3].tolist() == [8 - 20] * 3
    assert score.tickets_completed[:3].tolist() == [1, 2, 1]
    assert score.rank[:3].tolist() == [2, 1, 2]
