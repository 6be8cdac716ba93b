"""Vectors of n numbers at an address: what the methods do with whole states.

Products and sums are rounded one by one, in the order in which they are written.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from torseur.machine.runtime.vectors import built_in

_DOUBLE = ir.DoubleType()


@built_in
def copy(typing_context, n, x, into):
    """into ← x."""

    def generate(context, builder, signature, arguments):
        count, given, made = arguments
        cgutils.raw_memcpy(builder, made, given, count, 8)
        return context.get_dummy_value()

    return types.void(types.int64, x, into), generate


@built_in
def linear(typing_context, n, a, x, b, y, into):
    """into ← a x + b y."""

    def generate(context, builder, signature, arguments):
        builder.call(_linear(builder.module, [given.type for given in arguments]), arguments)
        return context.get_dummy_value()

    return types.void(types.int64, types.float64, x, types.float64, y, into), generate


def _linear(module: Any, kinds: list[Any]) -> Any:
    """The loop of `linear`, compiled once and called: copies of it would cost time to compile."""
    if "linear" in module.globals:
        return module.globals["linear"]
    made = ir.Function(module, ir.FunctionType(ir.VoidType(), kinds), "linear")
    made.linkage = "linkonce_odr"
    made.attributes.add("noinline")
    builder = ir.IRBuilder(made.append_basic_block())
    count, a, x, b, y, into = made.args
    with cgutils.for_range(builder, count) as loop:
        first, second = (builder.load(builder.gep(p, [loop.index])) for p in (x, y))
        total = builder.fadd(builder.fmul(a, first), builder.fmul(b, second))
        builder.store(total, builder.gep(into, [loop.index]))
    builder.ret_void()
    return made


@built_in
def dot(typing_context, n, x, y):
    """x · y."""

    def generate(context, builder, signature, arguments):
        count, x, y = arguments
        total = cgutils.alloca_once_value(builder, ir.Constant(_DOUBLE, 0.0))
        with cgutils.for_range(builder, count) as loop:
            first, second = (builder.load(builder.gep(p, [loop.index])) for p in (x, y))
            builder.store(builder.fadd(builder.load(total), builder.fmul(first, second)), total)
        return builder.load(total)

    return types.float64(types.int64, x, y), generate


@built_in
def square_root(typing_context, x):
    """√x, by the instruction of the processor; numba would call the C library."""

    def generate(context, builder, signature, arguments):
        function = builder.module.declare_intrinsic("llvm.sqrt", [_DOUBLE])
        return builder.call(function, arguments)

    return types.float64(types.float64), generate


def table(name: str, rows: Any) -> Any:
    """An intrinsic: the address of row k of numbers that are part of the code."""
    count, width = rows.shape
    kind = ir.ArrayType(_DOUBLE, count * width)

    @built_in
    def row(typing_context, k):
        def generate(context, builder, signature, arguments):
            content = ir.Constant(kind, [ir.Constant(_DOUBLE, float(x)) for x in rows.flat])
            made = cgutils.global_constant(builder.module, name, content)
            first = builder.bitcast(made, _DOUBLE.as_pointer())
            return builder.gep(
                first, [builder.mul(arguments[0], ir.Constant(ir.IntType(64), width))]
            )

        return types.CPointer(types.float64)(types.int64), generate

    return row
