"""exp, sinh, cosh and tanh, from one reduction and two polynomials.

x = n ln 2 + r, |r| ≤ ½ ln 2, with ln 2 in two parts (W. J. Cody and W. Waite, 1980); then
e^±r = 1 ± r + c ± s, where c = cosh r − 1 and s = sinh r − r are minimax polynomials within 6e-18
and 3e-19. The sum 1 ± r is exact as a pair of doubles: before the end, only c and s are rounded.
"""

import math

from torseur.machine.llvm.elementary.pairs import Pair, quick_sum, quotient
from torseur.machine.llvm.elementary.values import Integer, Real, correct_rare, polynomial

_LOG2_E = 1.0 / math.log(2.0)
_LN2_HIGH = float.fromhex("0x1.62e42fefa3000p-1")  # 41 bits: exact times n
_LN2_LOW = float.fromhex("0x1.3de6af278ece6p-42")
_SCALE_BIAS = 2098  # makes n + bias positive, and even when n is
ROUND = 1.5 * 2.0**52 + _SCALE_BIAS  # added to a number, leaves the nearest integer in the low bits
_NORMAL = 708.0  # as long as e^x is a normal number
_LARGEST, _SMALLEST = 720.0, -760.0  # beyond, e^x is infinite or zero
_EVEN = (
    0.04166666666660186,
    0.0013888888927685416,
    2.48015075203046e-05,
    2.7625664706753486e-07,
)
_ODD = (
    0.16666666666666677,
    0.008333333333321436,
    0.00019841269886674792,
    2.7557243607733174e-06,
    2.510926232069825e-08,
)
_ALONE = 100.0  # n from which e^−x is nothing beside e^x
_ONE = 40.0  # from here on, tanh is 1


def exp(x: Real) -> Real:
    """e^x."""
    scale, r = reduce_exponent(x)
    value = exponential(r).rounded()

    def far() -> list[Real]:
        result = scale_by_power(value, scale)
        result = (x > _LARGEST).choose(math.inf, result)
        return [(x < _SMALLEST).choose(0.0, result)]

    return correct_rare(abs(x) > _NORMAL, [value * power_of_two(scale)], far)[0]


def reduce_exponent(x: Real) -> tuple[Integer, Pair]:
    """n with its bias, and x − n ln 2 as a pair."""
    shifted = x * _LOG2_E + ROUND
    n = shifted - ROUND
    part, low = x - n * _LN2_HIGH, n * _LN2_LOW
    high = part - low
    return shifted.bits() & 0xFFF, Pair(high, (part - high) - low)


def exponential(r: Pair) -> Pair:
    """e^r, |r| ≤ ½ ln 2."""
    even, odd = _remainders(r.high)
    lead = quick_sum(1.0, r.high)
    return Pair(lead.high, lead.low + ((even + odd) + r.low))


def power_of_two(scale: Integer) -> Real:
    """2ⁿ of an n with its bias, where that is a normal number."""
    return _exponent(scale - _SCALE_BIAS)


def scale_by_power(x: Real, scale: Integer) -> Real:
    """x 2ⁿ in two steps, which may end among subnormal numbers or at infinity."""
    first = scale >> 1
    half = _SCALE_BIAS // 2
    return x * _exponent(first - half) * _exponent(scale - first - half)


def sinh(x: Real) -> Real:
    """½ (e^x − e^−x)."""
    rising, falling, scale = _both(_clamp(abs(x), 0.0, _LARGEST))
    return (_difference(rising, falling).rounded() * 0.5 * scale).with_sign(x)


def cosh(x: Real) -> Real:
    """½ (e^x + e^−x)."""
    rising, falling, scale = _both(_clamp(abs(x), 0.0, _LARGEST))
    return _sum(rising, falling).rounded() * 0.5 * scale


def tanh(x: Real) -> Real:
    """(e^x − e^−x) / (e^x + e^−x)."""
    rising, falling, _ = _both(_clamp(abs(x), 0.0, _ONE))
    above, below = _difference(rising, falling), _sum(rising, falling)
    return quotient(quick_sum(*above), quick_sum(*below)).rounded().with_sign(x)


def _both(x: Real) -> tuple[Pair, Pair, Real]:
    """e^x and e^−x over a common power of two, and that power."""
    scale, r = reduce_exponent(x)
    common = (x < _ALONE).choose_whole(scale, _SCALE_BIAS + int(_ALONE))
    even, odd = _remainders(r.high)
    up, down = quick_sum(1.0, r.high), quick_sum(1.0, -r.high)
    larger, smaller = _exponent(common - _SCALE_BIAS), _exponent(_SCALE_BIAS - common)
    rising = Pair(up.high * larger, (up.low + (even + (odd + r.low))) * larger)
    falling = Pair(down.high * smaller, (down.low + (even - (odd + r.low))) * smaller)
    return rising, falling, _exponent(scale - common)


def _sum(a: Pair, b: Pair) -> Pair:
    """a + b, of which b is not the larger one."""
    total = quick_sum(a.high, b.high)
    return Pair(total.high, total.low + (a.low + b.low))


def _difference(a: Pair, b: Pair) -> Pair:
    return _sum(a, Pair(-b.high, -b.low))


def _remainders(r: Real) -> tuple[Real, Real]:
    """cosh r − 1 and sinh r − r."""
    z = r * r
    return z * (polynomial(z, _EVEN) * z + 0.5), (r * z) * polynomial(z, _ODD)


def _exponent(n: Integer) -> Real:
    """2ⁿ of a moderate n."""
    return ((n + 1023) << 52).as_real()


def _clamp(x: Real, low: float, high: float) -> Real:
    """Nearest number of an interval; NaN stays NaN."""
    return (x > high).choose(high, (x < low).choose(low, x))
