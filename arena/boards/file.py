"""Reads a map file (TOML) and reports every mistake with the line of its record."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from arena.boards.check import Problem, find_problems
from arena.boards.rule_numbers import PLAYERS, Rules, single
from arena.boards.spec import City, Line, MapSpec, Place, Route, Ticket
from arena.errors import UsageError, nearest

TEXTS = ("name", "about", "label")
RECORDS: dict[str, dict[str, tuple[type, ...]]] = {
    "cities": {"name": (str,), "x": (int, float), "y": (int, float)},
    "routes": {"between": (list,), "length": (int,), "color": (str,)},
    "tickets": {"between": (list,), "points": (int,)},
    "provinces": {"color": (str,), "positions": (int,)},
}
"""The tables of a map file, the keys of their records and what these may be."""
OPTIONAL: dict[str, dict[str, tuple[type, ...]]] = {
    "cities": {"inset": (str,), "also": (dict,)},
    "routes": {"bullet": (bool,), "single": (bool,)},
    "tickets": {},
    "provinces": {"name": (str,)},
}
"""Keys that a record may lack."""
FARTHEST = 1_000_000
"""Coordinates beyond it are a slip, and cannot be drawn."""
PLACE: dict[str, tuple[type, ...]] = {"inset": (str,), "x": (int, float), "y": (int, float)}
WANTED: dict[type, str] = {
    int: "a number", str: "a text", list: "the names of two cities", bool: "true or false",
    dict: "{ inset, x, y }",
}  # fmt: skip


class MapFile(NamedTuple):
    """What a file holds."""

    spec: MapSpec | None
    """The map; None if a record could not be read."""
    problems: tuple[str, ...]
    """Everything that is wrong, a sentence each, with the line where there is one."""


@lru_cache(maxsize=16)
def load_map_text(text: str, key: str) -> MapSpec:
    """The map in a file's text; UsageError lists everything that is wrong with it."""
    file = read_map_text(text, key)
    if file.spec is None or file.problems:
        count = len(file.problems)
        listed = "".join(f"\n  {problem}" for problem in file.problems)
        raise UsageError(f"map {key} has {count} problem{'s' * (count > 1)}:{listed}")
    return file.spec


