"""Which scores the rules of a map allow, as tables in which a million rows are looked up."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from arena.boards.spec import MapSpec

NEVER = 127
"""Stands for numbers of trains and points that no routes come to."""
BASE = 256
"""Points of a game's seats, moved up by half of it, are the digits of one number."""


@dataclass(frozen=True)
class Facts:
    """What follows from a map and a number of players."""

    trains: int
    """The trains of each player."""
    last_round_trains: int
    longest_path: int
    """Points for the longest path."""
    routes: np.ndarray
    """Least length of the longest of the routes that take so many trains and bring so many points, int8
    [trains + 1, points + 1]; NEVER if there are none. A train on the province mat may come with each route."""
    kept: tuple[int, int]
    """The fewest and the most tickets that are kept at set-up, whatever is kept later."""
    tickets: int
    """How many tickets the map has."""
    ticket_points: tuple[np.ndarray, np.ndarray]
    """Points of the n least and of the n most valuable tickets, int64 [tickets + 1]."""
    bullet: np.ndarray | None
    """What the seats of a game may get for bullet trains together, as `digits`; None without them."""
    provinces: frozenset[int]
    """What a seat may get for the provinces."""
    has_free_routes: bool
    """Whether there are routes that take no trains of one's own, but lead to the province mat."""


def facts_of(spec: MapSpec, players: int) -> Facts:
    """The facts of a map with its rule numbers."""
    rules = spec.rules
    values = np.sort([ticket.points for ticket in spec.tickets])
    offered = min(rules.tickets_dealt, len(values) // players)
    bullets = rules.bullet_trains > 0
    return Facts(
        trains=rules.trains,
        last_round_trains=rules.last_round_trains,
        longest_path=rules.longest_path,
        routes=_routes(spec, bool(spec.provinces), bullets),
        kept=(min(rules.tickets_keep, offered), min(rules.tickets_keep_most, rules.tickets_dealt)),
        tickets=len(values),
        ticket_points=(_sums(values), _sums(values[::-1])),
        bullet=_bullet_bonuses(rules.bullet_bonus[players - 2], rules.bullet_none, players) if bullets else None,
        provinces=_province_sums((0, *rules.province_bonus[players - 2]), len(spec.provinces)),
        has_free_routes=bullets and bool(spec.provinces),
    )


def digits(points: np.ndarray) -> np.ndarray:
    """The points of the seats of each game [games, seats], within half of BASE, as one number, int64 [games]."""
    weights = BASE ** np.arange(points.shape[1], dtype=np.int64)
    return np.asarray((points.astype(np.int64) + BASE // 2) @ weights)


def _sums(values: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(values)])


def _routes(spec: MapSpec, has_mat: bool, has_bullets: bool) -> np.ndarray:
    """See `Facts.routes`: all choices of the map's routes, shorter ones first, each once, whoever else took which."""
    rules = spec.rules
    lengths = [route.length for route in spec.routes]
    most = int(rules.trains * max(spec.points(length) / length for length in lengths)) + 1
    least = np.full((rules.trains + 1, most + 1), NEVER, np.int8)
    least[0, 0] = 0
    if has_mat and has_bullets:  # a train on the mat after a bullet route, which takes no train itself (K5)
        least[: sum(route.bullet for route in spec.routes) + 1, 0] = 0
    for length in sorted(set(lengths)):
        points = spec.points(length)
        for _ in range(min(lengths.count(length), rules.trains // length)):
            more = least.copy()
            for trains in (length, length + 1)[: 1 + has_mat]:
                if trains <= rules.trains:
                    before = least[: rules.trains + 1 - trains, : most + 1 - points]
                    reached = more[trains:, points:]
                    np.minimum(reached, np.where(before < NEVER, length, NEVER), out=reached)
            least = more
    return least


def _bullet_bonuses(bonus: Sequence[int], none: int, players: int) -> np.ndarray:
    """All that the seats may get together: some without progress, the others ranked, equal ones alike (J10)."""
    progress = np.array(list(product(range(players + 1), repeat=players)))
    ahead = (progress[:, None, :] > progress[:, :, None]).sum(axis=2)
    return np.unique(digits(np.where(progress == 0, none, np.array(bonus)[ahead])))


def _province_sums(bonus: Sequence[int], lines: int) -> frozenset[int]:
    """What one seat may get on all lines together (K10)."""
    sums = {0}
    for _ in range(lines):
        sums = {total + points for total in sums for points in bonus}
    return frozenset(sums)
