"""Sets of routes, tickets or cities as bits of 64-bit words: route r is bit r % 64 of word r // 64."""

from typing import Any

import numpy as np

from arena.rules.jit import INTERPRETED, inner, kernel

ONE = np.uint64(1)
EMPTY = np.uint64(0)

if INTERPRETED:

    def popcount(word: Any) -> Any:
        """The number of bits set in a word."""
        return int(word).bit_count()

    def lowest(word: Any) -> Any:
        """The index of the lowest bit set in a word that is not empty."""
        value = int(word)
        return (value & -value).bit_length() - 1

else:
    from numba.core import types
    from numba.extending import intrinsic

    @intrinsic
    def popcount(typing_context: Any, word: Any) -> Any:
        """The number of bits set in a word."""
        return types.int64(types.uint64), lambda context, builder, signature, args: builder.ctpop(args[0])

    @intrinsic
    def lowest(typing_context: Any, word: Any) -> Any:
        """The index of the lowest bit set in a word that is not empty."""
        from llvmlite import ir

        zero_is_fine = ir.Constant(ir.IntType(1), 0)
        return types.int64(types.uint64), lambda context, builder, signature, args: builder.cttz(args[0], zero_is_fine)


@inner
def bit(index):
    """The word with only this bit, 0 to 63."""
    return ONE << np.uint64(index)


@kernel
def has(words, index):
    """Whether a set (array of words) holds an index."""
    return (words[index >> 6] >> np.uint64(index & 63)) & ONE != EMPTY


@kernel
def add(words, index):
    """Put an index into a set."""
    words[index >> 6] |= ONE << np.uint64(index & 63)


@kernel
def remove(words, index):
    """Take an index out of a set."""
    words[index >> 6] &= ~(ONE << np.uint64(index & 63))


@inner
def nth(word, n):
    """The index of the n-th (from 0) bit set in a word that holds more than n."""
    for _ in range(n):
        word &= word - ONE
    return lowest(word)
