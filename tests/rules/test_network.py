"""What a player's routes connect, and the longest path through them (B20, B21)."""

from itertools import pairwise

import numpy as np
import pytest

from arena.rules.network import are_connected

from .table import USA, Game, bare, claim, random_games, small_map

Track = tuple[str, str, int, str]


def longest(routes: list[tuple[str, str, int]]) -> int:
    """The engine's longest path of a player who owns exactly these routes."""
    spec = small_map([(a, b, n, "gray") for a, b, n in routes])
    return int(Game(2, spec).begin().give_routes(0, *range(len(routes))).score().longest[0])


def walk_every_trail(tracks: list[Track]) -> int:
    """The longest trail, found by walking on from every city over every track not yet walked."""

    def walk(city: str, left: list[Track]) -> int:
        best = 0
        for index, (a, b, length, *_) in enumerate(left):
            if city in (a, b):
                best = max(best, length + walk(b if city == a else a, left[:index] + left[index + 1 :]))
        return best

    return max((walk(city, tracks) for city in {city for track in tracks for city in track[:2]}), default=0)


def reach(tracks: list[Track], start: str) -> set[str]:
    """The cities that tracks connect with a city: the set grows until no track leads out of it."""
    cities = {start}
    while leading_out := [track for track in tracks if (track[0] in cities) != (track[1] in cities)]:
        cities.update(*(track[:2] for track in leading_out))
    return cities


def random_tracks(random: np.random.Generator, cities: int, tracks: int) -> list[Track]:
    """Tracks between random cities; at most two of a length between the same two, as on every map."""
    found: list[Track] = []
    while len(found) < tracks:
        a, b = sorted(random.choice(list("ABCDEFGH"[:cities]), 2, replace=False).tolist())
        track = (a, b, int(random.integers(1, 7)), "gray")
        if found.count(track) < 2:
            found.append(track)
    return found


# B20: connections


def test_b20_a_ticket_is_completed_by_a_chain_of_own_routes():
    """Two cities are connected by own routes over any cities between; short of one route they are not."""
    game = bare()
    ticket = game.ticket("Calgary", "Salt Lake City")
    game.give_tickets(0, ticket).give_routes(0, game.track("Helena", "Salt Lake City"))
    assert game.score().tickets_completed[0] == 0
    game.give_routes(0, game.track("Calgary", "Helena"))
    assert game.score().tickets_completed[0] == 1


def test_b20_a_detour_completes_a_ticket_too():
    """Any connection counts, not only the shortest."""
    game = bare()
    stops = ["Calgary", "Seattle", "Portland", "Salt Lake City"]
    game.give_tickets(0, game.ticket("Calgary", "Salt Lake City"))
    game.give_routes(0, *(game.track(a, b) for a, b in pairwise(stops)))
    assert game.score().tickets_completed[0] == 1


def test_b20_the_routes_of_others_connect_nothing():
    """Only the holder's own routes count."""
    game = bare().give_tickets(0, 2)
    game.give_routes(0, game.track("Calgary", "Helena")).give_routes(1, game.track("Helena", "Salt Lake City"))
    assert game.score().tickets_completed[0] == 0
    assert game.score().tickets_completed[1] == 0


def test_b20_routes_that_meet_nowhere_connect_nothing():
    """Two separate parts do not complete a ticket whose cities lie one in each."""
    game = bare()
    game.give_tickets(0, game.ticket("Denver", "El Paso"))
    game.give_routes(0, game.track("Denver", "Omaha"), game.track("El Paso", "Phoenix"))
    score = game.score()
    assert (score.tickets_completed[0], score.tickets_kept[0]) == (0, 1)


def test_b20_random_networks_connect_what_a_set_of_cities_grown_by_hand_reaches():
    """Every pair of cities, over random networks."""
    random = np.random.default_rng(20)
    connected, apart = 0, 0
    for _ in range(60):
        tracks = random_tracks(random, cities=8, tracks=int(random.integers(1, 9)))
        spec = small_map(tracks)
        game = Game(2, spec).give_routes(0, *range(len(tracks)))
        low, high = game.state.routes_claimed[0]
        for a, city in enumerate(spec.cities):
            reached = reach(tracks, city.name)
            for b, other in enumerate(spec.cities):
                expected = other.name in reached
                assert bool(are_connected(game.board, low, high, a, b)) == expected
                connected += expected
                apart += not expected
    assert min(connected, apart) > 200


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_b20_every_ticket_of_whole_games_is_judged_right(seats):
    """Over final positions on the real board, for each of the 30 tickets: completed are those that own routes join."""
    completed = 0
    for game in random_games(seats, games=4, seed=2000 + seats):
        if game.phase != "over":
            continue
        for seat in range(seats):
            game.give_tickets(seat, *range(30))  # random play completes too few of its own
        score = game.score()
        for seat in range(seats):
            tracks = [tuple(USA.routes[route]) for route in game.routes(seat)]
            tickets = [USA.tickets[ticket] for ticket in game.tickets(seat)]
            done = [ticket for ticket in tickets if ticket.b in reach(tracks, ticket.a)]
            assert score.tickets_kept[seat] == len(tickets)
            assert score.tickets_completed[seat] == len(done)
            assert score.points[seat, 1] == 2 * sum(t.points for t in done) - sum(t.points for t in tickets)
            completed += len(done)
    assert completed > 5


