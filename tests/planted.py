"""A board on which all cities, routes, colors and tickets are alike, and the same with something planted in it."""

from dataclasses import replace

import numpy as np

from arena import catalog
from arena.boards.rule_numbers import Rules
from arena.boards.spec import COLORS, City, MapSpec, Route, Ticket
from arena.engine.table import Table
from arena.experiments.balance.study import Cell
from arena.experiments.measures.game_arrays import Batch
from arena.experiments.measures.tickets import effect_ratios
from arena.stats.ratio_estimates import add_ratios
from arena.tournament.plan import Plan
from arena.tournament.schedule import game_deals

CITIES = 16
DEAD = "Nowhere"
WORTHLESS, OVERPAID = 5, 11
"""Tickets."""
SHORT = "green"


def even_map() -> MapSpec:
    """Sixteen cities on a circle: a turn by one city and one color leaves the board as it is.

    Each city has a route of two spaces to the next one and one of three to the third next, each color two of both.
    """
    names = [f"C{number}" for number in range(CITIES)]
    angles = 2 * np.pi * np.arange(CITIES) / CITIES
    cities = tuple(
        City(name, round(200 + 200 * float(np.sin(a))), round(200 - 200 * float(np.cos(a))))
        for name, a in zip(names, angles, strict=True)
    )
    routes = tuple(
        Route(names[i], names[(i + step) % CITIES], length, COLORS[(i + shift) % len(COLORS)])
        for step, length, shift in ((1, 2, 0), (3, 3, 4))
        for i in range(CITIES)
    )
    tickets = tuple(Ticket(names[i], names[(i + 7) % CITIES], 9) for i in range(CITIES))
    return MapSpec("even", "Even", "A circle.", cities, routes, tickets, Rules(trains=24))


def planted_map() -> MapSpec:
    """A worthless ticket, an overpaid one, a city for nothing, more cards for seat 0, a color in short supply."""
    even = even_map()
    tickets = list(even.tickets)
    tickets[WORTHLESS] = tickets[WORTHLESS]._replace(points=1)
    tickets[OVERPAID] = tickets[OVERPAID]._replace(points=25)
    rules = even.rules.changed("extra_cards.0", 4).changed(f"cards.{SHORT}", 4).changed("route_points.4", 0)
    cities = (*even.cities, City(DEAD, 200.0, 200.0))
    return replace(
        even, cities=cities, routes=(*even.routes, Route("C0", DEAD, 4, "gray")), tickets=tuple(tickets), rules=rules
    )


def plan_of(spec: MapSpec, bot: str, players: int, games: int, seed: int, forced: bool = False) -> Plan:
    """Copies of a bot, each deal once."""
    return Plan.of_size(
        bots=(bot,) * players, names=tuple(f"{bot}#{copy}" for copy in range(players)), map=spec.key, players=players,
        games=games, seed=seed, seating="once", forced=len(spec.tickets) * forced,
    )  # fmt: skip


def played(spec: MapSpec, plan: Plan, table: Table | None = None) -> Batch:
    """All games of a plan, in this process."""
    table = table or table_of(spec, plan)
    deals, seatings = plan.seatings(0, plan.games)
    outcomes, faults = table.play(seatings, game_deals(plan, np.arange(plan.games)))
    assert not faults
    return Batch(plan, outcomes, seatings, deals)


def table_of(spec: MapSpec, plan: Plan) -> Table:
    """The table that plays a plan."""
    return Table(spec, plan.players, catalog.load_entrants(plan.bots), logged=True)


def measured(spec: MapSpec, bot: str, players: int, games: int, seed: int, table: Table | None = None) -> Cell:
    """What a study of a map says; as many games more are for the tickets."""
    plan = plan_of(spec, bot, players, games, seed)
    cell = Cell.empty(spec, plan)
    cell.add(played(spec, plan, table))
    forced = plan_of(spec, bot, players, games, seed, forced=True)
    add_ratios(cell.effects, effect_ratios(played(spec, forced, table), spec))
    return cell
