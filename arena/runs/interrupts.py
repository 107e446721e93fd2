"""Ctrl-C and termination: how a run, or a compilation, is asked to stop."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def counted_interrupts(names: tuple[str, ...], told: Callable[[int], object]) -> Iterator[Callable[[], int]]:
    """Count signals that ask to stop, instead of being torn out of the middle of a write; yields who knows the count.

    told: called with the count at each of them.
    """
    count = 0

    def on_signal(signum: int, frame: object) -> None:
        nonlocal count
        count += 1
        told(count)

    ours = threading.current_thread() is threading.main_thread()  # others get no signals
    numbers = [getattr(signal, name) for name in names if ours and hasattr(signal, name)]
    before = {number: signal.signal(number, on_signal) for number in numbers}
    try:
        yield lambda: count
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def interrupts_wait(say: Callable[[str], None]) -> Iterator[Callable[[], bool]]:
    """An interrupt waits until the body is done, which can ask if there is one; a second one ends the process.

    Torn out of a compilation, Numba (0.68) swallows the interrupt or fails at the next call with a library half made.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False  # somebody else looks after it, or nobody wants it
        return

    def told(count: int) -> None:
        if count > 1:
            os._exit(130)
        say("Interrupted: stopping when this is compiled. Ctrl-C again stops now.")

    with counted_interrupts(("SIGINT",), told) as count:
        try:
            yield lambda: count() > 0
        finally:
            if count():
                raise KeyboardInterrupt
