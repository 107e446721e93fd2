"""Converts between NumPy's and Arrow's arrays without a copy.

`pyarrow.array` and `to_numpy` do it too, but first import pandas, to know its objects when they see them: 0.2 s of
every start.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa


def of_numbers(values: np.ndarray) -> "pa.Array":
    """Numbers, [entries], none of which is missing."""
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
    """The numbers, [entries], of a column in which none is missing."""
    import pyarrow as pa

    values: np.ndarray = np.from_dlpack(column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column)
    return values
