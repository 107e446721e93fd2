"""Calls of compiled functions by their symbol, without compiling them again."""

from typing import Any


def function_type(symbol: str, signature: Any) -> Any:
    """Numba's type of a function that the linker finds under a symbol."""
    from numba.core import types, typing
    from numba.core.registry import cpu_target
    from numba.core.typing.templates import AbstractTemplate

    def fits(given: Any, declared: Any) -> bool:
        """Whether a record begins with the fields of another one."""
        return (
            isinstance(declared, types.Record)
            and isinstance(given, types.Record)
            and (list(given.fields.items())[: len(declared.fields)] == list(declared.fields.items()))
        )

    class Template(AbstractTemplate):  # type: ignore[misc]  # Numba publishes no types
        key = symbol

        def generic(self, arguments: Any, named: Any) -> Any:
            if len(arguments) != len(signature.args) or named:
                return None
            pairs = zip(arguments, signature.args, strict=True)
            return typing.signature(
                signature.return_type, *(given if fits(given, declared) else declared for given, declared in pairs)
            )

    def call(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        from numba.core import cgutils

        kind = context.call_conv.get_function_type(signature.return_type, signature.args)
        function = cgutils.get_or_insert_function(builder.module, kind, symbol)
        values = [
            builder.bitcast(value, context.get_value_type(declared)) if isinstance(declared, types.Record) else value
            for value, declared in zip(arguments, signature.args, strict=True)
        ]
        status, result = context.call_conv.call_function(
            builder, function, signature.return_type, signature.args, values
        )
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return context.get_dummy_value() if signature.return_type == types.none else result

    cpu_target.target_context.insert_func_defn([(call, symbol, (types.VarArg(types.Any),))])
    return types.Function(Template)
