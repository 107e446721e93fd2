"""Every number of a study under a name, so that two studies can be compared."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from arena.boards.spec import MapSpec
from arena.experiments.balance.study import Cell
from arena.experiments.balance.tables import COURSE as WORDS
from arena.experiments.measures.course import AMOUNTS, COURSE
from arena.experiments.measures.tickets import ticket_names
from arena.rules.board import CARDS
from arena.rules.game_log import RARE
from arena.stats.ratio_estimates import RatioSums
from arena.store.seat_tables import SOURCES


class Numbers(NamedTuple):
    """One measure of several things."""

    table: str
    measure: str
    """In words: "wins", "claimed"."""
    things: tuple[str, ...]
    sums: RatioSums
    is_share: bool
    """Or else points, turns and so on."""


def headline_numbers(spec: MapSpec, cell: Cell) -> Iterator[Numbers]:
    """Those that say how a game goes, whatever the map looks like."""
    seats = tuple(f"seat {seat}" for seat in range(cell.players))
    yield Numbers("seats", "wins", seats, cell.seats.wins, True)
    yield Numbers("seats", "score", seats, cell.seats.scores, False)
    if len(cell.bots.names) > 1:
        yield Numbers("bots", "wins", cell.bots.names, cell.bots.wins, True)
        yield Numbers("bots", "score", cell.bots.names, cell.bots.scores, False)
    parts = {"course": (COURSE, cell.course.course), "rare": (RARE, cell.course.rare),
             "points": (SOURCES, cell.course.sources)}  # fmt: skip
    for table, (names, sums) in parts.items():
        for is_share in (True, False):
            places = [place for place, name in enumerate(names) if (name not in AMOUNTS) == is_share]
            if places:
                words = tuple(WORDS[names[place]][0] for place in places)
                yield Numbers(table, "", words, sums.of(places), is_share)


def all_numbers(spec: MapSpec, cell: Cell) -> Iterator[Numbers]:
    """All of them, but those of forced deals and of styles, which are runs of their own."""
    yield from headline_numbers(spec, cell)
    routes = distinct(tuple(f"{route} {'bullet' if route.bullet else route.color}" for route in spec.routes))
    for measure in ("claimed", "when", "contested", "lift", "lost", "lost_when"):
        yield Numbers("routes", measure.replace("_", " "), routes, getattr(cell.routes, measure), True)
    pairs = distinct(tuple(f"{spec.routes[route]} (double)" for route, _ in cell.twins.pairs))
    for measure, sums in (("one track", cell.twins.one), ("both tracks", cell.twins.both),
                          ("missed", cell.twins.missed)):  # fmt: skip
        yield Numbers("twins", measure, pairs, sums, True)
    cities = tuple(city.name for city in spec.cities)
    yield Numbers("cities", "used", cities, cell.cities.used, True)
    yield Numbers("cities", "dead ends", cities, cell.cities.dead_ends, True)
    for measure, sums in (("paid", cell.colors.paid), ("paid for gray", cell.colors.gray),
                          ("left in hand", cell.colors.left)):  # fmt: skip
        yield Numbers("colors", measure, CARDS, sums, False)
    yield Numbers("colors", "routes claimed", CARDS, cell.colors.claimed, True)
    tickets = distinct(tuple(ticket_names(spec)))
    for measure, sums in (("kept", cell.tickets.kept), ("completed", cell.tickets.completed),
                          ("lift", cell.tickets.lift)):  # fmt: skip
        yield Numbers("tickets", measure, tickets, sums, True)
    yield Numbers("tickets", "net", tickets, cell.tickets.net, False)


@cache
def distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names; what carries one again is counted."""
    found: list[str] = []
    for name in names:
        times = sum(other == name or other.startswith(f"{name} #") for other in found)
        found.append(f"{name} #{times + 1}" if times else name)
    return tuple(found)
