"""Japan: bullet routes that are everybody's, and their supply of trains (J1-J5)."""

from collections import Counter
from itertools import pairwise, permutations

import pytest
from scipy.stats import chisquare

from arena.catalog import load_map
from arena.rules.claims import count_claims
from arena.rules.scoring import LONGEST_PATH, ROUTES, TICKETS
from arena.rules.sets import add, remove
from arena.rules.state import STREAM_TICKETS

from .table import (
    COLORS,
    PASS,
    Game,
    L,
    all_colors,
    bare,
    claim,
    keep,
    members,
    small_map,
)  # fmt: skip
from .table import TICKETS as DRAW_TICKETS

JAPAN = load_map("japan")
BULLETS = {index for index, route in enumerate(JAPAN.routes) if route.bullet}
SEATS = (2, 3, 4, 5)

# A bullet route A-B, an ordinary one beside it, and others that lead on; the longest path is worth its 10 points.
SMALL = small_map(
    [("A", "B", 3, "gray", True), ("A", "B", 3, "gray"), ("B", "C", 2, "red"), ("C", "D", 4, "gray", True),
     ("D", "E", 3, "red"), ("A", "B", 3, "gray", True)],
    [("A", "B", 5), ("A", "C", 7), ("A", "D", 11)],
    bullet_trains=4,
)  # fmt: skip
AB, AB_PLAIN, BC, CD, DE, AB_SECOND = range(6)


def supply(game: Game, bullet_trains: int) -> Game:
    """So many bullet trains are left."""
    game.state.bullets_left = bullet_trains
    return game


def share(game: Game, *routes: int) -> Game:
    """Bullet trains stand on these routes, without the supply or anybody's progress being touched."""
    for route in routes:
        add(game.state.shared, route)
        for seat in range(game.seats):
            remove(game.state.open[seat], route)
    return game


def along(game: Game, *cities: str) -> list[int]:
    """The routes from city to city."""
    return [game.track(a, b) for a, b in pairwise(cities)]


def shared(game: Game) -> set[int]:
    return members(game.state.shared)


def progress(game: Game) -> list[int]:
    return game.state.progress[: game.seats].tolist()


def trains(game: Game) -> list[int]:
    return game.state.trains[: game.seats].tolist()


def points(game: Game, source: int) -> list[int]:
    return game.score().points[: game.seats, source].tolist()


def completed(game: Game) -> list[int]:
    return game.score().tickets_completed[: game.seats].tolist()


def open_to(game: Game) -> list[set[int]]:
    return [members(game.state.open[seat]) for seat in range(game.seats)]


# J1: material


@pytest.mark.parametrize("seats", SEATS)
def test_j01_everyone_has_20_trains_and_there_are_16_bullet_trains_for_all(seats):
    """20 trains each, 16 bullet trains in the supply, and every progress marker at 0."""
    game = Game(seats, JAPAN)
    assert trains(game) == [20] * seats
    assert game.state.bullets_left == 16
    assert progress(game) == [0] * seats
    assert shared(game) == set()


def test_j01_train_cards_are_those_of_the_base_game_and_tickets_54():
    """Train cards as in the base game; 54 tickets."""
    game = Game(3, JAPAN)
    assert game.all_cards() == all_colors() | {L: 14}
    held = [ticket for seat in range(3) for ticket in game.offer(seat)]
    assert sorted(held + game.ticket_deck) == list(range(54))
    assert len({frozenset(ticket[:2]) for ticket in JAPAN.tickets}) == 54


def test_j01_the_board_has_48_cities_114_tracks_and_23_bullet_routes():
    """The board: 48 cities and 114 tracks, of which the 23 bullet routes are gray."""
    assert (len(JAPAN.cities), len(JAPAN.routes), len(BULLETS)) == (48, 114, 23)
    assert {JAPAN.routes[route].color for route in BULLETS} == {"gray"}


def test_j01_a_new_deal_puts_everything_back():
    """16 bullet trains and markers at 0, whatever was played at the table before."""
    game = share(supply(Game(3, JAPAN), 0), *BULLETS)
    game.state.progress[:] = 9
    game.deal((1, 2, 3))
    assert (game.state.bullets_left, progress(game), shared(game)) == (16, [0, 0, 0], set())


# J2: first tickets


