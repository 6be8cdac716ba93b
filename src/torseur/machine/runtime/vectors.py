"""Vectors and tensors in registers and in memory: tuples that the compiler takes apart.

A vector is (x, y, z), a symmetric tensor (xx, xy, xz, yy, yz, zz), a matrix nine numbers by rows.
A row is the address of the numbers of one body, k the place of a quantity in it.
"""

from collections.abc import Callable
from inspect import signature
from typing import Any

from numba import int64, types
from numba.extending import intrinsic

from torseur.machine.runtime.machine_text import apart, inlined, machine_text
from torseur.spatial import triples

built_in: Any = intrinsic


def instruction(result: Any = types.void) -> Callable[[Any], Any]:
    """A function of numbers and addresses whose instructions a function of a builder writes."""

    def decorate(write: Any) -> Any:
        def typed(typing_context, *kinds):
            def generate(context, builder, typed_call, arguments):
                value = write(builder, *arguments)
                return context.get_dummy_value() if value is None else value

            return result(*kinds), generate

        named: Any = typed
        named.__signature__ = signature(write)  # numba wants every argument by its name
        return built_in(named)

    return decorate


@built_in
def address(typing_context, numbers, offset):
    """Where the number at an offset is."""

    def generate(context, builder, signature, arguments):
        return builder.gep(arguments[0], [arguments[1]])

    return numbers(numbers, types.int64), generate


@inlined
def whole(x):
    """A double that holds a whole number, as an integer."""
    return int64(x)


@inlined
def vector(row, k):
    """The vector kept at place k of a row."""
    return row[k], row[k + 1], row[k + 2]


@inlined
def keep(row, k, a):
    """Vector a goes to place k of a row."""
    row[k], row[k + 1], row[k + 2] = a[0], a[1], a[2]


@inlined
def gather(row, k, a):
    """Vector a is added to the one at place k of a row."""
    row[k] += a[0]
    row[k + 1] += a[1]
    row[k + 2] += a[2]


@inlined
def symmetric(row, k):
    """The symmetric tensor kept at place k of a row."""
    return row[k], row[k + 1], row[k + 2], row[k + 3], row[k + 4], row[k + 5]


@inlined
def matrix(row, k):
    """The matrix kept at place k of a row."""
    x, y, z = vector(row, k), vector(row, k + 3), vector(row, k + 6)
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]


@inlined
def keep_symmetric(row, k, S):
    """Symmetric tensor S goes to place k of a row."""
    keep(row, k, (S[0], S[1], S[2]))
    keep(row, k + 3, (S[3], S[4], S[5]))


@inlined
def keep_matrix(row, k, M):
    """Matrix M goes to place k of a row."""
    keep(row, k, (M[0], M[1], M[2]))
    keep(row, k + 3, (M[3], M[4], M[5]))
    keep(row, k + 6, (M[6], M[7], M[8]))


@inlined
def gather_symmetric(row, k, S):
    """Symmetric tensor S is added to the one at place k of a row."""
    gather(row, k, (S[0], S[1], S[2]))
    gather(row, k + 3, (S[3], S[4], S[5]))


@inlined
def gather_matrix(row, k, M):
    """Matrix M is added to the one at place k of a row."""
    gather(row, k, (M[0], M[1], M[2]))
    gather(row, k + 3, (M[3], M[4], M[5]))
    gather(row, k + 6, (M[6], M[7], M[8]))


_TEXT = machine_text(triples)
plus, minus, times, dot, cross, applied = (
    _TEXT[name] for name in ("plus", "minus", "times", "dot", "cross", "applied")
)

OF_ROWS = (
    *("address", "vector", "symmetric", "matrix"),
    *("keep", "keep_symmetric", "keep_matrix"),
    *("gather", "gather_symmetric", "gather_matrix"),
)
__all__ = ["apart", "applied", "built_in", "cross", "dot", "inlined", "instruction"]
__all__ += ["minus", "plus", "times", "whole", *OF_ROWS]
