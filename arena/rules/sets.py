"""Sets of routes, tickets or cities as bits of 64-bit words: route r is bit r % 64 of word r // 64."""

import numpy as np

from arena.rules.compiler import kernel, lowest, popcount

__all__ = ["EMPTY", "ONE", "add", "bit", "has", "lowest", "nth", "popcount", "remove"]

ONE = np.uint64(1)
EMPTY = np.uint64(0)


@kernel
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


@kernel
def nth(word, n):
    """The index of the n-th (from 0) bit set in a word that holds more than n."""
    for _ in range(n):
        word &= word - ONE
    return lowest(word)
