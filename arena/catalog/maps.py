"""Finds maps by name or file. Only this module imports the package `maps`."""

import importlib.util
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

from arena.boards.check import with_rules
from arena.boards.file import load_map_text
from arena.boards.spec import MapSpec
from arena.errors import UsageError, unknown


@cache
def maps_package() -> ModuleType:
    """The package of the shipped maps. `maps` and `bots` are names that others may use: ours stand beside `arena`."""
    here = Path(__file__).resolve().parent.parent.parent
    for name in ("maps", "bots"):
        spec = importlib.util.find_spec(name)
        if spec is None or Path(str(spec.origin)).resolve().parent.parent != here:
            where = spec.origin if spec else "nowhere"
            raise UsageError(f"the package {name!r} found in {where} is not the arena's, which is {here / name}")
    import maps

    return maps


def map_names() -> list[str]:
    """The names of the known maps."""
    names: list[str] = maps_package().names()
    return names


def default_map() -> str:
    """The map that is played unless another is asked for."""
    name: str = maps_package().DEFAULT
    return name


def load_map(name: str, settings: Mapping[str, int | str] | None = None) -> MapSpec:
    """The shipped map of a name, or the map in a file (`path.toml`), under other rule numbers if told.

    UsageError with the nearest names if there is none, or with everything that is wrong with the file.
    """
    if name.endswith(".toml"):
        path = Path(name).expanduser()
        try:
            spec = load_map_text(path.read_text(encoding="utf-8"), name)
        except FileNotFoundError:
            raise UsageError(f"map file {name} does not exist") from None
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"map file {name} cannot be read: {error}") from None
    elif name in map_names():
        spec = maps_package().load(name)
    else:
        raise unknown("map", name, map_names())
    return with_rules(spec, settings) if settings else spec
