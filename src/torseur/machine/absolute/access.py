"""What the kernel needs of the machine: its record, rows of numbers, calls by address."""

from typing import Any

from llvmlite import ir
from numba import from_dtype, types

from torseur.dynamics.absolute import elementary
from torseur.machine.absolute.layout import MODEL
from torseur.machine.runtime.access import numbers, place
from torseur.machine.runtime.machine_text import machine_text
from torseur.machine.runtime.vectors import built_in
from torseur.spatial import triples

NUMBERS = types.CPointer(types.float64)
WHOLES = types.CPointer(types.int64)
RECORD: Any = from_dtype(MODEL)


def _at(kind: Any) -> Any:
    """An intrinsic: what stands at an address, seen as `kind`."""

    @built_in
    def at(typing_context, address):
        def generate(context, builder, signature, arguments):
            return builder.inttoptr(arguments[0], context.get_value_type(kind))

        return kind(types.int64), generate

    return at


record, wholes = _at(RECORD), _at(WHOLES)


@built_in
def call(typing_context, entry, table):
    """The function at an address, of the address of a table."""

    def generate(context, builder, signature, arguments):
        function = ir.FunctionType(ir.VoidType(), [ir.IntType(64)])
        builder.call(builder.inttoptr(arguments[0], function.as_pointer()), [arguments[1]])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


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


TEXT = machine_text(triples, elementary)

__all__ = ["RECORD", "TEXT", "angle", "call", "numbers", "place", "record", "wholes"]
