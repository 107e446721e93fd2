"""`arena run --config`: a tournament in a TOML file, with everything that the command line can say."""

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

from arena.catalog import FILE_SPEC
from arena.engine.external.command import beside, is_command
from arena.errors import UsageError, unknown
from arena.tournament.request import Request


def _kind(option: Any) -> type:
    """What a file says for an option: a text, where more than one kind would do."""
    kinds = get_args(option) or (option,)
    return str if str in kinds else kinds[0]


KEYS: dict[str, type] = {
    **{option.name.replace("_", "-"): _kind(option.type) for option in fields(Request) if option.name != "settings"},
    "bots": list, "set": dict, "json": bool,
}  # fmt: skip
"""The long options, without their dashes, and what each takes."""
WANTED: dict[type, str] = {
    list: "a list of texts", str: "a text", dict: "a table of rules with whole numbers", int: "a whole number",
    float: "a number", bool: "true or false",
}  # fmt: skip


def read_config(file: Path) -> dict[str, Any]:
    """The values in a file by their keys; the table of `set` as texts `rule=value`.

    A file or folder named in it is sought from the folder that the file is in. UsageError says what is wrong.
    """
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"config file {file} does not exist") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"config file {file} is not valid TOML: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"config file {file} cannot be read: {error}") from None
    for key, value in values.items():
        if key not in KEYS:
            raise UsageError(f"config file {file}: {unknown('key', key, KEYS)}")
        if not _fits(value, KEYS[key]):
            raise UsageError(f"config file {file}: {key} takes {WANTED[KEYS[key]]}")
    return {key: _resolved(key, value, file.parent) for key, value in values.items()}


def _fits(value: Any, kind: type) -> bool:
    if kind is list:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind is dict:
        return isinstance(value, dict) and all(type(item) in (int, str) for item in value.values())
    return type(value) is kind or (kind is float and type(value) is int)


def _resolved(key: str, value: Any, folder: Path) -> Any:
    """A value as the command line would have it."""
    if key == "set":
        return [f"{rule}={number}" for rule, number in value.items()]
    if key == "bots":
        return [_spec(spec, folder) for spec in value]
    if key == "out" or (key == "map" and value.endswith(".toml")):
        return _beside(folder, value)
    return value


def _spec(spec: str, folder: Path) -> str:
    if is_command(spec):
        return beside(spec, folder)
    match = FILE_SPEC.fullmatch(spec)
    return _beside(folder, match["file"]) + spec[match.end("file") :] if match else spec


def _beside(folder: Path, path: str) -> str:
    return path if path.startswith("~") else str(folder / path)
