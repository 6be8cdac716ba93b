"""Small dense systems: symmetric positive ones by Cholesky, any other by orthogonal reflections.

The first are kept by rows; the others by columns, with the largest column that is left taken first,
so that columns which say nothing new are found, and the smallest solution given.
"""

from torseur.machine.runtime.long_vectors import dot, square_root
from torseur.machine.runtime.vectors import address, apart, whole


@apart
def cholesky(n, M, L, start):
    """Whether M is positive; the lower triangle of L ← its factor, 1 over its diagonal.

    `start` is the first column of each row that is not zero.
    """
    for i in range(n):
        for j in range(whole(start[i]), i + 1):
            s = whole(max(start[i], start[j]))
            x = M[i * n + j] - dot(j - s, address(L, i * n + s), address(L, j * n + s))
            if i > j:
                L[i * n + j] = x * L[j * n + j]
            elif x > 0.0:
                L[i * n + i] = 1.0 / square_root(x)
            else:
                return False
    return True


@apart
def cholesky_solve(n, L, start, low, high, x):
    """x ← M⁻¹ x, both zero outside of some places."""
    for i in range(low, high):
        s = max(whole(start[i]), low)
        x[i] = (x[i] - dot(i - s, address(L, i * n + s), address(x, s))) * L[i * n + i]
    for i in range(high - 1, low - 1, -1):
        x[i] *= L[i * n + i]
        for j in range(max(whole(start[i]), low), i):
            x[j] -= L[i * n + j] * x[i]


@apart
def least(n, A, right, rank, column, gram, x):
    """x ← the smallest solution of A x = right, or of what can be solved of it; A is used up."""
    count = _triangle(n, A, right, rank, column)
    if count == n:
        for i in range(n - 1, -1, -1):  # R⁻¹ right
            right[i] /= A[i * n + i]
            for j in range(i):
                right[j] -= A[i * n + j] * right[i]
        for k in range(n):
            x[whole(column[k])] = right[k]
        return
    for i in range(count):
        for j in range(count):
            total = 0.0
            for k in range(max(i, j), n):
                total += A[k * n + i] * A[k * n + j]
            gram[i * count + j] = total
    for i in range(count):
        x[i] = 0.0
    cholesky(count, gram, gram, x)
    cholesky_solve(count, gram, x, 0, count, right)
    for k in range(n):
        total = 0.0
        for i in range(min(k + 1, count)):
            total += A[k * n + i] * right[i]
        x[whole(column[k])] = total


@apart
def _triangle(n, A, right, rank, column):
    """How many columns count; A ← R of A P = Q R, right ← Qᵀ right, column ← P."""
    largest = 0.0
    for k in range(n):
        column[k] = k
    for k in range(n):
        best, size = k, -1.0
        for j in range(k, n):
            own = address(A, j * n + k)
            square = dot(n - k, own, own)
            if square > size:
                best, size = j, square
        largest = max(largest, size)
        if not size > rank * rank * largest:
            return k
        for i in range(n):
            A[k * n + i], A[best * n + i] = A[best * n + i], A[k * n + i]
        column[k], column[best] = column[best], column[k]
        _reflect(n, k, A, right, square_root(size))
    return n


@apart
def _reflect(n, k, A, right, size):
    """Column k from its diagonal on becomes (∓size, 0, …), and all that follow are reflected."""
    own = address(A, k * n)
    head = -size if own[k] > 0.0 else size
    own[k] -= head
    half = -own[k] * head  # half of the square of the vector of the reflection
    if half > 0.0:
        for j in range(k + 1, n):
            _reflected(n, k, own, half, address(A, j * n))
        _reflected(n, k, own, half, right)
    own[k] = head


@apart
def _reflected(n, k, own, half, x):
    part = dot(n - k, address(own, k), address(x, k)) / half
    for i in range(k, n):
        x[i] -= part * own[i]
