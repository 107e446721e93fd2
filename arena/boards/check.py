"""Which mistakes a map can have: all of them are found in one pass."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from arena.boards.rule_numbers import COLORS, MAX_POINTS
from arena.boards.spec import LIMITS, MAX_POSITIONS, ROUTE_COLORS, MapSpec, Route, Ticket
from arena.errors import UsageError, nearest


class Problem(NamedTuple):
    """What is wrong with a map."""

    text: str
    table: str = ""
    """`cities`, `routes`, `tickets` or `provinces`, if it is about one of their records."""
    record: int = -1
    """Which one, from 0."""


def find_problems(spec: MapSpec) -> list[Problem]:
    """Everything that keeps a map from being played."""
    problems = [Problem(text) for text in spec.rules.problems()]
    spec = replace(spec, rules=spec.rules.in_range())
    for table, limit in LIMITS.items():
        count = len(getattr(spec, table))
        if not 1 <= count <= limit:
            problems.append(Problem(f"{count} {table}; a map has 1 to {limit}"))
    for index, city in enumerate(spec.cities):
        if city.name in [other.name for other in spec.cities[:index]]:
            problems.append(Problem(f"{city.name} is listed twice", "cities", index))
        if any(place.inset == city.inset for place in city.also):
            problems.append(Problem(f"{city.name} is placed in the same inset twice", "cities", index))
    for index, route in enumerate(spec.routes):
        texts = (*_end_problems(spec, route), *_route_problems(spec, route))
        problems += [Problem(text, "routes", index) for text in texts]
    for index, ticket in enumerate(spec.tickets):
        texts = (*_end_problems(spec, ticket), *_ticket_problems(spec, ticket, index))
        problems += [Problem(text, "tickets", index) for text in texts]
    problems += [*_track_problems(spec), *_province_problems(spec), *_supply_problems(spec)]
    return problems or _reach_problems(spec)


def with_rules(spec: MapSpec, settings: Mapping[str, int | str]) -> MapSpec:
    """A map under other rule numbers; UsageError for an unknown rule or a number out of range."""
    changed = spec.rules
    for name, value in settings.items():
        changed = changed.changed(name, value)
    spec = replace(spec, rules=changed)
    if problems := find_problems(spec):
        raise UsageError("; ".join(problem.text for problem in problems))
    return spec


def _end_problems(spec: MapSpec, place: Route | Ticket) -> Iterator[str]:
    for city in (place.a, place.b):
        if city not in spec.city_index:
            yield f"{place}: no city is called {city!r}{nearest(city, spec.city_index)}"
    if place.a == place.b:
        yield f"{place} leads from a city to itself"


def _route_problems(spec: MapSpec, route: Route) -> Iterator[str]:
    if route.color not in ROUTE_COLORS:
        yield f"{route}: color {route.color!r} is not one of {', '.join(ROUTE_COLORS)}"
    elif route.bullet and route.color != "gray":
        yield f"{route}: a bullet route is gray, any one color pays (J3)"
    if not 1 <= route.length <= len(spec.rules.route_points):
        yield f"{route}: length {route.length} has no points in rule route_points"
    elif route.length > _most_cards(spec, route.color):
        yield f"{route}: no player can ever pay {route.length} spaces with the cards there are"
    elif route.length > spec.rules.trains and not (route.bullet and spec.rules.bullet_trains):
        yield f"{route}: no player has the {route.length} trains it takes"


def _most_cards(spec: MapSpec, color: str) -> int:
    """The most cards that can ever be paid for a route of a color."""
    *colored, locomotives = spec.rules.supply
    return locomotives + (colored[COLORS.index(color)] if color in COLORS else max(colored))


def _ticket_problems(spec: MapSpec, ticket: Ticket, index: int) -> Iterator[str]:
    if not 1 <= ticket.points <= MAX_POINTS:
        yield f"{ticket}: points must be a whole number from 1 to {MAX_POINTS}"
    if any({ticket.a, ticket.b} == {other.a, other.b} for other in spec.tickets[:index]):
        yield f"{ticket}: a ticket between these cities is listed twice"


def _track_problems(spec: MapSpec) -> Iterator[Problem]:
    """Tracks beside each other are the two of a double route, or said to be single."""
    tracks: dict[frozenset[str], list[Route]] = {}
    for index, route in enumerate(spec.routes):
        if route.bullet or route.single:
            continue
        beside = tracks.setdefault(frozenset(route[:2]), [])
        beside.append(route)
        if len(beside) > 2:
            text = f"{route}: more than two tracks; mark those as single that are not a double route"
            yield Problem(text, "routes", index)
        elif len({other.length for other in beside}) > 1:
            text = f"{route}: the tracks of a double route must be equally long; else mark them as single"
            yield Problem(text, "routes", index)


def _province_problems(spec: MapSpec) -> Iterator[Problem]:
    for index, line in enumerate(spec.provinces):
        if line.color not in COLORS:
            yield Problem(f"color {line.color!r} is not one of {', '.join(COLORS)}", "provinces", index)
        if line.color in [other.color for other in spec.provinces[:index]]:
            yield Problem(f"{line.color} already has a line", "provinces", index)
        if not 1 <= line.positions <= MAX_POSITIONS:
            yield Problem(f"positions must be a whole number from 1 to {MAX_POSITIONS}", "provinces", index)


def _supply_problems(spec: MapSpec) -> Iterator[Problem]:
    """Too few tickets to deal, or a last round that can never begin."""
    dealt = spec.rules.tickets_dealt
    if len(spec.tickets) < 5 * dealt:
        yield Problem(f"{len(spec.tickets)} tickets are too few to deal {dealt} to each of five players")
    bullets = sum(route.bullet for route in spec.routes)
    if spec.rules.bullet_trains and not bullets:
        yield Problem(f"rule bullet_trains is {spec.rules.bullet_trains}, but there is no bullet route (J3)")
    elif spec.rules.bullet_trains - bullets > spec.rules.last_round_bullets:
        yield Problem(
            f"rule bullet_trains is {spec.rules.bullet_trains}, the number of bullet routes {bullets}: "
            f"more than {spec.rules.last_round_bullets} would always be left, and the last round never begin (J9)"
        )


def _reach_problems(spec: MapSpec) -> list[Problem]:
    """Cities and tickets that no route leads to."""
    parts = spec.connected_by(spec.routes)
    main = max(parts.values(), key=len)
    cut_off = [
        Problem(f"{city.name} cannot be reached from {min(main)}", "cities", index)
        for index, city in enumerate(spec.cities)
        if city.name not in main
    ]
    return cut_off + [
        Problem(f"{ticket} can never be completed", "tickets", index)
        for index, ticket in enumerate(spec.tickets)
        if ticket.b not in parts[ticket.a]
    ]
