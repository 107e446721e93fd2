"""Claiming routes: what is legal, what is paid, what it brings (B14-B16)."""

from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import pytest

from arena.rules.actions import NO_ACTION, decode
from arena.rules.claims import count_claims, list_claims, nth_claim

from .table import (
    CARDS,
    COLORS,
    TICKETS,
    USA,
    Game,
    L,
    all_colors,
    bare,
    claim,
    members,
    random_games,
    small_map,
)  # fmt: skip


def ways_to_pay(game: Game, seat: int) -> set[tuple[int, str, int]]:
    """Every legal claim, found by trying every set of so many cards as each unclaimed route has spaces (B14, B15)."""
    found = set()
    hand = game.hand(seat)
    openings = open_routes(game, seat)
    for length in {route.length for route in game.spec.routes}:
        for cards in combinations_with_replacement(hand, length):
            spent = Counter(cards)
            colors = [card for card in spent if card != L]
            if len(colors) > 1 or any(count > hand[card] for card, count in spent.items()):
                continue
            for index, route in enumerate(game.spec.routes):
                right_color = route.color == "gray" or colors in ([], [route.color])
                if index in openings and right_color and route.length == length <= game.state.trains[seat]:
                    found.add((index, colors[0] if colors else L, spent[L]))
    return found


def open_routes(game: Game, seat: int) -> set[int]:
    """The tracks unclaimed and not closed by their parallel track, said anew from who owns what (B15, B16)."""
    owners = {route: other for other in range(game.seats) for route in game.routes(other)}
    found = set()
    for index, route in enumerate(game.spec.routes):
        parallel = {
            owner
            for other, owner in owners.items()
            if {game.spec.routes[other].a, game.spec.routes[other].b} == {route.a, route.b}
            and game.spec.routes[other].length == route.length
        }
        if index not in owners and (not parallel or (game.seats >= 4 and seat not in parallel)):
            found.add(index)
    return found


# B14: the payment


def test_b14_a_colored_route_takes_as_many_cards_of_its_color_as_it_has_spaces():
    """The rulebook's example: Montreal-New York takes a set of three blue cards."""
    game = bare()
    route = game.track("Montreal", "New York")
    for color in COLORS:
        assert game.give_hand(0, **{color: 3}).payments(route) == ([("blue", 0)] if color == "blue" else [])
    assert game.give_hand(0, blue=2).payments(route) == []
    assert game.give_hand(0, blue=9).payments(route) == [("blue", 0)]


def test_b14_a_gray_route_takes_any_one_color():
    """The rulebook's example: Montreal-Toronto takes three cards of whichever color."""
    game = bare()
    route = game.track("Montreal", "Toronto")
    for color in COLORS:
        assert game.give_hand(0, **{color: 3}).payments(route) == [(color, 0)]
    assert game.give_hand(0, **dict.fromkeys(COLORS, 3)).payments(route) == [(color, 0) for color in COLORS]


def test_b14_colors_are_never_mixed():
    """All cards are of one color: two of one and one of another pay for no route of three spaces."""
    game = bare().give_hand(0, **dict.fromkeys(COLORS, 2))
    assert [action for action in game.claims if USA.routes[action.route].length > 2] == []


def test_b14_locomotives_stand_in_for_any_card():
    """Locomotives stand in for any of the cards; how many to spend is the player's choice."""
    game = bare().give_hand(0, blue=3, locomotive=3)
    assert game.payments(game.track("Montreal", "New York")) == [("blue", 0), ("blue", 1), ("blue", 2), (L, 3)]


@pytest.mark.parametrize(
    ("blue", "locomotives", "ways"),
    [
        (3, 1, [("blue", 0), ("blue", 1)]),
        (2, 1, [("blue", 1)]),
        (1, 2, [("blue", 2)]),
        (1, 3, [("blue", 2), (L, 3)]),
        (1, 1, []),
        (0, 2, []),
        (0, 14, [(L, 3)]),
        (12, 14, [("blue", 0), ("blue", 1), ("blue", 2), (L, 3)]),
    ],
)
def test_b14_every_payment_is_exactly_as_long_as_the_route(blue, locomotives, ways):
    """Color and locomotives together are as many cards as there are spaces: every split that the hand allows."""
    game = bare().give_hand(0, blue=blue, locomotive=locomotives)
    assert game.payments(game.track("Montreal", "New York")) == ways


