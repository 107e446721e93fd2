"""Units: the exported kernels of a module, compiled together to one object file, which other code is linked with.

So `apply` is optimized and emitted once and not for everything that plays games, and two processes can compile two
units at the same time. The file is plain machine code behind a digest of it: loading it takes a millisecond.
"""

import hashlib
from pathlib import Path
from typing import Any

from arena.kernels.decorators import Exported, weight_of
from arena.kernels.linking import compiling, links_once
from arena.kernels.store import cache_dir, locked, write_whole

DIGEST = 16
"""Bytes in front of the machine code."""
_units: dict[str, list[Exported]] = {}
_loaded: set[str] = set()


def register(function: Exported) -> None:
    """Add a function to the unit of its module."""
    _units.setdefault(function.__module__, []).append(function)


def missing_units() -> list[str]:
    """The units of all imported modules that have to be compiled, those that take longest first."""
    if not links_once():
        return []
    names = [name for name in _units if name not in _loaded and read_unit(name) is None]
    return sorted(names, key=unit_weight, reverse=True)


def unit_weight(name: str) -> int:
    """How much there is to compile in a unit."""
    return weight_of(*_units[name])


def load_units() -> None:
    """Make the symbols of all units known, of which those that are not on disk are compiled."""
    if not links_once():
        return
    for name in _units:
        if name not in _loaded:
            _load(name, compile_unit(name))
            _loaded.add(name)


def read_unit(name: str) -> bytes | None:
    """The machine code of a unit on disk; None if there is none that is whole."""
    try:
        content = _file(name).read_bytes()
    except OSError:
        return None
    digest, code = content[:DIGEST], content[DIGEST:]
    return code if code and _digest(code) == digest else None


def compile_unit(name: str) -> bytes:
    """The machine code of a unit, which is compiled and written to disk if it is not there."""
    code = read_unit(name)
    if code is None:
        with locked(_file(name)):  # another process may be at it
            code = read_unit(name)
            if code is None:
                code = _compile(name)
                write_whole(_file(name), _digest(code) + code)
    return code


def _compile(name: str) -> bytes:
    from llvmlite import ir
    from numba.core.registry import cpu_target

    context = cpu_target.target_context
    with compiling():
        context.refresh()
        library = context.codegen().create_library(f"unit.{name}")
        module = library.create_ir_module(f"unit.{name}")
        for function in _units[name]:
            arguments, returned = function.signature.args, function.signature.return_type
            function.part.compile(tuple(arguments))
            compiled = function.part.overloads[tuple(arguments)]
            if compiled.signature.return_type != returned:
                raise TypeError(f"{function.symbol} returns {compiled.signature.return_type}, not {returned}")
            library.add_linking_library(compiled.library)
            kind = context.call_conv.get_function_type(returned, arguments)
            inside = ir.Function(module, kind, compiled.fndesc.llvm_func_name)
            outside = ir.Function(module, kind, function.symbol)
            builder = ir.IRBuilder(outside.append_basic_block())
            builder.ret(builder.call(inside, outside.args))
        library.add_ir_module(module)
        return library.machine_code()


def _load(name: str, code: bytes) -> None:
    import llvmlite.binding as llvm
    from numba.core.registry import cpu_target
    from numba.core.runtime import rtsys

    context: Any = cpu_target.target_context
    rtsys.initialize(context)
    engine = context.codegen()._engine._ee
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    for function in _units[name]:
        llvm.add_symbol(function.symbol, engine.get_function_address(function.symbol))


def _file(name: str) -> Path:
    return cache_dir() / f"{name}.o"


def _digest(code: bytes) -> bytes:
    return hashlib.blake2b(code, digest_size=DIGEST).digest()
