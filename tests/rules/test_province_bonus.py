"""South Korea: what trains on the province mat cost and bring, and who wins (K8, K10, K11)."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from arena.rules.board import COLORS
from arena.rules.scoring import LONGEST_PATH, PROVINCES, SOURCES

from .mechanisms import KOREA, SEATS, SKIP, korea, lay_line, lay_sums, line_of, place
from .table import BLIND, Game, bare, claim, random_games, small_map

SPEC = small_map(
    [("A", "B", 2, "red"), ("B", "C", 3, "gray"), ("C", "D", 1, "red")], provinces=[("red", 6), ("blue", 3)], express=3
)
RED2, GRAY3, RED1 = range(3)


def bonus(game: Game) -> list[int]:
    """The points of each seat for provinces."""
    return game.score().points[: game.seats, PROVINCES].tolist()


# K8: a train on the mat


@pytest.mark.parametrize("seats", SEATS)
def test_k08_a_train_on_the_mat_stays_and_there_is_no_limit(seats):
    """In whole games: one train more after a placement, of the seat that placed it, and else nothing changes."""
    before: list[dict[int, int]] = []
    placing, mover, most = False, -1, 0
    for game in random_games(seats, games=2, seed=80, spec=KOREA):
        lines = [line_of(game, color) for color in COLORS]
        if game.phase == "draft":
            before = lines
        new = [(at, seat) for old, now in zip(before, lines, strict=True) for at, seat in now.items() - old.items()]
        assert all(old.items() <= now.items() for old, now in zip(before, lines, strict=True))
        assert len(new) <= placing
        assert all(seat == mover for _, seat in new)
        before, placing, mover = lines, game.phase == "place", game.seat
        most = max(most, *Counter(seat for line in lines for seat in line.values()).values(), 0)
    assert most > 4


def test_k08_one_player_may_fill_a_line():
    """No limit on how many: a player may stand on every position of a line."""
    spec = small_map([("A", "B", 1, "red")] * 4, provinces=[("red", 4)])
    game = bare(2, spec).stack_deck(*["blue"] * 40).give_hand(0, red=10)
    for extra in range(4):
        game.play(claim(extra, "red"), place("red", extra, "red" if extra else ""), BLIND, BLIND)
    assert line_of(game, "red") == {1: 0, 2: 0, 3: 0, 4: 0}
    assert game.state.trains[0] == 45 - 8


@pytest.mark.parametrize(("trains", "begins"), [(5, (True, True)), (6, (False, True)), (7, (False, False))])
def test_k08_trains_on_the_mat_count_for_the_last_round(trains, begins):
    """They are gone for routes, and count as used for B19: at the end of the turn two or fewer are left."""
    for decision, last in zip((SKIP, place("blue")), begins, strict=True):
        game = bare(3, SPEC).give_hand(0, blue=3).give_trains(0, trains).play(claim(GRAY3, "blue"))
        assert (game.phase, game.state.last_turns) == ("place", -1)
        game.play(decision)
        assert game.state.last_turns == (3 if last else -1)
        assert game.state.trains[0] == trains - 3 - (decision.kind == "place")


def test_k08_trains_on_the_mat_are_gone_for_routes():
    """Whoever has placed a train has one less for routes."""
    for decision, routes in ((SKIP, {RED2}), (place("blue"), set())):
        game = bare(2, SPEC).give_hand(0, blue=3).stack_deck(*["blue"] * 9).give_trains(0, 5)
        game.play(claim(GRAY3, "blue"), decision, BLIND, BLIND).give_hand(0, red=2)
        assert {action.route for action in game.claims} - {RED1} == routes


# K10: the bonus for provinces

TABLE = {2: [10, 0], 3: [10, 6, 0], 4: [10, 6, 4, 0], 5: [10, 6, 4, 2, 0]}


@pytest.mark.parametrize("seats", SEATS)
def test_k10_players_are_ranked_by_the_sum_of_their_positions(seats):
    """Per line: 2 players 10; 3 players 10, 6; 4 players 10, 6, 4; 5 players 10, 6, 4, 2; ranked by their sums."""
    sums = [[10], [9], [3, 5], [7], [2, 4]][:seats]
    for order in permutations(range(seats)):
        game = lay_sums(korea(seats), "green", [sums[rank] for rank in order])
        assert bonus(game) == [TABLE[seats][rank] for rank in order]


def test_k10_many_low_positions_may_beat_a_high_one():
    """It is the sum that counts first, not the highest position and not the number of trains."""
    assert bonus(lay_sums(korea(3), "red", [[10], [1, 2, 3, 5], [4, 8]])) == [0, 6, 10]
    spec = small_map([("A", "B", 1, "red")], provinces=[("red", 15)])
    assert bonus(lay_sums(bare(2, spec), "red", [[1, 2, 3, 4, 5], [14]])) == [10, 0]
    assert bonus(lay_sums(bare(2, spec), "red", [[15], [*range(1, 15)]])) == [0, 10]


@pytest.mark.parametrize("seats", SEATS)
def test_k10_at_least_one_train_on_the_line_is_needed(seats):
    """At least one train on the line is needed: without one there is nothing, whatever rank would be left."""
    for seat in range(seats):
        game = korea(seats)
        assert bonus(game) == [0] * seats
        lay_line(game, "blue", {1: seat})
        assert bonus(game) == [10 * (other == seat) for other in range(seats)]
        second = (seat + 1) % seats
        lay_line(game, "blue", {3: seat, 4: second})
        assert bonus(game) == [{second: 10, seat: TABLE[seats][1]}.get(other, 0) for other in range(seats)]


def test_k10_the_worked_example_of_four_players():
    """Sums 9, 8 (with position 6), 8 (with position 5) and 7 score 10, 6, 4 and 0."""
    example = [([9], 10), ([6, 2], 6), ([5, 3], 4), ([7], 0)]
    for order in permutations(example):
        game = lay_sums(korea(4), "red", [positions for positions, _ in order])
        assert bonus(game) == [points for _, points in order]


def test_k10_a_tied_sum_goes_to_the_higher_single_position():
    """Equal sums are ranked by the higher single position, whoever has more trains."""
    assert bonus(lay_sums(korea(2), "white", [[1, 4, 5], [10]])) == [0, 10]
    assert bonus(lay_sums(korea(2), "white", [[2, 8], [1, 9]])) == [0, 10]
    assert bonus(lay_sums(korea(3), "white", [[8], [1, 7], [5, 3]])) == [10, 6, 0]


def test_k10_every_line_has_a_bonus_of_its_own():
    """The bonus is given per line, and all of them are points of the final score."""
    game = korea(3)
    for color in COLORS:
        lay_sums(game, color, [[2], [4], [3]])
    lay_sums(game, "black", [[9], [], [8]])
    lay_sums(game, "purple", [[], [], []])
    score = game.score()
    assert bonus(game) == [10, 6 * 10, 6 * 6 + 6]
    others = [source for source in range(len(SOURCES)) if source != PROVINCES]
    for seat in range(3):
        assert score.score[seat] == bonus(game)[seat] + score.points[seat, others].sum()


@pytest.mark.parametrize("seats", SEATS)
def test_k10_the_bonus_of_random_mats_is_that_of_the_rules_words(seats):
    """On random mats: rank by sum, then by highest position, among those who have a train on the line."""
    random, game = np.random.default_rng(10), korea(seats)
    for _ in range(60):
        expected = Counter[int]()
        for color in COLORS:
            share = random.random()
            at = [position for position in range(1, 11) if random.random() < share]
            trains = {position: int(random.integers(seats)) for position in at}
            lay_line(game, color, trains)
            strength = {seat: [p for p in at if trains[p] == seat] for seat in set(trains.values())}
            best_first = sorted(strength, key=lambda seat, own=strength: (sum(own[seat]), max(own[seat])), reverse=True)
            for seat, points in zip(best_first, TABLE[seats], strict=False):
                expected[seat] += points
        assert bonus(game) == [expected[seat] for seat in range(seats)]


def test_k10_the_bonus_decides_who_wins():
    """The bonus counts like all points: it may turn the order round."""
    game = korea(2).clear()
    game.state.route_points[:2] = (9, 0)
    assert game.score().rank[:2].tolist() == [1, 2]
    lay_line(game, "red", {1: 1})
    assert game.score().score[:2].tolist() == [9, 10]
    assert game.score().rank[:2].tolist() == [2, 1]


# K11: no other bonus


def test_k11_there_is_no_bonus_for_the_longest_path():
    """No longest-path and no globetrotter bonus: routes, tickets and provinces are all there is."""
    game = korea(3).clear()
    game.give_routes(0, 0, 1).give_tickets(0, 0, 1).give_tickets(1, 2)
    score = game.score()
    assert score.points[:3, LONGEST_PATH].tolist() == [0, 0, 0]
    assert score.score[:3].tolist() == [-8, -4, 0]


def network(game: Game) -> list[int]:
    """The tracks of Changwon-Busan-Ulsan, which complete ticket 0 of 4 points."""
    return [game.track("Changwon", "Busan"), game.track("Busan", "Ulsan")]


def test_k11_a_tie_is_broken_by_completed_tickets():
    """Tie-break: most completed tickets."""
    game = korea(3).clear()
    game.give_routes(1, *network(game)).give_tickets(1, 0).give_routes(0, game.track("Namwon", "Daegu"))
    game.state.route_points[:3] = (8, 4, 2)
    score = game.score()
    assert score.score[:3].tolist() == [8, 8, 2]
    assert score.rank[:3].tolist() == [2, 1, 3]


def test_k11_after_that_the_victory_is_shared():
    """Still tied: shared victory, whoever has the longer path, and whoever has more on the mat."""
    game = korea(3).clear()
    game.give_routes(0, *network(game))
    game.state.route_points[:3] = (10, 0, 10)
    lay_line(game, "red", {3: 1})
    score = game.score()
    assert score.longest[:3].tolist() == [4, 0, 0]
    assert score.score[:3].tolist() == [10, 10, 10]
    assert score.rank[:3].tolist() == [1, 1, 1]
