"""Blocks of six by six numbers, columns one after the other, each column one vector.

A node with fewer than six unknowns has zeros for the rest, and zero for the inverses of their
pivots: they stay zero and cost nothing to tell apart.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils

from torseur.machine.runtime.vectors import instruction

SIZE = 6
AREA = SIZE * SIZE
_NUMBER = ir.DoubleType()
_COLUMN = ir.VectorType(_NUMBER, SIZE)
_INDEX = ir.IntType(32)
_NOTHING = ir.Constant(_COLUMN, ir.Undefined)
SLIGHT = 1e-4  # its fourth power is nothing beside 1


class _Columns:
    """Columns of blocks as registers."""

    def __init__(self, builder: Any) -> None:
        self._builder = builder

    def _place(self, block: Any, k: int) -> Any:
        place = self._builder.gep(block, [ir.Constant(_INDEX, SIZE * k)])
        return self._builder.bitcast(place, _COLUMN.as_pointer())

    def load(self, block: Any, k: int) -> Any:
        """Column k of a block."""
        return self._builder.load(self._place(block, k), align=8)

    def store(self, column: Any, block: Any, k: int) -> None:
        """Column k of a block ← a column."""
        self._builder.store(column, self._place(block, k), align=8)

    def number(self, block: Any, k: int) -> Any:
        """One number of a block."""
        place = self._builder.gep(block, [ir.Constant(_INDEX, k)])
        return self._builder.load(place)

    def entry(self, column: Any, k: int) -> Any:
        """One number of a column."""
        return self._builder.extract_element(column, ir.Constant(_INDEX, k))

    def inverse(self, pivot: Any, least: Any, softness: Any) -> Any:
        """1/(d (1 + (softness least/d)⁴)), zero for a pivot d that is not larger than the least."""
        builder = self._builder
        size = builder.call(builder.module.declare_intrinsic("llvm.fabs", [_NUMBER]), [pivot])
        one, zero = ir.Constant(_NUMBER, 1.0), ir.Constant(_NUMBER, 0.0)
        inverse, soft = builder.fdiv(one, pivot), builder.fmul(softness, least)
        counts = builder.fcmp_ordered(">", size, least)
        large = builder.fcmp_ordered(">", builder.fmul(size, ir.Constant(_NUMBER, SLIGHT)), soft)
        usual = builder.block
        with builder.if_then(builder.and_(counts, builder.not_(large)), likely=False):
            ratio = builder.fmul(soft, inverse)
            square = builder.fmul(ratio, ratio)
            more = builder.fadd(one, builder.fmul(square, square))
            less = builder.fdiv(inverse, more)
            seldom = builder.block
        value = builder.phi(_NUMBER)
        value.add_incoming(inverse, usual)
        value.add_incoming(less, seldom)
        return builder.select(counts, value, zero)

    def times(self, a: Any, x: Any) -> Any:
        """a x, for a number a."""
        one = self._builder.insert_element(_NOTHING, a, ir.Constant(_INDEX, 0))
        first = ir.Constant(ir.VectorType(_INDEX, SIZE), [0] * SIZE)
        everywhere = self._builder.shuffle_vector(one, _NOTHING, first)
        return self._builder.fmul(everywhere, x)

    def less(self, y: Any, a: Any, x: Any) -> Any:
        """y − a x, for a number a."""
        return self._builder.fsub(y, self.times(a, x))

    def below(self, column: Any, k: int) -> Any:
        """The column with zeros down to entry k."""
        chosen = [j if j > k else SIZE for j in range(SIZE)]
        zeros = ir.Constant(_COLUMN, [0.0] * SIZE)
        which = ir.Constant(ir.VectorType(_INDEX, SIZE), chosen)
        return self._builder.shuffle_vector(column, zeros, which)


@instruction()
def divide(builder, factor, block):
    """block ← block L⁻ᵀ, L being the unit lower triangle of a factor."""
    of = _Columns(builder)
    done: list[Any] = []
    for k in range(SIZE):
        column = of.load(block, k)
        for j, before in enumerate(done):
            column = of.less(column, of.number(factor, SIZE * j + k), before)
        of.store(column, block, k)
        done.append(column)


@instruction()
def subtract(builder, target, x, inverses, y):
    """target ← target − x D⁻¹ yᵀ."""
    of = _Columns(builder)
    left = [of.load(x, k) for k in range(SIZE)]
    weights = [of.number(inverses, k) for k in range(SIZE)]
    for c in range(SIZE):
        column = of.load(target, c)
        for k in range(SIZE):
            weight = builder.fmul(weights[k], of.number(y, SIZE * k + c))
            column = of.less(column, weight, left[k])
        of.store(column, target, c)


@instruction()
def push(builder, right, block, solved):
    """right ← right − block solved."""
    of = _Columns(builder)
    column = of.load(right, 0)
    for k in range(SIZE):
        column = of.less(column, of.number(solved, k), of.load(block, k))
    of.store(column, right, 0)


@instruction()
def pull(builder, right, block, solved):
    """right ← right − blockᵀ solved."""
    of = _Columns(builder)
    for k in range(SIZE):
        place = builder.gep(right, [ir.Constant(_INDEX, k)])
        total = builder.load(place)
        for i in range(SIZE):
            entry, other = of.number(block, SIZE * k + i), of.number(solved, i)
            product = builder.fmul(entry, other)
            total = builder.fsub(total, product)
        builder.store(total, place)


@instruction()
def clear(builder, numbers, count):
    """numbers ← 0."""
    size = builder.mul(count, ir.Constant(ir.IntType(64), 8))
    cgutils.memset(builder, numbers, size, 0)


@instruction()
def split(builder, block, inverses, pivots, least, softness):
    """block ← the columns of L below its diagonal, for block = L D Lᵀ; pivots ← D; inverses ← D⁻¹.

    A pivot that is not larger than its entry of `least` counts as zero, and so does its inverse:
    the unknown is left out. Above it, 1/d becomes 1/(d (1 + (softness least/d)⁴)): with a softness
    of 100, an unknown that is about to be left out has lost its weight before.
    """
    of = _Columns(builder)
    columns = [of.load(block, k) for k in range(SIZE)]
    for k in range(SIZE):
        pivot = of.entry(columns[k], k)
        inverse = of.inverse(pivot, of.number(least, k), softness)
        builder.store(pivot, builder.gep(pivots, [ir.Constant(_INDEX, k)]))
        builder.store(inverse, builder.gep(inverses, [ir.Constant(_INDEX, k)]))
        ratios = of.times(inverse, columns[k])
        for j in range(k + 1, SIZE):
            columns[j] = of.less(columns[j], of.entry(ratios, j), columns[k])
        of.store(of.below(ratios, k), block, k)


@instruction()
def lower(builder, factor, x):
    """x ← L⁻¹ x."""
    of = _Columns(builder)
    column = of.load(x, 0)
    for k in range(SIZE - 1):
        column = of.less(column, of.entry(column, k), of.load(factor, k))
    of.store(column, x, 0)


@instruction()
def upper(builder, factor, x):
    """x ← L⁻ᵀ x."""
    of = _Columns(builder)
    solution = [of.number(x, k) for k in range(SIZE)]
    for k in range(SIZE - 2, -1, -1):
        for j in range(k + 1, SIZE):
            product = builder.fmul(of.number(factor, SIZE * k + j), solution[j])
            solution[k] = builder.fsub(solution[k], product)
        builder.store(solution[k], builder.gep(x, [ir.Constant(_INDEX, k)]))
