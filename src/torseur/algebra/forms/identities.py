"""Detection of expressions that are identically zero, by exact arithmetic at random points.

An expression is evaluated in the integers modulo a prime, with random values for its symbols and a
random point of the circle c² + s² = 1 for each of its angles. One that is not zero everywhere
vanishes at such a point with odds of about its degree over the prime (Schwartz 1980, Zippel 1979):
with 127 bits and two points that never happens. What is not rational in sines and cosines has an
independent value of its own, so that nothing is taken for zero because of it.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from random import Random
from typing import Any, final

from torseur.algebra.core.angles import terms
from torseur.algebra.core.expr import ZERO, Expr
from torseur.algebra.core.graph import flat, reachable, substitute

PRIME = 2**127 - 1  # 3 modulo 4: −1 is no square, so that 1 + u² has an inverse
_POINTS = 2

Turn = tuple[int, int]  # the cosine and the sine of an angle


def zeros(outputs: Any) -> list[Expr]:
    """The nodes of the outputs that vanish identically although they are not written as 0."""
    nodes = reachable(flat(outputs))
    points = [_Point(nodes, seed) for seed in range(_POINTS)]
    return [x for x in nodes if x is not ZERO and not any(p.values[x.key] for p in points)]


def without_zeros(outputs: Any) -> Any:
    """The outputs with everything that vanishes identically written as 0."""
    return substitute(outputs, dict.fromkeys(zeros(outputs), ZERO))


@final
class _Point:
    """The value of each node at a random point, modulo the prime."""

    def __init__(self, nodes: list[Expr], seed: int) -> None:
        self._random = Random(seed)
        self._shares = _shares(nodes)
        self._turns: dict[int, Turn] = {}
        self.values: dict[int, int] = {}
        for x in nodes:
            self.values[x.key] = self._value(x)

    def _value(self, x: Expr) -> int:
        args = [self.values[a.key] for a in x.args]
        if x.op == "number":
            return _modular(x.value[1])
        if x.op == "add":
            return (args[0] + args[1]) % PRIME
        if x.op == "mul":
            return args[0] * args[1] % PRIME
        if x.op == "pow" and isinstance(x.value, int) and (args[0] or x.value > 0):
            return pow(args[0], x.value, PRIME)
        if x.op in ("sin", "cos"):
            return self._turn_of(x.args[0])[x.op == "sin"]
        return self._random.randrange(1, PRIME)

    def _turn_of(self, angle: Expr) -> Turn:
        """The turn of a sum of angles, by those of its terms."""
        total = (1, 0)
        for coefficient, core in terms(angle):
            share = self._shares[core.key]
            if core.key not in self._turns:
                self._turns[core.key] = _random_turn(self._random)
            times = Fraction(coefficient) * share
            total = _successive_turns(total, _repeated(self._turns[core.key], times.numerator))
        return total


def _shares(nodes: list[Expr]) -> dict[int, int]:
    """The part of each angle that all its multiples are multiples of: 2 for x / 2 and x."""
    shares: dict[int, int] = {}
    for x in nodes:
        for coefficient, core in terms(x.args[0]) if x.op in ("sin", "cos") else ():
            shares[core.key] = lcm(shares.get(core.key, 1), Fraction(coefficient).denominator)
    return shares


def _random_turn(random: Random) -> Turn:
    """c = (1 − u²) / (1 + u²), s = 2 u / (1 + u²)."""
    u = random.randrange(1, PRIME)
    inverse = pow(1 + u * u, -1, PRIME)
    return (1 - u * u) * inverse % PRIME, 2 * u * inverse % PRIME


def _successive_turns(a: Turn, b: Turn) -> Turn:
    """One turn after another."""
    return (a[0] * b[0] - a[1] * b[1]) % PRIME, (a[1] * b[0] + a[0] * b[1]) % PRIME


def _repeated(turn: Turn, times: int) -> Turn:
    """A turn several times, backwards if the number is negative."""
    power = turn if times >= 0 else (turn[0], -turn[1] % PRIME)
    total, left = (1, 0), abs(times)
    while left:
        total = _successive_turns(total, power) if left % 2 else total
        power, left = _successive_turns(power, power), left // 2
    return total


def _modular(value: Any) -> int:
    exact = Fraction(value)
    return exact.numerator * pow(exact.denominator, -1, PRIME) % PRIME
