"""`kernel`, `inner` and `exported`: functions that Numba compiles when they are first called.

With NUMBA_DISABLE_JIT=1 they are plain Python and give the same bytes.
"""

import functools
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Any, TypeVar

from arena.kernels.linking import compiling, links_once
from arena.kernels.numba_settings import INTERPRETED, numba
from arena.kernels.store import cache_dir

F = TypeVar("F", bound=Callable[..., Any])

progress_listeners: list[Callable[[int], None]] = []
"""Called with the weight of each function that has been compiled."""


class Kernel:
    """A function that is compiled: as a whole when Python calls it, as a part of others when kernels call it."""

    def __init__(self, function: Callable[..., Any], sources: str = "", divide: str = "numpy") -> None:
        """sources: the digest of a bot's sources; empty for a function of the arena.

        divide: `python` raises ZeroDivisionError, `numpy` does not ask.
        """
        functools.update_wrapper(self, function)
        self.py_func = function
        self._sources, self._divide = sources, divide

    def __call__(self, *arguments: Any) -> Any:
        return self.entry(*arguments)

    @cached_property
    def entry(self) -> Any:
        """Numba's dispatcher for calls from Python; its code is cached on disk."""
        return self._dispatcher(None)

    def compile(self, signature: Any) -> Any:
        """The dispatcher for calls from Python, compiled for one signature or loaded from disk."""
        with for_python():
            return self._dispatcher(signature)

    @cached_property
    def part(self) -> Any:
        """Numba's dispatcher for calls from kernels: nothing of it is emitted by itself, nothing is on disk."""
        if not links_once():
            return self.entry
        options = {"error_model": self._divide, "boundscheck": None}
        dispatcher = numba().njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(self.py_func)
        dispatcher.get_call_template = functools.partial(_template_of_few_types, dispatcher.get_call_template)
        dispatcher._insert = lambda *_, **__: None  # Numba would jump to the missing wrapper
        dispatcher.compile = functools.partial(_compile_and_tell, dispatcher, dispatcher.compile)
        return dispatcher

    @cached_property
    def _numba_type_(self) -> Any:
        """What Numba takes it for where a kernel calls it."""
        from numba.core import types

        return types.Dispatcher(self.part)

    def _dispatcher(self, signature: Any) -> Any:
        config = numba().config
        before = config.CACHE_DIR
        folder = cache_dir(self._sources, self.__module__) if self._sources else cache_dir()
        config.CACHE_DIR = str(folder)  # read by Numba at decoration only
        try:
            options = {"cache": True, "error_model": self._divide, "boundscheck": None}
            dispatcher = numba().njit(**options)(self.py_func)
        finally:
            config.CACHE_DIR = before
        _survive_the_disk(dispatcher._cache)
        compile_for = dispatcher._compile_for_args

        def compile_once(*arguments: Any, **named: Any) -> Any:
            with for_python():
                return compile_for(*arguments, **named)

        dispatcher._compile_for_args = compile_once
        if signature is not None:
            dispatcher.compile(signature)
            dispatcher.disable_compile()
        return dispatcher


class Exported(Kernel):
    """A kernel that is compiled with its module to a unit of machine code, which all other code calls by its symbol."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...], returns: Any) -> None:
        super().__init__(function)
        self.arguments, self.returns = arguments, returns
        self.symbol = f"{function.__module__}.{function.__qualname__}"

    @cached_property
    def signature(self) -> Any:
        """The signature for Numba."""
        from numba.core import types, typing

        returns = types.void if self.returns is None else _type_of(self.returns)
        return typing.signature(returns, *map(_type_of, self.arguments))

    @cached_property
    def _numba_type_(self) -> Any:
        if not links_once():
            return super()._numba_type_
        from arena.kernels.symbols import function_type

        return function_type(self.symbol, self.signature)


@contextmanager
def for_python() -> Iterator[None]:
    """Around whatever compiles, or loads, a function that Python calls: the units that it may call are there."""
    from arena.kernels.units import load_units

    collecting = gc.isenabled()
    gc.disable()  # a compilation makes millions of objects and hardly any garbage: looking for it takes a fifth of it
    try:
        load_units()
        with compiling():
            yield
    finally:
        if collecting:
            gc.enable()


def _survive_the_disk(cache: Any) -> None:
    """What a cache file cannot be written to, or holds that it should not, costs time and nothing else."""
    load, save = cache.load_overload, cache.save_overload

    def load_if_whole(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception:  # whatever the remains of a pickle may raise
            with suppress(OSError):
                cache.flush()
            return None

    def save_if_possible(*arguments: Any) -> None:
        with suppress(OSError):
            save(*arguments)

    cache.load_overload, cache.save_overload = load_if_whole, save_if_possible


def tell_progress(weight: int) -> None:
    """Tell whoever shows it that so much has been compiled (see `weight_of`)."""
    for told in progress_listeners:
        told(weight)


def _compile_and_tell(dispatcher: Any, usual: Callable[..., Any], signature: Any) -> Any:
    before = len(dispatcher.overloads)
    result = usual(signature)
    if len(dispatcher.overloads) > before:
        tell_progress(len(dispatcher.py_func.__code__.co_code))
    return result


def weight_of(*functions: Any) -> int:
    """How much there is to compile in some functions and all kernels below them: bytes of their bytecode."""
    seen: set[Any] = set()
    waiting = [getattr(function, "py_func", function) for function in functions]
    total = 0
    while waiting:
        function = waiting.pop()
        if function not in seen:
            seen.add(function)
            total += len(function.__code__.co_code)
            called = (function.__globals__.get(name) for name in function.__code__.co_names)
            waiting += [
                other.py_func for other in called if isinstance(other, Kernel) and not isinstance(other, Exported)
            ]
    return total


def _type_of(description: Any) -> Any:
    """Numba's type for a record's dtype, or for a word like `i8`, or `i4[]` for an array."""
    from numba import from_dtype
    from numba.core import types

    if isinstance(description, str):
        name, array, _ = description.partition("[]")
        scalar = {"i8": types.int64, "u8": types.uint64, "i4": types.int32, "b1": types.boolean}[name]
        return types.Array(scalar, 1, "C") if array else scalar
    return from_dtype(description)


def _template_of_few_types(usual: Callable[..., Any], arguments: Any, named: Any) -> Any:
    """The call template of a part, which is compiled for one set of integer types: all are handed on as int64."""
    from numba.core import types

    def common(argument: Any) -> Any:
        plain = types.unliteral(argument)
        return types.int64 if isinstance(plain, types.Integer) and plain != types.uint64 else plain

    return usual(tuple(map(common, arguments)), {name: common(value) for name, value in named.items()})


def kernel(function: F) -> F:
    """Mark a function of the arena that Python and other kernels call."""
    return function if INTERPRETED else Kernel(function)  # type: ignore[return-value]


inner = kernel
"""Mark a function that only kernels call."""


def exported(*arguments: Any, returns: Any = None) -> Callable[[F], F]:
    """Mark a kernel that is compiled with its module and called by its symbol: what is large and called from afar.

    arguments, returns: dtypes of records, or words: `i8`, `u8`, `b1`, `i4[]` (an array).
    """

    def mark(function: F) -> F:
        if INTERPRETED:
            return function
        from arena.kernels.units import register

        marked = Exported(function, arguments, returns)
        register(marked)
        return marked  # type: ignore[return-value]

    return mark
