"""Linear systems of expressions.

A symmetric positive matrix is first split into blocks that do not speak of each other, so that what
is diagonal stays short. A block of up to three rows is solved by its adjugate, which divides by one
determinant only; a larger one by A = Lᵀ D L from its last row, in which chains fill nothing in, nor
do trees where the sparsity of a mass matrix is known (Featherstone 2008, §6.5). Any other matrix is
eliminated through entries that are numbers, and what is left by its adjugate:
nothing is divided by that vanishes where the matrix is regular.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO, expression
from torseur.algebra.core.graph import expressions
from torseur.algebra.core.rules import choice
from torseur.topology.tree import Tree

Array = np.ndarray
_LARGEST_ADJUGATE = 3


def solve(A: Array, right: Array) -> Array:
    """A⁻¹ right; right may have columns."""
    A, b = expressions(A), expressions(right)
    columns = b[:, np.newaxis] if b.ndim == 1 else b
    x = expressions(np.zeros(columns.shape))
    for block in blocks(A):
        part = A[np.ix_(block, block)]
        method = by_adjugate if len(block) <= _LARGEST_ADJUGATE else factorised
        x[block] = method(part, columns[block])
    return x.reshape(b.shape)


def _is_zero(x: Any) -> bool:
    return x is ZERO


def blocks(A: Array, vanishes: Callable[[Any], bool] = _is_zero) -> list[list[int]]:
    """The sets of rows that entries other than zero link together."""
    left, parts = set(range(len(A))), []
    while left:
        pending, block = [min(left)], set()
        while pending:
            i = pending.pop()
            if i in left:
                left.remove(i)
                block.add(i)
                pending += [j for j in left if not (vanishes(A[i, j]) and vanishes(A[j, i]))]
        parts.append(sorted(block))
    return parts


def by_adjugate(A: Array, b: Array) -> Array:
    """A⁻¹ b by cofactors: nothing is divided by but the determinant of A; b has columns.

    An elimination would divide by pivots that vanish in configurations where A is regular.
    """
    everything, minor = tuple(range(len(A))), _minors(A)
    cofactors = expressions(np.zeros(A.shape))
    for i in everything:
        for j in everything:
            rows, columns = (tuple(k for k in everything if k != skipped) for skipped in (i, j))
            cofactors[i, j] = (-1) ** (i + j) * minor(rows, columns)
    return expressions((cofactors.T @ b) / minor(everything, everything)).reshape(b.shape)


def determinant(A: Array) -> Any:
    """Along the first row; for a few rows only."""
    everything = tuple(range(len(A)))
    return _minors(A)(everything, everything)


def _minors(A: Array) -> Callable[[tuple[int, ...], tuple[int, ...]], Any]:
    """The determinants of the parts of a matrix, by rows and columns, each found once."""

    @cache
    def minor(rows: tuple[int, ...], columns: tuple[int, ...]) -> Any:
        total = ZERO if rows else ONE
        for k, column in enumerate(columns):
            entry = expression(A[rows[0], column])
            if entry is not ZERO:
                below = minor(rows[1:], (*columns[:k], *columns[k + 1 :]))
                total = total + (-1) ** k * entry * below
        return total

    return minor


def solve_any(A: Array, right: Array) -> Array:
    """A⁻¹ right for a matrix that is regular, whatever its form."""
    left = _Eliminated(A, right)
    x = expressions(np.zeros(len(A)))
    if left.rows:
        part, b = left.A[np.ix_(left.rows, left.columns)], left.b[left.rows]
        x[left.columns] = by_adjugate(part, b.reshape(-1, 1))[:, 0]
    return left.completed(x)


def solve_each(
    A: Array, right: Array, groups: Sequence[Sequence[int]], read: Callable[[Any], Any]
) -> list[Any]:
    """The unknowns of A x = right that it determines, None for the others; it may have more rows.

    They are solved by Aᵀ A x = Aᵀ right in each of the groups of rows that have one unit; what is
    left is eliminated first through numbers. `read` makes entries shorter, so that what cancels is
    seen.
    """
    A, b = expressions(A), expressions(right)
    x = np.full(np.shape(A)[1], None, dtype=object)
    _in_groups(A, b, groups, x, read)
    known = [k for k, y in enumerate(x) if y is not None]
    free = [k for k, y in enumerate(x) if y is None]
    left = _Eliminated(A[:, free], _less(b, A[:, known], x[known]))
    more = np.full(len(free), None, dtype=object)
    rows = [[k for k in group if k in left.rows] for group in groups]
    part = expressions(np.zeros(left.A.shape))
    part[:, left.columns] = left.A[:, left.columns]
    _in_groups(part, left.b, rows, more, read)
    x[free] = left.completed(more)
    return list(x)


def _in_groups(
    A: Array, b: Array, groups: Sequence[Sequence[int]], x: Array, read: Callable[[Any], Any]
) -> None:
    """Fill in the unknowns that groups of rows determine, one after the other."""
    before = None
    while (pending := [k for k, y in enumerate(x) if y is None]) != before:
        before = pending
        for group in groups:
            pending = [k for k in pending if x[k] is None]
            known = [k for k, y in enumerate(x) if y is not None]
            rows = list(group)
            forces = _less(b[rows], A[np.ix_(rows, known)], x[known])
            for k, value in _by_squares(read(A[np.ix_(rows, pending)]), forces, read).items():
                x[pending[k]] = value


def _less(b: Array, A: Array, x: Array) -> Array:
    """b − A x."""
    return expressions(b - A @ x) if len(x) else b


def _by_squares(A: Array, b: Array, read: Callable[[Any], Any]) -> dict[int, Any]:
    """The unknowns of Aᵀ A x = Aᵀ b in the blocks that are regular."""
    normal, forces = read(expressions(A.T @ A)), expressions(A.T @ b)
    solved: dict[int, Any] = {}
    for block in blocks(normal):
        submatrix = normal[np.ix_(block, block)]
        if len(block) <= _LARGEST_ADJUGATE and read(determinant(submatrix)) is not ZERO:
            solution = by_adjugate(submatrix, forces[block].reshape(-1, 1))[:, 0]
            solved |= dict(zip(block, map(read, solution), strict=True))
    return solved


@final
class _Eliminated:
    """A x = b with the unknowns eliminated that numbers lead to."""

    def __init__(self, A: Array, right: Array) -> None:
        A, b = expressions(A).copy(), expressions(right).copy()
        rows, columns = (list(range(n)) for n in np.shape(A))
        steps: list[tuple[int, int, list[int]]] = []
        while (pivot := _number_pivot(A, rows, columns)) is not None:
            i, j = pivot
            rows.remove(i)
            columns.remove(j)
            for k in rows:
                if A[k, j] is not ZERO:
                    factor = A[k, j] / A[i, j]
                    A[k, columns] = A[k, columns] - factor * A[i, columns]
                    b[k] = b[k] - factor * b[i]
            steps.append((i, j, list(columns)))
        self.A, self.b, self.rows, self.columns, self._steps = A, b, rows, columns, steps

    def completed(self, x: Array) -> Array:
        """The solution with those that were eliminated; None where one it needs is not known."""
        A, b = self.A, self.b
        for i, j, others in reversed(self._steps):
            needed = [k for k in others if A[i, k] is not ZERO]
            if any(x[k] is None for k in needed):
                x[j] = None
                continue
            x[j] = (b[i] - A[i, needed] @ x[needed]) / A[i, j] if needed else b[i] / A[i, j]
        return x


def _number_pivot(A: Array, rows: list[int], columns: list[int]) -> tuple[int, int] | None:
    """An entry that is a number, in the row with the fewest entries."""
    for i in sorted(rows, key=lambda i: sum(A[i, j] is not ZERO for j in columns)):
        for j in columns:
            if A[i, j].op == "number" and A[i, j] is not ZERO:
                return i, j
    return None


# --- A = Lᵀ D L ---------------------------------------------------------------------------------


def parents_of_speeds(tree: Tree) -> list[int]:
    """For each speed, the speed just before it on the way to the ground (−1: none).

    Entry (i, j) of the mass matrix is zero unless one of i, j is an ancestor of the other.
    """
    last: dict[int, int] = {-1: -1}
    parent = [-1] * tree.nv
    for i, link in tree:
        before = last[link.parent]
        for speed in range(link.v.start, link.v.stop):
            parent[speed] = before
            before = speed
        last[i] = before
    return parent


def leaves_first(parent: list[int]) -> list[int]:
    """The speeds, each before its ancestors."""

    def depth(k: int) -> int:
        steps = 0
        while (k := parent[k]) >= 0:
            steps += 1
        return steps

    return sorted(range(len(parent)), key=lambda k: -depth(k))


@final
class Factors:
    """The factors of a symmetric matrix M = Lᵀ D L.

    `parent` says of which speeds each depends on the way to the ground; None: on all before it.
    A pivot below the share `least` of its diagonal entry counts as zero: nothing is then finite.
    In `blocks`, of indices with their sizes, it is that of all the block when it is begun.
    """

    def __init__(
        self,
        M: Array,
        parent: list[int] | None = None,
        *,
        least: float = 0.0,
        blocks: Sequence[Mapping[int, Any]] = (),
    ) -> None:
        n = len(M)
        self._parent = parent = list(range(-1, n - 1)) if parent is None else parent
        self.inverse: list[Any] = [ZERO] * n  # of D
        self._L: dict[tuple[int, int], Any] = {}
        self._order = leaves_first(parent)
        H = {(i, j): expression(M[i, j]) for i in range(n) for j in range(n)}
        entries = {} if blocks else {k: H[k, k] for k in range(n)}
        block_of = {max(block): block for block in blocks}
        for k in self._order:
            pivot = H[k, k]
            begun = block_of.get(k, {})
            together = sum((H[j, j] / size**2 for j, size in begun.items()), ZERO)
            entries |= {j: together * size**2 for j, size in begun.items()}
            if least and k in entries:  # zero where it is rounding
                sign = entries[k] if blocks else ONE
                pivot = choice(sign * (pivot - least * entries[k]), pivot, ZERO)
            self.inverse[k] = 1 / pivot
            i = parent[k]
            while i >= 0:
                self._L[k, i] = H[k, i] * self.inverse[k]
                j = i
                while j >= 0:
                    H[i, j] = H[j, i] = H[i, j] - self._L[k, i] * H[k, j]
                    j = parent[j]
                i = parent[i]

    def half(self, right: Array) -> list[Any]:
        """L⁻ᵀ right, by rows; right may have columns."""
        x = [expression(b) if np.ndim(b) == 0 else np.array(b, dtype=object) for b in right]
        for k in self._order:
            i = self._parent[k]
            while i >= 0:
                x[i] = x[i] - self._L[k, i] * x[k]
                i = self._parent[i]
        return x

    def whole(self, half: Sequence[Any]) -> Array:
        """M⁻¹ right of its `half`."""
        x = list(half)
        for k in reversed(self._order):
            x[k] = x[k] * self.inverse[k]
            i = self._parent[k]
            while i >= 0:
                x[k] = x[k] - self._L[k, i] * x[i]
                i = self._parent[i]
        return np.array(x, dtype=object)


def factorised(
    M: Array, right: Array, parent: list[int] | None = None, *, least: float = 0.0
) -> Array:
    """M⁻¹ right by M = Lᵀ D L, as `Factors` say; right may have columns."""
    factors = Factors(M, parent, least=least)
    return factors.whole(factors.half(right))


def constrained(
    M: Array, right: Array, parent: list[int] | None, J: Array, rates: Array
) -> tuple[Array, Array]:
    """x and λ of M x = right + Jᵀ λ and J x = rates; right and rates may have columns.

    With M = Lᵀ D L and Y = L⁻ᵀ Jᵀ the matrix of λ is Yᵀ D⁻¹ Y: Jᵀ is brought half the way only.
    """
    factors, rows = Factors(M, parent), len(J)
    columns = np.reshape(right, (len(M), -1))
    half = np.array(factors.half(np.hstack([J.T, columns])), dtype=object)
    Y, free = half[:, :rows], half[:, rows:]
    scaled = Y * np.array(factors.inverse, dtype=object)[:, np.newaxis]
    known = np.reshape(rates, (rows, columns.shape[1])) - scaled.T @ free
    lam = factorised(scaled.T @ Y, known) if rows else known
    x = factors.whole(free + Y @ lam)
    return x.reshape(np.shape(right)), lam.reshape(np.shape(rates))


SURE = 1e-3  # share of a pivot of a branch that rounding may not reach


def constrained_by_branches(
    M: Array,
    right: Array,
    J: Array,
    rates: Array,
    order: Sequence[Sequence[int]],
    sizes: Sequence[Any],
) -> tuple[Array, Array]:
    """`constrained` by eliminating speeds, and rows counted after them, in runs of an order.

    Rows, which have sizes, come after speeds that they are independent on. Near states where they
    are not, nothing is finite: rounding would grow.
    """
    n, last_first = len(M), [k for run in order for k in run][::-1]
    K = expressions(np.block([[M, J.T], [J, np.full((len(J), len(J)), ZERO)]]))
    columns = np.vstack([np.reshape(right, (n, -1)), np.reshape(rates, (len(J), -1))])
    place = {k: i for i, k in enumerate(last_first)}
    blocks = [{place[k]: sizes[k - n] for k in run} for run in order[:-1] if run and run[0] >= n]
    factors = Factors(K[np.ix_(last_first, last_first)], least=SURE, blocks=blocks)
    x = np.empty_like(columns)
    x[last_first] = factors.whole(factors.half(columns[last_first]))
    return x[:n].reshape(np.shape(right)), -x[n:].reshape(np.shape(rates))
