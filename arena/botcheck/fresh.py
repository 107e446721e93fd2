"""Games in a process of their own: with another order of sets, with bounds checks, its memory measured."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.botcheck.games import Game, GameKey, play
from arena.catalog import load_entrant, load_map
from arena.runs.start import warm_up
from arena.table import Fault
from arena.watch import Decision, Watched

COMMAND = (sys.executable, "-P", "-m", "arena.botcheck.fresh")


@dataclass(frozen=True)
class Fresh:
    """What a process found."""

    games: list[Game]
    peak: int | None
    """The most memory it ever held, in bytes; None where the system does not tell."""
    growth: int | None
    """By how much the games raised it."""
    died: str = ""
    """How it ended before it could tell anything."""


def play_afresh(spec: str, keys: Sequence[GameKey], **environment: str) -> Fresh:
    """Play some games in a new process with these environment variables."""
    with tempfile.TemporaryDirectory() as folder:
        asked, answer = Path(folder, "asked.json"), Path(folder, "answer.json")
        asked.write_text(json.dumps([spec, keys]))
        run = subprocess.run(
            [*COMMAND, asked, answer], env={**os.environ, **environment}, capture_output=True, text=True, check=False
        )
        if run.returncode == 0:
            return _from_json(answer.read_text())
    last = run.stderr.strip().rpartition("\n")[2]
    return Fresh([], None, None, f"signal {-run.returncode}" if run.returncode < 0 else last or "no reason given")


def other_hash_seed() -> str:
    """A PYTHONHASHSEED that this process does not have: sets of strings are then in another order."""
    return "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"


def _from_json(text: str) -> Fresh:
    data = json.loads(text)
    games = [
        Game(
            GameKey(*key),
            Watched(
                [Decision(*decision) for decision in decisions], fault=Fault(*fault) if fault else None, phase=phase
            ),
        )
        for key, decisions, fault, phase in data["games"]
    ]
    return Fresh(games, data["peak"], data["growth"])


def main(asked: str, answer: str) -> None:
    """What runs in the process: play what a file asks for and write the answer into another."""
    spec, keys = json.loads(Path(asked).read_text())
    keys = [GameKey(*key) for key in keys]
    entrant = load_entrant(spec)
    warm_up([entrant], load_map(keys[0].map), keys[0].seats, lambda text: None)
    before = peak_memory()
    games = play(entrant, keys)
    peak = peak_memory()
    data = {
        "games": [[g.key, g.watched.decisions, g.watched.fault, g.watched.phase] for g in games],
        "peak": peak,
        "growth": None if peak is None or before is None else peak - before,
    }
    Path(answer).write_text(json.dumps(data))


def peak_memory() -> int | None:
    """The most memory that this process ever held (resident, in bytes); None where the system does not tell."""
    try:  # on Linux; what `resource` says there includes the process that started this one
        status = Path("/proc/self/status").read_text()
        return 1024 * int(status.partition("VmHWM:")[2].split()[0])
    except (OSError, IndexError):
        pass
    try:
        import resource
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main(*sys.argv[1:])
