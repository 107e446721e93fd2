"""Reads and checks what a program in another language answers: one JSON object a line.

What the schema (`arena/schemas/protocol.schema.json`) refuses is of the wrong type; what it accepts is a legal action
or an illegal one. The tests hold this module and the schema to each other. Every reason tells the author what to mend.
"""

import json
from collections.abc import Sequence
from typing import Any

from arena.engine.external.json_lines import FIELDS, PROTOCOL
from arena.engine.faults import BotFault, describe_code
from arena.engine.loop import FAULT_ILLEGAL, FAULT_WRONG_TYPE
from arena.rules.actions import KINDS, Action, encode_action
from arena.rules.board import CARDS, COLORS

LONGEST_SHOWN = 80
"""Characters of an answer that a reason repeats."""
TYPES = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
"""What JSON has beside numbers, in words."""
TEXTS = {"card": CARDS, "line": COLORS}
"""The fields of an action that are texts, and what they may be."""


def read_hello(line: bytes) -> str:
    """The name in an answer to `hello`, or an empty text; BotFault if the line is not such an answer."""
    answer = _object(line)
    if answer.get("type") != "hello":
        raise _wrong(line, f'the answer to hello is {{"type": "hello", "protocol": {PROTOCOL}}}')
    protocol, name = answer.get("protocol"), answer.get("name", "")
    if _whole(protocol) is None:
        raise _wrong(line, f'it has no number "protocol": write {PROTOCOL}')
    if protocol != PROTOCOL:
        raise BotFault(FAULT_WRONG_TYPE, f"it speaks protocol {_shown(protocol)}; this arena speaks {PROTOCOL}")
    if not isinstance(name, str):
        raise _wrong(line, '"name" is not a text')
    return name


def read_action(line: bytes, codes: Sequence[int], phase: str) -> int:
    """The integer of the action that a line names, one of `codes`; BotFault if it names no legal action."""
    answer = _object(line)
    if "action" not in answer:
        raise _wrong(line, '"action" is missing: answer {"action": INDEX}')
    wanted = answer["action"]
    index = _whole(wanted)
    if index is not None:
        if not 0 <= index < len(codes):
            raise BotFault(
                FAULT_ILLEGAL,
                f"action {_shown(index)} does not exist: there are {len(codes)}, from 0 to {len(codes) - 1}",
            )
        return codes[index]
    if not isinstance(wanted, dict):
        raise _wrong(line, f'"action" is {_kind_of(wanted)}: write the index of an action, or the action itself')
    action = _action(line, wanted)
    try:
        code = encode_action(action)
    except (TypeError, ValueError):  # with numbers that no action has
        code = -1
    if code not in codes:
        other = f"an action with a number that none has, {_shown(tuple(action))},"
        raise BotFault(FAULT_ILLEGAL, f"{describe_code(code) if code >= 0 else other} is illegal in phase {phase}")
    return code


def _object(line: bytes) -> dict[str, Any]:
    """The JSON object in a line."""
    try:
        answer = json.loads(line.decode(), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise _wrong(line, "it is not UTF-8") from None
    except (ValueError, RecursionError):
        raise _wrong(line, "it is not JSON" if line.strip() else "it is an empty line") from None
    if not isinstance(answer, dict):
        raise _wrong(line, f"it is {_kind_of(answer)}, not an object")
    return answer


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _whole(value: Any) -> int | None:
    """A whole number, however it is written: 3.0 is one; None for everything else."""
    if type(value) is int or (type(value) is float and value.is_integer()):
        return int(value)
    return None


def _action(line: bytes, wanted: dict[str, Any]) -> Action:
    """The action that an object describes; BotFault if it lacks something or has something else."""
    kind = wanted.get("kind")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise _wrong(line, f'the action\'s "kind" is none of {", ".join(KINDS)}')
    always, sometimes = FIELDS[kind]
    for name in always:
        if name not in wanted:
            raise _wrong(line, f'a {kind} needs "{name}"')
    values: dict[str, Any] = {}
    for name, value in wanted.items():
        if name == "kind":
            continue
        if name not in always and name not in sometimes:
            raise _wrong(line, f'a {kind} has no "{_shown(name)}"')
        values[name] = _value(line, name, value)
    return Action(kind, **values)


def _value(line: bytes, name: str, value: Any) -> Any:
    """A field of an action in the type that `Action` has for it."""
    if name in TEXTS:
        if not isinstance(value, str) or value not in TEXTS[name]:
            raise _wrong(line, f'"{name}" is none of {", ".join(TEXTS[name])}')
        return value
    if name == "keep":
        numbers = [_whole(each) for each in value] if isinstance(value, list) else [None]
        if None in numbers:
            raise _wrong(line, '"keep" is not a list of positions in the offer')
        return tuple(numbers)
    number = _whole(value)
    if number is None:
        raise _wrong(line, f'"{name}" is not a whole number')
    return number


def _wrong(line: bytes, why: str) -> BotFault:
    return BotFault(FAULT_WRONG_TYPE, f"answered {_shown(line.decode('utf-8', 'replace').strip())!r}: {why}")


def _kind_of(value: Any) -> str:
    return TYPES.get(type(value), "a number")


def _shown(value: Any) -> str:
    """A value in a reason: its beginning, if it is long."""
    if isinstance(value, int) and value.bit_length() > 64:
        return f"of {value.bit_length():,} bits"
    text = value if isinstance(value, str) else str(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]} ..."
