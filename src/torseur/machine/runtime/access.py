"""Access of kernels to the machine: records, rows of numbers, calls by address."""

from typing import Any

from llvmlite import ir
from numba import from_dtype, types

from torseur.machine.runtime.memory import Layout
from torseur.machine.runtime.vectors import apart, built_in, instruction

NUMBERS = types.CPointer(types.float64)
COMPLEX_NUMBERS = types.CPointer(types.complex128)
WHOLES = types.CPointer(types.int64)
_WHOLE = ir.IntType(64)

# A method takes the address of a record; what helps it, a number and an address or a count more.
METHOD = types.int64(types.int64)
HELPER = types.int64(types.int64, types.float64, types.int64)


def at_address(kind: Any) -> Any:
    """An intrinsic: what stands at an address, seen as `kind`."""

    @built_in
    def at(typing_context, place):
        def generate(context, builder, signature, arguments):
            return builder.inttoptr(arguments[0], context.get_value_type(kind))

        return kind(types.int64), generate

    return at


numbers, wholes = at_address(NUMBERS), at_address(WHOLES)


def record_at(layout: Layout) -> Any:
    """An intrinsic: the record at an address; what leads to arrays has their type."""
    kind: Any = from_dtype(layout.dtype)
    arrays = dict.fromkeys(layout.arrays, NUMBERS) | dict.fromkeys(layout.wholes, WHOLES)
    arrays |= dict.fromkeys(layout.complexes, COMPLEX_NUMBERS)
    for name, pointer in arrays.items():
        kind.fields[name] = kind.fields[name]._replace(type=pointer)
    return at_address(kind)


@instruction(types.int64)
def place(builder, pointer):
    """The address of numbers, or of a record."""
    return builder.ptrtoint(pointer, _WHOLE)


@instruction(types.int64)
def call(builder, entry, run, number, other):
    """The result of a helper at an address."""
    given = (run, number, other)
    function = ir.FunctionType(_WHOLE, [x.type for x in given])
    return builder.call(builder.inttoptr(entry, function.as_pointer()), given)


@instruction()
def call_entry(builder, entry, table):
    """The function at an address, of the address of a table."""
    function = ir.FunctionType(ir.VoidType(), [_WHOLE])
    builder.call(builder.inttoptr(entry, function.as_pointer()), [table])


@apart
def evaluate(entry, table, t, y, output):
    """output ← a compiled function of (y, t)."""
    listed = wholes(table)
    listed[1], listed[3] = place(y), place(output)
    numbers(listed[2])[0] = t
    call_entry(entry, table)
