"""The end: tickets, the longest path, who has won (B20-B22)."""

import pytest

from arena.rules.scoring import LONGEST_PATH, ROUTES, SOURCES, TICKETS

from .table import Game, bare, claim, random_games, small_map

# Ticket n asks for A-B and is worth n + 1 points; ticket n + 10 asks for C-D and is worth 10 more.
SPEC = small_map(
    [("A", "B", 3, "gray"), ("C", "D", 3, "gray"), ("D", "E", 2, "gray"), ("E", "F", 3, "red"), ("G", "H", 3, "gray"),
     ("I", "J", 3, "gray"), ("K", "L", 3, "gray")],
    [*[("A", "B", points) for points in range(1, 11)], *[("C", "D", points) for points in range(11, 21)]],
)  # fmt: skip
AB, CD, DE, EF, GH, IJ, KL = range(7)


def final(points: list[int], *, seats: int = 0) -> Game:
    """A table at which each seat has so many points from routes, and no tickets or routes yet."""
    game = bare(seats or len(points), SPEC)
    game.state.route_points[: len(points)] = points
    return game


def ranks(game: Game) -> list[int]:
    return game.score().rank[: game.seats].tolist()


# B20: tickets


def test_b20_a_completed_ticket_adds_its_value():
    """Each ticket whose two cities the holder's own routes connect adds its value."""
    game = final([5, 5]).give_routes(0, AB).give_tickets(0, 3)
    assert game.score().points[:2, TICKETS].tolist() == [4, 0]


def test_b20_a_failed_ticket_subtracts_its_value():
    """Each ticket that is not completed subtracts its value."""
    game = final([5, 5]).give_tickets(0, 3)
    assert game.score().points[:2, TICKETS].tolist() == [-4, 0]
    assert game.score().score[0] == 1


def test_b20_every_ticket_is_counted_for_itself():
    """Completed and failed tickets of one hand are added up; a score may be negative."""
    game = final([0, 0]).give_routes(0, AB).give_tickets(0, 0, 4, 9, 12).give_tickets(1, 2, 19)
    score = game.score()
    assert score.points[:2, TICKETS].tolist() == [1 + 5 + 10 - 13, -3 - 20]
    assert score.tickets_completed[:2].tolist() == [3, 0]
    assert score.tickets_kept[:2].tolist() == [4, 2]
    assert score.score[1] == -23


def test_b20_tickets_past_the_64th_count_as_well():
    """A map may have 96 tickets; each of them counts."""
    spec = small_map([("A", "B", 1, "gray"), ("B", "C", 1, "gray")], [*[("A", "B", 1)] * 48, *[("B", "C", 100)] * 48])
    game = bare(2, spec).give_routes(0, 0).give_tickets(0, 3, 47, 48, 95).give_routes(1, 1).give_tickets(1, 3, 70, 95)
    score = game.score()
    assert score.points[:2, TICKETS].tolist() == [1 + 1 - 200, 200 - 1]
    assert score.tickets_completed[:2].tolist() == [2, 2]


# B21: the bonus


def test_b21_the_longest_path_gives_ten_points():
    """Whoever has the longest path gets 10 points, the others none."""
    game = final([0, 0, 0]).give_routes(0, CD).give_routes(1, DE, EF)
    score = game.score()
    assert score.longest[:3].tolist() == [3, 5, 0]
    assert score.points[:3, LONGEST_PATH].tolist() == [0, 10, 0]
    assert score.score[:3].tolist() == [0, 10, 0]


def test_b21_all_who_tie_for_it_get_ten():
    """All who tie for the longest path get 10 points each."""
    game = final([0, 0, 0, 0]).give_routes(0, AB).give_routes(1, DE).give_routes(2, CD).give_routes(3, EF)
    assert game.score().points[:4, LONGEST_PATH].tolist() == [10, 0, 10, 10]


def test_b21_nobody_without_a_route_gets_it():
    """If nobody claimed anything nobody gets the bonus."""
    for seats in (2, 5):
        score = final([0] * seats).score()
        assert score.points[:, LONGEST_PATH].tolist() == [0] * 5
        assert score.longest.tolist() == [0] * 5


