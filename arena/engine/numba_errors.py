"""Turns an error of Numba about code that it cannot compile into one sentence with file and line."""

import re
from difflib import get_close_matches
from pathlib import Path
from traceback import walk_tb
from typing import Any

from arena.engine.former_names import FIELDS
from arena.rules.board import BOARD
from arena.rules.view import VIEW

PLACE = re.compile(r'^File "(?P<file>.+)", line (?P<line>\d+):\n(?P<code>(?:.*\n)*?) *\^', re.MULTILINE)
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
RETURNED = re.compile(r"No conversion from (?P<type>.+) to int64 for '\$\w*return_(?:value|const)")


def explain(error: Exception) -> str:
    """Why Numba does not compile a function, and where, if it says so."""
    text = ADDRESS.sub("", str(error))
    if isinstance(error, KeyError):
        if reason := _unknown_field(error):
            return reason
        text = f"KeyError: {text}"
    if (returned := RETURNED.search(text)) and returned["type"] == "none":
        return "it does not return an action on every path: a `return` is missing, or has nothing behind it"
    if returned:
        reason = f"it returns {returned['type']}, which is not an action: an action is an integer"
    else:
        reason = _essence(text) or type(error).__name__
    place = PLACE.search(text)
    return f"{reason}{_at(place['file'], place['line'], place['code'])}" if place else reason


def _essence(text: str) -> str:
    """The first line that says anything, with the call that it is about."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    while len(lines) > 1 and lines[0].startswith("Failed in "):
        del lines[0]
    reason = lines[0].removesuffix(". Raised from None") if lines else ""
    if reason.endswith("found for signature:") and len(lines) > 1:
        return f"{reason[:-1].removesuffix(' found for signature')} for {lines[1].removeprefix('>>> ')}"
    return reason


def _at(file: str, line: object, code: str = "") -> str:
    last = (code.splitlines() or [""])[-1].strip()
    return f" ({Path(file).name}:{line}{': ' * bool(last)}{last})"


def _unknown_field(error: KeyError) -> str:
    """A field that a record does not have: Numba's error names the field only, its frames the record and the line."""
    frames: list[Any] = [frame.f_locals.get("self") for frame, _ in walk_tb(error.__traceback__)]
    fields = list(getattr(frames[-1], "fields", ()))
    place = next((frame.loc for frame in reversed(frames) if hasattr(frame, "loc")), None)
    if not fields or place is None:
        return ""
    name = {VIEW.names: "view", BOARD.names: "board"}.get(tuple(fields), "the record")
    near = get_close_matches(str(error.args[0]), fields, n=2)
    hint = f": did you mean {' or '.join(near)}?" if near else ""
    if name == "view" and error.args[0] in FIELDS:
        hint = f": it is now {FIELDS[error.args[0]]!r}"
    return f"{name} has no field {error.args[0]!r}{hint}{_at(place.filename, place.line)}"
