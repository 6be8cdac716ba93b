"""Vectors (x, y, z) as tuples of any scalar: numbers, columns of numbers, expressions, registers.

A matrix is nine scalars by rows, a symmetric one (xx, xy, xz, yy, yz, zz). Sums, differences and
products only, in the order in which they are written: the same text runs as machine code.
"""

from typing import Any

Vector = Any  # three scalars
Matrix = Any  # nine
Symmetric = Any  # six


def plus(a: Vector, b: Vector) -> Vector:
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Vector, b: Vector) -> Vector:
    """a − b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def times(x: Any, a: Vector) -> Vector:
    """x a."""
    return x * a[0], x * a[1], x * a[2]


def dot(a: Vector, b: Vector) -> Any:
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def mapped(M: Matrix, a: Vector) -> Vector:
    """M a."""
    return dot((M[0], M[1], M[2]), a), dot((M[3], M[4], M[5]), a), dot((M[6], M[7], M[8]), a)


def mapped_back(M: Matrix, a: Vector) -> Vector:
    """Mᵀ a."""
    return dot((M[0], M[3], M[6]), a), dot((M[1], M[4], M[7]), a), dot((M[2], M[5], M[8]), a)


def applied(S: Symmetric, a: Vector) -> Vector:
    """S a."""
    return dot((S[0], S[1], S[2]), a), dot((S[1], S[3], S[4]), a), dot((S[2], S[4], S[5]), a)


def transposed(M: Matrix) -> Matrix:
    """Mᵀ."""
    return M[0], M[3], M[6], M[1], M[4], M[7], M[2], M[5], M[8]


def by_columns(x: Vector, y: Vector, z: Vector) -> Matrix:
    """The matrix of three columns."""
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


def product(R: Matrix, M: Matrix) -> Matrix:
    """R M."""
    x, y, z = (M[0], M[3], M[6]), (M[1], M[4], M[7]), (M[2], M[5], M[8])
    return by_columns(mapped(R, x), mapped(R, y), mapped(R, z))


def on_both_sides(R: Matrix, M: Matrix) -> Matrix:
    """R M Rᵀ."""
    return transposed(product(R, transposed(product(R, M))))


def symmetric_on_both_sides(R: Matrix, S: Symmetric) -> Symmetric:
    """R S Rᵀ."""
    a, b, c = (R[0], R[1], R[2]), (R[3], R[4], R[5]), (R[6], R[7], R[8])
    x, y, z = applied(S, a), applied(S, b), applied(S, c)
    return dot(a, x), dot(a, y), dot(a, z), dot(b, y), dot(b, z), dot(c, z)


def attitude(k: Any, w: Any, x: Any, y: Any, z: Any) -> Matrix:
    """The rotation of a quaternion; k is 2 over the square of its norm."""
    return (
        1.0 - k * (y * y + z * z),
        k * (x * y - w * z),
        k * (x * z + w * y),
        k * (x * y + w * z),
        1.0 - k * (x * x + z * z),
        k * (y * z - w * x),
        k * (x * z - w * y),
        k * (y * z + w * x),
        1.0 - k * (x * x + y * y),
    )


def less(S: Symmetric, g: Vector, b: Vector) -> Symmetric:
    """S − g bᵀ, the result being known to be symmetric."""
    x, y, z = times(g[0], b), times(g[1], b), times(g[2], b)
    return S[0] - x[0], S[1] - x[1], S[2] - x[2], S[3] - y[1], S[4] - y[2], S[5] - z[2]


def matrix_less(M: Matrix, g: Vector, b: Vector) -> Matrix:
    """M − g bᵀ."""
    x = minus((M[0], M[1], M[2]), times(g[0], b))
    y = minus((M[3], M[4], M[5]), times(g[1], b))
    z = minus((M[6], M[7], M[8]), times(g[2], b))
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]
