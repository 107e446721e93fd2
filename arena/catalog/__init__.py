"""Finds maps and bots by their names."""

from arena.catalog.bots import (
    FILE_SPEC,
    GROUP,
    LoadError,
    bot_entry_points,
    load_entrant,
    load_entrants,
    make_entrant,
    shipped_bots,
)
from arena.catalog.maps import default_map, load_map, map_names

__all__ = [
    "FILE_SPEC",
    "GROUP",
    "LoadError",
    "bot_entry_points",
    "default_map",
    "load_entrant",
    "load_entrants",
    "load_map",
    "make_entrant",
    "map_names",
    "shipped_bots",
]
