"""What a bot is to the engine: a class in Python, a compiled policy, or a program outside of this process."""

import inspect
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from arena.engine.numba_errors import explain
from arena.engine.sources import sources_digest
from arena.engine.view import View
from arena.errors import UsageError
from arena.rules import compiler
from arena.rules.actions import Action
from arena.rules.board import BOARD
from arena.rules.compiler import INTERPRETED, Kernel
from arena.rules.view import VIEW

MEMORY = 256
"""Numbers (float64) that a policy may keep during one game; the first ones are its parameters."""
Agent = Callable[[int], int]
"""What decides for a seat in one game: the number of legal actions in, an action's integer out."""


class Bot:
    """A bot in Python: override `choose`. An instance plays one seat of one game and is then thrown away."""

    _seed = 0  # set on the class before an instance is made, so that `rng` works in its constructor too

    def choose(self, view: View) -> Action:
        """One of `view.actions`, of which there are two or more: a single one is played without a question.

        Anything else is a fault: a random bot plays on and the seat is ranked last.
        """
        raise NotImplementedError  # the catalog refuses a class that does not override it

    @classmethod
    def prepare(cls) -> None:
        """Called once before the first game of a run, in the process that starts the workers: compile kernels here."""

    @classmethod
    def repeatable(cls, **parameters: Any) -> bool:
        """Whether a bot with these parameters plays the same game again; False for one that plays by the clock."""
        return True

    @cached_property
    def rng(self) -> random.Random:
        """The only source of chance that keeps runs reproducible: seeded by the deal and the seat."""
        return random.Random(self._seed)


def prepares(bot: Any) -> bool:
    """Whether a class of bots has something to compile: a `prepare` of its own."""
    return getattr(bot.prepare, "__func__", bot.prepare) is not Bot.prepare.__func__  # type: ignore[attr-defined]


def kernel(function: Any) -> Any:
    """Mark a helper that compiled policies call; the code is cached by the digest of the bot's sources."""
    return function if INTERPRETED else Kernel(function, sources_digest(inspect.getfile(function)), "python")


def exported(*arguments: str, returns: str | None = None) -> Any:
    """Mark a helper that is compiled once, by itself, and not again for each bot that calls it: what is large.

    arguments, returns: `view`, `board`, `i8` (a whole number), `i4[]` (actions), `f8[]` (a memory),
    `u8[]` (a random state).
    """
    records = {"view": VIEW, "board": BOARD}
    types = [records.get(word, word) for word in arguments]

    def mark(function: Any) -> Any:
        sources = sources_digest(inspect.getfile(function))
        return compiler.exported(*types, returns=returns, sources=sources, divide="python")(function)

    return mark


def _policy_signature() -> Any:
    import numba
    from numba.core import types

    return types.int64(
        numba.from_dtype(VIEW), numba.from_dtype(BOARD), types.Array(types.int32, 1, "C"),
        types.Array(types.float64, 1, "C"), types.Array(types.uint64, 1, "C"),
    )  # fmt: skip


