"""log: a number is 2ᵏ (1 + f), and log(1 + f) a series in f / (2 + f) (fdlibm, `e_log`, 1993)."""

import math

from torseur.machine.llvm.elementary.pairs import quick_sum
from torseur.machine.llvm.elementary.values import (
    Real,
    Truth,
    correct_rare,
    polynomial,
)

_LN2_HIGH = float.fromhex("0x1.62e42fee00000p-1")  # 32 bits: exact times k
_LN2_LOW = 1.90821492927058770002e-10
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
_ONE = 0x3FF << 52  # the bits of 1


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
    lead = quick_sum(k * _LN2_HIGH, f)
    return lead.high + (lead.low + (k * _LN2_LOW + (bent - half_square)))


def is_unusual(x: Real) -> Truth:
    """Condition: a number is not a positive normal one."""
    return (x.bits() - _SMALLEST_BITS).exceeds(_NORMAL_BITS)


def split_exponent(x: Real, begin: int) -> tuple[Real, Real]:
    """k and m with x = 2ᵏ m, where m is between the number of the bits `begin` and twice it."""
    bits = x.bits() - begin
    mantissa = ((bits & _FRACTION) + begin).as_real()
    return ((bits + _ONE) >> 52).count() - 1023.0, mantissa
