"""Plays a bot's games in a new process, where it may crash and its memory and bounds are checked."""

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.catalog import load_entrant, load_map
from arena.checks.bot.games import Game, GameKey, play
from arena.runs.compile import compile_all
from arena.texts import Say

COMMAND = (sys.executable, "-P", "-m", "arena.checks.bot.fresh_process")


@dataclass(frozen=True)
class Fresh:
    """What a process found."""

    games: list[Game]
    peak: int | None
    """The most memory it ever held, in bytes; None where the system does not tell."""
    growth: int | None
    """How much the games raised it, in bytes."""
    died: str = ""
    """How it ended before it could tell anything."""


def play_afresh(spec: str, keys: Sequence[GameKey], say: Say = lambda text: None, **environment: str) -> Fresh:
    """Play some games in a new process with these environment variables; `say` which ones are being played."""
    with tempfile.TemporaryDirectory() as folder:
        asked, answer, printed = (Path(folder, name) for name in ("asked", "answer", "printed"))
        asked.write_bytes(pickle.dumps((spec, list(keys))))
        with (
            printed.open("wb") as output,
            subprocess.Popen([*COMMAND, asked, answer], env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=output, text=True) as process,
        ):  # fmt: skip
            try:
                begun = _follow(process.stdout or (), keys, say)
                code = process.wait()
            except BaseException:
                process.kill()
                raise
        if code == 0 and answer.exists():  # a bot can end the process with any code
            return Fresh(*pickle.loads(answer.read_bytes()))
        last = printed.read_text(errors="replace").strip().rpartition("\n")[2]
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    where = f" in the game {keys[begun]}" if begun >= 0 else ""
    return Fresh([], None, None, f"{how}{where}{f'; its last line was: {last[:300]}' if last else ''}")


def _follow(lines: Iterable[str], keys: Sequence[GameKey], say: Say) -> int:
    """Read the numbers of the games that are begun and say each map that is reached; the last number, or -1."""
    begun = -1
    for line in lines:
        begun = int(line)
        name = keys[begun].map
        if begun == 0 or keys[begun - 1].map != name:
            last = next((number for number in range(begun, len(keys)) if keys[number].map != name), len(keys))
            say(f"{name}: games {begun + 1} to {last} of {len(keys)} ...")
    return begun


def other_hash_seed() -> str:
    """A PYTHONHASHSEED that this process does not have: sets of strings are then in another order."""
    return "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"


def main(asked: str, answer: str) -> None:
    """What runs in the process: play what a file asks for and write the answer into another."""
    with os.fdopen(os.dup(1), "w", buffering=1) as progress:
        os.dup2(2, 1)  # what a bot prints goes elsewhere
        spec, keys = pickle.loads(Path(asked).read_bytes())
        entrant = load_entrant(spec)
        compile_all([entrant], load_map(keys[0].map), keys[0].seats, lambda text: None)
        before = peak_memory()
        games = play(entrant, keys, lambda number: progress.write(f"{number}\n"))
        peak = peak_memory()
    growth = None if peak is None or before is None else peak - before
    Path(answer).write_bytes(pickle.dumps((games, peak, growth)))


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
