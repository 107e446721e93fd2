"""Calls from kernels that Python has no function for: processor instructions, and a bot by its address."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from arena.rules.compiler.numba_settings import INTERPRETED, numba

RAISED = -(1 << 62)
"""What `call_policy` returns for a bot that raises an exception: no action."""


class _Intrinsic:
    """A function that Numba makes code for by ours; it is imported when a kernel calls it."""

    def __init__(self, define: Callable[..., Any]) -> None:
        self._define = define

    @cached_property
    def _numba_type_(self) -> Any:
        numba()
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic

        self._made = intrinsic(self._define)  # Numba knows it weakly
        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(self._made)


def _popcount(typing_context: Any, word: Any) -> Any:
    from numba.core import types

    return types.int64(types.uint64), lambda context, builder, signature, args: builder.ctpop(args[0])


def _lowest(typing_context: Any, word: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    zero_is_fine = ir.Constant(ir.IntType(1), 0)
    return types.int64(types.uint64), lambda context, builder, signature, args: builder.cttz(args[0], zero_is_fine)


def _call_policy(
    typing_context: Any, address: Any, view: Any, board: Any, actions: Any, memory: Any, random_state: Any
) -> Any:
    from llvmlite import ir
    from numba.core import types

    asked = (view, board, actions, memory, random_state)

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        convention = context.call_conv
        kind = convention.get_function_type(types.int64, asked)
        function = builder.inttoptr(args[0], kind.as_pointer())
        status, action = convention.call_function(builder, function, types.int64, asked, args[1:])
        return builder.select(status.is_error, ir.Constant(ir.IntType(64), RAISED), action)

    return types.int64(types.int64, *asked), emit


def _popcount_interpreted(word: Any) -> int:
    return int(word).bit_count()


def _lowest_interpreted(word: Any) -> int:
    value = int(word)
    return (value & -value).bit_length() - 1


def _call_policy_interpreted(policy: Any, view: Any, board: Any, actions: Any, memory: Any, random_state: Any) -> int:
    try:
        action: int = policy(view, board, actions, memory, random_state)
    except Exception:
        return RAISED
    return action


popcount: Any = _popcount_interpreted if INTERPRETED else _Intrinsic(_popcount)
"""The number of bits set in a word."""
lowest: Any = _lowest_interpreted if INTERPRETED else _Intrinsic(_lowest)
"""The index of the lowest bit set in a word that is not empty."""
call_policy: Any = _call_policy_interpreted if INTERPRETED else _Intrinsic(_call_policy)
"""The answer to its five arguments of the compiled bot at an address; RAISED for an exception."""
