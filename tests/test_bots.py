"""The shipped bots play every map sensibly, with every number of players."""

import numpy as np
import pytest

from arena import catalog
from arena.boards.spec import MapSpec
from arena.bot import MAX_CITIES, Policy, are_connected, cheapest_path
from arena.engine.table import Table
from arena.rules.deal import make_deals
from arena.rules.scoring import PROVINCES
from arena.rules.view import VIEW, observe
from bots.goals import WANTED
from helpers import SEAT_COUNTS, Stepper

BOTS = ["random", "greedy", "racer", "tutorial", "onestep", "longroute", "path", "hungry"]
LITERATURE = BOTS[4:]


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_all_bots_play_without_a_fault(spec: MapSpec, seats: int) -> None:
    table = Table(spec, seats, catalog.load_entrants(BOTS))
    seatings = np.array([[(seat + game) % len(BOTS) for seat in range(seats)] for game in range(16)])
    outcomes, faults = table.play(seatings, make_deals(5, range(16)))
    assert not faults
    assert (outcomes["end"] > 0).all()


@pytest.mark.parametrize("bot", BOTS[1:])
@pytest.mark.parametrize("map_name", ["usa", "japan", "south_korea"])
def test_bots_are_stronger_than_random(map_name: str, bot: str) -> None:
    table = Table(catalog.load_map(map_name), 2, catalog.load_entrants([bot, "random"]))
    outcomes, _ = table.play(np.array([[0, 1], [1, 0]] * 15), make_deals(6, np.repeat(range(15), 2).tolist()))
    ranks = outcomes["rank"][:, :2].copy()
    ranks[1::2] = ranks[1::2, ::-1]
    assert (ranks[:, 0] == 1).mean() > 0.8


def final_states(map_name: str, bot: str) -> list[np.record]:
    """The tables after some games of a bot against itself."""
    table = Table(catalog.load_map(map_name), 2, catalog.load_entrants([bot, bot]))
    states = []
    for game in range(10):
        table.play(np.array([[0, 1]]), make_deals(7, [game]))
        states.append(table.state.copy())
    return states


@pytest.mark.parametrize("bot", BOTS[1:])
def test_bots_build_with_bullet_trains(bot: str) -> None:
    assert np.mean([state["progress"][:2].sum() for state in final_states("japan", bot)]) > 5


@pytest.mark.parametrize("bot", BOTS[1:])
def test_bots_place_trains(bot: str) -> None:
    assert np.mean([np.count_nonzero(state["mat"]) for state in final_states("south_korea", bot)]) > 2


@pytest.mark.parametrize("bot", BOTS[1:])
def test_bots_spend_express_cards(bot: str) -> None:
    held = 0b1110
    assert np.mean([(state["express"][:2] != held).mean() for state in final_states("south_korea", bot)]) > 0.5


def test_province_bonus_is_fought_for() -> None:
    table = Table(catalog.load_map("south_korea"), 2, catalog.load_entrants(["racer", "greedy"]))
    outcomes, _ = table.play(np.array([[0, 1]] * 20), make_deals(8, range(20)))
    assert (outcomes["points"][:, :2, PROVINCES].mean(axis=0) > 10).all()


def route_set(words: np.ndarray) -> set[int]:
    """The elements of a set of two words."""
    return {64 * word + bit for word in range(2) for bit in range(64) if int(words[word]) >> bit & 1}


def tables_after(bot: str, opponent: str, games: int) -> list[tuple[np.record, np.record]]:
    """State and outcome of games on the USA map in which a bot sits first."""
    table = Table(catalog.load_map("usa"), 2, catalog.load_entrants([bot, opponent]))
    ends = []
    for game in range(games):
        outcomes, _ = table.play(np.array([[0, 1]]), make_deals(9, [game]))
        ends.append((table.state.copy(), outcomes[0].copy()))
    return ends


@pytest.mark.parametrize("bot", LITERATURE)
def test_literature_completes_tickets(bot: str) -> None:
    outcomes = [outcome for _, outcome in tables_after(bot, "greedy", 30)]
    kept = sum(int(outcome["tickets_kept"][0]) for outcome in outcomes)
    assert sum(int(outcome["tickets_completed"][0]) for outcome in outcomes) > 0.6 * kept


