"""Waits for a message: looks for it briefly before sleeping, on both sides of a channel."""

import time
from collections.abc import Callable

SECONDS = 50e-6
"""The time it takes to wake a process whose core is idle, which is longer than most bots think."""
MOST = 6


class Lookout:
    """Looks until there is something, for SECONDS at most.

    Where that is in vain, because the other side thinks or somebody else has its core, it looks less and less often: at
    last once in 64 times. It never yields, for on a busy core that costs a whole slice of time.
    """

    def __init__(self, poll: Callable[[float], object]) -> None:
        """poll: `select.poll().poll`, of what is looked for."""
        self._poll = poll
        self._vain = self._left_out = 0

    def look(self) -> None:
        """Return when there is a message, or when it is time to sleep."""
        if self._left_out:
            self._left_out -= 1
            return
        end = time.perf_counter() + SECONDS
        while not self._poll(0):
            if time.perf_counter() > end:
                self._vain = min(self._vain + 1, MOST)
                self._left_out = (1 << self._vain) - 1
                return
        self._vain = max(0, self._vain - 1)
