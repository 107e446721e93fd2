"""The numbers that describe a map, which its author wants to see beside the drawing."""

from collections import Counter
from collections.abc import Iterator
from heapq import heappop, heappush
from textwrap import wrap

from arena.boards.rule_numbers import Rules
from arena.boards.spec import ROUTE_COLORS, MapSpec
from arena.texts import WIDTH


def shortest_path(spec: MapSpec, a: str, b: str) -> list[int] | None:
    """The routes of a shortest way between two cities, by spaces, then by number of routes, then by index."""
    ends: dict[str, list[tuple[int, str]]] = {city.name: [] for city in spec.cities}
    for index, route in enumerate(spec.routes):
        ends[route.a].append((index, route.b))
        ends[route.b].append((index, route.a))
    waiting: list[tuple[int, int, list[int], str]] = [(0, 0, [], a)]
    done: set[str] = set()
    while waiting:
        spaces, count, way, city = heappop(waiting)
        if city == b:
            return way
        if city not in done:
            done.add(city)
            for index, other in ends[city]:
                heappush(waiting, (spaces + spec.routes[index].length, count + 1, [*way, index], other))
    return None


def describe(spec: MapSpec) -> list[str]:
    """The numbers of a playable map as lines of text."""
    pairs = Counter(frozenset(route[:2]) for route in spec.routes)
    spaces = sum(route.length for route in spec.routes)
    doubles = sum(twin >= 0 for twin in spec.twins) // 2
    lines = [
        spec.title,
        f"{len(spec.cities)} cities, {len(pairs)} connections ({doubles} double), {len(spec.routes)} tracks, "
        f"{spaces} spaces",
        *_mechanism_lines(spec),
        "",
        f"{'color':10}{'tracks':>7}{'spaces':>8}",
    ]
    for color in ROUTE_COLORS:
        lengths = [route.length for route in spec.routes if route.color == color]
        if lengths:
            lines.append(f"{color:10}{len(lengths):>7}{sum(lengths):>8}")
    lines += ["", f"{'length':10}{'tracks':>7}{'points':>8}"]
    for length, count in sorted(Counter(route.length for route in spec.routes).items()):
        lines.append(f"{length:<10}{count:>7}{spec.points(length):>8}")
    lines += ["", *_ticket_lines(spec)]
    return [
        part for line in lines for part in (wrap(line, WIDTH, subsequent_indent="  ") if len(line) > WIDTH else [line])
    ]


def _mechanism_lines(spec: MapSpec) -> Iterator[str]:
    """What the map has beside routes and tickets, and which rules are not the base game's."""
    if bullets := [route.length for route in spec.routes if route.bullet]:
        yield f"{len(bullets)} of the tracks, {sum(bullets)} spaces, are bullet routes"
    if spec.provinces:
        yield f"province mat: {', '.join(f'{line.color} {line.positions}' for line in spec.provinces)}"
    base = Rules()
    values = {name: getattr(spec.rules, name) for name in Rules.names()}
    changed = [f"{name} {_in_words(value)}" for name, value in values.items() if value != getattr(base, name)]
    if changed:
        yield f"rules: {', '.join(changed)}"


def _in_words(value: object) -> str:
    """The value of a rule; of a table rows with `|` between them."""
    if not isinstance(value, tuple):
        return str(value)
    return (" | " if isinstance(value[0], tuple) else " ").join(map(_in_words, value))


def _ticket_lines(spec: MapSpec) -> list[str]:
    ways = [shortest_path(spec, ticket.a, ticket.b) or [] for ticket in spec.tickets]
    equal = sum(
        ticket.points == sum(spec.routes[index].length for index in way)
        for ticket, way in zip(spec.tickets, ways, strict=True)
    )
    load = Counter(frozenset(spec.routes[index][:2]) for way in ways for index in way)
    busiest = [f"{'-'.join(sorted(pair))} ({count})" for pair, count in sorted(
        load.items(), key=lambda item: (-item[1], sorted(item[0])))[:5]]  # fmt: skip
    return [
        f"{len(spec.tickets)} tickets worth {sum(ticket.points for ticket in spec.tickets)}; "
        f"{equal} are worth exactly their shortest path",
        f"on most shortest paths: {', '.join(busiest)}",
    ]