@pytest.mark.parametrize("length", range(1, 7))
def test_b14_all_locomotives_is_allowed(length):
    """Locomotives alone pay for every route they are enough for, of every color, in one way."""
    game = bare().give_hand(0, locomotive=length)
    within = [index for index, route in enumerate(USA.routes) if route.length <= length]
    assert sorted(game.claims) == [claim(index, L, USA.routes[index].length) for index in within]


def test_b14_a_claim_that_is_not_exactly_paid_is_illegal():
    """Too few cards, too many, cards not held, another color: none is a claim."""
    game = bare().give_hand(0, blue=2, red=3, locomotive=2)
    route = game.track("Montreal", "New York")
    assert [claim(route, card, n) for card in CARDS for n in range(10) if game.allows(claim(route, card, n))] == [
        claim(route, "blue", 1),
        claim(route, "blue", 2),
    ]
    gray = game.track("Montreal", "Toronto")
    assert [claim(gray, card, n) for card in CARDS for n in range(10) if game.allows(claim(gray, card, n))] == [
        claim(gray, "blue", 1),
        claim(gray, "blue", 2),
        claim(gray, "red", 0),
        claim(gray, "red", 1),
        claim(gray, "red", 2),
    ]


@pytest.mark.parametrize("seats", [2, 4])
def test_b14_every_way_to_pay_is_legal_and_no_other(seats):
    """Over positions of random games and random hands: exactly the ways found by trying every set of cards."""
    random = np.random.default_rng(14)
    compared = 0
    for number, game in enumerate(random_games(seats, games=2, seed=14)):
        if number % 9 or game.phase == "over":
            continue
        held = game.state.hand.copy()
        for seat in range(seats):
            hand = dict(zip(CARDS, random.integers(0, 5, size=9).tolist(), strict=True))
            if number % 2:
                hand |= dict.fromkeys(random.choice(CARDS, 5).tolist(), 0)
            expected = ways_to_pay(game.give_hand(seat, **hand), seat)
            buffer = np.zeros(len(expected) + 5000, np.int32)
            count = list_claims(game.state, game.board, seat, buffer, 0)
            listed = [decode(code)[1:4] for code in buffer[:count].tolist()]
            assert len(listed) == len(set(listed))
            assert set(listed) == expected
            compared += len(listed)
        game.state.hand[:] = held  # with other cards in play a deck could come to hold more than there is room for
    assert compared > 2000


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_b14_claims_are_counted_and_found_as_they_are_listed(seats):
    """Three forms of one truth: the list of claims, their number, and the n-th of them, in the same order."""
    claims = 0
    buffer = np.zeros(5000, np.int32)
    for game in random_games(seats, games=1, seed=140 + seats):
        for seat in range(seats):
            start = seat  # the list is appended to what stands in the buffer
            end = list_claims(game.state, game.board, seat, buffer, start)
            codes = buffer[start:end].tolist()
            assert count_claims(game.state, game.board, seat) == len(codes)
            if game.seat == seat and game.phase == "turn":
                assert [code for code in game.codes() if decode(code).kind == "claim"] == codes
            if len(codes) < 60 or game.seat == seat:
                assert [nth_claim(game.state, game.board, seat, n) for n in range(len(codes))] == codes
            assert nth_claim(game.state, game.board, seat, len(codes)) == NO_ACTION
            claims += len(codes)
    assert claims > 1000


def test_b14_claims_are_listed_by_locomotives_card_and_route():
    """The order that is promised: few locomotives first, then by card and route; only locomotives last."""
    game = bare().give_hand(0, **dict.fromkeys(COLORS, 6), locomotive=6)
    keys = [
        (action.card == L, 0 if action.card == L else action.locomotives, CARDS.index(action.card), action.route)
        for action in game.claims
    ]
    assert keys == sorted(keys)
    assert len(keys) == sum((8 if route.color == "gray" else 1) * route.length + 1 for route in USA.routes)


