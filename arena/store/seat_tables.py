"""Result tables: one row for each seat of each game, as Parquet files with digests.

A shard is canonical if its games are those that the plan cuts out: its name and its bytes depend on the plan alone.
Any other one is a piece, kept until the canonical shards of its games are written.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.files import remove
from arena.stats.win_shares import win_shares
from arena.store.arrow import digest_of, numbers_of, of_names, of_numbers, read_table, write_table
from arena.store.detail_tables import detail_path, load_details, write_details
from arena.store.ranges import SHARD_NAME, named_games, shard_path
from arena.tournament.plan import Plan

if TYPE_CHECKING:
    import pyarrow as pa

SOURCES = ("routes", "tickets", "longest_path", "bullet", "provinces")
"""Where points come from; their sum is the score."""

COLUMNS = (
    "game", "deal", "seat", "bot", "score", *SOURCES, "rank", "win_share", "tickets_kept", "tickets_completed",
    "trains_left", "longest", "turns", "end", "fault",
)  # fmt: skip
"""The columns of a seat row."""


def seat_table(plan: Plan, first: int, outcomes: np.ndarray) -> "pa.Table":
    """The outcomes of successive games (OUTCOME [games]) from game `first` on as a table, one row a game and seat."""
    import pyarrow as pa

    from arena.engine.loop import FAULTS
    from arena.rules.state import ENDS

    players, games = plan.players, len(outcomes)
    deals, seatings = plan.seatings(first, first + games)

    def of_game(values: Any, kind: type) -> Any:
        return of_numbers(np.repeat(np.asarray(values, kind), players))

    def of_seat(name: str, kind: type = np.int16) -> Any:
        return of_numbers(outcomes[name][:, :players].ravel().astype(kind))

    def named(codes: np.ndarray, names: Sequence[str]) -> Any:
        return of_names(codes.ravel().astype(np.int16), names)

    columns = {
        "game": of_game(np.arange(first, first + games), np.int32),
        "deal": of_game(deals, np.int32),
        "seat": of_numbers(np.tile(np.arange(players, dtype=np.int8), games)),
        "bot": named(seatings, plan.names),
        "score": of_seat("score"),
        **{source: of_numbers(outcomes["points"][:, :players, i].ravel()) for i, source in enumerate(SOURCES)},
        "rank": of_seat("rank", np.int8),
        "win_share": of_numbers(win_shares(outcomes["rank"][:, :players]).ravel()),
        "tickets_kept": of_seat("tickets_kept", np.int8),
        "tickets_completed": of_seat("tickets_completed", np.int8),
        "trains_left": of_seat("trains_left", np.int8),
        "longest": of_seat("longest"),
        "turns": of_seat("turns"),
        "end": named(np.repeat(outcomes["end"], players), ENDS),
        "fault": named(outcomes["fault"][:, :players], FAULTS),
    }
    return pa.table(columns)


def outcomes_of(table: "pa.Table", plan: Plan) -> np.ndarray:
    """OUTCOME [games] of a table that `seat_table` made: its inverse. Seats that nobody takes are 0."""
    from arena.engine.loop import OUTCOME, RESULTS

    players = plan.players
    outcomes = np.zeros(len(table) // players, OUTCOME)
    for name in RESULTS:
        if name == "points":
            values = np.stack([_numbers(table, source, plan) for source in SOURCES], axis=1)
            outcomes[name][:, :players] = values.reshape(-1, players, len(SOURCES))
        elif name == "end":
            outcomes[name] = _numbers(table, name, plan)[::players]
        else:
            outcomes[name][:, :players] = _numbers(table, name, plan).reshape(-1, players)
    return outcomes


def _numbers(table: "pa.Table", name: str, plan: Plan) -> np.ndarray:
    """The values of a column; of one that holds names, their places among all that there are. ValueError if unknown."""
    column = table.column(name).combine_chunks()
    if name not in ("bot", "end", "fault"):
        return numbers_of(column)
    from arena.engine.loop import FAULTS
    from arena.rules.state import ENDS

    names = list({"bot": plan.names, "end": ENDS, "fault": FAULTS}[name])
    places = np.array([names.index(value) for value in column.dictionary.to_pylist()], np.int16)
    found: np.ndarray = places[numbers_of(column.indices)]
    return found


def content_digest(table: "pa.Table", plan: Plan) -> str:
    """The digest of the results in a table."""
    return digest_of((name, _numbers(table, name, plan)) for name in COLUMNS)


def write_shard(run: Path, plan: Plan, first: int, outcomes: np.ndarray) -> Path:
    """Write the outcomes of successive games from game `first` on as one file, and return its path."""
    table = seat_table(plan, first, outcomes)
    path = shard_path(run, first, first + len(outcomes))
    if plan.detail:  # first: whoever finds a shard finds its details
        write_details(path, plan, first, outcomes)
    write_table(path, table, content_digest(table, plan), plan)
    return path


def load_shard(path: Path, plan: Plan) -> "pa.Table | str":
    """The results in a file, or a sentence that says what is wrong with it; errors as of `read_table`.

    Its details are not looked at.
    """
    from arena.engine.loop import OUTCOME

    if not SHARD_NAME.fullmatch(path.name):
        return f"{path} is not a shard of this run"
    if (games := named_games(plan, path)) is None:
        return f"shard {path} does not hold the games that its name and the plan say"
    game = np.zeros(1, OUTCOME)
    game["rank"] = 1
    found = read_table(path, "games", plan, games, seat_table(plan, 0, game), lambda table: content_digest(table, plan))
    return f"shard {found}" if isinstance(found, str) else found


def check_shard(path: Path, plan: Plan) -> str | None:
    """What is wrong with a shard or its details, as a sentence; None if names, games and all digests are right."""
    try:
        loaded = load_shard(path, plan)
        if plan.detail and not isinstance(loaded, str):
            loaded = load_details(path, plan)
    except FileNotFoundError as error:
        return f"shard {error.filename} is gone"
    return loaded if isinstance(loaded, str) else None


def remove_shard(path: Path) -> None:
    """Delete a file of results and that of its details; ArenaError if that cannot be."""
    remove(path)
    remove(detail_path(path))
