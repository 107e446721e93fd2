"""The two errors that the arena raises: each is one sentence, which the command line prints without a traceback."""

from collections.abc import Iterable


class ArenaError(Exception):
    """Something outside the code failed: a disk, a worker process, a damaged file."""

    exit_code = 1


class StoppedAtFault(ArenaError):
    """A bot had a fault, at which the user wanted the run to stop."""


class BrokenGame(ArenaError):
    """A game breaks an invariant, which holds whatever bots do."""

    def __init__(self, what: str, game: int = -1) -> None:
        """what: which invariant, and what is wrong; game: its number, if it has one."""
        super().__init__(what, game)
        self.what = what
        self.game = game

    def __str__(self) -> str:
        name = f"game {self.game}" if self.game >= 0 else "a game"
        return (
            f"{name} is broken, {self.what}; this is an error of the arena, unless a bot wrote into its memory: please "
            "report it"
        )


class UsageError(ArenaError):
    """The user asked for something that does not exist or does not fit."""

    exit_code = 2


def nearest(name: str, known: Iterable[str]) -> str:
    """The question whether another name was meant, to be put after a complaint; empty if none is like it."""
    from difflib import get_close_matches

    near = get_close_matches(name, sorted(known), n=1, cutoff=0.5)
    return f"; did you mean {near[0]}?" if near else ""


def unknown(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """The error for a name that is not known, with the nearest ones that are."""
    from difflib import get_close_matches

    names = sorted(known)
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(names)}."
    return UsageError(f"unknown {kind} {name!r}: {hint}")
