"""Processes and threads in general: how many are used, how they start, and that none outlives its parent."""

import ctypes
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import parent_process
from multiprocessing.connection import wait


def available_cores() -> int:
    """The processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def start_method() -> str:
    """How workers start: forked from the parent, which has compiled everything, where that is safe; else afresh."""
    return "fork" if sys.platform == "linux" and hasattr(os, "fork") else "spawn"


@contextmanager
def forking() -> Iterator[None]:
    """Python 3.12 warns of a fork beside threads. Ours, those of executors, hold no lock that a worker takes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


@contextmanager
def repeated(seconds: float, action: Callable[[], object]) -> Iterator[None]:
    """Do something every so many seconds, in a thread, until the body is done."""
    done = threading.Event()

    def repeat() -> None:
        while not done.wait(seconds):
            action()

    thread = threading.Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def end_with_parent() -> None:
    """Have this process end when its parent is gone: it has nobody to work for."""
    parent = parent_process()
    if parent is None:
        return
    if sys.platform == "linux":  # even if a compiled bot never lets a thread run
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent.pid:
            os._exit(1)

    def wait_for_end() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=wait_for_end, daemon=True).start()