def test_b21_the_shortest_path_of_all_is_enough():
    """One route of one space is the longest path if there is no other."""
    game = bare().give_hand(0, red=1).play(claim(bare().track("Dallas", "Houston"), "red"))
    assert game.score().points[:2, LONGEST_PATH].tolist() == [10, 0]
    assert game.score().score[:2].tolist() == [11, 0]


# B22: who wins


def test_b22_most_points_wins():
    """Most points wins, in whatever seat; the others follow in order."""
    assert ranks(final([3, 9, 7, 1, 8])) == [4, 1, 3, 5, 2]
    assert ranks(final([-3, -9])) == [1, 2]


def test_b22_all_points_count():
    """Points for routes, tickets and the longest path are one sum."""
    game = final([0, 15, 9]).give_routes(0, CD, DE).give_tickets(0, 13).give_tickets(1, 0)
    score = game.score()
    assert score.points[:3, ROUTES].tolist() == [0, 15, 9]
    assert score.score[:3].tolist() == [14 + 10, 14, 9]
    assert ranks(game) == [1, 2, 3]


def test_b22_a_tie_goes_to_the_most_completed_tickets():
    """With equal points the most completed tickets win."""
    # 10 points either way: 10 by one ticket; 1 + 2 + 3 by three tickets and 4 by routes.
    game = final([0, 4]).give_routes(0, AB).give_tickets(0, 9).give_routes(1, AB).give_tickets(1, 0, 1, 2)
    assert game.score().score[:2].tolist() == [20, 20]
    assert ranks(game) == [2, 1]


def test_b22_only_completed_tickets_break_a_tie():
    """Failed tickets do not count: of equal points, one completed and two failed tickets lose to two completed."""
    game = final([20, 5]).give_routes(0, AB).give_tickets(0, 9, 10, 11).give_routes(1, AB).give_tickets(1, 0, 0, 1)
    game.state.route_points[0] = 5 + 3 - (10 - 11 - 12)
    assert game.score().score[:2].tolist() == [18, 18]
    assert game.score().tickets_completed[:2].tolist() == [1, 2]
    assert ranks(game) == [2, 1]


def test_b22_completed_tickets_come_before_the_longest_path():
    """The holder of the longest path loses the tie to more completed tickets."""
    game = final([0, 9]).give_routes(0, CD, DE).give_routes(1, AB).give_tickets(1, 0)
    score = game.score()
    assert score.score[:2].tolist() == [10, 10]
    assert score.points[:2, LONGEST_PATH].tolist() == [10, 0]
    assert ranks(game) == [2, 1]


def test_b22_then_a_tie_goes_to_the_holder_of_the_longest_path():
    """With equal points and equally many completed tickets the holder of the bonus wins."""
    game = final([10, 0, 9]).give_routes(1, CD)
    assert game.score().score[:3].tolist() == [10, 10, 9]
    assert ranks(game) == [2, 1, 3]


def test_b22_who_is_still_tied_shares_the_victory():
    """Still tied, they share: equal ranks, and the next place is counted from all who are better."""
    assert ranks(final([7, 7])) == [1, 1]
    assert ranks(final([7, 3, 7, 3, 1])) == [1, 3, 1, 3, 5]
    assert ranks(final([0, 0, 0, 0, 0])) == [1, 1, 1, 1, 1]


def test_b22_two_holders_of_the_bonus_share_too():
    """A shared longest path breaks a tie with others, not between its holders."""
    game = final([10, 0, 0]).give_routes(1, AB).give_routes(2, CD)
    assert game.score().score[:3].tolist() == [10, 10, 10]
    assert ranks(game) == [3, 1, 1]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_b22_the_ranks_of_whole_games_follow_from_their_numbers(seats):
    """Over final positions: the score is the sum of its sources, and each rank counts those who are better."""
    for game in random_games(seats, games=3, seed=220 + seats):
        if game.phase != "over":
            continue
        score = game.score()
        keys = [
            (
                int(score.points[seat].sum()),
                int(score.tickets_completed[seat]),
                int(score.longest[seat]) == max(1, score.longest[:seats].max()),
            )
            for seat in range(seats)
        ]
        assert [key[0] for key in keys] == score.score[:seats].tolist()
        assert score.points.shape[1] == len(SOURCES)
        assert score.points[:, LONGEST_PATH + 1 :].sum() == 0
        assert ranks(game) == [1 + sum(other > key for other in keys) for key in keys]
