"""Units: the exported kernels of a module, compiled together to one object file, which other code is linked with.

So `apply` is optimized and emitted once and not for everything that plays games, and two processes can compile two
units at the same time. The file is plain machine code: loading it takes a millisecond.
"""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from arena.kernels.decorators import Exported
from arena.kernels.linking import compiling, library_class, links_once
from arena.kernels.store import cache_dir

_units: dict[str, list[Exported]] = {}
_loaded: set[str] = set()
_libraries: list[Any] = []  # those compiled here, which must stay


def register(name: str, function: Exported) -> None:
    """Add a function to the unit of its module."""
    _units.setdefault(name, []).append(function)


def unit_names() -> list[str]:
    """The units of all modules that are imported."""
    return list(_units)


def unit_file(name: str) -> Path:
    """Where the machine code of a unit lies, if it is compiled."""
    return cache_dir() / f"{name}.o"


def load_units() -> None:
    """Make the symbols of all units known, of which those that are not on disk are compiled."""
    if not links_once():
        return
    for name in _units:
        if name not in _loaded:
            _loaded.add(name)
            file = unit_file(name)
            if file.exists():
                _load(name, file.read_bytes())
            else:
                compile_unit(name)


def compile_unit(name: str) -> None:
    """Compile a unit, write its machine code to disk and make its symbols known."""
    from llvmlite import ir
    from numba.core.registry import cpu_target

    context = cpu_target.target_context
    with compiling():
        context.refresh()
        library = context.codegen().create_library(f"unit.{name}")
        library.enable_object_caching()
        module = library.create_ir_module(f"unit.{name}")
        for function in _units[name]:
            part = function.part
            part.compile(tuple(function.signature.args))
            compiled = part.overloads[tuple(function.signature.args)]
            if compiled.signature.return_type != function.signature.return_type:
                raise TypeError(f"{function.symbol} returns {compiled.signature.return_type}")
            library.add_linking_library(compiled.library)
            kind = context.call_conv.get_function_type(function.signature.return_type, function.signature.args)
            inside = ir.Function(module, kind, compiled.fndesc.llvm_func_name)
            outside = ir.Function(module, kind, function.symbol)
            builder = ir.IRBuilder(outside.append_basic_block())
            builder.ret(builder.call(inside, outside.args))
        library.add_ir_module(module)
        library.finalize()
    _write(unit_file(name), bytes(library._get_compiled_object()))
    _libraries.append(library)
    _make_known(name, library.get_pointer_to_function)


def _load(name: str, code: bytes) -> None:
    import llvmlite.binding as llvm
    from numba.core.registry import cpu_target
    from numba.core.runtime import rtsys

    context = cpu_target.target_context
    rtsys.initialize(context)
    engine = context.codegen()._engine._ee
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _make_known(name, engine.get_function_address)


def _make_known(name: str, address_of: Callable[[str], int]) -> None:
    import llvmlite.binding as llvm

    for function in _units[name]:
        llvm.add_symbol(function.symbol, address_of(function.symbol))


def _write(file: Path, code: bytes) -> None:
    """Whole or not at all; without it the next process compiles again."""
    with suppress(OSError), tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as new:
        try:
            new.write(code)
            new.close()
            os.replace(new.name, file)
        except OSError:
            os.unlink(new.name)
