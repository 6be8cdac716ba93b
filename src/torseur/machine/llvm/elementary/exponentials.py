"""exp, sinh, cosh and tanh, from one reduction and two polynomials.

x = n ln 2 + r, |r| ≤ ½ ln 2, with ln 2 in two parts (W. J. Cody and W. Waite, 1980); then
e^±r = 1 ± r + c ± s, where c = cosh r − 1 and s = sinh r − r are minimax polynomials within 6e-18
and 3e-19. The sum 1 ± r is exact as a pair of doubles: before the end, only c and s are rounded.
"""

import math

from torseur.machine.llvm.elementary.values import (
    Integer,
    Pair,
    Real,
    Truth,
    correct_rare,
    polynomial,
    quick_sum,
    quotient,
)

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
    rising, falling, scale = _rising_and_falling(clamp(abs(x), 0.0, _LARGEST))
    return (_difference(rising, falling).rounded() * 0.5 * scale).with_sign(x)


def cosh(x: Real) -> Real:
    """½ (e^x + e^−x)."""
    rising, falling, scale = _rising_and_falling(clamp(abs(x), 0.0, _LARGEST))
    return _sum(rising, falling).rounded() * 0.5 * scale


def tanh(x: Real) -> Real:
    """(e^x − e^−x) / (e^x + e^−x)."""
    rising, falling, _ = _rising_and_falling(clamp(abs(x), 0.0, _ONE))
    above, below = _difference(rising, falling), _sum(rising, falling)
    return quotient(quick_sum(*above), quick_sum(*below)).rounded().with_sign(x)


def _rising_and_falling(x: Real) -> tuple[Pair, Pair, Real]:
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


def clamp(x: Real, low: float, high: float) -> Real:
    """Nearest number of an interval; NaN stays NaN."""
    return (x > high).choose(high, (x < low).choose(low, x))


# --- log: a number is 2ᵏ (1 + f), log(1 + f) a series in f / (2 + f) ------------------------------


_LOG2_HIGH = float.fromhex("0x1.62e42fee00000p-1")  # 32 bits: exact times k
_LOG2_LOW = 1.90821492927058770002e-10
_SQRT_HALF = 0x3FE6A09E667F3BCD  # the bits of √½, where 1 + f begins
# Coefficients of log((1 + s) / (1 − s)) = 2 s + s³ (…), |s| ≤ 0.1716.
_SERIES = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)
_FRACTION = (1 << 52) - 1
_SMALLEST_NORMAL, _LIFT = 2.0**-1022, 54
_SMALLEST_BITS, _NORMAL_BITS = 1 << 52, (0x7FE << 52) - 1  # of normal numbers: first, how many
_BITS_OF_ONE = 0x3FF << 52  # the bits of 1


def log(x: Real) -> Real:
    """Natural logarithm: −∞ of zero, NaN of negative numbers."""
    k, mantissa = split_exponent(x, _SQRT_HALF)

    def unusual() -> list[Real]:
        k, mantissa = split_exponent(x * 2.0**_LIFT, _SQRT_HALF)
        value = (x < _SMALLEST_NORMAL).choose(_logarithm(k - _LIFT, mantissa), usual)
        value = x.equals(0.0).choose(-math.inf, (x < 0.0).choose(math.nan, value))
        return [(x < math.inf).choose(value, x)]

    usual = _logarithm(k, mantissa)
    return correct_rare(is_unusual(x), [usual], unusual)[0]


def _logarithm(k: Real, mantissa: Real) -> Real:
    """k log 2 + log m."""
    f = mantissa - 1.0
    s, half_square = f / (mantissa + 1.0), 0.5 * f * f
    z = s * s
    bent = s * (half_square + z * polynomial(z, _SERIES))
    lead = quick_sum(k * _LOG2_HIGH, f)
    return lead.high + (lead.low + (k * _LOG2_LOW + (bent - half_square)))


def is_unusual(x: Real) -> Truth:
    """Condition: a number is not a positive normal one."""
    return (x.bits() - _SMALLEST_BITS).exceeds(_NORMAL_BITS)


def split_exponent(x: Real, begin: int) -> tuple[Real, Real]:
    """k and m with x = 2ᵏ m, where m is between the number of the bits `begin` and twice it."""
    bits = x.bits() - begin
    mantissa = ((bits & _FRACTION) + begin).as_real()
    return ((bits + _BITS_OF_ONE) >> 52).count() - 1023.0, mantissa
