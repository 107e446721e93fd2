"""Small texts for people, needed in many places: counts, what can be printed, how a process ended."""

import signal
from collections.abc import Sequence

WIDTH = 80
"""Columns of a terminal, which texts for people fit."""


def counted(number: int, one: str, many: str = "") -> str:
    """`1 game`, `2,000 games`; many: the whole plural, if it is not just one `s` longer."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def enumerated(words: Sequence[str]) -> str:
    """Words as a sentence lists them: "a, b and c"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def plain(text: str, kept: str = "") -> str:
    """A text in which signs that a terminal would act on are spelled out, but for those that are kept."""
    return "".join(sign if sign.isprintable() or sign in kept else repr(sign)[1:-1] for sign in text)


def ending(status: int) -> str:
    """`exit code 3`, `killed by signal 11 (segmentation fault)`: of an exit code, or minus the number of a signal."""
    if status >= 0:
        return f"exit code {status}"
    name = signal.strsignal(-status) if -status in signal.valid_signals() else None
    return f"killed by signal {-status}" + (f" ({name.lower()})" if name else "")


def in_bytes(size: float) -> str:
    """A size for people: `512 MB`, `7.5 GB`."""
    if size < 10 * 2**20:
        return f"{size / 2**20:.1f} MB"
    return f"{size / 2**20:,.0f} MB" if size < 2**30 else f"{size / 2**30:,.1f} GB"
