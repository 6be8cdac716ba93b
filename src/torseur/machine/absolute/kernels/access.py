"""What the kernel needs of the machine: its record, and an angle."""

from llvmlite import ir
from numba import types

from torseur.machine.absolute.layout import MODEL
from torseur.machine.runtime.access import record_at
from torseur.machine.runtime.vectors import instruction

record = record_at(MODEL)


@instruction(types.float64)
def angle(builder, sine, cosine):
    """atan2, which LLVM takes from the C library."""
    number = ir.DoubleType()
    kind = ir.FunctionType(number, [number, number])
    function = builder.module.declare_intrinsic("llvm.atan2", [number], kind)
    return builder.call(function, [sine, cosine])
