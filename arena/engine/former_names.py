"""Former names of the bot API: in Python they work for one more version, with a warning that gives the new name."""

import warnings
from typing import Any

import numpy as np

from arena.rules.view import VIEW

ATTRIBUTES = {"claimed": "owner_of", "just_claimed": "pending_route"}
"""The attributes of a `View`, by their former names."""
FIELDS = {"mine": "routes_claimed", "offered": "offer_size", "claimed": "pending_route"}
"""The fields of a VIEW record, by their former names. Compiled code must use the new ones: see `numba_errors`."""


def former_name(former: str, name: str) -> property:
    """The attribute of a class under its former name; a `__getattr__` would make every attribute slower."""

    def read(thing: Any) -> Any:
        _warn(thing, former, name)
        return getattr(thing, name)

    return property(read)


class _ViewRecord(np.record):  # type: ignore[misc]  # NumPy itself does not call it final
    """A VIEW that answers to the former names of its fields too. To NumPy and Numba it is a VIEW."""

    def __getattr__(self, name: str) -> Any:
        if name not in FIELDS:
            raise AttributeError(f"a view has no field {name!r}", name=name, obj=self)
        _warn(self, name, FIELDS[name])
        return self[FIELDS[name]]

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str) and key in FIELDS:
            _warn(self, key, FIELDS[key])
            key = FIELDS[key]
        return super().__getitem__(key)


READABLE_VIEW = np.dtype((_ViewRecord, VIEW))
"""VIEW, as bots in Python read it."""


def _warn(thing: Any, former: str, name: str) -> None:
    warning = f"{former!r} of a {type(thing).__name__.strip('_')} is now {name!r}: only this version knows both"
    warnings.warn(warning, DeprecationWarning, stacklevel=3)
