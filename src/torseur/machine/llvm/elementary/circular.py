"""Sine and cosine together, and the tangent, of angles reduced to an eighth of a turn about zero.

Reduced angles are pairs of doubles. Up to 2²⁰ quarter turns these are taken off with π/2 in four
parts (W. J. Cody and W. Waite, 1980); beyond, the fraction of a turn is an exact product with the
bits of 2/π that matter (M. Payne and R. Hanek, 1983): those before give whole turns, those after
are too small.
"""

import math
from itertools import pairwise
from typing import NamedTuple

from torseur.machine.llvm.elementary.values import (
    Integer,
    Pair,
    Real,
    correct_rare,
    polynomial,
    product,
    quick_sum,
    quotient,
    real,
    two_sum,
    whole,
)

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
_LIMIT = 2.0**20 * math.pi / 2
_TWO_OVER_PI = 2.0 / math.pi
_ROUND = 1.5 * 2.0**52  # added to a number, leaves the nearest integer in the low bits
# π/2 in three parts of 33 bits, whose products with a 20-bit integer are exact, and a rest.
_QUARTER_TURN = (
    float.fromhex("0x1.921fb54400000p+0"),
    float.fromhex("0x1.0b4611a600000p-34"),
    float.fromhex("0x1.3198a2e000000p-69"),
    float.fromhex("0x1.b839a252049c1p-104"),
)
_PI_2 = float.fromhex("0x1.921fb54442d18p+0"), float.fromhex("0x1.1a62633145c07p-54")
# The first 1182 bits of 2/π after 34 zeros, in words of 32 bits.
_BITS_BEFORE, _WORD, _MASK = 34, 32, (1 << 32) - 1
_INVERSE = int(
    "0000000028be60db9391054a7f09d5f47d4d377036d8a5664f10e4107f9458eaf7aef1586dc9"
    "1b8e909374b801924bba827464873f877ac72c4a69cfba208d7d4baed1213a671c09ad17df90"
    "4e64758e60d4ce7d272117e2ef7e4a0ec7fe25fff7816603fbcbc462d6829b47db4d9fb3c9f2"
    "c26dd3d18fd9a797fa8b5d49eeb1faf97c5ecf41ce7de294a4ba9afed7ec47e357421580cc11",
    16,
)
_WORDS = 38
_LIMBS = 6  # of the fraction of a turn: 192 bits, of which a product spoils the last 53


class Remainder(NamedTuple):
    """An angle as quarter turns, in the last two bits of an integer, and a remainder."""

    turns: Integer
    angle: Pair


def reduce_angle(x: Real) -> Remainder:
    """Remainder of an angle; NaN for an infinite one."""
    shifted = x * _TWO_OVER_PI + _ROUND
    n = shifted - _ROUND
    first = two_sum(x - n * _QUARTER_TURN[0], -(n * _QUARTER_TURN[1]))
    second = two_sum(first.high, -(n * _QUARTER_TURN[2]))
    less = n * _QUARTER_TURN[3] - (first.low + second.low)
    high = second.high - less  # of −0 as well
    near = Pair(high, (second.high - high) - less)

    def far() -> list[Real]:
        beyond = abs(x) >= _LIMIT
        turns, angle = _far(x)
        values = turns.as_real(), *angle
        return [beyond.choose(a, b) for a, b in zip(values, (shifted, *near), strict=True)]

    is_far = abs(x).is_not_below(_LIMIT)
    turns, high, low = correct_rare(is_far, (shifted, *near), far)
    return Remainder(turns.bits(), Pair(high, low))


def _far(x: Real) -> Remainder:
    """Remainder of an angle beyond the limit."""
    limbs = _fraction_of_turn(abs(x).bits())
    first = (limbs[0] << _WORD) + limbs[1]
    turns = (first + (1 << 61)) >> 62
    left = (first - (turns << 62)) + (1 << 63)  # more than zero
    parts = [(left >> _WORD).count() - 2.0**31, (left & _MASK).count()]
    parts += [limb.count() for limb in limbs[2:5]]
    high, low = parts[0] * 2.0**-30, real(x.body, 0.0)
    for k, part in enumerate(parts[1:], start=1):
        high, error = two_sum(high, part * 2.0 ** (-30 - _WORD * k))
        low = low + error
    high = (abs(x) < math.inf).choose(high, math.nan)
    lead = product(high, real(x.body, _PI_2[0]))
    angle = quick_sum(lead.high, lead.low + (high * _PI_2[1] + low * _PI_2[0]))
    turns = (x < 0.0).choose_whole(0 - turns, turns)
    return Remainder(turns, Pair(angle.high.with_sign(x), angle.low.with_sign(x)))


def _fraction_of_turn(bits: Integer) -> list[Integer]:
    """Fraction of a turn of an angle given by its bits, in words of 32 bits."""
    mantissa = (bits & ((1 << 52) - 1)) | (1 << 52)
    limbs = _window((bits >> 52) - (1075 + 2 - _BITS_BEFORE))
    above, below, carry = mantissa >> _WORD, mantissa & _MASK, whole(bits.body, 0)
    words = []
    for k in reversed(range(_LIMBS)):
        straight = below * limbs[k]
        total = (straight & _MASK) + carry
        if k + 1 < _LIMBS:
            total = total + above * limbs[k + 1]
        carry = (total >> _WORD) + (straight >> _WORD)
        words.append(total & _MASK)
    return words[::-1]


def _window(offset: Integer) -> list[Integer]:
    """Bits of 2/π from an offset on, in words: halves of the list are selected, then shifted."""
    places = [_WORD * (_WORDS - 1 - k) for k in range(_WORDS)]
    words = [whole(offset.body, _INVERSE >> place & _MASK) for place in places]
    for step in (16, 8, 4, 2, 1):
        jump = offset.has(step * _WORD)
        count = _LIMBS + step
        words = [jump.choose_whole(words[k + step], words[k]) for k in range(count)]
    back = _WORD - (offset & (_WORD - 1))
    return [((a << _WORD | b) >> back) & _MASK for a, b in pairwise(words)]


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
