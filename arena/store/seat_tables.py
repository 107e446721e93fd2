"""Result tables: one row for each seat of each game, as Parquet files with digests.

A shard is canonical if its games are those that the plan cuts out: its name and its bytes depend on the plan alone.
Any other one is a piece, kept until the canonical shards of its games are written.
"""

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.files import remove, write_whole
from arena.stats.win_shares import win_shares
from arena.store.arrow import numbers_of, of_names, of_numbers
from arena.store.detail_tables import detail_path, load_details, write_details
from arena.store.ranges import Range
from arena.tournament.plan import Plan

if TYPE_CHECKING:
    import pyarrow as pa

SOURCES = ("routes", "tickets", "longest_path", "bullet", "provinces")
"""Where points come from; their sum is the score."""

COLUMNS = (
    "game", "deal", "seat", "bot", "score", *SOURCES, "rank", "win_share", "tickets_kept", "tickets_completed",
    "trains_left", "longest", "turns", "end", "fault",
)  # fmt: skip
"""Of a seat row."""

LEAST_GAMES, MOST_GAMES = 500, 20_000
"""Of a shard."""
SHARD_NAME = re.compile(r"(\d{10})-(\d{10})\.parquet")
OF_ANOTHER_PLAN = "is of another plan"
CONTENT, PLAN = b"arena.content", b"arena.plan"
"""Keys of the digests in a file's metadata."""


def shard_size(plan: Plan) -> int:
    """Games in a shard, in whole blocks: about 64 shards a run, of 500 to 20,000 games. It depends on the plan only."""
    wanted = min(max(plan.games // 64, LEAST_GAMES), MOST_GAMES)
    return -(-wanted // plan.block_games) * plan.block_games


def shard_of(plan: Plan, game: int) -> Range:
    """First game and last game + 1 of the canonical shard that holds a game."""
    size = shard_size(plan)
    first = game - game % size
    return first, min(first + size, plan.games)


def shards(plan: Plan, first: int = 0, last: int | None = None) -> Iterator[Range]:
    """The canonical shards that hold the games first to last - 1, by default all."""
    last = plan.games if last is None else last
    while first < last:
        yield shard_of(plan, first)
        first = shard_of(plan, first)[1]


def shard_path(run: Path, first: int, last: int) -> Path:
    """The file of the games first to last - 1."""
    return run / "seats" / f"{first:010d}-{last:010d}.parquet"


def named_games(plan: Plan, path: Path) -> Range | None:
    """The games that a file's name says it holds; None if it is no name of a shard of this plan."""
    match = SHARD_NAME.fullmatch(path.name)
    first, last = (int(match[1]), int(match[2])) if match else (0, 0)
    whole = first % plan.block_games == last % plan.block_games == 0
    return (first, last) if first < last <= plan.games and whole else None


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
    """A hexadecimal digest of every number in a table, whatever the file format makes of it."""
    digest = blake2b(digest_size=16)
    for name in COLUMNS:
        values = _numbers(table, name, plan)
        values = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
        digest.update(f"{name} {values.dtype.str} {len(values)}\0".encode())
        digest.update(values.data)
    return digest.hexdigest()


def write_shard(run: Path, plan: Plan, first: int, outcomes: np.ndarray) -> Path:
    """Write the outcomes of successive games from game `first` on as one file, and return its path."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = seat_table(plan, first, outcomes)
    digests = {CONTENT: content_digest(table, plan).encode(), PLAN: plan.digest.encode()}
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(digests), sink, compression="zstd")
    path = shard_path(run, first, first + len(outcomes))
    if plan.detail:  # first: whoever finds a shard finds its details
        write_details(path, plan, first, outcomes)
    write_whole(path, sink.getvalue().to_pybytes())
    return path


def load_shard(path: Path, plan: Plan) -> "pa.Table | str":
    """The table in a file, or a sentence that says what is wrong with it. FileNotFoundError if there is none.

    Its details are not looked at.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    games = named_games(plan, path)
    if not SHARD_NAME.fullmatch(path.name):
        return f"{path} is not a shard of this run"
    wrong = f"shard {path} does not hold the games that its name and the plan say"
    if games is None:
        return wrong
    try:
        table = pq.ParquetFile(pa.BufferReader(path.read_bytes())).read()
    except FileNotFoundError:
        raise
    except (OSError, pa.ArrowException) as error:
        return f"shard {path} is damaged: {str(error).splitlines()[0]}"
    if table.schema != _schema(plan) or any(c.null_count for c in table.columns):
        return wrong
    digests = table.schema.metadata or {}
    try:
        content = content_digest(table, plan)
        expected = np.repeat(np.arange(*games), plan.players)
        if not np.array_equal(_numbers(table, "game", plan), expected):
            return wrong
    except (ValueError, IndexError):
        return wrong
    if digests.get(PLAN) != plan.digest.encode():
        return f"shard {path} {OF_ANOTHER_PLAN}: other bots, rules, seed or limits than those of this run"
    if digests.get(CONTENT) != content.encode():
        return f"shard {path} was changed after it was written: its numbers do not match their digest"
    return table


def _schema(plan: Plan) -> "pa.Schema":
    from arena.engine.loop import OUTCOME

    game = np.zeros(1, OUTCOME)
    game["rank"] = 1
    return seat_table(plan, 0, game).schema


def check_shard(path: Path, plan: Plan) -> str | None:
    """What is wrong with a shard or its details, as a sentence; None if names, games and all digests are right."""
    try:
        loaded = load_shard(path, plan)
        first, last = named_games(plan, path) or (0, 0)
        if plan.detail and not isinstance(loaded, str):
            loaded = load_details(path, plan, first, last - first)
    except FileNotFoundError as error:
        return f"shard {error.filename} is gone"
    return loaded if isinstance(loaded, str) else None


def remove_shard(path: Path) -> None:
    """Delete a file of results and that of its details; ArenaError if that cannot be."""
    remove(path)
    remove(detail_path(path))
