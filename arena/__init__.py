"""A bot arena for the board game Ticket to Ride."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.api import Report, compare, extend, merge, report, resume, run
    from arena.experiments.regress.regress import regress

__version__ = "0.2.0"
__all__ = ["Report", "compare", "extend", "merge", "regress", "report", "resume", "run"]


def __getattr__(name: str) -> Any:
    """The functions for programs, imported when they are asked for: the command line's help needs none of them."""
    if name not in __all__:
        raise AttributeError(f"module 'arena' has no attribute {name!r}")
    if name == "regress":
        from arena.experiments.regress.regress import regress

        return regress
    import arena.api

    return getattr(arena.api, name)
