"""How an external bot's process begins: its program, its environment and its folders."""

import contextlib
import json
import os
import pickle
import sys
import time
from hashlib import blake2b
from pathlib import Path

from arena.engine.external.process import ROOT, BotProcess, Ended, TimedOut, TooLong
from arena.engine.external.records import LONGEST, PLAIN, answers, read_object, text_in
from arena.errors import ArenaError
from arena.rules.compiler.place import cache_root

LOAD_SECONDS = 60.0
"""For a bot's process to start and load the bot."""
NOT_AN_ANSWER = "its process sent something that is not an answer"
_CHILD = "import sys; sys.path[:] = __import__('json').loads(sys.argv.pop(1)); " + (
    "from arena.catalog.child import main; main()"
)
_KEPT = ("NUMBA_", "LD_LIBRARY_PATH", "DYLD_")
"""Variables of the environment that change how Python and Numba work; no others are passed on."""
_hidden: list[str] = []


class Silent(ArenaError):
    """A process that ended, or took too long, before it said anything: another time it may be otherwise."""


def hide(run: Path) -> None:
    """Bots' processes that start from now on find this folder empty: a run's plan lies there, with the seed."""
    if (run / "plan.json").is_file():
        _hidden.append(str(run.resolve()))


def hidden() -> list[str]:
    """The folders that bots' processes find empty."""
    return [*_hidden]


def cache_of(spec: str) -> Path:
    """The folder of what was compiled of a bot: only processes of this bot read it."""
    return cache_root() / blake2b(f"isolated {spec}".encode(), digest_size=8).hexdigest()


def launch(spec: str, memory: int, around: object = None, *, keep: bool = False) -> BotProcess:
    """A process that loads the bot of a spec, to play around a (map, seats, limits); keep: to compile it."""
    path = [os.path.abspath(folder) for folder in sys.path]
    kept = str(cache_of(spec))
    caches = [str(cache_root()), kept]
    environment = {
        "ARENA_CACHE_DIR": "{scratch}/cache", "HOME": "{scratch}", "TMPDIR": "{scratch}", "LC_CTYPE": "C.UTF-8",
        "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
        **{name: value for name, value in os.environ.items() if name.startswith(_KEPT)},
    }  # fmt: skip
    orders = {"bot": spec, "memory": memory, "caches": caches, "keep": kept if keep else ""}
    process = BotProcess(
        [sys.executable, "-I", "-X", "utf8", "-c", _CHILD, json.dumps(path), json.dumps(orders)],
        framing=answers, longest=LONGEST, environment=environment,
        used=[ROOT, sys.prefix, sys.base_prefix, *path, *caches], writable=[kept] if keep else [], hidden=_hidden,
    )  # fmt: skip
    with contextlib.suppress(Ended, TimedOut):  # the next who asks is told why
        process.send(pickle.dumps(around), time.monotonic() + LOAD_SECONDS)
    return process


def hear(process: BotProcess, seconds: float) -> dict[str, str]:
    """The texts that a process tells before its first game; Silent if none come."""
    try:
        told = read_object(process.receive(time.monotonic() + seconds)[PLAIN:])
        return {key: text_in(told, key, 500) for key in told}
    except TimedOut:
        raise Silent(f"its process does not load it within {seconds:g} s") from None
    except Ended:
        raise Silent(f"its process ended while it was loaded: {process.end()}") from None
    except (ValueError, TooLong):
        raise Silent(NOT_AN_ANSWER) from None
