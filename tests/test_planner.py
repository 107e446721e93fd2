"""The planner: its forests are the cheapest there are, and it behaves as its prices say."""

import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from arena import catalog
from arena.boards.file import load_map_text
from arena.boards.spec import MapSpec
from arena.engine.loop import COUNT_SHIFT, SEAT_MASK, start, step
from arena.engine.table import Table
from arena.rules.state import TURN
from arena.rules.view import VIEW, observe
from bots import weights
from bots.placing import line_prospect
from bots.planner import planner
from bots.planning import find_forests, lay_out, survey
from bots.plans import routes_left
from bots.pricing import best_of
from bots.steiner import NEVER, PRICE_AT, UNIT, cards_in, price_of, routes_in, trains_in
from bots.weights import WEIGHTS
from helpers import Stepper, a_deal, choose, members


def view_after(spec: MapSpec, seats: int, game: int, decisions: int) -> tuple[np.record, np.record]:
    """What the seat to move sees after so many decisions of a game full of claims."""
    stepper = Stepper(spec, seats, a_deal(31, game))
    rng = np.random.default_rng([game, seats])
    for _ in range(decisions):
        stepper.apply(choose(stepper.actions(), "claims", rng))
    while stepper.state["phase"] != TURN:
        stepper.apply(choose(stepper.actions(), "claims", rng))
    view: np.record = np.zeros(1, VIEW)[0]
    observe(stepper.state, stepper.board, stepper.state["seat"], view)
    return view, stepper.board


def cheapest_forest(cost: np.ndarray, pairs: list[tuple[int, int]]) -> float:
    """The price of the cheapest edges that connect every pair, as a mixed-integer program: an independent oracle.

    One flow a pair; a route that a flow uses must be bought. cost: a matrix, infinite where there is no route.
    """
    edges = [(a, b) for a in range(len(cost)) for b in range(a) if np.isfinite(cost[a, b])]
    flows = 2 * len(edges)
    variables = len(edges) + len(pairs) * flows
    rows, lower, upper = [], [], []
    for number, (source, sink) in enumerate(pairs):
        first = len(edges) + number * flows
        for node in range(len(cost)):
            row = np.zeros(variables)
            for index, (a, b) in enumerate(edges):
                sign = (node == a) - (node == b)
                row[first + 2 * index], row[first + 2 * index + 1] = sign, -sign
            rows.append(row)
            lower.append((node == source) - (node == sink))
            upper.append(lower[-1])
        for index in range(len(edges)):
            row = np.zeros(variables)
            row[index], row[first + 2 * index], row[first + 2 * index + 1] = 1, -1, -1
            rows.append(row)
            lower.append(0)
            upper.append(np.inf)
    prices = np.concatenate([[cost[a, b] for a, b in edges], np.zeros(len(pairs) * flows)])
    integral = np.concatenate([np.ones(len(edges)), np.zeros(len(pairs) * flows)])
    found = milp(prices, integrality=integral, bounds=Bounds(0, 1), constraints=LinearConstraint(rows, lower, upper))
    assert found.success, found.message
    return float(found.fun)


@pytest.mark.slow("with an empty cache the planner's parts are compiled once more, for Python")
@pytest.mark.parametrize("decisions", [0, 25, 60])
def test_forests_are_the_cheapest(spec: MapSpec, decisions: int) -> None:
    rng = np.random.default_rng(decisions)
    for game in range(3):
        view, board = view_after(spec, 2, game, decisions)
        node, cost, _, distance = survey(view, board, planner.memory())
        tickets = rng.choice(int(board["tickets"]), 3, replace=False).astype(np.int64)
        forests = find_forests(board, node, distance, tickets)[3]
        prices = np.where(cost < NEVER, (cost >> PRICE_AT).astype(float), np.inf)
        for subset in range(1, 8):
            pairs = [
                (int(node[board["ticket_a"][ticket]]), int(node[board["ticket_b"][ticket]]))
                for index, ticket in enumerate(tickets)
                if subset >> index & 1
            ]
            pairs = [pair for pair in pairs if pair[0] != pair[1]]
            if forests[subset] < NEVER:
                expected = cheapest_forest(prices, pairs) if pairs else 0
                assert price_of(int(forests[subset])) * UNIT == pytest.approx(expected)


@pytest.mark.parametrize("decisions", [0, 40])
def test_routes_of_a_forest_complete_its_tickets(spec: MapSpec, decisions: int) -> None:
    for game in range(6):
        view, board = view_after(spec, 3, game, decisions)
        ground = survey(view, board, planner.memory())
        tickets = np.arange(game, game + 5, dtype=np.int64)
        found = find_forests(board, ground[0], ground[3], tickets)
        for subset in (1, 5, 14, 31):
            total = int(found[3][subset])
            if total >= NEVER:
                continue
            routes = np.zeros(2, np.uint64)
            lay_out(board, found, ground, tickets, subset, routes)
            bought = members(routes)
            lengths = [int(board["length"][route]) for route in bought]
            assert (routes_in(total), cards_in(total)) == (len(bought), sum(lengths))
            assert trains_in(total) <= sum(lengths)
            part = ground[0].copy()
            for route in bought:
                a, b = part[board["a"][route]], part[board["b"][route]]
                part[part == b] = a
            for index, ticket in enumerate(tickets):
                if subset >> index & 1:
                    assert part[board["ticket_a"][ticket]] == part[board["ticket_b"][ticket]]


