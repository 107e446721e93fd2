"""Units: the exported kernels of a module, compiled together to one object file that other code links.

So `apply` is optimized and emitted once and not for everything that plays games, and two processes can compile two
units at the same time. The file is plain machine code: loading it takes a millisecond.
"""

import pickle
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from arena.rules.compiler import symbols
from arena.rules.compiler.decorators import Exported, below, weight_of
from arena.rules.compiler.linking import compiling
from arena.rules.compiler.store import locked, read_whole, write_whole

_loaded: set[str] = set()


def units_below(functions: Iterable[Any]) -> list[str]:
    """The units that some functions call, directly or not."""
    return list(
        dict.fromkeys(kernel.unit for kernel in below(*functions, exported=True) if isinstance(kernel, Exported))
    )


def is_compiled(name: str) -> bool:
    """Whether a unit is on disk."""
    return name in _loaded or _file(name).exists()


def unit_weight(name: str) -> int:
    """How much there is to compile in a unit."""
    return weight_of(*Exported.units[name])


def load_units(names: Iterable[str]) -> None:
    """Make the symbols of units, and of those that they call, known; what is not on disk is compiled."""
    for name in names:
        if name not in _loaded:
            code, needed = compile_unit(name)
            load_units(needed)
            _load(name, code)
            _loaded.add(name)  # not before: what failed or was interrupted has no symbols


symbols.load_units = load_units


def compile_unit(name: str) -> tuple[bytes, list[str]]:
    """The machine code of a unit and the units that it calls; it is compiled and written to disk if it is not there."""
    content = read_whole(_file(name))
    if content is None:
        with locked(_file(name)):  # another process may be at it
            content = read_whole(_file(name))
            if content is None:
                content = pickle.dumps(_compile(name))
                write_whole(_file(name), content)
    code, needed = pickle.loads(content)
    return code, needed


def _compile(name: str) -> tuple[bytes, list[str]]:
    from llvmlite import ir
    from numba.core.registry import cpu_target

    context = cpu_target.target_context
    with compiling():
        context.refresh()
        library = context.codegen().create_library(f"unit.{name}")
        module = library.create_ir_module(f"unit.{name}")
        for function in Exported.units[name]:
            arguments, returned = function.signature.args, function.signature.return_type
            function.part.compile(function.signature)
            compiled = function.part.overloads[tuple(arguments)]
            library.add_linking_library(compiled.library)
            kind = context.call_conv.get_function_type(returned, arguments)
            inside = ir.Function(module, kind, compiled.fndesc.llvm_func_name)
            outside = ir.Function(module, kind, function.symbol)
            builder = ir.IRBuilder(outside.append_basic_block())
            builder.ret(builder.call(inside, outside.args))
        library.add_ir_module(module)
        return library.machine_code(), library.needed


def _load(name: str, code: bytes) -> None:
    import llvmlite.binding as llvm
    from numba.core.registry import cpu_target
    from numba.core.runtime import rtsys

    context: Any = cpu_target.target_context
    rtsys.initialize(context)
    engine = context.codegen()._engine._ee
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    for function in Exported.units[name]:
        llvm.add_symbol(function.symbol, engine.get_function_address(function.symbol))


def _file(name: str) -> Path:
    return Exported.units[name][0].folder / f"{name}.o"
