"""What a run has recorded of its games: what must be known to play them again, and how they differ when they were."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from arena.engine.faults import Fault, must_be_attributed
from arena.engine.limits import Limits
from arena.engine.loop import FAULTS
from arena.rules.state import ENDS
from arena.stats.win_shares import win_shares
from arena.store.seat_tables import COLUMNS, SOURCES
from arena.tournament.plan import Plan

Rows = Mapping[str, np.ndarray]
"""The columns of games, [games, seats]: numbers; a name is its place among all that there are, or -1."""


class Difference(NamedTuple):
    """A number that is not what it was when the game was played first."""

    game: int
    seat: int
    column: str
    recorded: str
    replayed: str


def names_of(plan: Plan) -> dict[str, Sequence[str]]:
    """The names that there are, for each column that holds names."""
    return {"bot": plan.names, "end": ENDS, "fault": FAULTS}


def shown(column: str, value: Any, names: Mapping[str, Sequence[str]]) -> str:
    """A value of a column as people read it."""
    if column in names:
        return names[column][value] if 0 <= value < len(names[column]) else "unknown"
    return f"{value:g}" if column == "win_share" else str(value)


def rows_of_outcomes(plan: Plan, games: np.ndarray, outcomes: np.ndarray) -> Rows:
    """The rows of any games by their outcomes, OUTCOME [games]."""
    shape = len(games), plan.players
    seatings = np.array([plan[game].seating for game in games.tolist()], np.int64).reshape(shape)
    deals = np.array([plan[game].deal for game in games.tolist()], np.int64)

    def spread(values: np.ndarray) -> np.ndarray:
        return np.broadcast_to(values, shape)

    given = {
        "game": spread(games[:, None]),
        "deal": spread(deals[:, None]),
        "seat": spread(np.arange(plan.players)),
        "bot": seatings,
        "end": spread(outcomes["end"][:, None]),
        "win_share": win_shares(outcomes["rank"][:, : plan.players]),
        **{source: outcomes["points"][:, : plan.players, index] for index, source in enumerate(SOURCES)},
    }
    return {name: given[name] if name in given else outcomes[name][:, : plan.players] for name in COLUMNS}


def differences(plan: Plan, games: np.ndarray, recorded: Rows, replayed: Rows) -> Iterator[Difference]:
    """Where the rows of games that were played again differ, column by column."""
    names = names_of(plan)
    for column in COLUMNS:
        for index, seat in np.argwhere(recorded[column] != replayed[column]).tolist():
            then, now = (shown(column, rows[column][index, seat], names) for rows in (recorded, replayed))
            yield Difference(int(games[index]), seat, column, then, now)


def known_faults(games: np.ndarray, rows: Rows, lines: Mapping[int, Iterable[Fault]]) -> dict[int, list[Fault]]:
    """By game, the faults in its rows that need not happen again: they are attributed at once.

    lines: of `faults.jsonl`, by game; they say at which decision. Without one, a fault counts from the deal on.
    """
    known = {}
    for game, kinds in zip(games.tolist(), rows["fault"].tolist(), strict=True):
        by_seat = {fault.seat: fault for fault in lines.get(game, ())}
        faults = [
            by_seat.get(seat, Fault(seat, "", "", 0))._replace(kind=FAULTS[kind])
            for seat, kind in enumerate(kinds)
            if kind >= 0 and must_be_attributed(FAULTS[kind])
        ]
        if faults:
            known[game] = faults
    return known


def without_clock(limits: Limits) -> Limits:
    """Limits for playing again: a machine that is slower than the one that played makes no new faults."""
    return replace(limits, move_time=0.0, game_time=0.0)