def test_b14_the_cards_paid_go_to_the_discards():
    """Exactly the cards played leave the hand, for the discards."""
    game = bare().lay_row("red").stack_deck("red", "red").give_hand(0, blue=3, red=2, locomotive=3)
    game.play(claim(game.track("Montreal", "New York"), "blue", 1))
    assert game.hand(0) == {"blue": 1, "red": 2, L: 2}
    assert game.discards == {"blue": 2, L: 1}
    game.give_hand(1, locomotive=4).play(claim(game.track("Montreal", "Toronto"), L, 3))
    assert game.hand(1) == {L: 1}
    assert game.discards == {"blue": 2, L: 4}


@pytest.mark.parametrize(("length", "points"), [(1, 1), (2, 2), (3, 4), (4, 7), (5, 10), (6, 15)])
def test_b14_points_are_scored_at_once_and_a_train_lies_on_each_space(length, points):
    """Lengths 1 to 6 score 1, 2, 4, 7, 10 and 15 at once; one train is placed on each space."""
    for index, route in enumerate(USA.routes):
        if route.length == length:
            game = bare().stack_deck("red").give_hand(0, locomotive=6)
            game.play(claim(index, L, length))
            assert game.state.route_points[:2].tolist() == [points, 0]
            assert game.state.trains[:2].tolist() == [45 - length, 45]
            assert game.routes(0) == {index}
            assert game.routes(1) == set()
            assert game.score().points[0, 0] == points


def test_b14_a_map_may_extend_the_table_of_points():
    """Routes of 7, 8 and 9 spaces score what the map says, and are paid like any other."""
    routes = [("A", "B", 7, "red"), ("B", "C", 8, "gray"), ("C", "D", 9, "gray")]
    spec = small_map(routes, route_points=[1, 2, 4, 7, 10, 15, 18, 21, 27])
    for index, points in enumerate((18, 21, 27)):
        game = bare(2, spec).give_hand(0, red=5, locomotive=9)
        length = routes[index][2]
        assert game.payments(index) == [*(("red", n) for n in range(length - 5, length)), (L, length)]
        game.play(claim(index, "red", length - 5))
        assert game.state.route_points[0] == points
        assert game.hand(0) == {L: 14 - length}


# B15: what is open


@pytest.mark.parametrize("trains", range(7))
def test_b15_a_route_needs_a_train_for_every_space(trains):
    """A route can be claimed only with enough trains left for every space, however it is paid."""
    game = bare().give_hand(0, **all_colors(), locomotive=14).give_trains(0, trains)
    assert {action.route for action in game.claims} == {
        index for index, route in enumerate(USA.routes) if route.length <= trains
    }
    for index, route in enumerate(USA.routes):
        color = "red" if route.color == "gray" else route.color
        for payment in [(L, route.length), *((color, n) for n in range(route.length))]:
            assert game.allows(claim(index, *payment)) == (route.length <= trains)


def test_b15_the_last_trains_may_all_be_placed():
    """A supply of exactly the route's length is enough."""
    game = bare().give_hand(0, red=3).give_trains(0, 3).play(claim(bare().track("Montreal", "Toronto"), "red"))
    assert game.state.trains[0] == 0


def test_b15_no_connection_to_earlier_routes_is_needed():
    """With routes of one's own elsewhere every other open route may still be claimed."""
    game = bare().give_hand(0, **all_colors(), locomotive=14)
    game.play(claim(game.track("Seattle", "Vancouver"), "red"))
    game.state.seat = 0
    claimable = {action.route for action in game.claims}
    double = {index for index, route in enumerate(USA.routes) if {route.a, route.b} == {"Seattle", "Vancouver"}}
    assert claimable == set(range(100)) - double


def test_b15_a_claimed_route_cannot_be_claimed_again():
    """Only an unclaimed route may be claimed, whoever has it."""
    for seats in (2, 5):
        game = bare(seats).stack_deck("red")
        route = game.track("Montreal", "Toronto")
        game.give_hand(0, red=3).play(claim(route, "red"))
        for seat in range(seats):
            game.state.seat = seat
            game.give_hand(seat, **all_colors(), locomotive=14)
            assert game.payments(route) == []
            assert not game.allows(claim(route, "blue"))
            assert not game.allows(claim(route, L, 3))


def test_b15_one_route_a_turn():
    """After a claim it is the next player's turn."""
    game = bare(3).stack_deck("red").give_hand(0, red=6, blue=6)
    game.play(claim(game.track("Montreal", "Toronto"), "red"))
    assert (game.seat, game.phase) == (1, "turn")
    assert len(game.routes(0)) == 1


