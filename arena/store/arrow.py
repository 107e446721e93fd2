"""Arrow tables: converted from and to NumPy's arrays without a copy, and kept in Parquet files with digests.

`pyarrow.array` and `to_numpy` do it too, but first import pandas, to know its objects when they see them: 0.2 s of
every start.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.files import write_whole
from arena.store.ranges import Range
from arena.tournament.plan import Plan

if TYPE_CHECKING:
    import pyarrow as pa

Columns = Iterable[tuple[str, np.ndarray]]
CONTENT, PLAN = b"arena.content", b"arena.plan"
"""The keys of the digests in a file's metadata."""
OF_ANOTHER_PLAN = "is of another plan"


def of_numbers(values: np.ndarray) -> "pa.Array":
    """An Arrow array of numbers, [entries]."""
    import pyarrow as pa

    values = np.ascontiguousarray(values)
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(values)])


def of_names(codes: np.ndarray, names: Sequence[str]) -> "pa.Array":
    """Names by their places among all that there are, codes [entries] of an integer type."""
    import pyarrow as pa

    texts = [name.encode() for name in names]
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    buffers = pa.py_buffer(ends), pa.py_buffer(b"".join(texts))
    return pa.DictionaryArray.from_arrays(of_numbers(codes), pa.StringArray.from_buffers(len(texts), *buffers))


def numbers_of(column: "pa.Array | pa.ChunkedArray") -> np.ndarray:
    """The numbers, [entries], of a column without gaps."""
    import pyarrow as pa

    values: np.ndarray = np.from_dlpack(column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column)
    return values


def digest_of(columns: Columns) -> str:
    """A hexadecimal digest of every number in a table, whatever the file format makes of it."""
    digest = blake2b(digest_size=16)
    for name, values in columns:
        values = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
        digest.update(f"{name} {values.dtype.str} {len(values)}\0".encode())
        digest.update(values.data)
    return digest.hexdigest()


def write_table(path: Path, table: "pa.Table", content: str, plan: Plan, **options: Any) -> None:
    """Write a table with the digests of its content and of its plan; options: of `pyarrow.parquet.write_table`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    digests = {CONTENT: content.encode(), PLAN: plan.digest.encode()}
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(digests), sink, compression="zstd", **options)
    write_whole(path, sink.getvalue().to_pybytes())


def read_table(
    path: Path, what: str, plan: Plan, games: Range, like: "pa.Table",
    content: "Callable[[pa.Table], str] | None", columns: Sequence[str] | None = None,
) -> "pa.Table | str":  # fmt: skip
    """The table of some games, or a sentence that says what is wrong with its file. FileNotFoundError without one.

    what: it holds of the games; like: the table of a single game; content: its digest, None to trust it; columns: those
    that are read, by default all.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    wrong = f"{path} does not hold the {what} that its name and the plan say"
    try:
        file = pq.ParquetFile(pa.BufferReader(path.read_bytes()))
        if file.schema_arrow != like.schema or file.metadata.num_rows != (games[1] - games[0]) * len(like):
            return wrong
        table, digests = file.read(columns), file.schema_arrow.metadata or {}
    except FileNotFoundError:
        raise
    except (OSError, pa.ArrowException) as error:
        return f"{path} is damaged: {str(error).splitlines()[0]}"
    if digests.get(PLAN) != plan.digest.encode():
        return f"{path} {OF_ANOTHER_PLAN}: other bots, rules, seed or limits than those of this run"
    if content is None:
        return table
    try:
        if any(column.null_count for column in table.columns):
            return wrong
        if digests.get(CONTENT) != content(table).encode():
            return f"{path} was changed after it was written: its numbers do not match their digest"
    except (ValueError, IndexError):  # names that do not exist
        return wrong
    expected = np.repeat(np.arange(*games), len(like))
    return table if np.array_equal(numbers_of(table.column("game")), expected) else wrong
