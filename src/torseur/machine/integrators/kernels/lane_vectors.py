"""Vectors over the lanes: what steps do with the states of all motions at once.

An array (n, W) at an address is n vectors of W doubles; a single motion has W = 1.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from torseur.machine.runtime.text_compiler import lanes
from torseur.machine.runtime.vectors import instruction

DOUBLE, _WHOLE = ir.DoubleType(), ir.IntType(64)
_OF_ONE = 61  # the place of a bit that 1.0 has and 0.0 has not, and none above it
TINY = 1e-300  # beside which no difference of states counts
W = lanes()  # how many there are


@instruction(types.int64)
def take(builder, counter):
    """The number of a counter, which is one more afterwards, whoever else takes one."""
    return builder.atomic_rmw("add", counter, ir.Constant(_WHOLE, 1), "monotonic")


def _vector(kind: Any) -> Any:
    """The type of a number of each lane; in one lane it is the number itself."""
    return ir.VectorType(kind, W) if W > 1 else kind


class Vectors:
    """Vectors in memory and in registers, at a place of a builder."""

    kind, of_bits = _vector(DOUBLE), _vector(_WHOLE)

    def __init__(self, builder: Any) -> None:
        self.builder = builder

    def at(self, numbers: Any, index: Any) -> Any:
        offset = self.builder.mul(index, ir.Constant(_WHOLE, W))
        place = self.builder.gep(numbers, [offset])
        return self.builder.bitcast(place, self.kind.as_pointer())

    def load(self, numbers: Any, index: Any) -> Any:
        return self.builder.load(self.at(numbers, index), align=8)

    def store(self, value: Any, numbers: Any, index: Any) -> None:
        self.builder.store(value, self.at(numbers, index), align=8)

    def first(self, numbers: Any) -> Any:
        return self.load(numbers, _whole(0))

    def keep_first(self, value: Any, numbers: Any) -> None:
        self.store(value, numbers, _whole(0))

    def same(self, value: float) -> Any:
        return ir.Constant(self.kind, [float(value)] * W if W > 1 else float(value))

    def bits(self, value: Any) -> Any:
        """The numbers as whole numbers of as many bits."""
        return self.builder.bitcast(value, self.of_bits)

    def whole(self, value: int) -> Any:
        return ir.Constant(self.of_bits, [value] * W if W > 1 else value)

    def root(self, value: Any) -> Any:
        """√x."""
        return self._operation("sqrt", value)

    def spread(self, value: Any) -> Any:
        """A number in every lane."""
        if W == 1:
            return value
        nothing, first = ir.Constant(self.kind, ir.Undefined), ir.Constant(ir.IntType(32), 0)
        one = self.builder.insert_element(nothing, value, first)
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), W), [0] * W)
        return self.builder.shuffle_vector(one, nothing, zeros)

    def size(self, value: Any) -> Any:
        """|x|."""
        return self._operation("fabs", value)

    def _operation(self, operation: str, value: Any) -> Any:
        whole = ir.FunctionType(self.kind, [self.kind])
        name = f"llvm.{operation}.{f'v{W}' if W > 1 else ''}f64"
        function = cgutils.get_or_insert_function(self.builder.module, whole, name)
        return self.builder.call(function, [value])

    def less(self, a: Any, b: Any) -> Any:
        """The smaller of two; b where one is no number."""
        return self.builder.select(self.builder.fcmp_ordered("<", a, b), a, b)

    def more(self, a: Any, b: Any) -> Any:
        """The larger of two; b where one is no number."""
        return self.builder.select(self.builder.fcmp_ordered(">", a, b), a, b)

    def multiply_add(self, a: Any, b: Any, c: Any) -> Any:
        """a b + c."""
        product = self.builder.fmul(a, b)
        return self.builder.fadd(product, c)

    def weighted(self, weights: Sequence[float], stages: Any, n: Any, i: Any) -> Any:
        """Σ w_j k_j of component i, by two sums that do not wait for each other."""
        sums: list[Any] = [None, None]
        for turn, j in enumerate(np.flatnonzero(weights).tolist()):
            place = self.builder.add(self.builder.mul(_whole(j), n), i)
            part, w = self.load(stages, place), self.same(weights[j])
            before = sums[turn % 2]
            now = self.builder.fmul(w, part)
            sums[turn % 2] = now if before is None else self.multiply_add(w, part, before)
        first, second = sums
        return first if second is None else self.builder.fadd(first, second)

    def tolerated(self, y: Any, other: Any, tolerance: Any, i: Any) -> Any:
        """The error that a component may have, by the larger of two states."""
        atol, most, rtol = tolerance
        size = self.more(self.size(self.load(y, i)), self.size(self.load(other, i)))
        counted = self.less(size, self.load(most, i))
        return self.multiply_add(self.spread(rtol), counted, self.load(atol, i))

    def summed(self, n: Any, count: int, terms: Any) -> list[Any]:
        """So many sums Σ x² over the components, of all x in terms(i)."""
        totals = [cgutils.alloca_once_value(self.builder, self.same(0.0)) for _ in range(count)]
        with cgutils.for_range(self.builder, n) as loop:
            for x, total in zip(terms(loop.index), totals, strict=True):
                self.builder.store(self.multiply_add(x, x, self.builder.load(total)), total)
        return [self.builder.load(total) for total in totals]


def _whole(value: int) -> Any:
    return ir.Constant(_WHOLE, value)


@instruction()
def ahead(builder, n, x, h, f, into):
    """into ← x + h f, h being that of each lane."""
    v = Vectors(builder)
    length = v.first(h)
    with cgutils.for_range(builder, n) as loop:
        i = loop.index
        v.store(v.multiply_add(length, v.load(f, i), v.load(x, i)), into, i)


@instruction()
def difference(builder, n, x, y, into):
    """into ← x − y."""
    v = Vectors(builder)
    with cgutils.for_range(builder, n) as loop:
        i = loop.index
        v.store(builder.fsub(v.load(x, i), v.load(y, i)), into, i)


@instruction()
def choose(builder, n, mask, x, into):
    """into ← x in the lanes whose mask is one, not zero.

    Bits are chosen: of a choice between numbers a store under a mask would be made, which some
    processors do number by number.
    """
    v = Vectors(builder)
    chosen = builder.neg(builder.lshr(v.bits(v.first(mask)), v.whole(_OF_ONE)))
    with cgutils.for_range(builder, n) as loop:
        i = loop.index
        new = builder.and_(v.bits(v.load(x, i)), chosen)
        old = builder.and_(v.bits(v.load(into, i)), builder.not_(chosen))
        v.store(builder.bitcast(builder.or_(new, old), v.kind), into, i)


@instruction()
def squares(builder, n, x, into):
    """into ← Σ x²: finite where all components are."""
    v = Vectors(builder)
    (total,) = v.summed(n, 1, lambda i: [v.load(x, i)])
    v.keep_first(total, into)


@instruction()
def squared(builder, n, x, y, other, atol, most, rtol, into):
    """into ← Σ (x / tolerance)², the tolerance being that of the larger of two states."""
    v = Vectors(builder)

    def part(i):
        tolerated = v.tolerated(y, other, (atol, most, rtol), i)
        return [builder.fdiv(v.load(x, i), tolerated)]

    v.keep_first(v.summed(n, 1, part)[0], into)


@instruction()
def quotients(builder, n, y, f, last, f_last, end, f_end, atol, most, rtol, fastest, slow):
    """|Δẏ| / |Δy| between the ends of steps and other states, in units of the tolerance.

    fastest ← that of the last stage, slow ← that of the start.
    """
    v = Vectors(builder)

    def parts(i):
        unit = builder.fdiv(v.same(1.0), v.tolerated(y, end, (atol, most, rtol), i))
        pairs = (f_end, f_last), (end, last), (f_end, f), (end, y)
        apart = (builder.fsub(v.load(a, i), v.load(b, i)) for a, b in pairs)
        return [builder.fmul(x, unit) for x in apart]

    sums = v.summed(n, 4, parts)
    for above, below, into in ((*sums[:2], fastest), (*sums[2:], slow)):
        square = builder.fdiv(above, v.more(below, v.same(TINY)))
        v.keep_first(v.root(square), into)


@instruction()
def relative(builder, n, x, y, usual, most, into):
    """into ← Σ x², each component beside what it is and usually is."""
    v = Vectors(builder)

    def part(i):
        counted = v.less(v.size(v.load(y, i)), v.load(most, i))
        return [builder.fdiv(v.load(x, i), builder.fadd(v.load(usual, i), counted))]

    v.keep_first(v.summed(n, 1, part)[0], into)


@instruction()
def rounding(builder, n, y, grain, into):
    """into ← what the rounding of states may open loops by, or turn and shift anything by."""
    v = Vectors(builder)
    largest = cgutils.alloca_once_value(builder, v.same(0.0))
    with cgutils.for_range(builder, n) as loop:
        i = loop.index
        error = builder.fmul(v.load(grain, i), v.size(v.load(y, i)))
        builder.store(v.more(error, builder.load(largest)), largest)
    v.keep_first(builder.load(largest), into)


@instruction()
def from_both_ends(builder, n, y, f, arrival, f_end, h, polynomial):
    """The first three terms of the polynomial: y and ẏ at both ends."""
    v = Vectors(builder)
    length = v.first(h)
    with cgutils.for_range(builder, n) as loop:
        i = loop.index
        change = builder.fsub(v.load(arrival, i), v.load(y, i))
        second = builder.fsub(builder.fmul(length, v.load(f, i)), change)
        third = builder.fsub(change, builder.fmul(length, v.load(f_end, i)))
        v.store(change, polynomial, i)
        v.store(second, polynomial, builder.add(n, i))
        twice = builder.add(n, n)
        v.store(builder.fsub(third, second), polynomial, builder.add(twice, i))


def interpolation(terms: int) -> Any:
    """into ← y at the fraction x of the step of each lane, by a polynomial of so many terms."""

    @instruction()
    def interpolate(builder, n, x, y, polynomial, into):
        v = Vectors(builder)
        fraction = v.first(x)
        rest = builder.fsub(v.same(1.0), fraction)
        with cgutils.for_range(builder, n) as loop:
            i = loop.index

            def term(k):
                return v.load(polynomial, builder.add(builder.mul(_whole(k), n), i))

            value = term(terms - 1)
            for k in range(terms - 2, -1, -1):
                value = v.multiply_add(rest if k % 2 == 0 else fraction, value, term(k))
            v.store(v.multiply_add(fraction, value, v.load(y, i)), into, i)

    return interpolate


def weighing(weights: Sequence[float], *, times_step: bool = False) -> Any:
    """into ← Σ w_j k_j of a row of weights, times the step if asked for."""

    @instruction()
    def weigh(builder, n, h, stages, into):
        v = Vectors(builder)
        length = v.first(h)
        with cgutils.for_range(builder, n) as loop:
            total = v.weighted(weights, stages, n, loop.index)
            total = builder.fmul(length, total) if times_step else total
            v.store(total, into, loop.index)

    return weigh


def staging(rows: Any, nodes: Any, first: int, last: int) -> Any:
    """The stages from `first` to before `last`, k_s = f(t + c_s h, y + h Σ a_sj k_j)."""

    @instruction()
    def stage(builder, n, y, h, t, k, inside, clock, entry, table):
        v = Vectors(builder)
        for s in range(first, last):
            _go_ahead(v, rows[s], (n, y, h, k), inside)
            v.keep_first(v.multiply_add(v.same(float(nodes[s])), v.first(h), v.first(t)), clock)
            place = builder.mul(_whole(s * W), n)
            _call(builder, entry, table, (inside, clock, builder.gep(k, [place])))

    return stage


def arriving(weights: Any) -> Any:
    """into ← y + h Σ b_j k_j."""

    @instruction()
    def arrive(builder, n, y, h, stages, into):
        _go_ahead(Vectors(builder), weights, (n, y, h, stages), into)

    return arrive


def _go_ahead(v: Vectors, weights: Any, given: Any, into: Any) -> None:
    """into ← y + h Σ w_j k_j."""
    n, y, h, stages = given
    length = v.first(h)
    with cgutils.for_range(v.builder, n) as loop:
        total = v.weighted(weights, stages, n, loop.index)
        v.store(v.multiply_add(length, total, v.load(y, loop.index)), into, loop.index)


def _call(builder: Any, entry: Any, table: Any, given: Any) -> None:
    """The function at an address; its table gets the addresses of y, t and the output."""
    listed = builder.inttoptr(table, _WHOLE.as_pointer())
    for k, pointer in enumerate(given):
        place = builder.gep(listed, [_whole(k + 1)])
        builder.store(builder.ptrtoint(pointer, _WHOLE), place)
    function = ir.FunctionType(ir.VoidType(), [_WHOLE])
    builder.call(builder.inttoptr(entry, function.as_pointer()), [table])


@instruction()
def evaluate(builder, entry, table, y, t, output):
    """output ← a compiled function of (y, t), in all lanes."""
    _call(builder, entry, table, (y, t, output))
