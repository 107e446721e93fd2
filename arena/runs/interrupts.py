"""Ctrl-C and termination: how a run, or a compilation, is asked to stop."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from arena.runs.pool import stop_now


@dataclass
class Interrupts:
    """How often the user, or the system, has asked to stop: once drains the games in flight, twice stops at once."""

    say: Callable[[str], None]
    count: int = 0
    told: bool = False

    @contextmanager
    def caught(self) -> Iterator["Interrupts"]:
        """Count the signals that ask to stop, instead of being torn out of the middle of a write."""
        if threading.current_thread() is not threading.main_thread():
            yield self
            return

        def on_signal(signum: int, frame: object) -> None:
            self.count += 1
            if self.count == 2:
                stop_now()

        names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
        before = {name: signal.signal(getattr(signal, name), on_signal) for name in names}
        try:
            yield self
        finally:
            for name, handler in before.items():
                signal.signal(getattr(signal, name), handler)

    def tell(self) -> None:
        """Say, once, what the first one leads to; not from within the signal, which may have come during a write."""
        if self.count and not self.told:
            self.told = True
            self.say("\nFinishing the games in flight; Ctrl-C again stops now.")


@contextmanager
def interrupts_wait(say: Callable[[str], None]) -> Iterator[Callable[[], bool]]:
    """An interrupt waits until the body is done, which can ask if there is one; a second one ends the process.

    Torn out of a compilation, Numba (0.68) swallows the interrupt or fails at the next call with a library half made.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False  # somebody else looks after it, or nobody wants it
        return
    count = 0

    def on_interrupt(signum: int, frame: object) -> None:
        nonlocal count
        count += 1
        if count > 1:
            os._exit(130)
        say("Interrupted: stopping when this is compiled. Ctrl-C again stops now.")

    signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield lambda: count > 0
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if count:
            raise KeyboardInterrupt
