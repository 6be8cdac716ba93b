"""Rows of a strip: what others have in one is taken from it while it stays in registers.

A vector that stands in two lines of the processor's memory takes twice as long to be read.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils

from torseur.dynamics.recursions.branches import LINE, STRIP
from torseur.machine.runtime.vectors import instruction

_LANES = 4  # a strip is eight such vectors, which half the registers of a processor hold
_DOUBLE, _WHOLE = ir.DoubleType(), ir.IntType(64)
_VECTOR = ir.VectorType(_DOUBLE, _LANES)


@instruction()
def receive(builder, which, count, row, shares, strip):
    """Shares of other rows of a strip are taken from a row."""

    def part(numbers, k):
        return builder.bitcast(builder.gep(numbers, [_WHOLE(k)]), _VECTOR.as_pointer())

    places = range(0, STRIP, _LANES)
    sums = [cgutils.alloca_once_value(builder, builder.load(part(row, k), align=8)) for k in places]
    with cgutils.for_range(builder, count) as loop:
        named = builder.fptosi(builder.load(builder.gep(which, [loop.index])), _WHOLE)
        other = builder.gep(strip, [builder.mul(named, _WHOLE(STRIP))])
        share = builder.load(builder.gep(shares, [loop.index]))
        one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), share, _WHOLE(0))
        same = ir.Constant(ir.VectorType(ir.IntType(32), _LANES), [0] * _LANES)
        all_alike = builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), same)
        for k, at in zip(places, sums, strict=True):
            product = builder.fmul(all_alike, builder.load(part(other, k), align=8))
            builder.store(builder.fsub(builder.load(at), product), at)
    for k, at in zip(places, sums, strict=True):
        builder.store(builder.load(at), part(row, k), align=8)


@instruction(types.CPointer(types.float64))
def aligned(builder, numbers):
    """The first place from an address on where a line of the processor's memory begins."""
    place = builder.add(builder.ptrtoint(numbers, _WHOLE), _WHOLE(8 * LINE - 1))
    return builder.inttoptr(builder.and_(place, _WHOLE(-8 * LINE)), numbers.type)
