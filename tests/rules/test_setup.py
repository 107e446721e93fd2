"""What lies on the table before the first turn (B1-B5), and the facts of the USA board."""

from collections import Counter
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from scipy.stats import chisquare

from arena.engine.compile_board import compile_board
from arena.rules.board import COLORS

from .table import CARDS, PASS, USA, Game, L, all_colors, members, random_games, small_map

SEATS = (2, 3, 4, 5)


# The board


def test_b01_the_usa_board_has_its_36_cities_and_100_tracks_of_309_spaces():
    """36 cities; 100 tracks with 309 spaces together."""
    assert len(USA.cities) == 36
    assert len(USA.routes) == 100
    assert sum(route.length for route in USA.routes) == 309


def test_b01_each_color_has_seven_tracks_and_27_spaces():
    """Each color has seven tracks with 27 spaces together; the other 44 tracks are gray."""
    tracks = Counter(route.color for route in USA.routes)
    spaces = Counter[str]()
    for route in USA.routes:
        spaces[route.color] += route.length
    assert tracks == dict.fromkeys(COLORS, 7) | {"gray": 44}
    assert spaces == dict.fromkeys(COLORS, 27) | {"gray": 309 - 8 * 27}


def test_b16_the_usa_board_has_22_double_routes():
    """Parallel tracks of equal length between the same two cities: 22 pairs, each track the twin of the other."""
    pairs = Counter((frozenset((route.a, route.b)), route.length) for route in USA.routes)
    assert sorted(Counter(pairs.values()).items()) == [(1, 56), (2, 22)]
    board = compile_board(USA, 4)
    for index, route in enumerate(USA.routes):
        twin = int(board.twin[index])
        if pairs[frozenset((route.a, route.b)), route.length] == 1:
            assert twin == -1
        else:
            other = USA.routes[twin]
            assert twin != index
            assert ({other.a, other.b}, other.length) == ({route.a, route.b}, route.length)


def test_b14_the_most_that_routes_alone_can_give_for_45_trains_is_109():
    """The published maximum of 109 points: over every choice of routes with 45 spaces, one track a double route."""
    points = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}
    best = [0] * 46
    for _, length in {(frozenset((route.a, route.b)), route.length) for route in USA.routes}:
        for trains in range(45, length - 1, -1):
            best[trains] = max(best[trains], best[trains - length] + points[length])
    assert best[45] == 109


def test_b14_the_examples_of_the_rulebook_are_on_the_board():
    """Montreal-New York takes three blue cards; Montreal-Toronto is a gray route."""
    game = Game()
    assert USA.routes[game.track("Montreal", "New York")][2:4] == (3, "blue")
    assert USA.routes[game.track("Montreal", "Toronto")][2:4] == (3, "gray")


def test_b01_there_are_30_tickets_worth_349():
    """30 destination tickets, worth 349 points together."""
    assert len(USA.tickets) == 30
    assert sum(ticket.points for ticket in USA.tickets) == 349


def test_b01_25_of_the_30_tickets_are_worth_their_shortest_path():
    """A published fact of the board: 25 of the 30 tickets are worth the spaces between their cities."""
    cities = range(len(USA.cities))
    apart = np.full((len(cities), len(cities)), 999)
    np.fill_diagonal(apart, 0)
    for route in USA.routes:
        a, b = USA.city_index[route.a], USA.city_index[route.b]
        apart[a, b] = apart[b, a] = min(apart[a, b], route.length)
    for city in cities:
        apart = np.minimum(apart, apart[:, city, None] + apart[None, city, :])
    equal = [t.points == apart[USA.city_index[t.a], USA.city_index[t.b]] for t in USA.tickets]
    assert sum(equal) == 25


# The players


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_b01_fewer_than_two_or_more_than_five_do_not_play(seats):
    """The game is for 2 to 5 players."""
    with pytest.raises(ValueError, match="2 to 5 players"):
        compile_board(USA, seats)


@pytest.mark.parametrize("seats", SEATS)
def test_b01_everyone_starts_with_45_trains(seats):
    """2 to 5 players, 45 trains each."""
    assert Game(seats).state.trains[:seats].tolist() == [45] * seats


@pytest.mark.parametrize("seats", SEATS)
def test_b01_there_are_12_cards_of_each_color_and_14_locomotives(seats):
    """110 train cards: 12 of each of eight colors and 14 locomotives."""
    cards = Game(seats).all_cards()
    assert cards == all_colors() | {L: 14}
    assert cards.total() == 110


@pytest.mark.parametrize("seats", SEATS)
def test_b01_no_card_ticket_or_train_is_ever_lost_or_made(seats):
    """110 train cards, 30 tickets and 45 trains a player are all there is, from the first decision to the last."""
    for game in random_games(seats, games=1, seed=seats):
        assert game.all_cards() == all_colors() | {L: 14}
        held = [ticket for seat in range(seats) for ticket in (*game.tickets(seat), *game.offer(seat))]
        assert sorted(held + game.ticket_deck) == list(range(30))
        for seat in range(seats):
            placed = sum(USA.routes[route].length for route in game.routes(seat))
            assert game.state.trains[seat] + placed == 45
        claimed = [route for seat in range(seats) for route in game.routes(seat)]
        assert len(claimed) == len(set(claimed))
    assert game.phase == "over"


# The deal


