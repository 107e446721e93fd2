"""The parts of the naive twin: material, numbers, and plain functions of plain values; the game is in `naive`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

COLORS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")  # card 0..7
LOCOMOTIVE = 8
GRAY = "gray"  # routes only
CARDS = range(9)
SHARED = -1  # the owner of a route that belongs to everyone
MASK = 2**64 - 1


class Route(NamedTuple):
    """One track between two cities; twins are two routes."""

    a: str
    b: str
    length: int
    color: str  # one of COLORS, or GRAY
    bullet: bool = False  # J3
    single: bool = False  # no twin, whatever lies beside it

    @property
    def card(self) -> int | None:
        """The card that pays for it; None: of any one color. # B14, J3"""
        return None if self.bullet or self.color == GRAY else COLORS.index(self.color)


class Ticket(NamedTuple):
    """Two cities to connect, and what that is worth."""

    a: str
    b: str
    points: int


@dataclass(frozen=True)
class Rules:
    """The numbers of the rules, the base game's by default."""

    trains: int = 45  # B1
    cards_per_color: int = 12  # B1
    locomotives: int = 14  # B1
    cards: dict[int, int] = field(default_factory=dict)  # B1, of a color that has not as many as the others
    hand: int = 4  # B2
    extra_cards: dict[int, int] = field(default_factory=dict)  # B2, by seat, beyond the hand
    row: int = 5  # B2
    tickets_dealt: int = 3  # B3
    tickets_keep: int = 2  # B3
    tickets_drawn: int = 3  # B17
    tickets_drawn_keep: int = 1  # B17
    last_round_trains: int = 2  # B19
    longest_path: int = 10  # B21
    route_points: tuple[int, ...] = (0, 1, 2, 4, 7, 10, 15)  # B14, by length
    flush_at: int = 3  # B11, face-up locomotives
    flush_limit: int = 3  # B11, flushes in a row
    twins_from: int = 4  # B16, players from which both tracks are open
    bullet_trains: int = 0  # J1
    last_round_bullets: int = 2  # J9
    bullet_bonus: dict[int, tuple[int, ...]] = field(default_factory=dict)  # J10, by players, then rank
    bullet_none: int = 0  # J10, without progress
    express: tuple[int, ...] = ()  # K1, the cards of each player
    provinces: dict[int, int] = field(default_factory=dict)  # K5, positions by line; a line is a color's card
    province_bonus: dict[int, tuple[int, ...]] = field(default_factory=dict)  # K10, by players, then rank
    draft: bool = False  # K2
    tickets_keep_most: int = 6  # K2, at setup
    tickets_returned: str = "under"  # at setup: "under" B3, "shuffled" J2, "reshuffled" K2


BASE_GAME = Rules()


def splitmix64(state: int) -> Iterator[int]:
    """The outputs of the splitmix64 random stream that starts at this state."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def shuffle(items: list[int], seed: int, used: int = 0) -> None:
    """Shuffle in place, from the last place down, with a stream of which so many outputs are used."""
    stream = islice(splitmix64(seed), used, None)
    for i in range(len(items) - 1, 0, -1):
        j = ((next(stream) >> 32) * (i + 1)) >> 32
        items[i], items[j] = items[j], items[i]


def networks(routes: Sequence[Route]) -> list[set[str]]:
    """The sets of cities that the routes connect with each other."""
    found: list[set[str]] = []
    for route in routes:
        joined = {route.a, route.b}
        met = [cities for cities in found if cities & joined]
        found = [cities for cities in found if not cities & joined]
        found.append(joined.union(*met))
    return found


def reachable(routes: Sequence[Route], unused: frozenset[int], city: str) -> frozenset[int]:
    """Those of the unused routes that a walk from the city along unused routes can come to."""
    cities, apart = {city}, unused
    while met := {i for i in apart if cities & {routes[i].a, routes[i].b}}:
        apart -= met
        cities.update(*(routes[i][:2] for i in met))
    return unused - apart


@lru_cache(maxsize=10_000)
def longest_trail(routes: tuple[Route, ...]) -> int:
    """Spaces of the longest trail: from every city every first route, then the longest trail from there. # B21"""

    @cache
    def longest(city: str, unused: frozenset[int]) -> int:
        best, spaces = 0, sum(routes[i].length for i in unused)
        for i in unused:
            a, b, length = routes[i][:3]
            if city in (a, b) and best < spaces:
                other = b if city == a else a
                best = max(best, length + longest(other, reachable(routes, unused - {i}, other)))
        return best

    every = frozenset(range(len(routes)))
    return max((longest(city, reachable(routes, every, city)) for route in routes for city in route[:2]), default=0)


def twin_tracks(routes: Sequence[Route]) -> list[list[int]]:
    """By route, the parallel tracks of equal length. # B16, J3"""
    tracks: dict[tuple[frozenset[str], int], list[int]] = {}
    for i, route in enumerate(routes):
        if not (route.bullet or route.single):
            tracks.setdefault((frozenset(route[:2]), route.length), []).append(i)
    twins: list[list[int]] = [[] for _ in routes]
    for parallel in tracks.values():
        for i in parallel:
            twins[i] = [other for other in parallel if other != i]
    return twins


@lru_cache(maxsize=200_000)
def claims(route: int, length: int, card: int, held: int, locomotives: int) -> list[tuple[str, int, int, int]]:
    """Every claim of the route with cards of a color, of which so many are in the hand, and with locomotives. # B14"""
    fewest, most = max(0, length - held), min(length - 1, locomotives)
    return [("claim", route, card, number) for number in range(fewest, most + 1)]


def pass_left(packs: list[list[int]]) -> list[list[int]]:
    """Every pack goes to the next higher seat, the last one to seat 0. # K2"""
    return [*packs[-1:], *packs[:-1]]


def extra_cards(hand: Sequence[int], color: int | None, most: int) -> Iterator[tuple[int, int, int]]:
    """Every way to play at most so many: a card (LOCOMOTIVE if of no color), so many of it, and locomotives. # K6"""
    for locomotives in range(min(most, hand[LOCOMOTIVE]) + 1):
        yield LOCOMOTIVE, 0, locomotives
        for card in range(8) if color is None else (color,):
            for extra in range(1, min(most - locomotives, hand[card]) + 1):
                yield card, extra, locomotives


def place_for(taken: set[int], target: int) -> int:
    """The target, or the first free position below it; 0 if there is none. # K7"""
    return max(set(range(1, target + 1)) - taken, default=0)


def bonus(rank: int, table: Sequence[int]) -> int:
    """What a rank, from 1 on, is worth; nothing past the end of the table."""
    return table[rank - 1] if rank <= len(table) else 0


def bullet_bonus(progress: Sequence[int], table: Sequence[int], none: int) -> list[int]:
    """By seat, for the rank by progress; ties share a rank, and without progress there is none. # J10"""
    return [bonus(1 + sum(other > own for other in progress), table) if own else none for own in progress]


def province_bonus(mat: dict[tuple[int, int], int], table: Sequence[int], players: int) -> list[int]:
    """By seat, over all lines: for the rank by the sum of positions, then by the highest of them. # K10"""
    points = [0] * players
    for line in {line for line, _ in mat}:
        trains = {seat: [p for (at, p), s in mat.items() if (at, s) == (line, seat)] for seat in range(players)}
        keys = {seat: (sum(positions), max(positions)) for seat, positions in trains.items() if positions}
        for seat, key in keys.items():
            points[seat] += bonus(1 + sum(other > key for other in keys.values()), table)
    return points
