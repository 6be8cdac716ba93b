"""atan, atan2, asin and acos.

An arc is a multiple of π/4 and the arc of a quotient within tan(π/8), which is a pair of doubles;
the polynomials are those of fdlibm (1993).
"""

import math

from torseur.machine.llvm.elementary.values import (
    Pair,
    Real,
    Truth,
    correct_rare,
    polynomial,
    quick_sum,
    quotient,
    real,
)

_QUARTER_PI = float.fromhex("0x1.921fb54442d18p-1"), float.fromhex("0x1.1a62633145c07p-55")
_TAN_EIGHTH = math.sqrt(2.0) - 1.0
_HALF_PI = 2.0 * _QUARTER_PI[0], 2.0 * _QUARTER_PI[1]
_STEEPEST = 2.0**60  # from here on, an arc is π/2
_HUGE, _LOW, _SMALL = 2.0**1000, 2.0**100, 2.0**-600  # numbers beyond which ratios are scaled
_DOWN, _UP = 2.0**-100, 2.0**400  # by one of these
# Coefficients of atan t = t − t³ (…), |t| ≤ 7/16.
_ARC = (
    3.33333333333329318027e-01,
    -1.99999999998764832476e-01,
    1.42857142725034663711e-01,
    -1.11111104054623557880e-01,
    9.09088713343650656196e-02,
    -7.69187620504482999495e-02,
    6.66107313738753120669e-02,
    -5.83357013379057348645e-02,
    4.97687799461593236017e-02,
    -3.65315727442169155270e-02,
    1.62858201153657823623e-02,
)
# asin x = x + x³ P(x²) / Q(x²), |x| ≤ ½.
_ABOVE = (
    1.66666666666666657415e-01,
    -3.25565818622400915405e-01,
    2.01212532134862925881e-01,
    -4.00555345006794114027e-02,
    7.91534994289814532176e-04,
    3.47933107596021167570e-05,
)
_BELOW = (
    1.0,
    -2.40339491173441421878e00,
    2.02094576023350569471e00,
    -6.88283971605453293030e-01,
    7.70381505559019352791e-02,
)


def atan(x: Real) -> Real:
    """Arc tangent."""
    size = abs(x)
    y, one = (size > _STEEPEST).choose(_STEEPEST, size), real(x.body, 1.0)
    steep = y > one
    arc = _arc(steep.choose(one, y), steep.choose(y, one))
    return _place(arc, steep.choose(2.0, 0.0), steep).with_sign(x)


def atan2(y: Real, x: Real) -> Real:
    """Angle of the point (x, y), between −π and π; the signs of zeros count."""
    steep = abs(y) > abs(x)
    short, long = steep.choose(abs(x), abs(y)), steep.choose(abs(y), abs(x))
    short, long = correct_rare(
        long.is_not_below(_HUGE) | (short < _SMALL),
        [short, long],
        lambda: _scale_ratio(short, long),
    )
    left = x.is_negative()
    start = left.choose(4.0, 0.0)
    arc = _arc(short, long)
    angle = _place(arc, steep.choose(2.0, start), steep ^ left).with_sign(y)
    return x.are_numbers(y).choose(angle, x + y)


def _scale_ratio(short: Real, long: Real) -> list[Real]:
    """Numbers of the same ratio, within a range where quotients keep all digits."""
    scale = (long > _HUGE).choose(_DOWN, (long < _LOW).choose(_UP, 1.0))
    endless = long.equals(math.inf)
    one = (endless | long.equals(0.0)).choose(1.0, long * scale)
    return [endless.choose(short.equals(math.inf).choose(1.0, 0.0), short * scale), one]


def _arc(short: Real, long: Real) -> tuple[Real, Pair]:
    """Arc of a ratio up to 1: a number of quarters of π (0 or 1), and the rest of the arc."""
    diagonal = short > long * _TAN_EIGHTH
    t = _ratio(short, long, diagonal)
    z = t.high * t.high
    bent = t.low - t.high * (z * polynomial(z, _ARC))
    return diagonal.choose(1.0, 0.0), Pair(t.high, bent)


def _place(arc: tuple[Real, Pair], start: Real, backwards: Truth) -> Real:
    """Arc added to quarters of π, or subtracted from them."""
    quarters, (lead, rest) = arc
    total = backwards.choose(start - quarters, start + quarters)
    first = quick_sum(total * _QUARTER_PI[0], backwards.choose(-lead, lead))
    return first.high + (first.low + (total * _QUARTER_PI[1] + backwards.choose(-rest, rest)))


def _ratio(short: Real, long: Real, diagonal: Truth) -> Pair:
    """short / long, or (short − long) / (short + long)."""
    minus, plus = quick_sum(-long, short), quick_sum(long, short)
    above = Pair(diagonal.choose(minus.high, short), diagonal.choose(minus.low, 0.0))
    below = Pair(diagonal.choose(plus.high, long), diagonal.choose(plus.low, 0.0))
    return quick_sum(*quotient(above, below))


def asin(x: Real) -> Real:
    """Arc sine: π/2 − 2 asin √((1 − |x|)/2) beyond ½."""
    size = abs(x)
    steep = size >= 0.5
    lead, rest = _arc_sine(size, steep)
    base = steep.choose(_HALF_PI[0], 0.0)
    total = quick_sum(base, steep.choose(-2.0 * lead, lead))
    rest = steep.choose(_HALF_PI[1] - 2.0 * rest, rest)
    return (total.high + (total.low + rest)).with_sign(x)


def acos(x: Real) -> Real:
    """Arc cosine: π/2 − asin x; beyond ½, a = 2 asin √((1 − |x|)/2), or π − a for x < 0."""
    size = abs(x)
    steep, negative = size >= 0.5, x < 0.0
    lead, rest = _arc_sine(size, steep)
    double_lead, double_rest = (2.0 * lead).with_sign(x), (2.0 * rest).with_sign(x)
    base = negative.choose(2.0, 0.0)
    base = steep.choose(base, 1.0)
    total = quick_sum(base * _HALF_PI[0], steep.choose(double_lead, (-lead).with_sign(x)))
    rest = steep.choose(double_rest, (-rest).with_sign(x))
    return total.high + (total.low + (base * _HALF_PI[1] + rest))


def _arc_sine(size: Real, steep: Truth) -> Pair:
    """asin |x|, or asin √((1 − |x|)/2), as a first part and a smaller one."""
    z = steep.choose((1.0 - size) * 0.5, size * size)
    bent = z * polynomial(z, _ABOVE) / polynomial(z, _BELOW)
    root = z.square_root()
    first = root.leading_bits()
    left = (z - first * first) / z.equals(0.0).choose(1.0, root + first)
    return Pair(steep.choose(first, size), steep.choose(left + root * bent, size * bent))
