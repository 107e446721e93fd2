"""The parameters of a bot, as in `racer:shortest=6`: how they, and lists of such bots, are read, checked and shown."""

import ast
import inspect
import math
from collections.abc import Iterable, Mapping
from typing import Any

from arena.errors import UsageError, unknown


def parse_parameters(spec: str, text: str) -> dict[str, Any]:
    """The parameters after the second colon of a spec: Python literals, otherwise text."""
    parameters: dict[str, Any] = {}
    for item in filter(None, split_items(text)):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals or not key.isidentifier():
            raise UsageError(f"bot {spec!r}: parameter {item.strip()!r} is not of the form key=value")
        if key in parameters:
            raise UsageError(f"bot {spec!r}: parameter {key} is given twice")
        try:
            parameters[key] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            parameters[key] = value
    return parameters


def split_items(text: str) -> list[str]:
    """The text split at its commas, but for those in brackets."""
    items: list[str] = []
    for piece in text.split(","):
        if items and sum(map(items[-1].count, "([{")) > sum(map(items[-1].count, ")]}")):
            items[-1] += f",{piece}"
        else:
            items.append(piece)
    return items


def split_bots(lists: Iterable[str]) -> tuple[str, ...]:
    """The specs in lists with commas; a comma also stands between the parameters of one bot (`a:x=1,y=2,b`)."""
    specs: list[str] = []
    for item in map(str.strip, split_items(",".join(lists))):
        if specs and ":" in specs[-1] and "=" in item and ":" not in item.partition("=")[0]:
            specs[-1] += f",{item}"
        elif item:
            specs.append(item)
    return tuple(specs)


def defaults_of(bot: Any) -> dict[str, Any]:
    """The parameters of a bot with their default values."""
    from arena.engine.bots import Outside, Policy

    if isinstance(bot, Policy):
        return dict(bot.defaults)
    if isinstance(bot, Outside):  # they are known where its code is
        return {}
    return {p.name: p.default for p in inspect.signature(bot).parameters.values() if p.default is not p.empty}


def shown(parameters: Mapping[str, Any]) -> list[str]:
    """`key=value` for each parameter; 2.0 is shown as 2."""
    return [
        f"{key}={value:.12g}" if isinstance(value, float) else f"{key}={value}" for key, value in parameters.items()
    ]


def check_parameters(spec: str, bot: Any, parameters: dict[str, Any]) -> None:
    """UsageError if a bot does not take these parameters, needs another one, or gets a text for a number."""
    from arena.engine.bots import Policy

    known, compiled = defaults_of(bot), isinstance(bot, Policy)
    if not compiled:
        constructor = inspect.signature(bot).parameters.values()
        if any(p.kind is p.VAR_KEYWORD for p in constructor):
            return
        known = {p.name: p.default for p in constructor if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
        for name, default in known.items():
            if default is inspect.Parameter.empty and name not in parameters:
                raise UsageError(f"bot {spec!r} needs a value for its parameter {name}")
    for key, value in parameters.items():
        if not known:
            raise UsageError(f"bot {spec!r} takes no parameters")
        if key not in known:
            raise UsageError(f"bot {spec!r}: {unknown('parameter', key, known)}")
        if _is_number(known[key]) and not (_is_number(value) and (math.isfinite(value) or not compiled)):
            raise UsageError(f"bot {spec!r}: parameter {key} takes a number, not {value!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
