"""Dense linear systems of real or complex numbers, by elimination with exchanges of rows.

Matrices are kept by columns. Rows count by their size relative to their largest entry, so that the
units of the components do not matter, and entries that are zero cost nothing: the rows q̇ = v of a
mechanism disappear at almost no cost.
"""

from torseur.machine.runtime.vectors import address, apart, whole

PREFERENCE = 10.0  # of the diagonal: no larger a loss of digits is taken for its sake


@apart
def size(x):
    """|Re x| + |Im x|."""
    return abs(x.real) + abs(x.imag)


@apart
def _inverse(x):
    """1 / x; the division of complex numbers would look for zeros and call Python."""
    return x.conjugate() * (1.0 / (x.real * x.real + x.imag * x.imag))


@apart
def factorise(n, A, exchanges, room):
    """Whether A is regular; A ← its factors L and U, with the inverse of the diagonal of U.

    `exchanges` ← the row that each row was exchanged with.
    """
    for i in range(n):
        room[i] = 0.0
    for j in range(n):
        for i in range(n):
            room[i] = max(room[i], size(A[j * n + i]))
    for k in range(n):
        pivot = _pivot(n, k, address(A, k * n), room)
        exchanges[k] = pivot
        if pivot < 0:
            return False
        if pivot != k:
            room[pivot] = room[k]
            for j in range(k, n):
                A[j * n + k], A[j * n + pivot] = A[j * n + pivot], A[j * n + k]
        own = address(A, k * n)
        own[k] = _inverse(own[k])
        for i in range(k + 1, n):
            own[i] *= own[k]
        for j in range(k + 1, n):
            _subtract(k + 1, n, A[j * n + k], own, address(A, j * n))
    return True


@apart
def _pivot(n, k, column, largest):
    """The row, from k on, whose entry in a column is the largest beside its own others; −1: none.

    The row of the diagonal is preferred: to exchange rows fills zeros.
    """
    found, best = -1, 0.0
    for i in range(k, n):
        entry = size(column[i]) if i > k else PREFERENCE * size(column[i])
        if entry > best * largest[i]:
            found, best = i, entry / largest[i]
    return found


@apart
def _subtract(start, stop, factor, x, into):
    """into ← into − factor x, between two rows."""
    if size(factor) != 0.0:
        for i in range(start, stop):
            into[i] -= factor * x[i]


@apart
def solve(n, A, exchanges, x):
    """x ← A⁻¹ x, from the factors of A."""
    for k in range(n):
        pivot = whole(exchanges[k])
        if pivot != k:
            x[k], x[pivot] = x[pivot], x[k]
        _subtract(k + 1, n, x[k], address(A, k * n), x)
    for k in range(n - 1, -1, -1):
        column = address(A, k * n)
        x[k] *= column[k]
        _subtract(0, k, x[k], column, x)
