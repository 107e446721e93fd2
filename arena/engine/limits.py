"""The time and memory that a bot may use, and what follows a fault (docs/faults.md)."""

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UsageError, unknown

ON_FAULT = ("stand-in", "forfeit", "abort")
"""After a fault a random player plays on, or the game ends at once, or the whole run."""
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
LEAST_MEMORY = 64 << 20


@dataclass(frozen=True)
class Limits:
    """The limits of each bot in each game. They are part of a plan: other limits may lead to other results."""

    move_time: float = 30.0
    """Time limit per decision, in seconds; 0 means no limit."""
    game_time: float = 0.0
    """Time limit for all decisions of a seat in a game, in seconds; 0 means no limit."""
    memory: int = 2 << 30
    """Memory limit in bytes, beyond what the process takes before its first game; 0 means no limit."""
    on_fault: str = "stand-in"
    """One of ON_FAULT."""
    isolate: bool = False
    """Whether each bot in Python plays in a process of its own."""

    def __post_init__(self) -> None:
        for name, seconds in (("--move-time", self.move_time), ("--game-time", self.game_time)):
            if not 0 <= seconds <= 86400:
                raise UsageError(f"{name} {seconds:g} is out of range: it takes 0 (no limit) to 86400 seconds")
        if self.memory and self.memory < LEAST_MEMORY:
            raise UsageError(
                f"--memory {in_units(self.memory)} is too little: a process of its own needs 64M (0: no limit)"
            )
        if self.on_fault not in ON_FAULT:
            raise unknown("--on-fault", self.on_fault, ON_FAULT)


USUAL = Limits()


def parse_size(text: str) -> int:
    """Bytes from `512M` or `1.5G`; a plain number is bytes."""
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{1,9})?)([KMG]?)", text, re.IGNORECASE)
    if not match:
        raise UsageError(f"--memory {text!r} is not a valid size: write 512M, 2G, or 0 for no limit")
    return int(float(match[1]) * UNITS.get(match[2].upper(), 1))


def limit_memory(size: int, *, for_good: bool = False) -> None:
    """Have an allocation fail that would make this process larger by more than so many bytes; 0: none.

    for_good: the process cannot lift the limit, and has one even where the system does not tell how large it is.
    """
    taken = (1 << 30) * for_good  # of addresses, not of memory
    with suppress(OSError):
        taken = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    if size and taken:
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = taken + size if hard == resource.RLIM_INFINITY else min(taken + size, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, most if for_good else hard))


def in_units(size: int) -> str:
    """A number of bytes as `parse_size` reads it."""
    for unit in ("G", "M", "K"):
        if size and size % UNITS[unit] == 0:
            return f"{size // UNITS[unit]}{unit}"
    return str(size)
