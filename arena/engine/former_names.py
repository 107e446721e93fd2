"""Former names of the bot API: in Python they work for one more version, with a warning that gives the new name."""

import warnings
from typing import Any

import numpy as np

from arena.rules.view import VIEW

ATTRIBUTES = {"claimed": "owner_of", "just_claimed": "pending_route"}
"""The attributes of a `View`, by their former names."""
FIELDS = {"mine": "routes_claimed", "offered": "offer_size", "claimed": "pending_route"}
"""The fields of a VIEW record, by their former names. Compiled code must use the new ones: see `numba_errors`."""


def attribute_of_view(view: Any, name: str) -> Any:
    """The attribute of a `View` under its former name; AttributeError for any other unknown name."""
    return _look_up(view, name, ATTRIBUTES)


class _ViewRecord(np.record):  # type: ignore[misc]  # NumPy itself does not call it final
    """A VIEW that answers to the former names of its fields too. To NumPy and Numba it is a VIEW."""

    def __getattr__(self, name: str) -> Any:
        return _look_up(self, name, FIELDS)

    def __getitem__(self, key: Any) -> Any:
        return _look_up(self, key, FIELDS) if isinstance(key, str) and key in FIELDS else super().__getitem__(key)


READABLE_VIEW = np.dtype((_ViewRecord, VIEW))
"""VIEW, as bots in Python read it."""


def _look_up(thing: Any, name: str, former: dict[str, str]) -> Any:
    if name not in former:
        raise AttributeError(f"{type(thing).__name__!r} object has no attribute {name!r}", name=name, obj=thing)
    warning = f"{name!r} of a {type(thing).__name__.strip('_')} is now {former[name]!r}: only this version knows both"
    warnings.warn(warning, DeprecationWarning, stacklevel=4 if former is ATTRIBUTES else 3)
    return getattr(thing, former[name])
