"""Random streams: splitmix64 on one state word (Steele, Lea and Flood, 2014), about 1 ns a number.

A stream is an array and an index into it: the word there is the stream's whole state. Every deal has separate
streams (train deck, reshuffles, tickets, one per seat for its bot), so that the k-th card of a deal is
the same whatever the bots do with theirs.
"""

import numpy as np

from arena.rules.compiler import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)


@kernel
def next_word(stream, index):
    """The next 64 random bits of a stream."""
    stream[index] += GOLDEN
    word = stream[index]
    word = (word ^ (word >> np.uint64(30))) * MIX_1
    word = (word ^ (word >> np.uint64(27))) * MIX_2
    return word ^ (word >> np.uint64(31))


@kernel
def next_below(stream, index, bound):
    """A number from 0 to bound - 1, bound below 2**31; its bias is under bound / 2**32."""
    return np.int64(((next_word(stream, index) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@kernel
def shuffle(cards, count, stream, index):
    """Shuffle the first `count` cards in place (Fisher-Yates)."""
    for last in range(count - 1, 0, -1):
        other = next_below(stream, index, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card
