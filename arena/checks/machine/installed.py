"""Whether the installed bots and maps can be loaded; bots are loaded in another process, which runs this module."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from arena.checks.findings import PROBLEM, WARNING, Finding, joined
from arena.errors import UsageError
from arena.texts import counted, ending

COMMAND = (sys.executable, "-P", "-m", "arena.checks.machine.installed")
SECONDS = 60.0
"""For all bots to load; one that is not done by then hangs."""


def bots() -> Finding:
    """Whether the entry point of every installed bot leads to a bot that can play."""
    from arena.catalog import bot_entry_points

    names = list(bot_entry_points())
    wrong = {name: reason for name, reason in load_all(names).items() if reason}
    detail = f"{counted(len(names) - len(wrong), 'bot')} of {len(names)} can be loaded."
    complaints = [(PROBLEM, reason if reason.endswith(".") else f"{reason}.") for reason in wrong.values()]
    if not names:
        complaints.append((PROBLEM, "No bot is installed, not even the arena's own: reinstall it (pip install .)."))
    return joined("bots", detail, complaints, bots=names, broken=wrong)


def load_all(names: Sequence[str], seconds: float = SECONDS) -> dict[str, str]:
    """By bot, in one sentence, why it cannot be loaded; empty for those that can.

    One process loads one after the other; where it ends or hangs, the next one goes on after that bot.
    """
    reasons: dict[str, str] = {}
    while left := [name for name in names if name not in reasons]:
        with tempfile.TemporaryDirectory() as folder:
            answers = Path(folder, "answers")
            try:
                run = subprocess.run(
                    [*COMMAND, str(answers), *left], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL, timeout=seconds, check=False, env={**os.environ, "PYTHONPATH": _path()},
                )  # fmt: skip
                how = f"its import ends the process ({ending(run.returncode)})"
            except subprocess.TimeoutExpired:
                how = f"its import did not end within {seconds:g} seconds"
            lines = answers.read_text(encoding="utf-8").splitlines() if answers.exists() else []
        done = dict(json.loads(line) for line in lines)
        reasons |= done
        if len(done) < len(left):
            guilty = left[len(done)]
            reasons[guilty] = f"bot {guilty!r}: {how}"
    return reasons


def _path() -> str:
    """The module path of this process, for another one: what was found here must be found there."""
    return os.pathsep.join(path for path in sys.path if path)


def maps() -> Finding:
    """Every known map."""
    from arena.catalog import load_map, map_names

    complaints, names = [], map_names()
    for name in names:
        try:
            load_map(name)
        except UsageError as error:
            text = " ".join(str(error).split())
            complaints.append((PROBLEM, f"{text}."))
    detail = f"{counted(len(names) - len(complaints), 'map')} of {len(names)} can be loaded: {', '.join(names)}."
    if not names:
        complaints.append((WARNING, "No map was found."))
    return joined("maps", detail, complaints, maps=names)


def main(answers: str, *names: str) -> None:
    """Load bots by name; append [name, why it cannot be loaded or nothing] to a file, a line of JSON each."""
    from arena.catalog import load_entrant

    for name in names:
        reason = ""
        try:
            load_entrant(name)
        except UsageError as error:
            reason = " ".join(str(error).split())
        with open(answers, "a", encoding="utf-8") as file:
            file.write(json.dumps([name, reason]) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
