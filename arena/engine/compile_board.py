"""Compiles a map for a number of seats to the BOARD record that the rules read."""

import numpy as np

from arena.boards.rule_numbers import RETURNED, Rules
from arena.boards.spec import MapSpec
from arena.rules.board import BOARD, COLOR_COUNT, COLORS, GRAY, LOCOMOTIVE, MAX_SEATS, ROUTE_COLORS, WORD_BITS


def compile_board(spec: MapSpec, seats: int) -> np.record:
    """The tables of a map for `seats` players (2 to 5); ValueError for another number."""
    if not 2 <= seats <= MAX_SEATS:
        raise ValueError(f"a game has 2 to {MAX_SEATS} players, not {seats}")
    board: np.record = np.zeros(1, BOARD)[0]
    board.seats = seats
    board.cities, board.routes, board.tickets = len(spec.cities), len(spec.routes), len(spec.tickets)
    _compile_rules(board, spec.rules)
    for line in spec.provinces:
        board.positions[COLORS.index(line.color)] = line.positions
    board.lines = len(spec.provinces)
    board.longest_route = max(route.length for route in spec.routes)
    board.twin[:] = -1
    board.twin[: len(spec.routes)] = spec.twins
    for index, route in enumerate(spec.routes):
        a, b = spec.city_index[route.a], spec.city_index[route.b]
        color = ROUTE_COLORS.index(route.color)
        board.a[index], board.b[index] = a, b
        board.length[index], board.color[index] = route.length, color
        word, mask = index // WORD_BITS, np.uint64(1 << index % WORD_BITS)
        board.all_routes[word] |= mask
        if route.bullet:
            board.bullet_routes[word] |= mask
        board.city_routes[a, word] |= mask
        board.city_routes[b, word] |= mask
        payers = (*range(len(COLORS)), LOCOMOTIVE) if color == GRAY else (color, LOCOMOTIVE)
        for card in payers:
            board.payable[card, route.length :, word] |= mask
    for index, ticket in enumerate(spec.tickets):
        board.ticket_a[index], board.ticket_b[index] = spec.city_index[ticket.a], spec.city_index[ticket.b]
        board.ticket_points[index] = ticket.points
    return board


def _compile_rules(board: np.record, rules: Rules) -> None:
    """The rule numbers, the bonuses for this number of seats."""
    for rule in rules.RANGES:
        board[rule] = getattr(rules, rule)
    board.supply[:] = rules.supply
    board.extra_cards[:] = rules.extras
    board.express = (2 << rules.express) - 2
    board.tickets_returned = RETURNED.index(rules.tickets_returned)
    board.route_points[1 : len(rules.route_points) + 1] = rules.route_points
    for rule in rules.TABLES:
        bonus = getattr(rules, rule)[board.seats - 2]
        board[rule][: len(bonus)] = bonus


def max_actions(spec: MapSpec) -> int:
    """An upper bound on the legal actions of one decision: draws, ticket choices, every payment of every route.

    Where trains are placed: on any line with any express card and any mix of more cards, of any color.
    """
    payments = sum((COLOR_COUNT if route.color == "gray" else 1) * route.length + 1 for route in spec.routes)
    placements = 0
    for line in spec.provinces:
        extra = line.positions - 1
        mixes = extra + 1 + COLOR_COUNT * extra * (extra + 1) // 2
        placements += (spec.rules.express + 1) * mixes
    return max(payments + 16, placements + 1) + 64
