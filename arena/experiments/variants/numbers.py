"""Every number of a study under a name, so that two studies can be compared."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from arena.experiments.balance.study import Cell
from arena.experiments.measures.course import AMOUNTS, PARTS, WORDS, bot_names
from arena.experiments.measures.routes import twin_pairs
from arena.experiments.measures.tickets import ticket_names
from arena.rules.board import CARDS
from arena.stats.ratio_estimates import RatioSums


class Numbers(NamedTuple):
    """One measure of several things."""

    table: str
    measure: str
    """In words: "wins", "claimed"."""
    things: tuple[str, ...]
    sums: RatioSums
    is_share: bool
    """Whether it is a share; otherwise it counts points, turns and so on."""


HEADLINES = ("seats", "bots", "course")
"""The tables that `headline_numbers` reads."""


def headline_numbers(cell: Cell) -> Iterator[Numbers]:
    """Those that say how a game goes, whatever the map looks like."""
    bots = bot_names(cell.plan)
    yield from _wins(cell, "seats", tuple(f"seat {seat}" for seat in range(cell.players)))
    if len(bots) > 1:
        yield from _wins(cell, "bots", bots)
    for part, names in PARTS.items():
        for is_share in (True, False):
            places = [place for place, name in enumerate(names) if (name not in AMOUNTS) == is_share]
            if places:
                words = tuple(WORDS[names[place]][0] for place in places)
                yield Numbers(part, "", words, cell.sums["course"][part].of(places), is_share)


def _wins(cell: Cell, table: str, things: tuple[str, ...]) -> Iterator[Numbers]:
    yield Numbers(table, "wins", things, cell.sums[table]["wins"], True)
    yield Numbers(table, "score", things, cell.sums[table]["scores"], False)


COMPARED = {
    "routes": {name: name.replace("_", " ") for name in ("claimed", "when", "contested", "lift", "lost", "lost_when")},
    "twins": {"one": "one track", "both": "both tracks", "missed": "missed"},
    "cities": {"used": "used", "dead_ends": "dead ends"},
    "colors": {"paid": "paid", "paid_gray": "paid for gray", "left": "left in hand", "claimed": "routes claimed"},
    "tickets": {"kept": "kept", "completed": "completed", "lift": "lift", "net": "net"},
}
"""What is compared besides the headlines, by table and measure, in words."""
CARDS_AND_POINTS = ("paid", "paid_gray", "left", "net")
"""The measures among them that are not shares."""


def all_numbers(cell: Cell) -> Iterator[Numbers]:
    """All of them, but those of forced deals and of styles, which are runs of their own."""
    yield from headline_numbers(cell)
    routes = cell.spec.routes
    things = {
        "routes": distinct(tuple(f"{route} {'bullet' if route.bullet else route.color}" for route in routes)),
        "twins": distinct(tuple(f"{routes[route]} (double)" for route, _ in twin_pairs(cell.spec))),
        "cities": tuple(city.name for city in cell.spec.cities),
        "colors": CARDS,
        "tickets": distinct(tuple(ticket_names(cell.spec))),
    }
    for table, measures in COMPARED.items():
        for name, words in measures.items():
            yield Numbers(table, words, things[table], cell.sums[table][name], name not in CARDS_AND_POINTS)


@cache
def distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names, with a number after each that was there before."""
    found: list[str] = []
    for name in names:
        times = sum(other == name or other.startswith(f"{name} #") for other in found)
        found.append(f"{name} #{times + 1}" if times else name)
    return tuple(found)
