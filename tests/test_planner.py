"""The planner: its forests are the cheapest there are, and it behaves as its prices say."""

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from arena.bot import MEMORY
from arena.mapspec import MapSpec
from arena.rules.state import TURN
from arena.rules.view import VIEW, observe
from bots.planning import lay_out, search, survey
from bots.steiner import NEVER, PRICE, UNIT, cards_in, price_of, routes_in, trains_in
from bots.weights import WEIGHTS
from helpers import Stepper, choose, members, words


def memory() -> np.ndarray:
    numbers = np.zeros(MEMORY)
    numbers[: len(WEIGHTS)] = list(WEIGHTS.values())
    return numbers


def view_after(spec: MapSpec, seats: int, game: int, decisions: int) -> tuple[np.record, np.record]:
    """What the seat to move sees after so many decisions of a game full of claims."""
    stepper = Stepper(spec, seats, words(31, game))
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


@pytest.mark.parametrize("decisions", [0, 25, 60])
def test_forests_are_the_cheapest(spec: MapSpec, decisions: int) -> None:
    rng = np.random.default_rng(decisions)
    for game in range(3):
        view, board = view_after(spec, 2, game, decisions)
        node, cost, _, distance = survey(view, board, memory())
        tickets = rng.choice(int(board["tickets"]), 3, replace=False).astype(np.int64)
        forests = search(view, board, node, distance, tickets)[3]
        prices = np.where(cost < NEVER, (cost >> PRICE).astype(float), np.inf)
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
        ground = survey(view, board, memory())
        tickets = np.arange(game, game + 5, dtype=np.int64)
        found = search(view, board, ground[0], ground[3], tickets)
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