class Policy:
    """A compiled bot: a function and the defaults of its parameters.

    The function is `(view, board, actions, memory, random_state) -> action`. `actions` are the legal ones (int32);
    `memory` is float64[MEMORY], kept during one game: the parameters in the order declared, then zeros;
    `random_state` is uint64[1], the seat's own: `next_below(random_state, 0, bound)` draws from it.
    """

    def __init__(self, function: Callable[..., int], defaults: dict[str, float]) -> None:
        self.function = function
        self.defaults = defaults
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self._compiled: Callable[..., int] | None = None

    @property
    def file(self) -> str:
        """The source file of the function."""
        return inspect.getfile(self.function)

    def memory(self, parameters: Mapping[str, float] | None = None) -> np.ndarray:
        """The memory at the start of a game, float64 [MEMORY]: the parameters, then zeros."""
        values = {**self.defaults, **(parameters or {})}
        memory = np.zeros(MEMORY)
        memory[: len(values)] = [values[name] for name in self.defaults]
        return memory

    def check(self) -> None:
        """UsageError if the function does not take the five arguments."""
        parameters = inspect.signature(self.function).parameters
        if len(parameters) != 5:
            raise UsageError(
                f"policy {self.__name__} takes {len(parameters)} arguments; "
                "it must take five: view, board, actions, memory, random_state"
            )

    def compile(self) -> Callable[..., int]:
        """The machine code; UsageError if Numba cannot compile the function."""
        if self._compiled is None:
            self.check()
            self._compiled = self._compile()
        return self._compiled

    def address(self) -> Any:
        """The address of the machine code, for the game loop; the function itself if nothing is compiled."""
        code: Any = self.compile()
        if INTERPRETED:
            return code
        (made,) = code.overloads.values()
        return made.library.get_pointer_to_function(made.fndesc.llvm_func_name)

    def _compile(self) -> Callable[..., int]:
        if INTERPRETED:
            return self.function
        try:
            code = Kernel(self.function, sources_digest(self.file), "python").compile(_policy_signature())
        except Exception as error:  # Numba raises its own errors, but a KeyError for an unknown field
            raise UsageError(f"policy {self.__name__} does not compile: {explain(error)}") from error
        if code.nopython_signatures[0].return_type != _policy_signature().return_type:
            raise UsageError(f"policy {self.__name__} never returns an action")
        return code


class Outside:
    """A bot whose code is not loaded in this process: it is asked for each decision."""

    repeatable: bool = True
    """Whether it plays the same game again: see `Bot.repeatable`."""
    is_policy: bool = False
    """Whether it is a compiled function, which is known once it is seated."""

    @property
    def prepared(self) -> bool:
        """Whether nothing is left to be compiled."""
        return True

    def prepare(self) -> None:
        """Compile what there is to compile, once before the first game of a run."""

    def seat_bot(self, table: Any, seat: int, seed: int) -> Agent:
        """What decides for a seat of a new game at a `GameTable`; see `GameTable.seat_bot`."""
        raise NotImplementedError  # only kinds of bot that define it are ever made

    def close(self) -> None:
        """End what was started for it."""


@dataclass(frozen=True)
class Entrant:
    """A bot with its parameters, under the name that the tables show."""

    name: str
    spec: str
    """The bot as a command line names it."""
    bot: Policy | type[Bot] | Outside
    parameters: dict[str, Any]
    digest: str
    """The digest of the bot's sources."""

    def memory(self) -> np.ndarray:
        """A policy's memory at the start of a game, float64 [MEMORY]: its parameters, then zeros."""
        return self.bot.memory(self.parameters) if isinstance(self.bot, Policy) else np.zeros(MEMORY)

    @property
    def is_always_asked(self) -> bool:
        """Whether it decides even where there is one legal action: a policy may draw random numbers there, or count."""
        return isinstance(self.bot, Policy) or (isinstance(self.bot, Outside) and self.bot.is_policy)


def is_repeatable(bot: "Policy | type[Bot] | Outside", parameters: Mapping[str, Any]) -> bool:
    """Whether a bot plays the same game again; UsageError if its class cannot say."""
    if isinstance(bot, Policy):
        return True
    if isinstance(bot, Outside):
        return bot.repeatable
    try:
        return bool(bot.repeatable(**parameters))
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise UsageError(f"bot {bot.__name__}: repeatable({dict(parameters)}) raises {reason}") from error


def policy(function: Callable[..., int] | None = None, /, **defaults: float) -> Any:
    """Make a compiled bot of a function: `@policy`, or `@policy(name=default, ...)` with parameters."""
    if function is not None and not callable(function):
        raise TypeError(f"@policy({function!r}): a parameter has a name and a number, as in @policy(least=3)")
    if function is not None:
        return Policy(function, {})
    try:
        numbers = {name: float(value) for name, value in defaults.items()}
    except (TypeError, ValueError):
        given = ", ".join(f"{name}={value!r}" for name, value in defaults.items())
        raise TypeError(f"@policy({given}): the default of a parameter is a number") from None
    return lambda function: Policy(function, numbers)
