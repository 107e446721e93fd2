"""How Numba compiles each line once: a function that only kernels call is optimized in its caller.

Numba (0.68) links the optimized code of all callees into each function, optimizes the whole again and emits machine
code for it, although only the outermost one is ever called: the deeper a function lies, the more often LLVM sees it.
Here a library keeps the code of such a function as it was lowered; a function that is called from Python links
everything below it, once. Measurements are in docs/decisions.md.
"""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from arena.rules.compiler import symbols
from arena.rules.compiler.numba_settings import numba

OLDEST, NEWEST = (0, 68), (0, 68)
"""Versions of Numba with which this was tried; with others everything is compiled in Numba's own way."""

_depth = 0


@functools.cache
def links_once() -> bool:
    """Whether this Numba is one that the classes below fit."""
    return OLDEST <= tuple(map(int, numba().__version__.split(".")[:2])) <= NEWEST


def load_compiler() -> None:
    """Import all of Numba that compiles: half a second, which processes that are forked afterwards save."""
    numba()
    from numba.core.registry import cpu_target

    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()


@functools.cache
def library_class() -> Any:
    """The class of code library that links the functions below it when it is finalized, each of them once."""
    import llvmlite.binding as llvm
    from numba.core.codegen import JITCodeLibrary

    class LateLibrary(JITCodeLibrary):  # type: ignore[misc]  # Numba publishes no types
        """Code that is not optimized by itself unless somebody wants to run it."""

        def add_linking_library(self, library: Any) -> None:
            if not isinstance(library, LateLibrary):
                library._ensure_finalized()
            self._linking_libraries.append(library)

        _linking_libraries: list[Any]
        _shared_module: Any
        needed: list[str]
        """The units whose symbols it calls, once it is linked."""

        def finalize(self) -> None:
            self._link()
            symbols.load_units(self.needed)
            super().finalize()

        def machine_code(self) -> bytes:
            """An object file of the code and all below it, which is not loaded here."""
            self._link()
            self._optimize_final_module()
            self._final_module.verify()
            return bytes(self._codegen._tm.emit_object(self._final_module))

        def _link(self) -> None:
            """Take in everything below, once; of it LLVM drops what it could inline."""
            for library in _all_below(self):
                self._final_module.link_in(library.module_to_link(), preserve=True)
            self._linking_libraries = [lib for lib in self._linking_libraries if not isinstance(lib, LateLibrary)]
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                    function.linkage = "internal"
            self.needed = [
                function.name.rpartition(".")[0]
                for function in self._final_module.functions
                if function.is_declaration and function.name in symbols.known
            ]

        def module_to_link(self) -> Any:
            """The code as it was lowered, to be linked into any number of others."""
            if self._shared_module is None:
                module = self._final_module.clone()
                for function in module.functions:
                    if not function.is_declaration and function.linkage == llvm.Linkage.external:
                        function.linkage = "linkonce_odr"
                self._shared_module = module
            return self._shared_module

        def can_run(self, name: str) -> bool:
            """Whether there is machine code of a function, or will be if it is asked for."""
            try:
                return self._finalized or not self._final_module.get_function(name).is_declaration
            except NameError:
                return False

        def serialize_using_object_code(self) -> Any:
            """Leave out the optimized code for other callers: nobody needs it, and it would be half of the file."""
            self._ensure_finalized()
            stubs = [function.name for function in self.get_defined_functions()]
            empty = "".join(f'define void @"{name}"() {{ ret void }}\n' for name in stubs)
            module = llvm.parse_assembly(f'target triple = "{self._final_module.triple}"\n{empty}')
            return self.name, "object", (self._get_compiled_object(), module.as_bitcode())

    return LateLibrary


def _all_below(library: Any) -> Iterator[Any]:
    """The libraries, directly or not, that one links and that are not optimized yet."""
    seen: set[int] = set()
    waiting = list(library._linking_libraries)
    while waiting:
        other = waiting.pop()
        if isinstance(other, library_class()) and id(other) not in seen:
            seen.add(id(other))
            yield other
            waiting += other._linking_libraries


@contextmanager
def compiling() -> Iterator[None]:
    """While this lasts, functions without wrappers for Python are kept as they were lowered."""
    global _depth
    if not links_once():
        yield
        return
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.registry import cpu_target

    with global_compiler_lock:
        context = cpu_target.target_context
        codegen = context.codegen()
        _depth += 1
        if _depth == 1:
            codegen._library_class = library_class()
            context.get_executable = functools.partial(_executable, context.get_executable)
        try:
            yield
        finally:
            _depth -= 1
            if _depth == 0:
                del codegen._library_class, context.get_executable


def _executable(usual: Callable[..., Any], library: Any, fndesc: Any, env: Any) -> Any:
    """What Numba knows a compiled function by: without a wrapper for Python there is nothing that could be executed."""
    if not isinstance(library, library_class()) or library.can_run(fndesc.llvm_cpython_wrapper_name):
        return usual(library, fndesc, env)
    from numba import _dynfunc

    return _dynfunc.make_function(fndesc.lookup_module(), fndesc.qualname, "a part of others", 0, env, (library,))
