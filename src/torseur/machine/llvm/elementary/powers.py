"""pow: 2 to the power y log₂ |x|, the logarithm as a pair of doubles (fdlibm, `e_pow`, 2004)."""

import math

from torseur.machine.llvm.elementary.exponentials import (
    ROUND,
    clamp,
    exponential,
    is_unusual,
    power_of_two,
    scale_by_power,
    split_exponent,
)
from torseur.machine.llvm.elementary.values import (
    Integer,
    Pair,
    Real,
    correct_rare,
    polynomial,
    quick_sum,
)

_BEGIN = 0x3FEBB67AE8584CAA  # the bits of √3 / 2, where mantissas begin
_ROOT = math.sqrt(1.5)  # up to here the centre of a mantissa is 1, beyond 1.5
_LOG2_CENTRE = 5.84962487220764160156e-01, 1.35003920212974897128e-08  # of log₂ 1.5
# 3/2 log((1 + s) / (1 − s)) = 3 s + s³ + s⁵ (…).
_SERIES = (
    5.99999999999994648725e-01,
    4.28571428578550184252e-01,
    3.33333329818377432918e-01,
    2.72728123808534006489e-01,
    2.30660745775561754067e-01,
    2.06975017800338417784e-01,
)
_TO_LOG2 = 9.61796700954437255859e-01, -7.02846165095275826516e-09  # of 2 / (3 log 2)
_LN2 = 6.93147182464599609375e-01, -1.90465429995776804525e-09
_NORMAL = 1000.0  # a power of two up to which numbers are normal
_FURTHEST = 1200.0  # a power of two beyond which all is zero or infinite
_LARGEST = 2.0**66  # of an exponent, as large as is needed


def power(x: Real, y: Real) -> Real:
    """x to the power y, with the special values of C99 (annex F.9.4.4)."""
    exponent = _times(y, _logarithm(x))
    value, scale = _two_to(exponent)
    rare = is_unusual(x) | ~(abs(exponent.rounded()) < _NORMAL)
    return correct_rare(rare, [value * power_of_two(scale)], lambda: [_any_power(x, y)])[0]


def _any_power(x: Real, y: Real) -> Real:
    """Power of any base, with the same bits for usual ones as without all these selections."""
    size = abs(x)
    small = size < 2.0**-1022
    parts = zip(_logarithm(size * 2.0**54, less=54.0), _logarithm(size), strict=True)
    logarithm = Pair(*(small.choose(a, b) for a, b in parts))
    value = scale_by_power(*_two_to(_limit(_times(clamp(y, -_LARGEST, _LARGEST), logarithm))))
    vanishing = size.equals(0.0)
    extreme = (vanishing ^ (y < 0.0)).choose(0.0, math.inf)
    value = (vanishing | size.equals(math.inf)).choose(extreme, value)
    value = _with_sign_of_base(x, y, value)
    value = x.are_numbers(y).choose(value, x + y)
    return (x.equals(1.0) | y.equals(0.0)).choose(1.0, value)


def _with_sign_of_base(x: Real, y: Real, value: Real) -> Real:
    """Value for a base of any sign: odd powers are negative, fractional ones NaN."""
    size = abs(y)
    units = (size < 2.0**52).choose(size + 2.0**52, size)
    is_whole = (size >= 2.0**52) | (units - 2.0**52).equals(size)
    odd = is_whole & (size < 2.0**53) & units.bits().has(1)
    value = (x.is_negative() & odd).choose(-value, value)
    negative = (x < 0.0) & (x > -math.inf)
    return (negative & ~is_whole).choose(math.nan, value)


def _logarithm(x: Real, less: float = 0.0) -> Pair:
    """log₂ x − less, of a positive normal number; the first part has 21 bits."""
    k, mantissa = split_exponent(x, _BEGIN)
    k = k - less if less else k
    upper = mantissa > _ROOT
    centre = upper.choose(1.5, 1.0)

    # s = (m − c) / (m + c), with a first part of 21 bits
    above, below = mantissa - centre, mantissa + centre
    inverse = 1.0 / below
    s = above * inverse
    s1, below1 = s.leading_bits(), below.leading_bits()
    below2 = mantissa - (below1 - centre)
    s2 = inverse * ((above - s1 * below1) - s1 * below2)

    # 3 + s² + … and its product with s
    square = s * s
    bent = square * square * polynomial(square, _SERIES) + s2 * (s1 + s)
    square = s1 * s1
    factor1 = ((square + 3.0) + bent).leading_bits()
    factor2 = bent - ((factor1 - 3.0) - square)
    first, second = s1 * factor1, s2 * factor1 + factor2 * s
    p1 = (first + second).leading_bits()
    p2 = second - (p1 - first)

    # from 3/2 log to log₂, and the sum with those of the centre and of the power of two
    z1 = p1 * _TO_LOG2[0]
    z2 = (p1 * _TO_LOG2[1] + p2 * (_TO_LOG2[0] + _TO_LOG2[1])) + upper.choose(_LOG2_CENTRE[1], 0.0)
    base = upper.choose(_LOG2_CENTRE[0], 0.0)
    total = (((z1 + z2) + base) + k).leading_bits()
    return Pair(total, z2 - (((total - k) - base) - z1))


def _times(y: Real, logarithm: Pair) -> Pair:
    """The product of an exponent and a logarithm."""
    first = y.leading_bits()
    low = (y - first) * logarithm.high + y * logarithm.low
    return Pair(first * logarithm.high, low)


def _limit(exponent: Pair) -> Pair:
    """Exponent of 2, limited to where results are zero or infinite."""
    total = exponent.rounded()
    beyond = abs(total) > _FURTHEST
    end = (total > 0.0).choose(_FURTHEST, -_FURTHEST)
    return Pair(beyond.choose(end, exponent.high), beyond.choose(0.0, exponent.low))


def _two_to(exponent: Pair) -> tuple[Real, Integer]:
    """2 to the power of a pair, as a number about 1 and a power of two with its bias."""
    high, low = exponent
    shifted = (high + low) + ROUND
    high = high - (shifted - ROUND)
    first = (high + low).leading_bits()
    rest = (low - (first - high)) * (_LN2[0] + _LN2[1]) + first * _LN2[1]
    value = exponential(quick_sum(first * _LN2[0], rest)).rounded()
    return value, shifted.bits() & 0xFFF
