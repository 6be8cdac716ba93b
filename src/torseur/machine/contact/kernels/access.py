"""What the kernel needs of the machine: its record, and the exponential."""

from llvmlite import ir
from numba import types

from torseur.machine.contact.layout import CONTACTS
from torseur.machine.runtime.access import record_at
from torseur.machine.runtime.vectors import instruction

record = record_at(CONTACTS)


@instruction(types.float64)
def exponential(builder, x):
    """exp x, which LLVM takes from the C library."""
    function = builder.module.declare_intrinsic("llvm.exp", [ir.DoubleType()])
    return builder.call(function, [x])
