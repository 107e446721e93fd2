"""The search bot: legal on every map, repeatable, its candidates and worlds what they should be."""

import numpy as np
import pytest

from arena import catalog
from arena.boards.spec import MapSpec
from arena.bot import CLAIM, DRAW_TICKETS, kind_of, max_actions, route_of
from arena.engine.limits import Limits
from arena.engine.table import Table
from arena.errors import UsageError
from arena.rules.deal import make_deals
from arena.rules.state import TURN
from arena.rules.view import observe
from bots.planner import planner
from bots.search import Desk, begin, new_desk, try_out
from bots.tree import NODE, grow
from helpers import Stepper, a_deal, choose

NO_LIMIT = Limits(move_time=0)
"""The first decision may have to be compiled."""
SEARCHES = ["mcts:sims=6", "mcts:sims=6,tree=1", "mcts:ms=1"]


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        pytest.param(name, seats, marks=[pytest.mark.full] * ((index + seats // 2) % 2))
        for index, name in enumerate(catalog.map_names())
        for seats in (2, 4)
    ],
)
def test_searches_play_without_a_fault(name: str, seats: int) -> None:
    table = Table(catalog.load_map(name), seats, catalog.load_entrants([*SEARCHES, "planner", "random"]), NO_LIMIT)
    outcomes, faults = table.play(np.array([[(seat + game) % 5 for seat in range(seats)] for game in range(2)]),
                                  make_deals(5, range(2)))  # fmt: skip
    assert not faults
    assert (outcomes["end"] > 0).all()


@pytest.mark.parametrize("bot", SEARCHES[:2])
def test_a_search_by_number_is_repeatable(bot: str) -> None:
    table = Table(catalog.load_map("usa"), 2, catalog.load_entrants([bot, "planner"]), NO_LIMIT)
    first, second = (table.play(np.array([[0, 1]]), make_deals(6, [1]))[0] for _ in range(2))
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("parameters", ["sims=0", "sims=2.5", "ms=-1", "ms=1e999", "trust=-1"])
def test_wrong_parameters_are_a_fault_with_a_sentence(parameters: str) -> None:
    table = Table(catalog.load_map("usa"), 2, catalog.load_entrants([f"mcts:{parameters}", "random"]), NO_LIMIT)
    _, faults = table.play(np.array([[0, 1]]), make_deals(6, [0]))
    assert "mcts takes whole numbers of sims and width from 1 on" in faults[0][0].reason
    with pytest.raises(UsageError, match="parameter width takes a number, not 'x'"):
        catalog.load_entrant("mcts:width=x")


def test_it_answers_where_the_planner_prices_nothing() -> None:
    """With nothing to draw but tickets and nothing to claim, the only actions are still taken."""
    desk, _ = desk_after(catalog.load_map("south_korea"), 2, 40)
    view = desk.views[0]
    view["hand"][:], view["row"][:], view["deck_count"] = 0, -1, 0
    view["last_turns"] = 1
    actions = np.array([DRAW_TICKETS << 24, DRAW_TICKETS << 24 | 2 << 20], np.int32)
    candidates = np.full(6, -7, np.int32)
    assert begin(desk, actions, candidates, np.zeros(6)) == 1
    assert candidates[0] == actions[0]


def desk_after(spec: MapSpec, seats: int, decisions: int, seed: int = 3) -> tuple[Desk, np.ndarray]:
    """The desk and the legal actions of a seat in its turn, after so many decisions of a random game."""
    stepper, rng = Stepper(spec, seats, a_deal(41)), np.random.default_rng(seats)
    for _ in range(decisions):
        stepper.apply(choose(stepper.actions(), "claims", rng))
    while stepper.state["phase"] != TURN:
        stepper.apply(choose(stepper.actions(), "claims", rng))
    boards = np.array([stepper.board])
    boards.flags.writeable = False  # as that of a view
    desk = new_desk(boards, planner.memory(), seed, max_actions(spec))
    observe(stepper.state, stepper.board, stepper.state["seat"], desk.views[0])
    return desk, np.array(stepper.actions(), np.int32)


@pytest.mark.parametrize("decisions", [10, 60])
def test_candidates_are_legal_best_first_and_name_a_route_once(spec: MapSpec, decisions: int) -> None:
    desk, actions = desk_after(spec, 3, decisions)
    candidates, values = np.zeros(8, np.int32), np.zeros(8)
    count = begin(desk, actions, candidates, values)
    assert 0 < count <= 8
    assert set(candidates[:count]) <= set(actions)
    assert values[:count].tolist() == sorted(values[:count], reverse=True)
    routes = [route_of(action) for action in candidates[:count] if kind_of(action) == CLAIM]
    assert len(set(routes)) == len(routes)


def test_all_candidates_are_tried_in_the_same_worlds(spec: MapSpec) -> None:
    """Alone or among others, from one random state a candidate leads to the same end; the real game is not touched."""
    leads = []
    for chosen in ([0, 1, 2], [1]):
        desk, actions = desk_after(spec, 2, 30)
        candidates, values = np.zeros(3, np.int32), np.zeros(3)
        assert begin(desk, actions, candidates, values) == 3
        before = desk.views.tobytes() + desk.boards.tobytes()
        found = np.zeros(len(chosen))
        try_out(desk, candidates[chosen], 5, found)
        assert desk.views.tobytes() + desk.boards.tobytes() == before
        leads.append(found)
    assert leads[0][1] == leads[1][0]
    assert len(set(leads[0])) > 1


def test_a_tree_counts_its_visits(spec: MapSpec) -> None:
    desk, actions = desk_after(spec, 2, 20)
    begin(desk, actions, np.zeros(6, np.int32), np.zeros(6))
    tree = np.zeros(41, NODE)
    count = grow(desk, tree, 1, 40, 0.3, 6)
    assert 2 < count <= 41
    assert tree["visits"][0] == 40
    for node in range(count):
        below, visits = tree["child"][node], 0.0
        while below:
            visits += tree["visits"][below]
            below = tree["sibling"][below]
        assert visits <= tree["visits"][node]
    assert set(tree["action"][1:count][[child_of_root(tree, node) for node in range(1, count)]]) <= set(actions)


def child_of_root(tree: np.ndarray, node: int) -> bool:
    below = tree["child"][0]
    while below and below != node:
        below = tree["sibling"][below]
    return bool(below)


@pytest.mark.long
@pytest.mark.parametrize("map_name", ["usa", "japan", "south_korea"])
def test_search_beats_the_planner(map_name: str) -> None:
    table = Table(catalog.load_map(map_name), 2, catalog.load_entrants(["mcts:sims=64", "planner"]), NO_LIMIT)
    deals = np.repeat(range(100), 2)
    outcomes, _ = table.play(np.array([[0, 1], [1, 0]] * 100), make_deals(12, deals.tolist()))
    won = np.where(np.arange(200) % 2 == 0, outcomes["rank"][:, 0] == 1, outcomes["rank"][:, 1] == 1)
    assert won.mean() > 0.55
