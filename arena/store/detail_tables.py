"""Detail tables: what happened in the games of a shard, one row a game, as Parquet files.

A list column has an entry for each claim, or for each ticket that a seat chose from, of the game: those of one kind
belong together by their place; or one for each kind of train card: a list of nine takes half the bytes of nine columns.
Who made a claim follows from its turn: seats take turns, from seat 0 in turn 1.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from arena.store.arrow import Columns, digest_of, numbers_of, of_numbers, read_table, write_table
from arena.store.ranges import named_games
from arena.tournament.plan import Plan

if TYPE_CHECKING:
    import pyarrow as pa

FOLDER = "detail"
CLAIMS = ("claim_turn", "claim_route", "claim_card", "claim_locomotives")
OFFERS = ("offer_turn", "offer_seat", "offer_ticket", "offer_kept", "offer_completed")
ASCENDING = ("game", "claim_turn", "offer_turn")
NUMBERS = ("offers", "leader", "lead_changes", "lead_turn")


def detail_path(shard: Path) -> Path:
    """The file of the details of the games in a shard."""
    return shard.parent.parent / FOLDER / shard.name


def detail_table(plan: Plan, first: int, outcomes: np.ndarray) -> "pa.Table":
    """The logs of successive games (OUTCOME [games]) from game `first` on as a table, a row a game."""
    import pyarrow as pa

    from arena.rules.game_log import DRAWS, RARE

    columns = {"game": of_numbers(np.arange(first, first + len(outcomes), dtype=np.int32))}
    for names, there in _lists(outcomes):
        offsets = of_numbers(np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.int32))
        columns |= {name: pa.ListArray.from_arrays(offsets, of_numbers(outcomes[name][there])) for name in names}
    columns |= {name: of_numbers(outcomes[name]) for name in NUMBERS}
    for index, source in enumerate(DRAWS):
        for seat in range(plan.players):
            columns[f"draws_{source}_{seat}"] = of_numbers(outcomes["draws"][:, seat, index])
    columns |= {name: of_numbers(outcomes["rare"][:, index]) for index, name in enumerate(RARE)}
    left = outcomes["cards_left"]
    columns["cards_left"] = pa.FixedSizeListArray.from_arrays(of_numbers(left.ravel()), left.shape[1])
    return pa.table(columns)


def _lists(outcomes: np.ndarray) -> list[tuple[tuple[str, ...], np.ndarray]]:
    """The list columns of each kind, and which places of them are taken, bool [games, places]."""
    return [
        (names, np.arange(outcomes[names[0]].shape[1]) < outcomes[count][:, None])
        for names, count in ((CLAIMS, "claims"), (OFFERS, "offers"))
    ]


def shared_claims(outcomes: np.ndarray, bullets: np.ndarray, trains: int) -> np.ndarray:
    """Which claims of games were built with bullet trains, so that everybody may use them, bool [games, places].

    bullets: the indices of the bullet routes; trains: those in the common supply. Beyond it such a route is an ordinary
    one (J5).
    """
    there = np.arange(outcomes["claim_route"].shape[1]) < outcomes["claims"][:, None]
    built = there & np.isin(outcomes["claim_route"], bullets)
    return np.asarray(built & (np.cumsum(built, axis=1) <= trains))


def fill_log(outcomes: np.ndarray, table: "pa.Table", players: int) -> None:
    """Put the logs of a table that `detail_table` made into outcomes, OUTCOME [games]: its inverse."""
    from arena.rules.game_log import DRAWS, RARE

    values = {name: column.combine_chunks() for name, column in zip(table.column_names, table.columns, strict=True)}
    outcomes["claims"] = numbers_of(values["claim_turn"].value_lengths())
    for name in NUMBERS:
        outcomes[name] = numbers_of(values[name])
    for names, there in _lists(outcomes):
        for name in names:
            outcomes[name][there] = numbers_of(values[name].flatten())
    taken = _lists(outcomes)[0][1]
    outcomes["claim_seat"][taken] = (outcomes["claim_turn"][taken] - 1) % players
    for index, source in enumerate(DRAWS):
        for seat in range(players):
            outcomes["draws"][:, seat, index] = numbers_of(values[f"draws_{source}_{seat}"])
    for index, name in enumerate(RARE):
        outcomes["rare"][:, index] = numbers_of(values[name])
    outcomes["cards_left"] = numbers_of(values["cards_left"].flatten()).reshape(outcomes["cards_left"].shape)


def content_digest(table: "pa.Table") -> str:
    """The digest of the details in a table."""
    return digest_of(_columns(table))


def _columns(table: "pa.Table") -> Columns:
    import pyarrow as pa

    for name, column in zip(table.column_names, table.columns, strict=True):
        values = column.combine_chunks()
        if pa.types.is_list(values.type):
            yield name, numbers_of(values.value_lengths())
        nested = pa.types.is_list(values.type) or pa.types.is_fixed_size_list(values.type)
        yield name, numbers_of(values.flatten() if nested else values)


def write_details(shard: Path, plan: Plan, first: int, outcomes: np.ndarray) -> None:
    """Write the details of the games in a shard."""
    table = detail_table(plan, first, outcomes)
    write_table(
        detail_path(shard), table, content_digest(table), plan, compression_level=3,
        use_dictionary=[_path(field) for field in table.schema if field.name not in ASCENDING],
        column_encoding={_path(table.schema.field(name)): "DELTA_BINARY_PACKED" for name in ASCENDING},
    )  # fmt: skip


def _path(field: "pa.Field") -> str:
    """How Parquet names a column's values."""
    import pyarrow as pa

    is_list = pa.types.is_list(field.type) or pa.types.is_fixed_size_list(field.type)
    return f"{field.name}.list.element" if is_list else field.name


def load_details(shard: Path, plan: Plan) -> "pa.Table | str":
    """The details of the games in a shard, or a sentence that says what is wrong; errors as of `read_table`."""
    return _read(shard, plan, content_digest)


def load_rare(shard: Path, plan: Plan) -> "pa.Table | str":
    """The rare states of the games in a shard, in columns named as in RARE, or what is wrong, as `load_details`.

    Only these are read: so cheap that a report can ask, but a number that was changed is not found out.
    """
    from arena.rules.game_log import RARE

    return _read(shard, plan, None, RARE)


def _read(
    shard: Path, plan: Plan, content: "Callable[[pa.Table], str] | None", columns: Sequence[str] | None = None
) -> "pa.Table | str":
    from arena.engine.loop import OUTCOME

    games, like = named_games(plan, shard) or (0, 0), detail_table(plan, 0, np.zeros(1, OUTCOME))
    return read_table(detail_path(shard), "details", plan, games, like, content, columns)
