"""atan, atan2, asin and acos.

An arc is a multiple of π/4 and the arc of a quotient within tan(π/8), which is a pair of doubles;
the polynomials are those of fdlibm (1993).
"""

import math

from torseur.machine.llvm.elementary.pairs import Pair, quick_sum, quotient
from torseur.machine.llvm.elementary.values import Real, Truth, Whole, polynomial, real, whole

_QUARTER_PI = float.fromhex("0x1.921fb54442d18p-1"), float.fromhex("0x1.1a62633145c07p-55")
_TAN_EIGHTH = math.sqrt(2.0) - 1.0
_HALF_PI = 2.0 * _QUARTER_PI[0], 2.0 * _QUARTER_PI[1]
_HUGE, _SMALL = 2.0**1000, 2.0**100  # numbers above and below which points are scaled
_DOWN, _UP = 2.0**-100, 2.0**400  # and by how much
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
    """The arc tangent."""
    return _arc(abs(x), real(x.body, 1.0), whole(x.body, 0)).with_sign(x.sign())


def atan2(y: Real, x: Real) -> Real:
    """The angle of the point (x, y), between −π and π; signs of zeros say on which side."""
    far, high = abs(x), abs(y)
    largest = (high > far).choose(high, far)
    scale = (largest > _HUGE).choose(_DOWN, (largest < _SMALL).choose(_UP, 1.0))
    angle = _arc(high * scale, far * scale, x.sign()).with_sign(y.sign())
    return (x.differs(x) | y.differs(y)).choose(x + y, angle)


def _arc(y: Real, x: Real, beyond: Whole) -> Real:
    """The angle of (x, y) or, where a sign says so, of (−x, y); neither number is negative."""
    steep = y > x
    short, long = steep.choose(x, y), steep.choose(y, x)
    infinite, nothing = long.equals(math.inf), long.equals(0.0)
    short = infinite.choose(short.equals(math.inf).choose(1.0, 0.0), short)
    long = (infinite | nothing).choose(1.0, long)

    # the arc of t, and of multiples of π/4
    diagonal = short > long * _TAN_EIGHTH
    t = _ratio(short, long, diagonal)
    eighths = diagonal.choose(1.0, 0.0)
    eighths = steep.choose(2.0 - eighths, eighths)
    opposite = beyond.has(1 << 63)
    eighths = opposite.choose(4.0 - eighths, eighths)
    sign = steep.choose_whole(1 << 63, 0) ^ beyond
    z = t.high * t.high
    bent = t.low - t.high * (z * polynomial(z, _ARC))
    lead = quick_sum(eighths * _QUARTER_PI[0], t.high.with_sign(sign))
    rest = eighths * _QUARTER_PI[1] + bent.with_sign(sign)
    return lead.high + (lead.low + rest)


def _ratio(short: Real, long: Real, diagonal: Truth) -> Pair:
    """short / long, or (short − long) / (short + long)."""
    minus, plus = quick_sum(-long, short), quick_sum(long, short)
    above = Pair(diagonal.choose(minus.high, short), diagonal.choose(minus.low, 0.0))
    below = Pair(diagonal.choose(plus.high, long), diagonal.choose(plus.low, 0.0))
    return quick_sum(*quotient(above, below))


def asin(x: Real) -> Real:
    """The arc sine: π/2 − 2 asin √((1 − |x|)/2) beyond ½."""
    size = abs(x)
    steep = size >= 0.5
    lead, rest = _arc_sine(size, steep)
    base = steep.choose(_HALF_PI[0], 0.0)
    total = quick_sum(base, steep.choose(-2.0 * lead, lead))
    rest = steep.choose(_HALF_PI[1] - 2.0 * rest, rest)
    return (total.high + (total.low + rest)).with_sign(x.sign())


def acos(x: Real) -> Real:
    """The arc cosine: π/2 − asin x, and 2 asin √((1 − |x|)/2) or π less it beyond ½."""
    size, sign = abs(x), x.sign()
    steep, negative = size >= 0.5, x < 0.0
    lead, rest = _arc_sine(size, steep)
    double_lead, double_rest = (2.0 * lead).with_sign(sign), (2.0 * rest).with_sign(sign)
    base = negative.choose(2.0, 0.0)
    base = steep.choose(base, 1.0)
    total = quick_sum(base * _HALF_PI[0], steep.choose(double_lead, (-lead).with_sign(sign)))
    rest = steep.choose(double_rest, (-rest).with_sign(sign))
    return total.high + (total.low + (base * _HALF_PI[1] + rest))


def _arc_sine(size: Real, steep: Truth) -> Pair:
    """asin |x|, or asin √((1 − |x|)/2), as a first part and a smaller one."""
    z = steep.choose((1.0 - size) * 0.5, size * size)
    bent = z * polynomial(z, _ABOVE) / polynomial(z, _BELOW)
    root = z.root()
    first = root.leading()
    left = (z - first * first) / z.equals(0.0).choose(1.0, root + first)
    lead, rest = steep.choose(first, size), steep.choose(left + root * bent, size * bent)
    return Pair(lead, rest)