# B21: the longest path


def test_b21_the_longest_path_counts_spaces_not_routes():
    """The longest path is counted in spaces: one long route beats two short ones."""
    assert longest([("A", "B", 6), ("C", "D", 1), ("D", "E", 2)]) == 6


def test_b21_the_path_is_continuous():
    """Routes that do not meet make no path together."""
    assert longest([("A", "B", 4), ("C", "D", 3)]) == 4
    assert longest([("A", "B", 4), ("B", "C", 3)]) == 7


def test_b21_branches_do_not_add_up():
    """A path has two ends: of three routes from one city only two are on it."""
    assert longest([("A", "B", 2), ("A", "C", 3), ("A", "D", 4)]) == 7


def test_b21_the_path_may_pass_through_a_city_more_than_once():
    """A city may be visited again: a loop with a tail on either side of one city is walked whole."""
    assert longest([("A", "B", 2), ("B", "C", 3), ("C", "D", 4), ("D", "B", 5), ("B", "E", 6)]) == 20


def test_b21_the_path_may_end_where_it_began():
    """A loop counts whole."""
    assert longest([("A", "B", 1), ("B", "C", 2), ("C", "A", 3)]) == 6


def test_b21_the_path_uses_each_route_once():
    """No route counts twice: it cannot be walked there and back to reach a third branch."""
    assert longest([("A", "B", 1), ("A", "C", 6), ("A", "D", 6)]) == 12
    assert longest([("A", "B", 6), ("A", "C", 1), ("A", "D", 1)]) == 7


def test_b21_two_tracks_of_different_length_are_two_routes():
    """Both tracks of a pair that is no double route may be owned and walked, one there and one back."""
    assert longest([("A", "B", 2), ("A", "B", 3), ("B", "C", 4)]) == 9


def test_b21_only_ones_own_routes_count():
    """The path is of a player's own routes."""
    spec = small_map([("A", "B", 2, "gray"), ("B", "C", 3, "gray"), ("C", "D", 4, "gray")])
    score = Game(2, spec).begin().give_routes(0, 0, 2).give_routes(1, 1).score()
    assert score.longest[:2].tolist() == [4, 3]


def test_b21_random_networks_have_the_longest_path_that_walking_every_trail_finds():
    """Over random networks, connected or not, with parallel tracks: the same as brute force."""
    random = np.random.default_rng(21)
    partial = 0
    for _ in range(250):
        tracks = random_tracks(random, cities=int(random.integers(3, 9)), tracks=int(random.integers(1, 10)))
        game = Game(2, small_map(tracks)).give_routes(0, *range(len(tracks)))
        expected = walk_every_trail(tracks)
        assert game.score().longest[0] == expected
        partial += expected < sum(track[2] for track in tracks)
    assert partial > 50


def test_b21_own_routes_are_searched_wherever_they_stand_among_the_others():
    """Routes of the others and unclaimed ones are no part of the path; own ones may be any of a map's 128."""
    random = np.random.default_rng(210)
    tracks = random_tracks(random, cities=7, tracks=128)
    spec = small_map(tracks)
    for _ in range(80):
        game = Game(2, spec)
        routes = random.permutation(128)[:18].tolist()
        game.give_routes(0, *routes[:9]).give_routes(1, *routes[9:])
        expected = [walk_every_trail([tracks[route] for route in routes[9 * seat :][:9]]) for seat in range(2)]
        assert game.score().longest[:2].tolist() == expected


@pytest.mark.parametrize("seats", [2, 4])
def test_b21_the_longest_paths_of_whole_games_are_right(seats):
    """Over final positions on the real board, with routes on both sides of the 64th."""
    for game in random_games(seats, games=4, seed=21):
        if game.phase == "over":
            score = game.score()
            for seat in range(seats):
                tracks = [tuple(USA.routes[route]) for route in game.routes(seat)]
                assert score.longest[seat] == walk_every_trail(tracks)


def test_b21_a_player_without_routes_has_no_path():
    """A player with no route has no path."""
    game = bare().give_hand(0, red=1).play(claim(bare().track("Dallas", "Houston"), "red"))
    assert game.score().longest[:2].tolist() == [1, 0]