def read_map_text(text: str, key: str) -> MapFile:
    """Read as much of a map as can be read; UsageError with line and column if the text is not valid TOML at all."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"map {key} is not valid TOML: {error}") from None
    problems = list(_shape(data))
    spec = _spec(data, key) if not problems else None
    if spec is not None:
        problems += find_problems(spec)
    lines = _lines(text)
    return MapFile(spec, tuple(_with_line(problem, lines) for problem in problems))


def _with_line(problem: Problem, lines: Mapping[str, list[int]]) -> str:
    places = lines.get(problem.table, [])
    return f"line {places[problem.record]}: {problem.text}" if 0 <= problem.record < len(places) else problem.text


def _lines(text: str) -> dict[str, list[int]]:
    """For each table the lines on which its records begin, if it is written with one record a line."""
    first_lines: dict[str, list[int]] = {table: [] for table in RECORDS}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*\[\[\s*(\w+)\s*\]\]", line):
            table = match[1]
            first_lines.get(table, []).append(number)
        elif match := re.match(r"\s*(\w+)\s*=\s*\[", line):
            table = match[1]
        elif re.match(r"\s*\[", line):
            table = ""
        bare = re.sub(r'"[^"]*"', "", line).split("#")[0]
        records = re.sub(r"=\s*\{[^{}]*\}", "", bare)  # without the records within records
        first_lines.get(table, []).extend([number] * len(re.findall(r"\{", records)))
    return first_lines


def _shape(data: dict[str, Any]) -> Iterator[Problem]:
    """What is missing, unknown or of a wrong type."""
    known = (*TEXTS, *RECORDS, "rules")
    for name in data:
        if name not in known:
            yield Problem(f"{name!r} is not a key of a map{nearest(name, known)}")
    for name in TEXTS:
        text = data.get(name, "")
        if not isinstance(text, str) or not text.isprintable() or (name == "name" and not text):
            yield Problem(f"{name} must be one line of text")
    for table, keys in RECORDS.items():
        records = data.get(table, [] if table == "provinces" else None)
        if not isinstance(records, list):
            wrong = "must be a list" if table in data else "is missing"
            yield Problem(f"{table} {wrong}: its records are {{ {', '.join(keys)} }}")
            continue
        for index, record in enumerate(records):
            for text in _record_problems(record, keys, OPTIONAL[table]):
                yield Problem(text, table, index)
    rules = data.get("rules", {})
    if not isinstance(rules, dict):
        yield Problem("rules must be a table")
        return
    for name in rules:
        if name not in Rules.names():
            yield Problem(f"no rule is called {name!r}{nearest(name, Rules.names())}")
    if not isinstance(rules.get("route_points", []), list):
        yield Problem("rule route_points must be a list")
    for name in Rules.TABLES:
        yield from _bonus_shape(name, rules.get(name, {}))
    for name, (known, _) in Rules.SINGLE.items():
        table = rules.get(name, {})
        if not isinstance(table, dict):
            yield Problem(f"rule {name} is a table: write {name}.{known[-1]} = ... in [rules]")
            continue
        for place in table:
            if place not in known:
                yield Problem(f"rule {name}: {place!r} is not one of {', '.join(known)}")


def _bonus_shape(name: str, table: Any) -> Iterator[Problem]:
    """A bonus is a table with a list of points for each number of players."""
    players = [str(count) for count in PLAYERS]
    if not isinstance(table, dict) or not all(isinstance(points, list) for points in table.values()):
        yield Problem(f"rule {name} takes a list of points for each number of players: {{ 2 = [...], 3 = [...], ... }}")
        return
    for count in table:
        if count not in players:
            yield Problem(f"rule {name}: {count!r} is not a valid number of players from 2 to 5")


def _record_problems(
    record: Any, keys: dict[str, tuple[type, ...]], optional: dict[str, tuple[type, ...]]
) -> Iterator[str]:
    if not isinstance(record, dict):
        yield f"{record!r} is not a record of {', '.join(keys)}"
        return
    known = keys | optional
    for key in record:
        if key not in known:
            yield f"{key!r} is not a key of such a record{nearest(key, known)}"
    for key, kinds in known.items():
        value: Any = record.get(key)
        if key not in record:
            if key in keys:
                yield f"{key} is missing"
        elif not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds) or not _is_sound(value):
            shown = repr(value) if len(repr(value)) < 60 else f"{repr(value)[:50]}..."
            yield f"{key} is {shown}; it must be {WANTED[kinds[0]]}"


def _is_sound(value: Any) -> bool:
    """Whether a value of the right type can stand there: a pair of names, a place, or a number that can be drawn."""
    if isinstance(value, list):
        return len(value) == 2 and all(isinstance(city, str) for city in value)
    if isinstance(value, dict):
        return not list(_record_problems(value, PLACE, {}))
    if isinstance(value, str):
        return value.isprintable()
    return bool(abs(value) <= FARTHEST)


def _spec(data: dict[str, Any], key: str) -> MapSpec:
    rules: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in data.get("rules", {}).items()
    }
    for name in Rules.TABLES:
        if name in rules:
            rules[name] = tuple(tuple(rules[name].get(str(count), ())) for count in PLAYERS)
    for name in Rules.SINGLE:
        if name in rules:
            rules[name] = single(name, rules[name])
    return MapSpec(
        key=key,
        name=data["name"],
        about=data.get("about", ""),
        label=data.get("label", ""),
        cities=tuple(_city(**city) for city in data["cities"]),
        routes=tuple(_between(Route, **route) for route in data["routes"]),
        tickets=tuple(_between(Ticket, **ticket) for ticket in data["tickets"]),
        rules=Rules(**rules),
        provinces=tuple(Line(**line) for line in data.get("provinces", ())),
    )


def _city(also: dict[str, Any] | None = None, **record: Any) -> City:
    return City(**record, also=(Place(**also),) if also else ())


def _between(kind: Callable[..., Any], between: list[str], **record: Any) -> Any:
    return kind(*between, **record)
