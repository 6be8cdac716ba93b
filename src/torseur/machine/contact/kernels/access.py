"""What the kernel needs of the machine: its record, and the exponential."""

from llvmlite import ir
from numba import from_dtype, types

from torseur.machine.contact.layout import CONTACTS
from torseur.machine.runtime.access import at_address
from torseur.machine.runtime.vectors import instruction

record = at_address(from_dtype(CONTACTS))


@instruction(types.float64)
def exponential(builder, x):
    """exp x, which LLVM takes from the C library."""
    function = builder.module.declare_intrinsic("llvm.exp", [ir.DoubleType()])
    return builder.call(function, [x])
