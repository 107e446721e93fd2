"""`faults.jsonl`: the log of what bots did wrong, one object a line.

It grows while games are played: the lines of a game come before its result. At the end of a session it is put in
order, with what was torn, what is listed twice and what belongs to games that are not on disk left out.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.errors import ArenaError
from arena.files import append, remove, write_whole
from arena.store.ranges import Range, holds
from arena.tournament.plan import Plan

if TYPE_CHECKING:
    from arena.engine.faults import Fault

FILE = "faults.jsonl"
BY_MACHINE = ("move_time", "game_time", "memory", "died")
"""The kinds of `engine.faults.BY_MACHINE`, which takes long to import; `arena replay` books them unless told not to."""


class _Line(NamedTuple):
    """Where the line of a fault stands in the file."""

    game: int
    seat: int
    begin: int
    end: int


def append_faults(run: Path, plan: Plan, faults: dict[int, list["Fault"]]) -> None:
    """Add the faults of some games, one object a line; no file as long as there is none."""
    lines = [
        json.dumps(_object(plan, game, fault)) + "\n"
        for game in sorted(faults)
        for fault in sorted(faults[game], key=lambda fault: fault.seat)
    ]
    if lines:
        append(run / FILE, "".join(lines).encode())


def _object(plan: Plan, game: int, fault: "Fault") -> dict[str, Any]:
    """A line. What reproduces the fault stands there with the word DIR: a run is the same wherever its directory is."""
    bot = plan.names[plan[game].seating[fault.seat]]
    return {"game": game, "bot": bot, **fault._asdict(), "replay": replay_line("DIR", game, fault.kind)}


def replay_line(run: str, game: int, kind: str) -> str:
    """The command line that has a fault happen again."""
    return f"arena replay {run} {game}{' --live' * (kind in BY_MACHINE)}"


def settle_faults(run: Path, recorded: Sequence[Range]) -> None:
    """Put the file in order, with the faults of recorded games alone; of two about one seat the later line counts."""
    lines, length = _lines(run)
    kept = [line for line in _in_order(lines) if holds(recorded, line.game)]
    if not kept:
        remove(run / FILE)
    elif kept != lines or sum(line.end - line.begin for line in lines) != length:
        write_whole(run / FILE, _copied(run, kept))


def read_faults(run: Path, recorded: Sequence[Range]) -> Iterator[dict[str, Any]]:
    """The faults of recorded games, by game and seat. ArenaError for a file that holds something else."""
    lines, _ = _lines(run, strict=True)
    for text in _copied(run, [line for line in _in_order(lines) if holds(recorded, line.game)]):
        yield json.loads(text)


def _in_order(lines: list[_Line]) -> list[_Line]:
    return sorted({(line.game, line.seat): line for line in lines}.values())


def _lines(run: Path, strict: bool = False) -> tuple[list[_Line], int]:
    """The whole lines of the file, and its length; strict: no line but the last may be anything else."""
    found, begin = [], 0
    try:
        with (run / FILE).open("rb") as file:
            for text in file:
                try:
                    fault = read_line(text)
                    if text.endswith(b"\n"):
                        found.append(_Line(fault["game"], fault["seat"], begin, begin + len(text)))
                except ValueError:
                    if strict and text.endswith(b"\n"):
                        raise ArenaError(f"{run / FILE} is damaged: {_shown(text)} is not a fault") from None
                begin += len(text)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise ArenaError(f"cannot read {run / FILE}: {error.strerror or error}") from None
    return found, begin


def read_line(text: bytes | str) -> dict[str, Any]:
    """The fault in a line: all that every reader needs is there, of its type; ValueError if it is none."""
    try:
        fault: dict[str, Any] = json.loads(text)
        numbers = [fault[name] for name in ("game", "seat", "decision")]
        texts = [fault["bot"], fault["kind"], fault["reason"], fault.get("traceback", ""), fault.get("stderr", "")]
    except (KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError from None
    if any(type(number) is not int for number in numbers) or any(type(text) is not str for text in texts):
        raise ValueError
    return fault


def _shown(text: bytes) -> str:
    return repr(text[:40].decode(errors="replace"))


def _copied(run: Path, lines: Sequence[_Line]) -> Iterator[bytes]:
    if lines:
        with (run / FILE).open("rb") as file:
            for line in lines:
                file.seek(line.begin)
                yield file.read(line.end - line.begin)