def test_weights_stand_where_their_names_say() -> None:
    for index, name in enumerate(WEIGHTS):
        assert getattr(weights, {"turn": "TURN_PRICE"}.get(name, name.upper())) == index
    entrant = catalog.load_entrant("planner:block=0.5,wild=3")
    assert entrant.memory()[weights.BLOCK] == 0.5
    assert entrant.memory()[weights.WILD] == 3
    assert len(WEIGHTS) <= 32  # the plan's place in memory begins there


@pytest.mark.parametrize("drawn", [1, 2, 3, 6])
def test_best_of_is_the_mean_of_the_best(drawn: int) -> None:
    gains = np.array([7.0, 3.0, 2.5, -1.0, -4.0, -4.0, -9.0])
    expected = np.mean([max(hand) for hand in combinations(gains, drawn)])
    assert best_of(gains, len(gains), drawn) == pytest.approx(expected)


def test_a_line_promises_more_the_greater_the_lead() -> None:
    view, board = view_after(catalog.load_map("south_korea"), 2, 0, 0)
    numbers, me = planner.memory(), int(view["seat"])

    def line(mine: list[int], others: list[int]) -> np.uint64:
        return np.uint64(
            sum(me + 1 << 4 * place - 4 for place in mine) + sum(2 - me << 4 * place - 4 for place in others)
        )

    promises = [
        line_prospect(view, board, numbers, line(mine, others), 5.0)
        for mine, others in (([], [4]), ([2], [6]), ([3], [4]), ([4], [3]), ([6], [2]), ([9, 8], [1]))
    ]
    assert promises == sorted(promises)
    assert promises[0] == 0
    assert promises[-1] == board["province_bonus"][0]


def test_plans_never_hold_what_cannot_be_claimed_any_more(spec: MapSpec) -> None:
    """After every decision of a planner in its turn, the routes it still wants are open to it."""
    table = Table(spec, 3, catalog.load_entrants(["planner", "planner", "longroute"]))
    agents = [table.seat_bot(seat, entrant, 77 + seat) for seat, entrant in enumerate(table.entrants)]
    turn, checked = int(start(table.desk.memory, a_deal(3))), 0
    plan = np.zeros(2, np.uint64)
    while turn:
        seat, phase = turn & SEAT_MASK, int(table.state["phase"])
        code = agents[seat](turn >> COUNT_SHIFT)
        if phase == TURN and seat < 2:
            routes_left(table.view, table.memory[seat], plan)
            assert not (plan & ~table.view["open"][seat]).any()
            checked += bool(plan.any())
        turn = int(step(table.desk.memory, code))
    assert checked > 20


@pytest.mark.slow("plays with interpreted kernels, some hundred times slower")
def test_interpreted_planner_plays_the_same_games() -> None:
    games = Path(__file__).parent / "planner_games.py"

    def outcomes(**environment: str) -> str:
        command = [sys.executable, str(games)]
        return subprocess.run(
            command, env={**os.environ, **environment}, capture_output=True, text=True, check=True
        ).stdout

    assert outcomes() == outcomes(NUMBA_DISABLE_JIT="1")


def test_costs_of_a_whole_board_are_added_without_carry() -> None:
    """60 cities in a row, 9 spaces apart: the parts of a cost stay apart, however long the way is."""
    cities = ", ".join(f'{{ name = "C{index}", x = {index}, y = 0 }}' for index in range(60))
    routes = ", ".join(
        f'{{ between = ["C{index}", "C{index + 1}"], length = 9, color = "gray" }}' for index in range(59)
    )
    tickets = ", ".join(f'{{ between = ["C{index}", "C{59 - index}"], points = 9 }}' for index in range(5))
    spec = load_map_text(
        f'name = "Row"\nabout = ""\ncities = [{cities}]\nroutes = [{routes}]\n'
        f"tickets = [{tickets}]\n"
        "[rules]\nroute_points = [1, 2, 4, 7, 10, 15, 18, 21, 27]\ntickets_dealt = 1\ntickets_keep = 1\n",
        "row.toml",
    )
    view, board = view_after(spec, 2, 0, 0)
    node, _, _, distance = survey(view, board, planner.memory())
    total = int(find_forests(board, node, distance, np.array([0, 1]))[3][3])
    assert (routes_in(total), cards_in(total), trains_in(total)) == (59, 531, 531)
