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

    `exchanges` ← the row that each row was exchanged with, `room` ← 1 over the largest of each row.
    Columns are taken off the others two at a time.
    """
    for i in range(n):
        room[i] = 0.0
    for j in range(n):
        for i in range(n):
            room[i] = max(room[i], size(A[j * n + i]))
    for i in range(n):
        room[i] = 1.0 / room[i] if room[i] > 0.0 else 0.0
    for k in range(n):
        column = address(A, k * n)
        exchanges[k] = pivot = _pivot(n, k, column, room)
        if pivot < 0:
            return False
        if pivot != k:
            room[pivot] = room[k]
            for j in range(n):
                A[j * n + k], A[j * n + pivot] = A[j * n + pivot], A[j * n + k]
        column[k] = _inverse(column[k])
        for i in range(k + 1, n):
            column[i] *= column[k]
        if k % 2 == 1:
            for j in range(k + 1, n):
                _subtract_two(k, n, address(A, (k - 1) * n), column, address(A, j * n))
        elif k + 1 < n:
            _subtract(k + 1, n, A[(k + 1) * n + k], column, address(A, (k + 1) * n))
    return True


@apart
def _pivot(n, k, column, scale):
    """The row, from k on, whose scaled entry in a column is the largest; −1: all are zero.

    The row of the diagonal is preferred: to exchange rows fills zeros.
    """
    best = PREFERENCE * size(column[k]) * scale[k]
    row = k if best > 0.0 else -1
    for i in range(k + 1, n):
        entry = size(column[i]) * scale[i]
        if entry > best:
            row, best = i, entry
    return row


@apart
def _subtract(start, stop, factor, x, into):
    """into ← into − factor x, between two rows."""
    if size(factor) != 0.0:
        for i in range(start, stop):
            into[i] -= factor * x[i]


@apart
def _subtract_two(k, n, one, two, into):
    """into ← without its parts along columns k − 1 and k, from row k on."""
    first = into[k - 1]
    second = into[k] - first * one[k]
    into[k] = second
    if size(first) == 0.0:
        _subtract(k + 1, n, second, two, into)
    elif size(second) == 0.0:
        _subtract(k + 1, n, first, one, into)
    else:
        for i in range(k + 1, n):
            into[i] = (into[i] - first * one[i]) - second * two[i]


@apart
def solve(n, A, exchanges, x):
    """x ← A⁻¹ x, from the factors of A; two unknowns at a time, which wait for each other."""
    for k in range(n):
        pivot = whole(exchanges[k])
        if pivot != k:
            x[k], x[pivot] = x[pivot], x[k]
    for k in range(1, n, 2):
        _subtract_two(k, n, address(A, (k - 1) * n), address(A, k * n), x)
    for k in range(n - 1, 0, -2):
        last, one = address(A, k * n), address(A, (k - 1) * n)
        x[k] *= last[k]
        second = x[k]
        x[k - 1] = (x[k - 1] - second * last[k - 1]) * one[k - 1]
        first = x[k - 1]
        for i in range(k - 1):
            x[i] = (x[i] - second * last[i]) - first * one[i]
    if n % 2 == 1:
        x[0] *= A[0]
