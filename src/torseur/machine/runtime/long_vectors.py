"""Vectors of n numbers at an address: what kernels do with whole states, and functions of numbers.

Products and sums are rounded one by one, in the order in which they are written.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from torseur.machine.llvm.library import symbol
from torseur.machine.runtime.vectors import built_in, instruction

_DOUBLE = ir.DoubleType()


@instruction()
def copy(builder, n, x, into):
    """into ← x."""
    cgutils.raw_memcpy(builder, into, x, n, 8)


@instruction()
def linear(builder, n, a, x, b, y, into):
    """into ← a x + b y."""
    given = (n, a, x, b, y, into)
    builder.call(_linear(builder.module, [one.type for one in given]), given)


def _linear(module: Any, kinds: list[Any]) -> Any:
    """The loop of `linear`, compiled once and called: copies of it would cost time to compile."""
    if "linear" in module.globals:
        return module.globals["linear"]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), kinds), "linear")
    function.linkage = "linkonce_odr"
    function.attributes.add("noinline")
    builder = ir.IRBuilder(function.append_basic_block())
    count, a, x, b, y, into = function.args
    with cgutils.for_range(builder, count) as loop:
        first, second = (builder.load(builder.gep(p, [loop.index])) for p in (x, y))
        total = builder.fadd(builder.fmul(a, first), builder.fmul(b, second))
        builder.store(total, builder.gep(into, [loop.index]))
    builder.ret_void()
    return function


@instruction(types.float64)
def dot(builder, n, x, y):
    """x · y."""
    total = cgutils.alloca_once_value(builder, ir.Constant(_DOUBLE, 0.0))
    with cgutils.for_range(builder, n) as loop:
        first, second = (builder.load(builder.gep(p, [loop.index])) for p in (x, y))
        builder.store(builder.fadd(builder.load(total), builder.fmul(first, second)), total)
    return builder.load(total)


@instruction(types.float64)
def square_root(builder, x):
    """√x, by the instruction of the processor; numba would call the C library."""
    return builder.call(builder.module.declare_intrinsic("llvm.sqrt", [_DOUBLE]), [x])


@instruction(types.float64)
def exponential(builder, x):
    """exp x."""
    return _elementary(builder, "exp", _DOUBLE, x)


@instruction(types.float64)
def angle(builder, sine, cosine):
    """The angle of a sine and a cosine, or of multiples of both."""
    return _elementary(builder, "atan2", _DOUBLE, sine, cosine)


@instruction(types.UniTuple(types.float64, 2))
def sine_and_cosine(builder, x):
    """Sine and cosine of an angle."""
    both = _elementary(builder, "sincos", ir.LiteralStructType([_DOUBLE, _DOUBLE]), x)
    return cgutils.pack_array(builder, cgutils.unpack_tuple(builder, both))


def _elementary(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    """A call of one of the elementary functions of machine code."""
    kind = ir.FunctionType(result, [_DOUBLE] * len(arguments))
    function = cgutils.get_or_insert_function(builder.module, kind, symbol(name, 1))
    function.attributes.add("readnone")
    function.attributes.add("nounwind")
    return builder.call(function, arguments)


def table(name: str, rows: Any) -> Any:
    """An intrinsic: the address of row k of numbers that are part of the code."""
    count, width = rows.shape
    kind = ir.ArrayType(_DOUBLE, count * width)

    @built_in
    def row(typing_context, k):
        def generate(context, builder, signature, arguments):
            content = ir.Constant(kind, [ir.Constant(_DOUBLE, float(x)) for x in rows.flat])
            constant = cgutils.global_constant(builder.module, name, content)
            first = builder.bitcast(constant, _DOUBLE.as_pointer())
            return builder.gep(
                first, [builder.mul(arguments[0], ir.Constant(ir.IntType(64), width))]
            )

        return types.CPointer(types.float64)(types.int64), generate

    return row