@pytest.mark.parametrize("seats", SEATS)
def test_b02_everyone_is_dealt_four_train_cards(seats):
    """Deal four train cards to each player."""
    game = Game(seats)
    assert [sum(game.hand(seat).values()) for seat in range(5)] == [4] * seats + [0] * (5 - seats)


def test_b02_five_cards_are_turned_up_beside_the_deck():
    """Turn five cards face up beside the deck."""
    game = Game(3)
    assert None not in game.row
    assert len(game.deck) + sum(game.discards.values()) == 110 - 3 * 4 - 5


def test_b02_the_same_words_deal_the_same_game_and_others_another():
    """The deal is chance, and only its seeds are the source."""
    one, again, other = Game(seeds=(1, 2, 3)), Game(seeds=(1, 2, 3)), Game(seeds=(4, 2, 6))
    assert one.state.tobytes() == again.state.tobytes()
    assert one.deck != other.deck
    assert one.ticket_deck != other.ticket_deck


def test_b02_the_cards_are_shuffled():
    """Every card of the deck is equally likely to be the top one, the bottom one, or in the first hand."""
    top, bottom, dealt = Counter[str](), Counter[str](), Counter[str]()
    game = Game()
    for deal in range(1500):
        game.deal((deal, 0, 0))
        top[game.deck[0]] += 1
        bottom[game.deck[-1]] += 1
        dealt += Counter(game.hand(0))
    share = np.array([12] * 8 + [14]) / 110
    for counts in (top, bottom, dealt):
        observed = np.array([counts[card] for card in CARDS])
        assert chisquare(observed, share * observed.sum()).pvalue > 0.001


def test_b02_three_locomotives_in_the_first_row_are_flushed():
    """B11 applies already when the first five cards are turned up."""
    spec = small_map([("A", "B", 1, "gray")], cards_per_color=2, locomotives=14)
    no_flush = replace(spec, rules=replace(spec.rules, flush_limit=0))
    without, flushing, flushes = Game(2, no_flush), Game(2, spec), Counter[int]()
    for deal in range(300):
        turned, game = without.deal((deal, 0, 0)), flushing.deal((deal, 0, 0))
        rows = iter([turned.row, *([*cards] for cards in zip(*[iter(turned.deck)] * 5, strict=False))])
        expected, gone = next(rows), Counter[str]()
        count = 0
        while expected.count(L) >= 3 and count < 3:
            gone += Counter(expected)
            expected = next(rows)
            count += 1
        flushes[count] += 1
        assert game.row == expected
        assert game.discards == gone
        assert game.deck == turned.deck[5 * count :]
    assert min(flushes[count] for count in range(4)) > 3  # the seeds cover every number of flushes


@pytest.mark.parametrize("seats", SEATS)
def test_b03_everyone_is_dealt_three_tickets(seats):
    """Deal three tickets to each player."""
    game = Game(seats)
    offers = [ticket for seat in range(seats) for ticket in game.offer(seat)]
    assert [len(game.offer(seat)) for seat in range(seats)] == [3] * seats
    assert sorted(offers + game.ticket_deck) == list(range(30))


def test_b03_the_tickets_are_shuffled():
    """Every ticket is equally likely to be the first one dealt."""
    game = Game()
    first = Counter(game.deal((0, 0, deal)).offer(0)[0] for deal in range(1500))
    assert chisquare([first[ticket] for ticket in range(30)]).pvalue > 0.001


@pytest.mark.parametrize("seats", SEATS)
def test_b04_seat_0_starts_and_play_is_clockwise(seats):
    """Seat 0 has the first turn; then it is each next seat's, and after the last seat seat 0's again."""
    game = Game(seats).begin()
    agents = []
    for _ in range(2 * seats + 1):
        agents.append(game.seat)
        game.play(*[action for action in game.draws if action.kind == "blind"])
        game.play(*[action for action in game.draws if action.kind == "blind"])
    assert agents == [*range(seats), *range(seats), 0]


@pytest.mark.parametrize("seats", SEATS)
def test_b05_every_score_starts_at_zero(seats):
    """Every score starts at 0, no route is anyone's and every route is open to all."""
    game = Game(seats)
    assert game.state.route_points[:seats].tolist() == [0] * seats
    assert game.score().score[:seats].tolist() == [0] * seats
    assert [game.routes(seat) for seat in range(seats)] == [set()] * seats
    assert [members(game.state.open[seat]) for seat in range(seats)] == [set(range(100))] * seats


@pytest.mark.parametrize("end", ["trains", "stall"])
def test_b05_nothing_of_the_game_before_remains(end):
    """A new game in the record of a finished one is as if the record had been empty."""
    *_, used = random_games(5, games=1, seed=1)
    if end == "stall":
        used.deal((4, 5, 6)).begin().clear().play(*[PASS] * 5)
    assert used.end == end
    used.deal((1, 2, 3))
    fresh = Game(5)
    # Of these only the part in use counts; the properties read that part.
    partly_used = {"streams", "deck", "ticket_deck"}
    for field in set(used.state.dtype.names) - partly_used:
        assert used.state[field].tolist() == fresh.state[field].tolist(), field
    assert used.deck == fresh.deck
    assert used.ticket_deck == fresh.ticket_deck
    for one, other in islice(zip(replay(used), replay(fresh), strict=True), 200):
        assert one == other


def replay(game: Game):
    """What each decision of a game offers if the last action but one is always taken."""
    while codes := game.codes():
        yield codes
        game.play_code(codes[max(0, len(codes) - 2)])