@pytest.mark.parametrize("seats", SEATS)
def test_j02_everyone_is_dealt_four_tickets_and_keeps_at_least_two(seats):
    """Each seat is dealt 4 tickets and keeps at least 2, in any choice of them."""
    game = Game(seats, JAPAN)
    assert [len(game.offer(seat)) for seat in range(seats)] == [4] * seats
    assert Counter(len(action.keep) for action in game.actions) == {2: 6, 3: 4, 4: 1}


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("tickets", [54, 96])
def test_j02_what_is_returned_goes_under_the_deck(seats, tickets):
    """What all players return is put under the deck; the tickets that were not dealt stay on top as they were."""
    rules = {"tickets_dealt": 4, "tickets_keep": 2, "tickets_returned": "shuffled", "bullet_trains": 16}
    spec = JAPAN if tickets == 54 else small_map([("A", "B", 1, "gray", True)], [("A", "B", 1)] * tickets, **rules)
    orders = set()
    for deal in range(5):
        game = Game(seats, spec, (1, 2, deal))
        undealt, choices = game.ticket_deck, [(0, 2), (1, 3), (0, 1, 3), (0, 1, 2, 3), (2, 3)][:seats]
        assert len(undealt) == tickets - 4 * seats
        dealt = [game.offer(seat) for seat in range(seats)]
        returned = [dealt[s][p] for s in range(seats) for p in range(4) if p not in choices[s]]
        game.play(*[keep(*choice) for choice in choices])
        assert game.ticket_deck[: len(undealt)] == undealt
        under = game.ticket_deck[len(undealt) :]
        assert sorted(under) == sorted(returned)
        assert [game.tickets(s) for s in range(seats)] == [{dealt[s][p] for p in choices[s]} for s in range(seats)]
        orders.add(tuple(returned.index(ticket) for ticket in under))
    assert len(orders) > 1


def test_j02_what_all_return_is_shuffled_together():
    """Returned tickets are shuffled together: of four from two players each of the 24 orders is equally likely."""
    orders = dict.fromkeys(permutations(range(4)), 0)
    game = Game(2, JAPAN)
    for deal in range(2400):
        game.deal((0, 0, deal))
        returned = game.offer(0)[2:] + game.offer(1)[2:]
        game.play(keep(0, 1), keep(0, 1))
        orders[tuple(returned.index(ticket) for ticket in game.ticket_deck[-4:])] += 1
    assert chisquare(list(orders.values())).pvalue > 0.001


def test_j02_the_shuffle_goes_on_with_the_stream_of_the_tickets():
    """The shuffle goes on with the random stream that shuffled the tickets: it is part of the deal."""

    def laid(*seeds: int) -> list[int]:
        return Game(5, JAPAN, seeds).play(*[keep(1, 2)] * 5).ticket_deck

    assert laid(1, 2, 3) == laid(1, 2, 3) == laid(7, 8, 3)
    assert laid(1, 2, 3) != laid(1, 2, 4)
    game = Game(5, JAPAN)
    before = game.state.streams.tolist()
    game.play(*[keep(1, 2)] * 5)
    changed = [stream for stream, word in enumerate(game.state.streams.tolist()) if word != before[stream]]
    assert changed == [STREAM_TICKETS]
    # The same offers with the stream elsewhere lie in another order: it is the stream, not the tickets.
    orders = set()
    for word in range(10):
        game.deal((1, 2, 3)).state.streams[STREAM_TICKETS] = word
        orders.add(tuple(game.play(*[keep(1, 2)] * 5).ticket_deck))
    assert len(orders) == 10


def test_j02_tickets_drawn_in_a_turn_go_back_in_order():
    """Only what is returned at set-up is shuffled; later B17 holds: three are drawn, the others go under in order."""
    game = Game(2, JAPAN).begin()
    for _ in range(4):
        deck = game.ticket_deck
        game.play(DRAW_TICKETS, keep(1))
        assert game.ticket_deck == [*deck[3:], deck[0], deck[2]]


# J3: bullet routes


@pytest.mark.parametrize("few", [0, 1, 20])
def test_j03_bullet_routes_are_paid_for_like_gray_routes(few):
    """As many cards of one color as the route has spaces, any color, locomotives as usual, however many trains."""
    game = bare(2, JAPAN).give_trains(0, few)
    route = game.track("Nagoya", "Hamamatsu")
    for color in COLORS:
        assert game.give_hand(0, **{color: 2}).payments(route) == []
        assert game.give_hand(0, **{color: 3}).payments(route) == [(color, 0)]
    assert game.give_hand(0, **dict.fromkeys(COLORS, 2)).payments(route) == []
    assert game.give_hand(0, locomotive=2).payments(route) == []
    game.give_hand(0, blue=3, red=1, locomotive=5)
    assert game.payments(route) == [("blue", 0), ("blue", 1), ("blue", 2), ("red", 2), (L, 3)]


