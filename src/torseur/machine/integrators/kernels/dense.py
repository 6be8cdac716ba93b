"""Small dense systems: symmetric positive ones by Cholesky, any other by orthogonal reflections.

The first are kept by rows; the others by columns, with the largest column that is left taken first,
so that columns which say nothing new are found. The freedoms they leave can be used to make
weighted sums of squares of the solution as small as can be, one sum after the other.
"""

from torseur.machine.runtime.long_vectors import copy, dot, square_root
from torseur.machine.runtime.vectors import address, apart, whole

APART = 1e-6  # of a row: what those before it leave of one that says something else
ROUNDING = 1e-9  # of the largest entry of freedoms, weighted: a part that is none


@apart
def cholesky(n, M, L, start):
    """Whether M is positive; the lower triangle of L ← its factor, 1 over its diagonal.

    `start` is the first column of each row that is not zero.
    """
    return _factorise(n, M, L, start, 0.0)


@apart
def _factorise(n, M, L, start, smallest):
    """Whether the squares of the diagonal of the factor of M are all larger than the smallest."""
    for i in range(n):
        for j in range(whole(start[i]), i + 1):
            s = whole(max(start[i], start[j]))
            x = M[i * n + j] - dot(j - s, address(L, i * n + s), address(L, j * n + s))
            if i > j:
                L[i * n + j] = x * L[j * n + j]
            elif x > smallest:
                L[i * n + i] = 1.0 / square_root(x)
            else:
                return False
    return True


@apart
def solve_positive(n, L, x):
    """x ← (L Lᵀ)⁻¹ x, from the factor."""
    for i in range(n):
        row = address(L, i * n)
        x[i] = (x[i] - dot(i, row, x)) * row[i]
    for i in range(n - 1, -1, -1):
        row = address(L, i * n)
        x[i] *= row[i]
        for j in range(i):
            x[j] -= row[j] * x[i]


@apart
def multiply(n, stride, A, x, into):
    """into ← A x, four rows at once: the terms of one sum wait for each other."""
    for i in range(0, n, 4):
        j, k, m = min(i + 1, n - 1), min(i + 2, n - 1), min(i + 3, n - 1)
        one, two = address(A, i * stride), address(A, j * stride)
        three, four = address(A, k * stride), address(A, m * stride)
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for s in range(n):
            factor = x[s]
            a += one[s] * factor
            b += two[s] * factor
            c += three[s] * factor
            d += four[s] * factor
        into[i], into[j], into[k], into[m] = a, b, c, d


@apart
def solve_apart(n, A, L, right, x):
    """Whether the rows of A say things far apart from each other; then x ← A⁻¹ right.

    A is symmetric, with ones on its diagonal.
    """
    for i in range(n):
        x[i] = 0.0  # the first column of a row
    if not _factorise(n, A, L, x, APART):
        return False
    copy(n, right, x)
    solve_positive(n, L, x)
    return True


@apart
def least(n, A, right, rank, column, freedoms, x):
    """Solve A x = right, or what can be solved of it; return the number of freedoms left.

    freedoms ← a basis of the vectors that A makes zero, one after the other; A is used up.
    """
    count = _triangle(n, A, right, rank, column)
    _divide(n, count, A, right)
    for k in range(n):
        x[whole(column[k])] = right[k] if k < count else 0.0
    for j in range(count, n):
        vector = address(A, j * n)
        freedom = address(freedoms, (j - count) * n)
        _divide(n, count, A, vector)
        for k in range(n):
            freedom[whole(column[k])] = -vector[k] if k < count else 1.0 * (k == j)
    return n - count


@apart
def _divide(n, count, A, x):
    """x ← R⁻¹ x, of the first columns."""
    for i in range(count - 1, -1, -1):
        x[i] /= A[i * n + i]
        for j in range(i):
            x[j] -= A[i * n + j] * x[i]


@apart
def lessen(n, left, freedoms, weight, x):
    """Make Σ (weight x)² least along the freedoms; return the number of those that are left.

    Gram and Schmidt's way, the largest first; those that change no weighted number stay.
    """
    heaviest, longest = 0.0, 0.0
    for i in range(n):
        heaviest = max(heaviest, weight[i])
    for j in range(left):
        for i in range(n):
            longest = max(longest, abs(freedoms[j * n + i]))
    none = ROUNDING * heaviest * longest
    while left > 0:
        best, size = 0, -1.0
        for j in range(left):
            freedom = address(freedoms, j * n)
            square = _product(n, weight, freedom, freedom)
            if square > size:
                best, size = j, square
        if not size > none * none:
            return left
        left -= 1
        freedom, last = address(freedoms, best * n), address(freedoms, left * n)
        for i in range(n):
            freedom[i], last[i] = last[i], freedom[i]
        for j in range(left):
            _take(n, weight, last, size, address(freedoms, j * n))
        _take(n, weight, last, size, x)
    return left


@apart
def _product(n, weight, x, y):
    total = 0.0
    for i in range(n):
        total += weight[i] * weight[i] * x[i] * y[i]
    return total


@apart
def _take(n, weight, freedom, size, x):
    """x ← without its part along a vector of which the square of the size is given."""
    part = _product(n, weight, freedom, x) / size
    for i in range(n):
        x[i] -= part * freedom[i]


@apart
def _triangle(n, A, right, rank, column):
    """Factorise A P = Q R: A ← R, right ← Qᵀ right, column ← P; return the rank."""
    largest = 0.0
    for k in range(n):
        column[k] = k
    for k in range(n):
        best, size = k, -1.0
        for j in range(k, n):
            rest = address(A, j * n + k)
            square = dot(n - k, rest, rest)
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
    mirror = address(A, k * n)
    head = -size if mirror[k] > 0.0 else size
    mirror[k] -= head
    half = -mirror[k] * head  # half of the square of the vector of the reflection
    if half > 0.0:
        for j in range(k + 1, n):
            _reflected(n, k, mirror, half, address(A, j * n))
        _reflected(n, k, mirror, half, right)
    mirror[k] = head


@apart
def _reflected(n, k, mirror, half, x):
    part = dot(n - k, address(mirror, k), address(x, k)) / half
    for i in range(k, n):
        x[i] -= part * mirror[i]
