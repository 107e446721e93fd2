"""The messages between a worker and an isolated bot: records of a fixed size that are never unpickled."""

import json
from struct import Struct
from typing import Any, NamedTuple

from arena.engine.faults import LONGEST_TRACEBACK
from arena.engine.loop import FAULT_EXCEPTION, FAULT_ILLEGAL, FAULT_MEMORY, FAULT_WRONG_TYPE, NO_FAULT
from arena.rules.view import VIEW_BYTES
from arena.texts import plain

QUESTION = Struct("<IBBxxQ")
"""Size of what follows the first four bytes, what is asked, the seat and its random state.

A VIEW and the legal actions (int32) follow.
"""
ON, NEW, FIRST = range(3)
"""The bot of a seat plays on; a new bot is seated; or it is the first one of a game, and the others are forgotten."""
HEAD = QUESTION.size
ACTIONS_AT = HEAD + VIEW_BYTES
ANSWER = Struct("<IBxxxq")
"""Size of the text that follows, kind of a fault or none, the action; then a JSON object if there is a fault."""
PLAIN = ANSWER.size
LONGEST = 16_384
"""Bytes of an answer."""
KINDS = (NO_FAULT, FAULT_EXCEPTION, FAULT_ILLEGAL, FAULT_WRONG_TYPE, FAULT_MEMORY)
"""What a bot's process may report; whether an action is legal is for the worker to say."""


class Trouble(NamedTuple):
    """What a bot did wrong, as its own process tells it."""

    kind: int
    reason: str
    traceback: str


def answers(received: bytes | bytearray) -> int:
    """The framing of answers: the bytes that the first one takes, 0 while it is not whole."""
    if len(received) < PLAIN:
        return 0
    size = PLAIN + int.from_bytes(received[:4], "little")
    return size if len(received) >= size or size > LONGEST else 0


def write_answer(code: int, trouble: Trouble | None = None) -> bytes:
    """An answer: an action, or what went wrong."""
    if trouble is None:
        return ANSWER.pack(0, NO_FAULT, code)
    text = json.dumps({"reason": trouble.reason, "traceback": trouble.traceback}).encode()
    return ANSWER.pack(len(text), trouble.kind, 0) + text


def write_object(told: dict[str, str]) -> bytes:
    """An object that is told before the first game, in the frame of an answer."""
    text = json.dumps(told).encode()
    return ANSWER.pack(len(text), NO_FAULT, 0) + text


def read_answer(answer: bytes) -> int | Trouble:
    """The action, or what went wrong; ValueError if this is not an answer."""
    size, kind, code = ANSWER.unpack_from(answer)
    if kind not in KINDS or (kind == NO_FAULT) != (size == 0):
        raise ValueError
    if kind == NO_FAULT:
        return int(code)
    told = read_object(answer[PLAIN:])
    return Trouble(kind, text_in(told, "reason", 2000), text_in(told, "traceback", 2 * LONGEST_TRACEBACK))


def read_object(text: bytes) -> dict[str, Any]:
    """A JSON object from a process that may send anything; ValueError for anything else."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError from None
    if not isinstance(told, dict):
        raise ValueError
    return told


def text_in(told: dict[str, Any], key: str, most: int) -> str:
    """A text in such an object, bounded, with nothing in it that would do something to a terminal; ValueError."""
    text = told.get(key)
    if not isinstance(text, str):
        raise ValueError
    return plain(text[:most], kept="\n")
