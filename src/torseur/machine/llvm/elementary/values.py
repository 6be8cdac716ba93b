"""Registers with operators: the formulas of a function written as mathematics, in any width.

Every operation rounds by itself, so that a lane has the same bits in every width.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, final

from torseur.machine.llvm.emit import Instructions

_LOW_HALF, _LOW_27 = (1 << 32) - 1, (1 << 27) - 1
_ALL, _SIGN = (1 << 64) - 1, 1 << 63
_TWO_52 = 0x433 << 52  # the bits of 2⁵²


@final
class Truth:
    """A condition in each lane."""

    def __init__(self, body: Instructions, register: str) -> None:
        self.body, self.register = body, register

    @property
    def type(self) -> str:
        return _lanes(self.body, "i1")

    def __and__(self, other: Truth) -> Truth:
        return self._join("and", other)

    def __or__(self, other: Truth) -> Truth:
        return self._join("or", other)

    def __xor__(self, other: Truth) -> Truth:
        return self._join("xor", other)

    def __invert__(self) -> Truth:
        count = self.body.width
        all_true = "true" if count == 1 else f"<{', '.join(['i1 true'] * count)}>"
        return self ^ Truth(self.body, all_true)

    def _join(self, operation: str, other: Truth) -> Truth:
        line = f"{operation} {self.type} {self.register}, {other.register}"
        return Truth(self.body, self.body.do(line))

    def choose(self, then: Real | float, otherwise: Real | float) -> Real:
        """One of two numbers."""
        both = [real(self.body, x).register for x in (then, otherwise)]
        return Real(self.body, self._select(self.body.type, *both))

    def choose_whole(self, then: Integer | int, otherwise: Integer | int) -> Integer:
        """One of two integers."""
        both = [whole(self.body, x).register for x in (then, otherwise)]
        return Integer(self.body, self._select(_lanes(self.body, "i64"), *both))

    def _select(self, kind: str, then: str, otherwise: str) -> str:
        return self.body.do(
            f"select {self.type} {self.register}, {kind} {then}, {kind} {otherwise}"
        )

    def in_any_lane(self) -> str:
        """The register of one bit: whether the condition holds anywhere."""
        count = self.body.width
        if count == 1:
            return self.register
        bits = self.body.do(f"bitcast <{count} x i1> {self.register} to i{count}")
        return self.body.do(f"icmp ne i{count} {bits}, 0")


@final
class Integer:
    """An integer of 64 bits in each lane."""

    def __init__(self, body: Instructions, register: str) -> None:
        self.body, self.register = body, register

    def __add__(self, other: Integer | int) -> Integer:
        return self._by("add", other)

    def __sub__(self, other: Integer | int) -> Integer:
        return self._by("sub", other)

    def __rsub__(self, other: int) -> Integer:
        return whole(self.body, other) - self

    def __mul__(self, other: Integer | int) -> Integer:
        return self._by("mul", other)

    def __and__(self, other: Integer | int) -> Integer:
        return self._by("and", other)

    def __or__(self, other: Integer | int) -> Integer:
        return self._by("or", other)

    def __lshift__(self, other: Integer | int) -> Integer:
        return self._by("shl", other)

    def __rshift__(self, other: Integer | int) -> Integer:
        """Shifted to the right; zeros come in."""
        return self._by("lshr", other)

    def _by(self, operation: str, other: Integer | int) -> Integer:
        given = whole(self.body, other).register
        line = f"{operation} {_lanes(self.body, 'i64')} {self.register}, {given}"
        return Integer(self.body, self.body.do(line))

    def has(self, bits: int) -> Truth:
        """Condition: any of some bits is set."""
        zero = whole(self.body, 0).register
        line = f"icmp ne {_lanes(self.body, 'i64')} {(self & bits).register}, {zero}"
        return Truth(self.body, self.body.do(line))

    def exceeds(self, other: int) -> Truth:
        """Condition: the integer, read without sign, is larger than another."""
        given = whole(self.body, other).register
        line = f"icmp ugt {_lanes(self.body, 'i64')} {self.register}, {given}"
        return Truth(self.body, self.body.do(line))

    def count(self) -> Real:
        """A count below 2⁵², as a double."""
        return (self | _TWO_52).as_real() - 2.0**52

    def as_real(self) -> Real:
        """The double of these bits."""
        line = f"bitcast {_lanes(self.body, 'i64')} {self.register} to {self.body.type}"
        return Real(self.body, self.body.do(line))


@final
class Real:
    """A double in each lane."""

    def __init__(self, body: Instructions, register: str) -> None:
        self.body, self.register = body, register

    def __add__(self, other: Real | float) -> Real:
        return self._by("fadd", self, other)

    def __radd__(self, other: float) -> Real:
        return self._by("fadd", other, self)

    def __sub__(self, other: Real | float) -> Real:
        return self._by("fsub", self, other)

    def __rsub__(self, other: float) -> Real:
        return self._by("fsub", other, self)

    def __mul__(self, other: Real | float) -> Real:
        return self._by("fmul", self, other)

    def __rmul__(self, other: float) -> Real:
        return self._by("fmul", other, self)

    def __truediv__(self, other: Real | float) -> Real:
        return self._by("fdiv", self, other)

    def __rtruediv__(self, other: float) -> Real:
        return self._by("fdiv", other, self)

    def _by(self, operation: str, a: Real | float, b: Real | float) -> Real:
        first, second = (real(self.body, x).register for x in (a, b))
        return Real(self.body, self.body.do(f"{operation} {self.body.type} {first}, {second}"))

    def __neg__(self) -> Real:
        return Real(self.body, self.body.do(f"fneg {self.body.type} {self.register}"))

    def __abs__(self) -> Real:
        return Real(self.body, self.body.call_intrinsic("fabs", self.register))

    def square_root(self) -> Real:
        """The square root, correctly rounded."""
        return Real(self.body, self.body.call_intrinsic("sqrt", self.register))

    def __lt__(self, other: Real | float) -> Truth:
        return self._compare("olt", other)

    def __gt__(self, other: Real | float) -> Truth:
        return self._compare("ogt", other)

    def __ge__(self, other: Real | float) -> Truth:
        return self._compare("oge", other)

    def equals(self, other: Real | float) -> Truth:
        return self._compare("oeq", other)

    def is_not_below(self, other: float) -> Truth:
        """Condition: the number is at least another, or NaN."""
        return self._compare("uge", other)

    def are_numbers(self, other: Real) -> Truth:
        """Condition: neither this number nor the other is NaN."""
        return self._compare("ord", other)

    def _compare(self, test: str, other: Real | float) -> Truth:
        given = real(self.body, other).register
        line = f"fcmp {test} {self.body.type} {self.register}, {given}"
        return Truth(self.body, self.body.do(line))

    def bits(self) -> Integer:
        """The bits of the double."""
        line = f"bitcast {self.body.type} {self.register} to {_lanes(self.body, 'i64')}"
        return Integer(self.body, self.body.do(line))

    def is_negative(self) -> Truth:
        """Condition: the sign is set, that of −0 too."""
        return self.bits().has(_SIGN)

    def with_sign(self, other: Real) -> Real:
        """The number, changed in sign where the sign of another is set."""
        return self._join("xor", other._join("and", _SIGN))

    def leading_bits(self) -> Real:
        """The first 21 bits: a product with a number of 32 bits is exact."""
        return self._join("and", _ALL ^ _LOW_HALF)

    def halves(self) -> tuple[Real, Real]:
        """The first 26 bits and the rest: products of such parts are exact."""
        high = self._join("and", _ALL ^ _LOW_27)
        return high, self - high

    def _join(self, operation: str, other: Real | int) -> Real:
        """Bits joined with others; one lane goes in two, which keep to the registers of doubles."""
        body, count = self.body, max(self.body.width, 2)
        first = self._vector_bits(count)
        second = _splat(other, count) if isinstance(other, int) else other._vector_bits(count)
        bits = body.do(f"{operation} <{count} x i64> {first}, {second}")
        value = body.do(f"bitcast <{count} x i64> {bits} to <{count} x double>")
        if body.width == 1:
            value = body.do(f"extractelement <{count} x double> {value}, i32 0")
        return Real(body, value)

    def _vector_bits(self, count: int) -> str:
        """The register of a vector of integers."""
        body, register = self.body, self.register
        if body.width == 1:
            register = body.do(f"insertelement <{count} x double> undef, double {register}, i32 0")
        return body.do(f"bitcast <{count} x double> {register} to <{count} x i64>")


def polynomial(x: Real, coefficients: Sequence[float]) -> Real:
    """c₀ + c₁ x + c₂ x² + … by halves of even and odd powers, which do not wait for each other."""
    first, *more = coefficients
    if len(more) == 1:
        return x * more[0] + first
    square = x * x
    even, odd = coefficients[0::2], coefficients[1::2]
    second = x * odd[0] if len(odd) == 1 else x * polynomial(square, odd)
    return polynomial(square, even) + second


def correct_rare(
    rare: Truth, values: Sequence[Real], correction: Callable[[], Sequence[Real]]
) -> list[Real]:
    """Values; if any lane is rare, their correction, which must be right for all lanes."""
    body = rare.body
    usual_block, rare_block, end_block = (body.fresh()[1:] for _ in range(3))
    body.lines += [f"  br label %{usual_block}", f"{usual_block}:"]
    any_lane = rare.in_any_lane()
    body.lines += [f"  br i1 {any_lane}, label %{rare_block}, label %{end_block}", f"{rare_block}:"]
    others = correction()
    body.lines += [f"  br label %{end_block}", f"{end_block}:"]
    pairs = zip(values, others, strict=True)
    ways = (
        f"[{one.register}, %{usual_block}], [{other.register}, %{rare_block}]"
        for one, other in pairs
    )
    return [Real(body, body.do(f"phi {body.type} {both}")) for both in ways]


def real(body: Instructions, value: Real | float) -> Real:
    """A number in every lane."""
    return value if isinstance(value, Real) else Real(body, body.constant(value))


def whole(body: Instructions, value: Integer | int) -> Integer:
    """An integer in every lane."""
    if isinstance(value, Integer):
        return value
    return Integer(body, _splat(value, body.width))


def _splat(value: int, count: int) -> str:
    """An integer of 64 bits in each of some lanes."""
    text = str(value - (1 << 64) if value >= _SIGN else value)
    return text if count == 1 else f"<{', '.join([f'i64 {text}'] * count)}>"


def _lanes(body: Instructions, kind: str) -> str:
    """The type of a register that holds one of a kind in each lane."""
    return kind if body.width == 1 else f"<{body.width} x {kind}>"


# --- pairs of doubles: exact sums and products, quotients -----------------------------------------
# T. J. Dekker (1971), D. E. Knuth (1969, 4.2.2); J.-M. Muller and others (2018), *Handbook of
# Floating-Point Arithmetic*, chapter 4.


class Pair(NamedTuple):
    """A number as the sum of a double and a smaller one."""

    high: Real
    low: Real

    def rounded(self) -> Real:
        """Nearest double."""
        return self.high + self.low


def two_sum(a: Real | float, b: Real) -> Pair:
    """a + b exactly."""
    total = a + b
    back = total - a
    return Pair(total, (a - (total - back)) + (b - back))


def quick_sum(a: Real | float, b: Real) -> Pair:
    """a + b exactly, where a is zero or |a| ≥ |b|."""
    total = a + b
    return Pair(total, b - (total - a))


def product(a: Real, b: Real) -> Pair:
    """a b exactly, up to 2⁻¹⁰⁶ of it."""
    total = a * b
    (a1, a2), (b1, b2) = a.halves(), b.halves()
    return Pair(total, ((a1 * b1 - total) + (a1 * b2 + a2 * b1)) + a2 * b2)


def quotient(a: Pair, b: Pair) -> Pair:
    """a / b up to 2⁻⁷⁵ of it: its first 26 bits, and the rest."""
    inverse = 1.0 / b.high
    first, _ = (a.high * inverse).halves()
    b1, b2 = b.high.halves()
    left = ((a.high - first * b1) - first * b2) + (a.low - first * b.low)
    return Pair(first, left * inverse)
