"""Vectors and tensors in registers: tuples that the compiler takes apart.

A vector is (x, y, z), a symmetric tensor (xx, xy, xz, yy, yz, zz), a matrix nine numbers by rows.
A row is the address of the numbers of one body, k the place of a quantity in it.
"""

from typing import Any

from numba import int64, njit, types
from numba.extending import intrinsic

from torseur.machine.runtime.text_compiler import OPTIONS
from torseur.machine.tree import places as at

# Products and sums are rounded one by one, in the order in which they are written.
_CALLED: Any = {**OPTIONS, "no_cfunc_wrapper": True}  # by other kernels only
apart: Any = njit(**_CALLED)
inlined: Any = njit(**_CALLED, forceinline=True)
built_in: Any = intrinsic


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
def rows(model, work, i, width):
    """Of body i: its row of the model, its row of the workspace, and that of its carrier."""
    body = address(model, i * at.MODEL_WIDTH)
    return body, address(work, i * width), address(work, whole(body[at.PARENT]) * width)


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


@inlined
def plus(a, b):
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined
def minus(a, b):
    """a − b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined
def times(x, a):
    """x a."""
    return x * a[0], x * a[1], x * a[2]


@inlined
def dot(a, b):
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def cross(a, b):
    """a × b."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@inlined
def out(R, a):
    """R a: from the axes of a body to those of its carrier."""
    return (
        R[0] * a[0] + R[1] * a[1] + R[2] * a[2],
        R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
        R[6] * a[0] + R[7] * a[1] + R[8] * a[2],
    )


@inlined
def into(R, a):
    """Rᵀ a: from the axes of the carrier to those of the body."""
    return (
        R[0] * a[0] + R[3] * a[1] + R[6] * a[2],
        R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
        R[2] * a[0] + R[5] * a[1] + R[8] * a[2],
    )


@inlined
def applied(S, a):
    """S a for a symmetric tensor."""
    return (
        S[0] * a[0] + S[1] * a[1] + S[2] * a[2],
        S[1] * a[0] + S[3] * a[1] + S[4] * a[2],
        S[2] * a[0] + S[4] * a[1] + S[5] * a[2],
    )


@inlined
def transposed(M):
    """Mᵀ."""
    return M[0], M[3], M[6], M[1], M[4], M[7], M[2], M[5], M[8]


@inlined
def product(R, M):
    """R M."""
    x, y, z = out(R, (M[0], M[3], M[6])), out(R, (M[1], M[4], M[7])), out(R, (M[2], M[5], M[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@inlined
def turned(R, M):
    """R M Rᵀ."""
    T = product(R, M)
    x, y, z = out(R, (T[0], T[1], T[2])), out(R, (T[3], T[4], T[5])), out(R, (T[6], T[7], T[8]))
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]


@inlined
def turned_symmetric(R, S):
    """R S Rᵀ for a symmetric tensor."""
    x, y, z = out(R, (S[0], S[1], S[2])), out(R, (S[1], S[3], S[4])), out(R, (S[2], S[4], S[5]))
    return (
        x[0] * R[0] + y[0] * R[1] + z[0] * R[2],
        x[0] * R[3] + y[0] * R[4] + z[0] * R[5],
        x[0] * R[6] + y[0] * R[7] + z[0] * R[8],
        x[1] * R[3] + y[1] * R[4] + z[1] * R[5],
        x[1] * R[6] + y[1] * R[7] + z[1] * R[8],
        x[2] * R[6] + y[2] * R[7] + z[2] * R[8],
    )
