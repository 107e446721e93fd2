"""`faults.jsonl`: the log of what bots did wrong, one object a line.

It grows while games are played: the lines of a game come before its result. At the end of a session it is put in
order, with what was torn, what is listed twice and what belongs to games that are not on disk left out.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
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
"""The kinds of `engine.faults.BY_MACHINE`, which takes long to import: `arena replay` enters them beforehand."""


class _Line(NamedTuple):
    """Where the line of a fault stands in the file."""

    game: int
    seat: int
    begin: int
    end: int


def append_faults(run: Path, plan: Plan, faults: dict[int, list["Fault"]]) -> None:
    """Add the faults of some games, one object a line; a run without faults has no such file.

    What reproduces a fault stands there with the word DIR: a run is the same wherever its directory is.
    """
    lines = []
    for game in sorted(faults):
        for fault in sorted(faults[game], key=lambda fault: fault.seat):
            about = {"game": game, "bot": plan.names[plan[game].seating[fault.seat]], **fault._asdict()}
            lines.append(json.dumps({**about, "replay": replay_line("DIR", game, fault.kind)}) + "\n")
    if lines:
        append(run / FILE, "".join(lines).encode())


def replay_line(run: str, game: int, kind: str) -> str:
    """The command line that has a fault happen again."""
    return f"arena replay {run} {game}{' --live' * (kind in BY_MACHINE)}"


def tidy_faults(run: Path, recorded: Sequence[Range]) -> None:
    """Put the file in order, with the faults of recorded games alone; of two about one seat the later line counts."""
    lines = _lines(run)
    kept = _in_order(lines, recorded)
    if not kept:
        remove(run / FILE)
    elif kept != lines or sum(line.end - line.begin for line in lines) != (run / FILE).stat().st_size:
        write_whole(run / FILE, _copied(run, kept))


def read_faults(run: Path, recorded: Sequence[Range]) -> Iterator[dict[str, Any]]:
    """The faults of recorded games, by game and seat. ArenaError for a file that holds something else."""
    for text in _copied(run, _in_order(_lines(run, strict=True), recorded)):
        yield json.loads(text)


def _in_order(lines: list[_Line], recorded: Sequence[Range]) -> list[_Line]:
    known = {(line.game, line.seat): line for line in lines if holds(recorded, line.game)}
    return sorted(known.values())


def _lines(run: Path, strict: bool = False) -> list[_Line]:
    """The whole lines of the file; strict: no line but the last may be anything else."""
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
                        shown = text[:40].decode(errors="replace")
                        raise ArenaError(f"{run / FILE} is damaged: {shown!r} is not a fault") from None
                begin += len(text)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise ArenaError(f"cannot read {run / FILE}: {error.strerror or error}") from None
    return found


def read_line(text: bytes | str) -> dict[str, Any]:
    """The fault in a line, with all that readers need; ValueError if the line holds something else."""
    try:
        fault: dict[str, Any] = json.loads(text)
        numbers = [fault[name] for name in ("game", "seat", "decision")]
        texts = [fault["bot"], fault["kind"], fault["reason"], fault.get("traceback", ""), fault.get("stderr", "")]
    except (KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError from None
    if any(type(number) is not int for number in numbers) or any(type(text) is not str for text in texts):
        raise ValueError
    return fault


def fault_of(line: Mapping[str, Any]) -> "Fault":
    """The fault that a line tells of, as the engine knows it."""
    from arena.engine.faults import Fault

    return Fault(**{name: line[name] for name in Fault._fields if name in line})


def _copied(run: Path, lines: Sequence[_Line]) -> Iterator[bytes]:
    if lines:
        with (run / FILE).open("rb") as file:
            for line in lines:
                file.seek(line.begin)
                yield file.read(line.end - line.begin)
