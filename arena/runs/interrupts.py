"""Ctrl-C while something is compiled."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def interrupts_wait(say: Callable[[str], None]) -> Iterator[None]:
    """An interrupt waits until the body is done; a second one ends the process.

    Torn out of a compilation, Numba (0.68) swallows the interrupt or fails at the next call with a library half made.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # somebody else looks after it, or nobody wants it
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
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if count:
            raise KeyboardInterrupt
