"""What goes wrong outside the code, told in one sentence: the command line prints it and exits, without a traceback."""

from collections.abc import Iterable


class ArenaError(Exception):
    """Something outside the code failed: a disk, a worker process, a damaged file."""

    exit_code = 1


class StoppedAtFault(ArenaError):
    """A bot did something wrong, and the user wanted the run to stop then."""


class UsageError(ArenaError):
    """The user asked for something that does not exist or does not fit."""

    exit_code = 2


def unknown(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """The error for a name that is not known, with the nearest ones that are."""
    from difflib import get_close_matches

    names = sorted(known)
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(names)}."
    return UsageError(f"unknown {kind} {name!r}: {hint}")