def test_longroute_never_draws_tickets_and_claims_long_routes() -> None:
    lengths = [route.length for route in catalog.load_map("usa").routes]
    claimed = []
    for state, outcome in tables_after("longroute", "onestep", 20):
        assert outcome["tickets_kept"][0] == 2
        claimed += [lengths[route] for route in route_set(state["routes_claimed"][0])]
    assert np.mean(np.array(claimed) >= 3) > 0.55
    assert np.mean(np.array(claimed) >= 5) > 0.3


def column(bot: str, name: str) -> np.ndarray:
    """A number of the outcome for a bot, in some games against greedy."""
    return np.array([int(outcome[name][0]) for _, outcome in tables_after(bot, "greedy", 30)])


@pytest.mark.parametrize("bot", ["onestep", "path"])
def test_onestep_and_path_keep_all_tickets_and_draw_more(bot: str) -> None:
    kept = column(bot, "tickets_kept")
    assert (kept % 3 == 0).all()
    assert (kept > 3).any()


def after_choices(bot: str, deal: int) -> tuple[np.record, np.record, np.ndarray, int]:
    """Board, view and memory of seat 0 in its first turn, and how many tickets were kept, when a bot has chosen."""
    game, entrant = Stepper(catalog.load_map("usa"), 2, make_deals(10, [deal])), catalog.load_entrant(bot)
    assert isinstance(entrant.bot, Policy)
    memory, random_state, view = [entrant.memory(), entrant.memory()], np.zeros(1, np.uint64), np.zeros(1, VIEW)[0]
    for seat in (0, 1, 0):
        observe(game.state, game.board, seat, view)
        actions = np.array(game.actions(), np.int32)
        action = entrant.bot.compile()(view, game.board, actions, memory[seat], random_state)
        if game.phase == "setup":
            game.apply(action)
    return game.board, view, memory[0], int(view["tickets_kept"][0])


@pytest.mark.parametrize("deal", range(5))
def test_onestep_wants_the_path_of_its_most_valuable_ticket(deal: int) -> None:
    board, view, memory, _ = after_choices("onestep", deal)
    ticket = max(route_set(view["tickets"]), key=lambda ticket: (board["ticket_points"][ticket], -ticket))
    routes = np.zeros(MAX_CITIES, np.int16)
    count = cheapest_path(view, board, board["ticket_a"][ticket], board["ticket_b"][ticket], routes)
    assert set(np.flatnonzero(memory[WANTED:])) == set(routes[:count].tolist())


@pytest.mark.parametrize("deal", range(5))
def test_path_weighs_routes_by_points_and_twice_the_tickets(deal: int) -> None:
    board, view, memory, _ = after_choices("path", deal)
    expected = np.zeros(128)
    routes = np.zeros(MAX_CITIES, np.int16)
    for ticket in route_set(view["tickets"]):
        count = cheapest_path(view, board, board["ticket_a"][ticket], board["ticket_b"][ticket], routes)
        expected[routes[:count]] += 2 * board["ticket_points"][ticket]
    wanted = np.flatnonzero(expected)
    expected[wanted] += board["route_points"][board["length"][wanted]]
    assert memory[WANTED:].tolist() == expected.tolist()


@pytest.mark.parametrize("deal", range(5))
def test_hungry_plans_one_tree_that_leaves_trains_spare(deal: int) -> None:
    board, view, memory, kept = after_choices("hungry", deal)
    tree = {int(route) for route in np.flatnonzero(memory[WANTED:])}
    assert kept >= 2
    assert sum(int(board["length"][route]) for route in tree) <= 40
    low, high = (np.uint64(sum(1 << route % 64 for route in tree if route // 64 == word)) for word in range(2))
    cities = [
        int(city)
        for ticket in route_set(view["tickets"])
        for city in (board["ticket_a"][ticket], board["ticket_b"][ticket])
    ]
    assert all(are_connected(board, low, high, cities[0], city) for city in cities)


def test_hungry_draws_tickets_early_and_builds_one_tree() -> None:
    assert column("hungry", "tickets_kept").mean() > 4.5
    assert column("hungry", "longest").mean() > column("path", "longest").mean() + 2
