"""Sine and cosine together, and the tangent."""

from torseur.machine.llvm.elementary.pairs import Pair, product, quick_sum, quotient
from torseur.machine.llvm.elementary.reduction import reduce_angle
from torseur.machine.llvm.elementary.values import Real, polynomial

# fdlibm's coefficients (1993) of sin x = x + x³ (…) and cos x = 1 − x²/2 + x⁴ (…), |x| ≤ π/4.
_SINE = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
_COSINE = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)
# Minimax coefficients of tan x = x + x³ (…), |x| ≤ π/8, within 2e-18 of tan x.
_TANGENT = (
    0.3333333333333351,
    0.13333333333288314,
    0.05396825400828255,
    0.021869486793230475,
    0.008863278376495391,
    0.003591493978437329,
    0.001461580888961482,
    0.0005590151279247222,
    0.0003288845517664485,
)
_OWN_TANGENT = 2.0**-27  # below, a number is its tangent


def sincos(x: Real) -> tuple[Real, Real]:
    """Sine and cosine of an angle."""
    turns, angle = reduce_angle(x)
    sine, cosine = _sine(angle), _cosine(angle)
    odd = turns.has(1)
    first, second = odd.choose(cosine, sine), odd.choose(sine, cosine)
    half, other = (turns & 2) << 62, ((turns + 1) & 2) << 62
    return first.with_sign(half.as_real()), second.with_sign(other.as_real())


def _sine(angle: Pair) -> Real:
    """x − ((z (y/2 − v r) − y) − v S1), v = x³, r = S2 + S3 z + …"""
    x, y = angle
    z = x * x
    v, r = z * x, polynomial(z, _SINE[1:])
    return x - ((z * (y * 0.5 - v * r) - y) - v * _SINE[0])


def _cosine(angle: Pair) -> Real:
    """w + ((1 − w − z/2) + (z r − x y)), w = 1 − z/2: the rounding of w is put back."""
    x, y = angle
    z = x * x
    r, half = z * polynomial(z, _COSINE), z * 0.5
    w = 1.0 - half
    return w + (((1.0 - w) - half) + (z * r - x * y))


def tan(x: Real) -> Real:
    """2 t / (1 − t²), where t is the tangent of half the angle; the inverse in odd quarters."""
    turns, angle = reduce_angle(x)
    half, rest = angle.high * 0.5, angle.low * 0.5
    z = half * half
    t = quick_sum(half, (half * z) * polynomial(z, _TANGENT) + (rest + rest * z))
    square = product(t.high, t.high)
    lead = 1.0 - square.high
    below = Pair(lead, ((1.0 - lead) - square.high) - (square.low + 2.0 * (t.high * t.low)))
    above = Pair(2.0 * t.high, 2.0 * t.low)
    odd = turns.has(1)
    over, under = (
        Pair(odd.choose(a.high, b.high), odd.choose(a.low, b.low))
        for a, b in ((below, above), (above, below))
    )
    value = quotient(over, under).rounded().with_sign((turns << 63).as_real())
    return (abs(x) < _OWN_TANGENT).choose(x, value)
