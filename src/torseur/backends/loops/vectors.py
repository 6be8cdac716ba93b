"""Three-vectors and tensors in registers: tuples that the compiler takes apart.

A vector is (x, y, z), a symmetric tensor (xx, xy, xz, yy, yz, zz), a matrix nine numbers by rows.
`rows` is a two-dimensional array, i the row of a body, k the place of a quantity in it.
"""

from numba import njit

# Products and sums are rounded one by one and in the order they are written. What only other
# kernels call needs no entry from Python.
inlined = njit(
    forceinline=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
)
apart = njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)


@inlined
def vector(rows, i, k):
    """The vector kept at place k of row i."""
    return rows[i, k], rows[i, k + 1], rows[i, k + 2]


@inlined
def keep(rows, i, k, a):
    """Vector a goes to place k of row i."""
    rows[i, k], rows[i, k + 1], rows[i, k + 2] = a


@inlined
def gather(rows, i, k, a):
    """Vector a is added to the one at place k of row i."""
    rows[i, k] += a[0]
    rows[i, k + 1] += a[1]
    rows[i, k + 2] += a[2]


@inlined
def symmetric(rows, i, k):
    """The symmetric tensor kept at place k of row i."""
    return (
        rows[i, k],
        rows[i, k + 1],
        rows[i, k + 2],
        rows[i, k + 3],
        rows[i, k + 4],
        rows[i, k + 5],
    )


@inlined
def matrix(rows, i, k):
    """The matrix kept at place k of row i."""
    return (
        rows[i, k],
        rows[i, k + 1],
        rows[i, k + 2],
        rows[i, k + 3],
        rows[i, k + 4],
        rows[i, k + 5],
        rows[i, k + 6],
        rows[i, k + 7],
        rows[i, k + 8],
    )


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
def product(R, B):
    """R B."""
    x, y, z = out(R, (B[0], B[3], B[6])), out(R, (B[1], B[4], B[7])), out(R, (B[2], B[5], B[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


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


@inlined
def turned(R, B):
    """R B Rᵀ."""
    T = product(R, B)
    x, y, z = out(R, (T[0], T[1], T[2])), out(R, (T[3], T[4], T[5])), out(R, (T[6], T[7], T[8]))
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]
