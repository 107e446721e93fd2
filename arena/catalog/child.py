"""What runs in the process of an isolated bot: it loads the bot and lets it decide.

The supervisor has shut the process off before this module is loaded. What it is told: the bot's spec, the map, the
number of seats, and at each decision the view, the legal actions and, once a game, the random state of the seat.
"""

import contextlib
import json
import os
import pickle
import resource
import select
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def main() -> None:
    """Load the bot, say what it is, compile it if asked to, and play until the worker closes the channel."""
    orders = json.loads(sys.argv[1])
    questions, answers = _channel()
    _lay_out_cache(orders["caches"])
    import faulthandler

    faulthandler.enable()  # after a segmentation fault it says where

    from arena.engine.limits import limit_memory
    from arena.engine.table import Table

    with questions:
        around = pickle.load(questions)  # the map, the number of seats, the limits; nothing if the bot is not to play
        if around:
            _load_kernels(*around[:2])
        limit_memory(orders["memory"], for_good=True)
        entrant = _tell(answers, lambda: _load(orders["bot"], prepared=bool(around)))
        if orders["keep"]:
            _tell(answers, lambda: _prepare(entrant, orders["keep"]))
        elif around:
            spec, seats, limits = around
            _play(Table(spec, seats, [entrant], limits), entrant, questions, answers)


def _channel() -> tuple[Any, int]:
    """Stdin and stdout are the channel; the bot gets others: nothing to read, and stderr, whose end is kept."""
    questions, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    for name in ("stdout", "stderr"):
        setattr(sys, name, os.fdopen(1, "w", buffering=1, encoding="utf-8", errors="replace", closefd=False))
    return os.fdopen(questions, "rb"), answers


def _lay_out_cache(caches: list[str]) -> None:
    """A cache folder of our own with links to compiled code: Numba loads nothing from one that it cannot write to."""
    own = Path(os.environ["ARENA_CACHE_DIR"])
    own.mkdir()
    for cache in caches:
        for folder, _, files in os.walk(cache):
            there = own / Path(folder).relative_to(cache)
            there.mkdir(exist_ok=True)
            for name in files:
                with contextlib.suppress(FileExistsError):
                    os.symlink(f"{folder}/{name}", there / name)


def _keep_compiled(keep: str) -> None:
    """Copy what was compiled here to where the next process of this bot finds it."""
    own = Path(os.environ["ARENA_CACHE_DIR"])
    for folder, _, files in os.walk(own):
        for name in files:
            if not os.path.islink(f"{folder}/{name}"):
                there = Path(keep, Path(folder).relative_to(own))
                there.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(f"{folder}/{name}", there / f"{name}.{os.getpid()}.new")
                os.replace(there / f"{name}.{os.getpid()}.new", there / name)


def _tell(answers: int, work: Callable[[], Any]) -> Any:
    """Do something and tell what came of it; the process ends if it failed."""
    from arena.catalog import LoadError
    from arena.engine.external.records import write_object
    from arena.engine.faults import reason_of
    from arena.errors import UsageError

    told: dict[str, str] = {}
    result: Any = None
    try:
        result = work()
        told = _facts(result) if result else {}
    except LoadError as error:
        told = {"failure": str(error)}
    except UsageError as error:
        told = {"refusal": str(error)}
    except BaseException as error:
        told = {"failure": reason_of(error)}
    sys.stdout.flush()
    _write(answers, write_object(told))
    if "failure" in told or "refusal" in told:
        os._exit(0)
    return result


def _load_kernels(spec: Any, seats: int) -> None:
    """Load the compiled code behind a view: the bot's first decision is not to take longer for it."""
    import numpy as np

    from arena.engine.compile_board import compile_board
    from arena.engine.view import View
    from arena.rules.actions import Action
    from arena.rules.board import BOARD
    from arena.rules.view import VIEW_BYTES

    boards = np.frombuffer(compile_board(spec, seats).tobytes(), BOARD)
    view = View(spec, boards, bytes(VIEW_BYTES))
    view.path(spec.cities[0].name, spec.cities[1].name)
    view.is_connected(spec.cities[0].name, spec.cities[1].name)
    for line in spec.provinces:
        view.placement_gain(Action("place", line=line.color))


def _load(spec: str, prepared: bool) -> Any:
    from arena.catalog import load_entrant

    entrant = load_entrant(spec)
    if prepared:  # its own compiled code, which has been kept
        _prepare(entrant)
    return entrant


def _facts(entrant: Any) -> dict[str, str]:
    """What is told of a bot that has been loaded."""
    from arena.engine.bots import Policy, is_repeatable, prepares
    from arena.errors import UsageError

    is_policy = isinstance(entrant.bot, Policy)
    compiles = is_policy or prepares(entrant.bot)
    by_clock = False
    with contextlib.suppress(UsageError):  # what it says is asked for again by who needs it
        by_clock = not is_repeatable(entrant.bot, entrant.parameters)
    resident = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "digest": entrant.digest, "policy": "yes" * is_policy, "compiles": "yes" * compiles,
        "by_clock": "yes" * by_clock, "resident": str(resident),
    }  # fmt: skip


def _prepare(entrant: Any, keep: str = "") -> None:
    from arena.catalog import LoadError
    from arena.engine.bots import Policy
    from arena.errors import UsageError

    try:
        (entrant.bot.compile if isinstance(entrant.bot, Policy) else entrant.bot.prepare)()
    except UsageError as error:
        raise LoadError(str(error)) from None
    if keep:
        _keep_compiled(keep)


def _play(table: Any, entrant: Any, questions: Any, answers: int) -> None:
    """Answer questions until there are no more."""
    from arena.engine.external.lookout import Lookout
    from arena.engine.external.records import ACTIONS_AT, FIRST, HEAD, ON, QUESTION, write_answer

    shown = table.desk.shown
    agents: dict[int, Callable[[int], int]] = {}
    waiting = select.poll()
    waiting.register(questions.fileno(), select.POLLIN)
    lookout = Lookout(waiting.poll)
    while True:
        lookout.look()
        if not (head := questions.read(HEAD)):
            return
        size, order, seat, seed = QUESTION.unpack(head)
        size += 4
        questions.readinto(shown[: size - HEAD])
        if order == FIRST:
            agents.clear()
        if order != ON:
            agents.pop(seat, None)  # before the next one is there: one bot has one instance
        try:
            if order != ON:
                table.random_states[seat] = seed
                agents[seat] = table.seat_bot(seat, entrant, seed)
            answer = write_answer(agents[seat]((size - ACTIONS_AT) // 4))
        except BaseException as error:
            answer = write_answer(0, _trouble(table, error))
            table.place = table.traceback = ""
            sys.stdout.flush()
        _write(answers, answer)


def _trouble(table: Any, error: BaseException) -> Any:
    """The fault that `Table.decide` would record."""
    from arena.engine.external.records import Trouble
    from arena.engine.faults import BotFault, printable, reason_of
    from arena.engine.loop import FAULT_EXCEPTION, FAULT_MEMORY

    if isinstance(error, BotFault):
        return Trouble(error.kind, printable(error), error.traceback)
    kind = FAULT_MEMORY if isinstance(error, MemoryError) else FAULT_EXCEPTION
    return Trouble(kind, reason_of(error) + table.place, table.traceback)


def _write(number: int, data: bytes) -> None:
    while data:
        data = data[os.write(number, data) :]
