"""What the referee knows before a game: a map's file, the numbers of the rules, and how a finished game is scored.

From docs/rules.md alone, as `naive.py`; only shuffling is taken from there. Nothing of `arena` is used.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

COLORS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
LOCOMOTIVE = "locomotive"
CARDS = (*COLORS, LOCOMOTIVE)

BASE: dict[str, Any] = {
    "trains": 45, "cards_per_color": 12, "locomotives": 14, "cards": {}, "hand": 4, "extra_cards": {},
    "tickets_dealt": 3, "tickets_keep": 2,
    "tickets_keep_most": 6, "tickets_draft": 0, "tickets_returned": "under", "tickets_drawn": 3,
    "tickets_drawn_keep": 1, "flush_at": 3, "flush_limit": 3, "twins_from": 4, "last_round_trains": 2,
    "longest_path": 10, "route_points": [1, 2, 4, 7, 10, 15], "bullet_trains": 0, "last_round_bullets": 2,
    "bullet_bonus": {"2": [10, -10], "3": [15, 5, -10], "4": [20, 10, 0, -10], "5": [25, 15, 5, -5, -10]},
    "bullet_none": -20, "express": 0,
    "province_bonus": {"2": [10], "3": [10, 6], "4": [10, 6, 4], "5": [10, 6, 4, 2]},
}  # fmt: skip


class Track(NamedTuple):
    a: str
    b: str
    length: int
    color: str
    bullet: bool
    single: bool


class Board:
    """A map's file, as `tomllib` reads it, and rule numbers set for the run, for so many players."""

    def __init__(self, table: Mapping[str, Any], settings: Mapping[str, Any], players: int) -> None:
        rules = {**BASE, **table.get("rules", {})}
        for name, value in settings.items():
            rule, *places = name.split(".")
            if rule == "route_points" and places:
                rules[rule] = [value if i == int(places[0]) else old for i, old in enumerate(rules[rule], 1)]
            elif rule in ("cards", "extra_cards"):
                rules[rule] = {**rules[rule], places[0]: value}
            elif places:
                row = [value if i == int(places[1]) else old for i, old in enumerate(rules[rule][places[0]], 1)]
                rules[rule] = {**rules[rule], places[0]: row}
            else:
                rules[rule] = value
        self.rules = rules
        self.bullet_bonus: list[int] = rules["bullet_bonus"][str(players)]
        self.province_bonus: list[int] = rules["province_bonus"][str(players)]
        self.tracks = [
            Track(*r["between"], r["length"], r["color"], r.get("bullet", False), r.get("single", False))
            for r in table["routes"]
        ]
        self.tickets = [(*ticket["between"], ticket["points"]) for ticket in table["tickets"]]
        self.lines = {line["color"]: (line["positions"], line.get("name", "")) for line in table.get("provinces", ())}

    def twins(self, route: int) -> list[int]:
        """The other tracks of a double route. # B16, J3, J7"""

        def key(track: Track) -> tuple[Any, ...]:
            return frozenset(track[:2]), track.length, track.bullet or track.single

        own = self.tracks[route]
        if own.bullet or own.single:
            return []
        return [other for other, track in enumerate(self.tracks) if other != route and key(track) == key(own)]

    def ticket_name(self, ticket: int) -> str:
        a, b, points = self.tickets[ticket]
        return f"{a} - {b} ({points})"


def connected(tracks: Iterable[Track], a: str, b: str) -> bool:
    """Whether the tracks lead from one city to the other. # B20"""
    tracks, reached = list(tracks), {a}
    while b not in reached:
        new = {city for track in tracks if reached & {track.a, track.b} for city in track[:2]} - reached
        if not new:
            return False
        reached |= new
    return True


def longest_path(tracks: Sequence[Track]) -> int:
    """Spaces of the longest walk that uses no track twice. # B21"""
    at: dict[str, list[int]] = {}
    for index, track in enumerate(tracks):
        at.setdefault(track.a, []).append(index)
        at.setdefault(track.b, []).append(index)
    best = 0

    def within_reach(city: str, used: int) -> int:
        cities, seen, stack, spaces = {city}, used, [city], 0
        while stack:
            for index in at[stack.pop()]:
                if not seen >> index & 1:
                    seen |= 1 << index
                    spaces += tracks[index].length
                    new = {tracks[index].a, tracks[index].b} - cities
                    cities |= new
                    stack += new
        return spaces

    known: dict[tuple[str, int], int] = {}

    def walk(city: str, used: int, spaces: int) -> None:
        nonlocal best
        best = max(best, spaces)
        if (city, used) in known or spaces + within_reach(city, used) <= best:
            return
        known[city, used] = spaces  # the same tracks have the same spaces
        for index in at[city]:
            if not used >> index & 1:
                a, b = tracks[index][:2]
                walk(b if city == a else a, used | 1 << index, spaces + tracks[index].length)

    odd = [city for city in at if len(at[city]) % 2]
    for city in [*odd, *at]:
        walk(city, 0, 0)
    return best


def bonus(table: Sequence[int], rank: int) -> int:
    return table[rank - 1] if rank <= len(table) else 0


def bullet_points(progress: Sequence[int], board: Board) -> list[int]:
    """By seat. # J10"""
    if not board.rules["bullet_trains"]:
        return [0] * len(progress)
    return [
        bonus(board.bullet_bonus, 1 + sum(other > own for other in progress)) if own else board.rules["bullet_none"]
        for own in progress
    ]


def province_points(mat: Mapping[tuple[str, int], int], board: Board, players: int) -> list[int]:
    """By seat, of the seats on (line, position). # K10"""
    points = [0] * players
    for line in board.lines:
        strength = {}
        for seat in range(players):
            positions = [position for (where, position), owner in mat.items() if (where, owner) == (line, seat)]
            if positions:
                strength[seat] = sum(positions), max(positions)
        for seat, own in strength.items():
            points[seat] += bonus(board.province_bonus, 1 + sum(other > own for other in strength.values()))
    return points


def ranks(results: Sequence[tuple[int, ...]], faulty: set[int], forfeited: bool) -> list[int]:
    """Of points, completed tickets and longest-path points, the most first; faulty seats share the last place. # B22"""
    fair = [result for seat, result in enumerate(results) if seat not in faulty]
    return [
        1 + (len(fair) if seat in faulty else 0 if forfeited else sum(other > result for other in fair))
        for seat, result in enumerate(results)
    ]
