"""`kernel` and `exported`: functions that Numba compiles when they are first called.

With NUMBA_DISABLE_JIT=1 they are plain Python and give the same bytes.
"""

import functools
import gc
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from arena.rules.compiler import symbols
from arena.rules.compiler.cache import CodeCache
from arena.rules.compiler.linking import compiling, links_once
from arena.rules.compiler.numba_settings import INTERPRETED, numba
from arena.rules.compiler.store import cache_dir

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
        """What the function returns. Who calls it very often calls `entry`, which saves a step."""
        return self.entry(*arguments)

    @cached_property
    def entry(self) -> Any:
        """Numba's dispatcher for calls from Python; its code is cached on disk."""
        return self._dispatcher(None)

    def compile(self, signature: Any) -> Any:
        """The dispatcher for calls from Python, compiled for one signature or loaded from disk."""
        with while_compiling():
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
        dispatcher = numba().njit(error_model=self._divide, boundscheck=None)(self.py_func)
        dispatcher._cache = CodeCache(self.py_func, self._sources)
        compile_for = dispatcher._compile_for_args

        def compile_once(*arguments: Any, **named: Any) -> Any:
            with while_compiling():
                return compile_for(*arguments, **named)

        dispatcher._compile_for_args = compile_once
        if signature is not None:
            dispatcher.compile(signature)
            dispatcher.disable_compile()
        return dispatcher


class Exported(Kernel):
    """A kernel that is compiled with its module to a unit of machine code, which all other code calls by its symbol."""

    units: ClassVar[dict[str, list["Exported"]]] = {}
    """All of them, by module."""

    def __init__(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], returns: Any, sources: str, divide: str
    ) -> None:
        super().__init__(function, sources, divide)
        self.arguments, self.returns = arguments, returns
        self.unit = function.__module__
        self.symbol = f"{self.unit}.{function.__name__}"
        symbols.known.add(self.symbol)
        unit = self.units.setdefault(self.unit, [])
        unit[:] = [other for other in unit if other.symbol != self.symbol] + [self]  # a module can be loaded again

    @property
    def folder(self) -> Path:
        """Where the unit lies on disk."""
        return cache_dir(self._sources, self.unit) if self._sources else cache_dir()

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
        return symbols.function_type(self.symbol, self.signature)


@contextmanager
def while_compiling() -> Iterator[None]:
    """Around whatever compiles, or loads, a function that Python calls."""
    collecting = gc.isenabled()
    gc.disable()  # a compilation makes millions of objects and hardly any garbage: looking for it takes a fifth of it
    try:
        with compiling():
            yield
    finally:
        if collecting:
            gc.enable()


def tell_progress(weight: int) -> None:
    """Tell all listeners that so much has been compiled (see `weight_of`)."""
    for told in progress_listeners:
        told(weight)


def _compile_and_tell(dispatcher: Any, usual: Callable[..., Any], signature: Any) -> Any:
    before = len(dispatcher.overloads)
    result = usual(signature)
    if len(dispatcher.overloads) > before:
        tell_progress(len(dispatcher.py_func.__code__.co_code))
    return result


def below(*functions: Any, exported: bool) -> Iterator[Kernel]:
    """The kernels that some functions call, directly or not; with those of units and what these call, if asked for."""
    seen: set[Any] = set()
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        for other in _called(getattr(function, "py_func", function)):
            if isinstance(other, Kernel) and other not in seen and (exported or not isinstance(other, Exported)):
                seen.add(other)
                yield other
                waiting.append(other)


def _called(function: Any) -> Iterator[Any]:
    """What a function can call by a name: of its module, of a module that this has imported, or around it."""
    code = function.__code__
    around = (cell.cell_contents for cell in function.__closure__ or ())
    for value in (*map(function.__globals__.get, code.co_names), *around):
        yield value
        if inspect.ismodule(value):
            yield from (getattr(value, name, None) for name in code.co_names)


def weight_of(*functions: Any) -> int:
    """How much there is to compile in some functions and the kernels below them: bytes of their bytecode."""
    kernels = {*functions, *below(*functions, exported=False)}
    return sum(len(getattr(function, "py_func", function).__code__.co_code) for function in kernels)


def _type_of(description: Any) -> Any:
    """Numba's type for a record's dtype, or for a word: `i8`, `i4[]` (an array), `f8[,]` (of two dimensions)."""
    from numba import from_dtype
    from numba.core import types

    if isinstance(description, str):
        name, array, rest = description.partition("[")
        scalar = {"i8": types.int64, "u8": types.uint64, "i4": types.int32, "f8": types.float64, "b1": types.boolean}[
            name
        ]
        return types.Array(scalar, len(rest), "C") if array else scalar
    return from_dtype(description)


def _template_of_few_types(usual: Callable[..., Any], arguments: Any, named: Any) -> Any:
    """The call template of a part, which is compiled for one set of integer types: all are handed on as int64."""
    from numba.core import types

    def common(argument: Any) -> Any:
        plain = types.unliteral(argument)
        return types.int64 if isinstance(plain, types.Integer) and plain != types.uint64 else plain

    return usual(tuple(map(common, arguments)), {name: common(value) for name, value in named.items()})


def kernel(function: F) -> F:
    """Mark a function of the arena that Python or other kernels call."""
    return function if INTERPRETED else Kernel(function)  # type: ignore[return-value]


def exported(*arguments: Any, returns: Any = None, sources: str = "", divide: str = "numpy") -> Callable[[F], F]:
    """Mark a kernel that is compiled with its module and called by its symbol: what is large and called from afar.

    arguments, returns: dtypes of records, or words: `i8`, `u8`, `b1`, `i4[]` (an array). The rest is as of `Kernel`.
    """
    return lambda function: (
        function if INTERPRETED else Exported(function, arguments, returns, sources, divide)  # type: ignore[return-value]
    )
