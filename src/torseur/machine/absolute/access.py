"""What the kernel needs of the machine: its record, and an angle."""

from llvmlite import ir
from numba import from_dtype, types

from torseur.machine.absolute.layout import MODEL
from torseur.machine.runtime.access import at_address
from torseur.machine.runtime.vectors import built_in

record = at_address(from_dtype(MODEL))


@built_in
def angle(typing_context, sine, cosine):
    """atan2, which LLVM takes from the C library."""

    def generate(context, builder, signature, arguments):
        number = ir.DoubleType()
        function = builder.module.declare_intrinsic(
            "llvm.atan2", [number], ir.FunctionType(number, [number, number])
        )
        return builder.call(function, arguments)

    return types.float64(types.float64, types.float64), generate
