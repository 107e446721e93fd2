"""`arena bots new`: writes a package for bots of your own, copied from the folder `template`."""

import keyword
import re
import sys
from importlib.util import find_spec
from pathlib import Path

from arena.catalog import bot_entry_points
from arena.errors import ArenaError, UsageError

TEMPLATE = Path(__file__).parent / "template"
PLACEHOLDER = "newbot"
"""The name of the package in the template; a real one, so that its files can be checked as they are."""
COMPILED = "_compiled"
"""Behind the name of the class follows the compiled bot's."""


def write_package(name: str, folder: Path) -> Path:
    """Write the package `name` into a new folder of that name in `folder`; UsageError if it cannot be called so."""
    refuse(name)
    target = folder / name
    try:
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise UsageError(f"{target} exists already: choose another name or another folder (--dir)")
        for source in sorted(TEMPLATE.rglob("*")):
            if source.is_file() and "__pycache__" not in source.parts:
                path = target / str(source.relative_to(TEMPLATE)).replace(PLACEHOLDER, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(source.read_text(encoding="utf-8").replace(PLACEHOLDER, name), encoding="utf-8")
    except OSError as error:
        raise ArenaError(f"cannot write {error.filename or target}: {error.strerror or error}") from None
    return target


def refuse(name: str) -> None:
    """UsageError if a package and its bots cannot have a name."""
    if not re.fullmatch(r"[a-z]([a-z0-9_]{0,38}[a-z0-9])?", name):
        raise UsageError(
            f"{name!r} is not a valid package name: use up to 40 lower-case letters, digits and underscores, "
            "a letter first and no underscore last"
        )
    if keyword.iskeyword(name) or name == "tests":
        raise UsageError(f"{name!r} means something else in Python or in the package: choose another name")
    for bot in (name, name + COMPILED):
        if bot in bot_entry_points():
            raise UsageError(f"there is a bot {bot!r} already: choose another name")
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise UsageError(f"there is a Python module {name!r} already: choose another name")