def test_j03_a_bullet_route_costs_cards_and_no_trains_and_brings_progress():
    """No points, no own trains; one bullet train on the route; the marker advances by the number of cards."""
    game = bare(3, JAPAN).lay_row(*["white"] * 5).stack_deck("white").give_hand(0, blue=5, red=1, locomotive=5)
    route = game.track("Aomori", "Morioka")
    game.play(claim(route, "blue", 1))
    assert (game.hand(0), game.discards) == ({"blue": 2, "red": 1, L: 4}, {"blue": 3, L: 1})
    assert trains(game) == [20, 20, 20]
    assert game.state.route_points[:3].tolist() == points(game, ROUTES) == [0, 0, 0]
    assert progress(game) == [4, 0, 0]
    assert game.state.bullets_left == 15
    assert shared(game) == {route}
    assert (game.seat, game.phase) == (1, "turn")


def test_j03_progress_adds_up_whatever_cards_are_paid():
    """The marker advances by the cards of every bullet route, locomotives included; one bullet train a route."""
    game = bare(2, JAPAN).give_hand(0, red=9, locomotive=9).give_hand(1, red=9)
    a, b, c = along(game, "Osaka", "Kyoto", "Nagoya", "Hamamatsu")
    game.play(claim(c, L, 3), claim(a, "red"), claim(b, "red", 1))
    assert progress(game) == [5, 1]
    assert game.state.bullets_left == 13


def test_j03_a_player_without_trains_may_claim_bullet_routes_only():
    """A player without any trains may claim a bullet route, and no other."""
    game = bare(2, JAPAN).give_trains(0, 0).give_hand(0, **dict.fromkeys(COLORS, 6), locomotive=6)
    assert {action.route for action in game.claims} == BULLETS
    assert all(game.allows(action) for action in game.claims)
    assert not game.allows(claim(game.track("Kokura", "Matsuyama"), "red"))
    game.play(claim(game.track("Hiroshima", "Kokura"), "green", 3))
    assert (trains(game), progress(game)) == ([0, 20], [4, 0])


def test_j03_who_can_pay_for_a_bullet_route_does_not_pass():
    """A claim that needs no trains is a possible action, so there is no passing (B18)."""
    game = bare(2, SMALL).give_trains(0, 0).give_hand(0, red=2, locomotive=1)
    expected = [claim(AB, "red", 1), claim(AB_SECOND, "red", 1)]
    assert game.actions == expected
    assert count_claims(game.state, game.board, 0) == 2
    assert not game.allows(PASS)
    assert not game.allows(claim(AB_PLAIN, "red", 1))
    supply(game, 0)
    assert game.actions == [PASS]
    assert not any(game.allows(action) for action in expected)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("first", [AB, AB_PLAIN, AB_SECOND])
def test_j03_a_bullet_route_is_never_one_track_of_a_double_route(seats, first):
    """An equally long track beside it, bullet or not, stays open to everyone, and everyone may claim both."""
    game = bare(seats, SMALL).give_hand(0, blue=9).play(claim(first, "blue"))
    others = {AB, AB_PLAIN, AB_SECOND} - {first}
    assert all(others <= routes and first not in routes for routes in open_to(game))
    # Nor is it one when it has become an ordinary route (J5).
    ordinary = supply(bare(seats, SMALL), 0).give_hand(0, blue=9).play(claim(first, "blue"))
    assert all(others <= routes and first not in routes for routes in open_to(ordinary))


def test_j03_a_double_route_is_one_with_a_bullet_route_beside_it():
    """The two ordinary tracks are twins (B16), whatever bullet route lies beside them."""
    spec = small_map([("A", "B", 3, "red"), ("A", "B", 3, "gray", True), ("A", "B", 3, "blue")], bullet_trains=2)
    game = bare(2, spec).give_hand(0, red=3).play(claim(0, "red"))
    assert open_to(game) == [{1}, {1}]


# J4: everyone's


