"""What kernels need of the machine: records, rows of numbers, calls by address."""

from typing import Any

from llvmlite import ir
from numba import from_dtype, types

from torseur.machine.runtime.run_record import RUN
from torseur.machine.runtime.vectors import apart, built_in

NUMBERS = types.CPointer(types.float64)
COMPLEX_NUMBERS = types.CPointer(types.complex128)
WHOLES = types.CPointer(types.int64)
RECORD: Any = from_dtype(RUN)

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


record, numbers, wholes = at_address(RECORD), at_address(NUMBERS), at_address(WHOLES)
complex_numbers = at_address(COMPLEX_NUMBERS)


@built_in
def place(typing_context, pointer):
    """The address of numbers, or of a record."""

    def generate(context, builder, signature, arguments):
        return builder.ptrtoint(arguments[0], ir.IntType(64))

    return types.int64(pointer), generate


@built_in
def call(typing_context, entry, run, number, other):
    """What a helper at an address returns."""

    def generate(context, builder, signature, arguments):
        function = ir.FunctionType(ir.IntType(64), [x.type for x in arguments[1:]])
        return builder.call(builder.inttoptr(arguments[0], function.as_pointer()), arguments[1:])

    return HELPER.return_type(types.int64, *HELPER.args), generate


@built_in
def call_entry(typing_context, entry, table):
    """The function at an address, of the address of a table."""

    def generate(context, builder, signature, arguments):
        function = ir.FunctionType(ir.VoidType(), [ir.IntType(64)])
        builder.call(builder.inttoptr(arguments[0], function.as_pointer()), [arguments[1]])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@apart
def evaluate(entry, table, t, y, output):
    """output ← a compiled function of (y, t)."""
    listed = wholes(table)
    listed[1], listed[3] = place(y), place(output)
    numbers(listed[2])[0] = t
    call_entry(entry, table)