# B16: double routes

DOUBLE = {"yellow": "red", "red": "yellow"}  # Boston-New York


def boston_new_york_claimed(seats: int, color: str) -> Game:
    """Seat 0 has claimed one track of Boston-New York; everyone holds all the cards of the other one's color."""
    game = bare(seats).stack_deck("white", "white")
    for seat in range(seats):
        game.give_hand(seat, red=6, yellow=6, locomotive=2)
    return game.play(claim(game.track("Boston", "New York", color), color))


@pytest.mark.parametrize("color", DOUBLE)
@pytest.mark.parametrize("seats", [2, 3])
def test_b16_with_two_or_three_players_the_other_track_is_closed_to_everyone(seats, color):
    """With 2 or 3 players, once one track is claimed nobody may claim the other."""
    game = boston_new_york_claimed(seats, color)
    other = game.track("Boston", "New York", DOUBLE[color])
    for seat in range(seats):
        game.state.seat = seat
        assert other not in members(game.state.open[seat])
        assert game.payments(other) == []
        assert not game.allows(claim(other, DOUBLE[color]))
        assert not game.allows(claim(other, L, 2))


@pytest.mark.parametrize("color", DOUBLE)
@pytest.mark.parametrize("seats", [4, 5])
def test_b16_with_four_or_five_players_the_other_track_is_open_to_the_others(seats, color):
    """With 4 or 5 players the other track may be claimed by everyone else, and is then theirs alone."""
    game = boston_new_york_claimed(seats, color)
    other = game.track("Boston", "New York", DOUBLE[color])
    assert game.payments(other) == [(DOUBLE[color], 0), (DOUBLE[color], 1), (L, 2)]
    for seat in range(1, seats):
        game.state.seat = seat
        assert game.allows(claim(other, DOUBLE[color]))
    game.play(claim(other, DOUBLE[color]))
    assert game.routes(0) == {game.track("Boston", "New York", color)}
    assert game.routes(seats - 1) == {other}
    assert all(other not in members(game.state.open[seat]) for seat in range(seats))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_b16_no_player_may_own_both_tracks(seats):
    """However many play, the owner of one track may not claim the other."""
    game = boston_new_york_claimed(seats, "red").give_hand(0, yellow=12, locomotive=14)
    game.state.seat = 0
    other = game.track("Boston", "New York", "yellow")
    assert game.payments(other) == []
    assert not game.allows(claim(other, "yellow"))
    assert not game.allows(claim(other, L, 2))


def test_b16_a_track_of_another_length_is_no_double_route():
    """Only parallel tracks of equal length are a double route: one player may own both of these."""
    spec = small_map([("A", "B", 2, "red"), ("A", "B", 3, "red"), ("B", "A", 3, "blue"), ("B", "C", 2, "red")])
    game = bare(2, spec).stack_deck("white").give_hand(0, red=9, blue=9).play(claim(0, "red"))
    assert members(game.state.open[0]) == members(game.state.open[1]) == {1, 2, 3}
    game.state.seat = 0
    game.play(claim(1, "red"))
    assert members(game.state.open[0]) == members(game.state.open[1]) == {3}
    assert game.routes(0) == {0, 1}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_b16_over_whole_games_exactly_the_right_tracks_are_open(seats):
    """At every decision: unclaimed, and no parallel track that closes it."""
    for number, game in enumerate(random_games(seats, games=1, seed=160 + seats)):
        if number % 7:
            continue
        for seat in range(seats):
            assert members(game.state.open[seat]) == open_routes(game, seat)
    both = sum(game.board.twin[route] in game.routes(seat) for seat in range(seats) for route in game.routes(seat))
    assert both == 0


def test_b06_a_claim_is_the_whole_turn():
    """A turn is exactly one of three actions: no card and no ticket besides a claim."""
    game = bare().lay_row("red").stack_deck("white").stack_tickets(1, 2, 3).give_hand(0, red=9)
    assert TICKETS in game.actions
    game.play(claim(game.track("Montreal", "Toronto"), "red"))
    assert game.seat == 1
    assert (game.row, game.deck, game.ticket_deck) == (["red", *[None] * 4], ["white"], [1, 2, 3])
