"""Reduction of angles to an eighth of a turn on either side of zero, as pairs of doubles.

Up to 2²⁰ quarter turns these are taken off with π/2 in four parts (W. J. Cody and W. Waite, 1980);
beyond, the fraction of a turn is an exact product with the bits of 2/π that matter (M. Payne and
R. Hanek, 1983): those before give whole turns, those after are too small.
"""

import math
from itertools import pairwise
from typing import NamedTuple

from torseur.machine.llvm.elementary.pairs import Pair, product, quick_sum, two_sum
from torseur.machine.llvm.elementary.values import Integer, Real, correct_rare, real, whole

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
