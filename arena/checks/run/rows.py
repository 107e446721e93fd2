"""What must hold in every row of results: the plan's arithmetic, sums, ranks, and what the rules allow.

Everything is vectorized: a million rows take a second or two.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arena.checks.findings import Complaint
from arena.checks.run.possible_scores import BASE, NEVER, Facts, digits
from arena.engine.loop import NO_FAULT
from arena.replay.record import Rows, names_of, shown
from arena.rules.state import END_FORFEIT, END_TRAINS, NOT_ENDED
from arena.stats.win_shares import win_shares
from arena.store.seat_tables import COLUMNS, SOURCES
from arena.texts import counted
from arena.tournament.plan import Plan

if TYPE_CHECKING:
    import pyarrow as pa

SHARED = 1e-12
"""Win shares are equal that differ by less: a file of the same games may have been written by another NumPy."""


class Wrong(NamedTuple):
    """Rows that are not as they must be."""

    field: str
    rows: np.ndarray
    """bool [games, seats]."""
    why: str
    """`{}` in it stands for what is expected."""
    expected: np.ndarray | None = None
    """[games, seats]."""


def rows_of(table: "pa.Table", plan: Plan) -> Rows:
    """The columns of a table of seat rows."""
    columns = {}
    names = names_of(plan)
    for name in COLUMNS:
        column = table.column(name).combine_chunks()
        if name in names:
            places = [names[name].index(text) if text in names[name] else -1 for text in column.dictionary.to_pylist()]
            values = np.array([*places, -1])[column.indices.to_numpy(zero_copy_only=False)]
        else:
            values = column.to_numpy(zero_copy_only=False)
            values = values if name == "win_share" else values.astype(np.int64)
        columns[name] = values.reshape(-1, plan.players)
    return columns


def complaints_of(rows: Rows, plan: Plan, first: int, facts: Facts | None) -> list[Complaint]:
    """What is wrong with the rows of successive games from game `first` on, in their order.

    Without facts: only what needs no map.
    """
    checks = [_plan(rows, plan, first), _sums(rows), _ranks(rows), _ends(rows, plan)]
    if facts:
        checks += [_trains(rows, facts), _paths(rows, facts), _tickets(rows, facts), _bonuses(rows, facts)]
    names = names_of(plan)
    complaints = [_complaint(wrong, rows, first, names) for check in checks for wrong in check if wrong.rows.any()]
    return sorted(complaints, key=lambda complaint: complaint.game or 0)


def _complaint(wrong: Wrong, rows: Rows, first: int, names: Mapping[str, Sequence[str]]) -> Complaint:
    """A sentence about the first of the wrong rows."""
    game, seat = np.argwhere(wrong.rows)[0].tolist()
    expected = "" if wrong.expected is None else shown(wrong.field, wrong.expected[game, seat], names)
    recorded = shown(wrong.field, rows[wrong.field][game, seat], names)
    count = int(wrong.rows.sum())
    others = f" (and {counted(count - 1, 'row')} more)" if count > 1 else ""
    text = f"game {first + game}, seat {seat}: {wrong.field} is {recorded}, {wrong.why.format(expected)}{others}"
    return Complaint(text, first + game)


def _plan(rows: Rows, plan: Plan, first: int) -> Iterator[Wrong]:
    """The columns that the plan alone decides."""
    games, seats = rows["score"].shape
    deals, seatings = plan.seatings(first, first + games)
    columns = {
        "game": np.arange(first, first + games)[:, None],
        "deal": deals[:, None],
        "seat": np.arange(seats)[None, :],
        "bot": seatings,
    }
    for field, column in columns.items():
        expected = np.broadcast_to(column, (games, seats))
        yield Wrong(field, rows[field] != expected, "but {} by the plan", expected)


def _sums(rows: Rows) -> Iterator[Wrong]:
    total = np.add.reduce([rows[source] for source in SOURCES])
    yield Wrong("score", rows["score"] != total, "but its sources add up to {}", total)


def _ranks(rows: Rows) -> Iterator[Wrong]:
    """Points, then completed tickets, then the longest path; seats with a fault last, and none beaten by them (B22)."""
    best = [rows[name] for name in ("score", "tickets_completed", "longest_path")]
    faulty = rows["fault"] != NO_FAULT
    better = np.zeros((*faulty.shape, faulty.shape[1]), bool)  # [game, seat, other]: the other one is better
    for values in reversed(best):
        mine, others = values[:, :, None], values[:, None, :]
        better = (others > mine) | ((others == mine) & better)
    forfeited = rows["end"] == END_FORFEIT  # where the game broke off, all without a fault have won
    ahead = (better & ~faulty[:, None, :] & ~faulty[:, :, None] & ~forfeited[:, :, None]).sum(axis=2)
    ranks = 1 + np.where(faulty, (~faulty).sum(axis=1, keepdims=True), ahead)
    yield Wrong("rank", rows["rank"] != ranks, "but {} by score, tickets and faults", ranks)
    shares = win_shares(ranks)
    yield Wrong("win_share", ~(abs(rows["win_share"] - shares) < SHARED), "but {} by the ranks", shares)


def _ends(rows: Rows, plan: Plan) -> Iterator[Wrong]:
    """How games end, and the turns that were taken until then (B4)."""
    end, turns = rows["end"], rows["turns"]
    yield Wrong("fault", rows["fault"] < 0, "which is not a kind of fault")
    yield Wrong("end", end <= NOT_ENDED, "which is not an end of a game")
    yield Wrong("end", end != end[:, :1], "but {} at seat 0", np.broadcast_to(end[:, :1], end.shape))
    faulty = (rows["fault"] != NO_FAULT).any(axis=1, keepdims=True)
    forfeits = plan.limits.on_fault == "forfeit"
    yield Wrong("end", (end == END_FORFEIT) & ~(faulty & forfeits), "but nobody forfeited this game")
    before = np.concatenate([turns[:, :1], turns[:, :-1]], axis=1)
    out_of_turn = (turns < 0) | (turns > before) | (turns < turns[:, :1] - 1)
    yield Wrong("turns", out_of_turn, "which is not in turn with the other seats")


def _trains(rows: Rows, facts: Facts) -> Iterator[Wrong]:
    """The trains that are left, and that some routes take those that are gone and bring the points."""
    left, points = rows["trains_left"], rows["routes"]
    outside = (left < 0) | (left > facts.trains)
    yield Wrong("trains_left", outside, f"which is not within 0 to {facts.trains}")
    least = _least_longest(left, points, facts)
    yield Wrong("routes", ~outside & (least == NEVER), "which no routes add up to with the trains that are gone")
    ended = (rows["end"] == END_TRAINS) & (left.min(axis=1, keepdims=True) > facts.last_round_trains)
    yield Wrong("end", ended, f"but nobody has {counted(facts.last_round_trains, 'train')} or fewer left")


def _least_longest(left: np.ndarray, points: np.ndarray, facts: Facts) -> np.ndarray:
    """The least length that the longest of the routes can have; NEVER if there are no such routes."""
    gone = facts.trains - left
    inside = (gone >= 0) & (gone <= facts.trains) & (points >= 0) & (points < facts.routes.shape[1])
    return np.where(inside, facts.routes[np.where(inside, gone, 0), np.where(inside, points, 0)], NEVER)


def _paths(rows: Rows, facts: Facts) -> Iterator[Wrong]:
    """The longest path is at least the longest route and at most all of them; all who have the longest get points."""
    longest, gone = rows["longest"], facts.trains - rows["trains_left"]
    least = _least_longest(rows["trains_left"], rows["routes"], facts)
    short = (longest < least) & (least < NEVER)
    none = (longest == 0) & (gone > 0) & (not facts.has_free_routes)
    yield Wrong("longest", short | none | (longest < 0), "but routes were claimed that make a longer path")
    yield Wrong("longest", longest > np.maximum(gone, 0), "which takes more trains than are gone")
    most = np.maximum(longest.max(axis=1, keepdims=True), 1)
    bonus = np.where(longest == most, facts.longest_path, 0)
    yield Wrong("longest_path", rows["longest_path"] != bonus, "but {} by the longest paths", bonus)


def _tickets(rows: Rows, facts: Facts) -> Iterator[Wrong]:
    """So many tickets can be kept and completed, and so many of the map's can come to the points (B20)."""
    kept, completed = rows["tickets_kept"], rows["tickets_completed"]
    fewest = np.where(rows["end"] == END_FORFEIT, 0, facts.kept[0])
    odd = (kept < fewest) | (kept > facts.tickets) | (kept.sum(axis=1, keepdims=True) > facts.tickets)
    at_setup = (kept > facts.kept[1]) & (rows["turns"] == 0)
    yield Wrong("tickets_kept", odd | at_setup, "which nobody can keep")
    yield Wrong("tickets_completed", (completed < 0) | (completed > kept), "but {} were kept", kept)
    done = np.clip(completed, 0, facts.tickets)
    failed = np.clip(kept - completed, 0, facts.tickets)
    low, high = facts.ticket_points
    points = rows["tickets"]
    impossible = (points < low[done] - high[failed]) | (points > high[done] - low[failed])
    yield Wrong("tickets", impossible, "which so many completed and failed tickets never add up to")


def _bonuses(rows: Rows, facts: Facts) -> Iterator[Wrong]:
    """The bonuses of mechanisms that not every map has (J10, K10)."""
    bullet = rows["bullet"]
    if facts.bullet is None:
        yield Wrong("bullet", bullet != 0, "but this map has no bullet trains")
    else:
        inside = np.asarray((np.abs(bullet) < BASE // 2).all(axis=1))
        known = inside & np.isin(digits(np.where(inside[:, None], bullet, 0)), facts.bullet)
        yield Wrong("bullet", np.broadcast_to(~known[:, None], bullet.shape), "which no ranking of these seats gives")
    provinces = rows["provinces"]
    yield Wrong("provinces", ~np.isin(provinces, list(facts.provinces)), "which no ranks on the lines give")
    idle = (rows["trains_left"] == facts.trains) & (provinces != 0)
    yield Wrong("provinces", idle, "but the seat has placed no train")