@pytest.mark.parametrize("seats", SEATS)
def test_j04_a_claimed_bullet_route_can_be_claimed_by_nobody(seats):
    """A claimed bullet route belongs to everyone: it is open to nobody, and in nobody's own routes."""
    game = bare(seats, SMALL)
    for seat in range(seats):
        game.give_hand(seat, blue=9, locomotive=9)
    game.play(claim(CD, "blue", 2))
    for _ in range(seats):
        assert game.payments(CD) == []
        assert not game.allows(claim(CD, "blue"))
        game.state.seat = (game.seat + 1) % seats
    assert all(CD not in routes for routes in open_to(game))
    assert [game.routes(seat) for seat in range(seats)] == [set()] * seats


@pytest.mark.parametrize("seats", SEATS)
def test_j04_a_claimed_bullet_route_serves_the_tickets_of_everyone(seats):
    """Any player's tickets may use it, the claimer's and all others'."""
    game = bare(seats, SMALL).give_hand(0, blue=3)
    for seat in range(seats):
        game.give_tickets(seat, 0)
    assert points(game, TICKETS) == [-5] * seats
    game.play(claim(AB, "blue"))
    assert points(game, TICKETS) == [5] * seats
    assert completed(game) == [1] * seats


def test_j04_a_bullet_route_is_in_nobodys_longest_path():
    """On a map that rewards the longest path, a bullet route counts for nobody's, nor does it join two others."""
    game = share(bare(3, SMALL), AB, CD).give_routes(0, BC).give_routes(1, DE)
    score = game.score()
    assert score.longest[:3].tolist() == [2, 3, 0]
    assert points(game, LONGEST_PATH) == [0, 10, 0]
    game.give_routes(0, DE)
    assert game.score().longest[0] == 3


@pytest.mark.parametrize("route", sorted(BULLETS))
def test_j04_bullet_routes_alone_are_no_path(route):
    """Someone without a route of their own has no path (B21), whichever bullet route is claimed."""
    game = share(bare(2, load_map("japan", {"longest_path": 10})), route)
    assert game.score().longest.tolist() == [0] * 5
    assert points(game, LONGEST_PATH) == [0, 0]


# J5: without bullet trains


def test_j05_with_the_last_bullet_train_gone_bullet_routes_are_ordinary_gray_ones():
    """Without bullet trains every unclaimed bullet route takes own trains, scores points and is no progress."""
    game = supply(bare(2, JAPAN), 1).give_hand(0, red=4).give_hand(1, red=4, blue=1)
    last, route = game.track("Morioka", "Sendai"), game.track("Aomori", "Morioka")
    game.play(claim(last, "red"))
    assert (trains(game), progress(game), game.state.bullets_left) == ([20, 20], [4, 0], 0)
    assert game.payments(route) == [("red", 0)]
    game.play(claim(route, "red"))
    assert (trains(game), progress(game), game.state.bullets_left) == ([20, 16], [4, 0], 0)
    assert points(game, ROUTES) == [0, 7]
    assert (shared(game), game.routes(0), game.routes(1)) == ({last}, set(), {route})
    assert all(not routes & {last, route} for routes in open_to(game))


def test_j05_such_a_route_needs_trains_for_all_its_spaces():
    """Own trains: with too few of them it cannot be claimed, whatever the hand."""
    game = supply(bare(2, JAPAN), 0).give_hand(0, **dict.fromkeys(COLORS, 6), locomotive=6)
    for left in range(7):
        game.give_trains(0, left)
        assert {action.route for action in game.claims} == {
            index for index, route in enumerate(JAPAN.routes) if route.length <= left
        }
        assert count_claims(game.state, game.board, 0) == len(game.claims)
        assert {route for route in BULLETS if game.allows(claim(route, L, JAPAN.routes[route].length))} == {
            route for route in BULLETS if JAPAN.routes[route].length <= left
        }


def test_j05_such_a_route_serves_its_owner_only():
    """It belongs to who claimed it: nobody else's tickets may use it, and it counts for the longest path."""
    game = supply(share(bare(3, SMALL), AB), 0).give_routes(0, BC).give_routes(1, BC).give_hand(0, blue=4)
    for seat in range(3):
        game.give_tickets(seat, 2)
    game.play(claim(CD, "blue"))
    assert completed(game) == [1, 0, 0]
    assert points(game, TICKETS) == [11, -11, -11]
    assert game.score().longest[:3].tolist() == [6, 2, 0]
