"""A study's measures of routes and cities as heat maps of the board."""

from typing import NamedTuple

from arena.boards.drawing import Heat, draw
from arena.boards.spec import MapSpec
from arena.errors import UsageError, unknown
from arena.experiments.balance.study import Cell, Study
from arena.experiments.measures.findings import LEAST


class Measure(NamedTuple):
    """What a picture shows."""

    title: str
    of_cities: bool = False
    middle: float | None = None
    """The middle of a scale with two sides."""
    holds: tuple[float, ...] = (0.0, 1.0)
    """What the scale holds in any case."""


MEASURES = {
    "claimed": Measure("How often each route is claimed"),
    "contested": Measure("How often a claim hits another player, whose ticket then takes more", holds=(0.0,)),
    "when": Measure("When each route is claimed: part of the game that was over"),
    "lift": Measure("Excess win share of those who have a route", middle=0.0, holds=()),
    "used": Measure("How often each city is used", of_cities=True),
}


def percent(value: float) -> str:
    """A share as the legend writes it."""
    return f"{100 * value:.0f} %"


def picture(cell: Cell, measure: str, small: bool = False) -> str:
    """The heat map of a measure, an SVG document; UsageError for an unknown measure."""
    if measure not in MEASURES:
        raise unknown("measure", measure, MEASURES)
    sums = cell.sums["cities" if MEASURES[measure].of_cities else "routes"][measure]
    return drawn(cell.spec, measure, cell.players, sums.columns(measure, LEAST)[measure].tolist(), small)


def drawn(spec: MapSpec, measure: str, players: int, values: list[float], small: bool) -> str:
    """The heat map of a measure from its values for all routes, or cities, in the order of the map."""
    shown = MEASURES[measure]
    routes, cities = (None, values) if shown.of_cities else (values, None)
    title = f"{shown.title}, {players} players"
    return draw(spec, Heat(title, routes, cities, percent, shown.middle, shown.holds), small)


def cell_of(study: Study, players: int | None) -> Cell:
    """What a study measured with so many players, by default its first number; UsageError for another one."""
    for cell in study.cells:
        if players in (None, cell.players):
            return cell
    there = " and ".join(str(cell.players) for cell in study.cells)
    raise UsageError(f"{study.directory} has nothing about {players} players, but about {there}")
