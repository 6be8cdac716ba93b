"""Conditions on positions solved in closed form, one unknown after another.

Four kinds are solved: one that an unknown enters by its square at most; a cos u + b sin u + c = 0,
by u = atan2(b, a) ± acos(−c / √(a² + b²)); two conditions that are linear in two unknowns; and two
that an angle w enters by its cosine and its sine alone, from which cos² w + sin² w = 1 removes it.
Which of two solutions holds is seen at a known place. These are the loops of slider-cranks,
four-bars, engines and gear trains, and dyads after them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.coefficients import either_root
from torseur.algebra.core.expr import PI, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, free_symbols, reachable, substitute
from torseur.algebra.forms.equation import common_factor
from torseur.algebra.forms.length import length
from torseur.algebra.forms.normal_form import vanishes
from torseur.algebra.forms.readable import readable
from torseur.equations.expressions.linear import by_adjugate, determinant

Start = Mapping[str, float]
_TURN = 2 * np.pi
_PLAIN = 6  # signs of a position that is put in
_SUMS = ("symbol", "number", "constant", "add", "mul")


def explicit(
    zeros: Sequence[Expr], unknowns: Sequence[Expr], start: Start
) -> tuple[dict[Expr, Expr], tuple[Expr, ...]]:
    """The unknowns that have a closed form, in an order in which each can be computed.

    With them come the conditions that none of the four kinds fits.
    """
    solutions: dict[Expr, Expr] = {}
    left = [_squared(expression(readable(x))) for x in zeros]
    pending = list(unknowns)
    while pending:
        step = next(_steps(left, pending, start), None)
        if step is None:
            return solutions, tuple(left)
        solutions |= step
        pending = [x for x in pending if x not in step]
        plain = {x: value for x, value in step.items() if is_plain(value)}
        left = [expression(readable(substitute(x, plain))) for x in left] if plain else left
        left = [x for x in left if any(y in pending for y in free_symbols(x))]
    return solutions, ()


def is_plain(value: Expr) -> bool:
    """Whether a position is another times a number, and a number: it is put in everywhere."""
    return length(value) <= _PLAIN and all(x.op in _SUMS for x in reachable([value]))


def _steps(
    zeros: Sequence[Expr], unknowns: Sequence[Expr], start: Start
) -> Iterator[dict[Expr, Expr]]:
    for zero in zeros:
        present = [x for x in unknowns if x in free_symbols(zero)]
        if len(present) == 1:
            value = _single(zero, present[0], start)
            if value is not None:
                yield {present[0]: value}
    for one, two in permutations(zeros, 2):
        present = [x for x in unknowns if x in free_symbols([one, two])]
        if len(present) == 2:
            both = _linear(one, two, present)
            if both is not None:
                yield both
        for angle in present if len(present) == 2 else ():
            (other,) = (x for x in present if x is not angle)
            pair = _pair(one, two, angle, other, start)
            if pair is not None:
                yield pair


def _single(zero: Expr, u: Expr, start: Start) -> Expr | None:
    """u from one condition; None if it is of no kind that is known."""
    value = _quadratic(zero, u, start)
    if value is not None:
        return value
    ways = [_circular(zero, u, start), *_from_angle_sum(zero, u, start)]
    return min((x for x in ways if x is not None), key=length, default=None)


def _from_angle_sum(zero: Expr, u: Expr, start: Start) -> Iterator[Expr]:
    """u from the sum of angles in which it stands: w = u + v gives u = w − v."""
    w = symbol("w", "coordinate")
    for sum_of_angles in _arguments(zero, u):
        turned = expression(substitute(zero, {u: u + (w - sum_of_angles)}))
        if sum_of_angles is not u and u not in free_symbols(turned):
            place = {**start, w.name: float(evaluate(sum_of_angles, start))}
            value = _circular(turned, w, place)
            if value is not None:
                yield _near(u, value + expression(readable(u - sum_of_angles)), start)


def _quadratic(zero: Expr, u: Expr, start: Start) -> Expr | None:
    try:
        C, above, below = (expression(substitute(zero, {u: expression(k)})) for k in (0, 1, -1))
    except ZeroDivisionError:  # it divides by u, or by what vanishes there
        return None
    A, B = (expression(readable(x)) for x in ((above + below) / 2 - C, (above - below) / 2))
    if not vanishes(zero - A * u**2 - B * u - C):
        return None
    if A is ZERO:
        return None if B is ZERO else expression(readable(-C / B))
    half = expression(readable(B / (2 * A)))
    root = either_root(expression(readable(half**2 - C / A)))
    return _branch(u, [root - half, -root - half], start)


def _linear(one: Expr, two: Expr, unknowns: Sequence[Expr]) -> dict[Expr, Expr] | None:
    """Two unknowns from two conditions that are linear in both, their factors being constant."""
    A = np.array([[derivative(zero, u) for u in unknowns] for zero in (one, two)], dtype=object)
    rest = np.array([substitute(zero, dict.fromkeys(unknowns, ZERO)) for zero in (one, two)])
    if any(x.kind == "coordinate" for x in free_symbols(A)) or vanishes(determinant(A)):
        return None
    solved = by_adjugate(A, -rest.reshape(-1, 1))[:, 0]
    return {u: expression(readable(x)) for u, x in zip(unknowns, solved, strict=True)}


def _circular(zero: Expr, u: Expr, start: Start) -> Expr | None:
    parts = _circle(zero, u)
    if parts is None:
        return None
    factor = common_factor(parts[:2], [x.name for x in free_symbols(parts)])
    a, b, c = (expression(readable(x / factor)) for x in parts)
    if a is ZERO:
        angle = _inverse("sin", expression(readable(-c / b)))
        return _branch(u, [angle, PI - angle], start, turns=True)
    size = expression(readable(a**2 + b**2)).sqrt() if b is not ZERO else a
    turn = b.arctan2(a) if b is not ZERO else ZERO
    angle = _inverse("cos", expression(readable(-c / size)))
    return _branch(u, [turn + angle, turn - angle], start, turns=True)


def _inverse(wave: str, x: Expr) -> Expr:
    """An angle whose sine, or cosine, is x: that of sin v is v, that of −sin v is −v."""
    for sign in (1, -1) if wave == "sin" else (1,):
        if (sign * x).op == wave:
            return expression(sign * (sign * x).args[0])
    if wave == "cos" and (-x).op == wave:
        return expression(PI - (-x).args[0])
    return x.arcsin() if wave == "sin" else x.arccos()


def _circle(zero: Expr, u: Expr) -> tuple[Expr, Expr, Expr] | None:
    """a, b, c of a cos u + b sin u + c; None if it is not of this kind."""
    try:
        there, back, up = (expression(substitute(zero, {u: x})) for x in (ZERO, PI, PI / 2))
    except ZeroDivisionError:  # it divides by a sine or a cosine of u
        return None
    c, a = (expression(readable(x)) for x in ((there + back) / 2, (there - back) / 2))
    b = expression(readable(up - c))
    if (a is ZERO and b is ZERO) or not vanishes(zero - a * u.cos() - b * u.sin() - c):
        return None
    return a, b, c


def _pair(one: Expr, two: Expr, angle: Expr, u: Expr, start: Start) -> dict[Expr, Expr] | None:
    """u and an angle from p cos w + c = 0 and q sin w + d = 0, w being the angle and others."""
    w = symbol("w", "coordinate")
    for turned in _arguments(one, angle):
        known = {angle: angle + (w - turned)}
        first, second = (_circle(expression(substitute(x, known)), w) for x in (one, two))
        if first is None or second is None or first[1] is not ZERO or second[0] is not ZERO:
            continue
        (p, _, c), (_, q, d) = first, second
        if angle in free_symbols([c, d]):
            continue
        if vanishes(p**2 - q**2):  # both over a length: no fractions are needed
            sign = 1 if float(evaluate(p, start)) > 0 else -1
            cosine, sine = -sign * c, expression(readable(-sign * d * p / q))
            left = expression(readable(c**2 + d**2 - p**2))
        else:
            cosine, sine = -c / p, -d / q
            left = expression(readable(cosine**2 + sine**2 - 1))
        value = _single(left, u, start)
        if value is not None:
            turn = _direction(expression(readable(sine)), expression(readable(cosine)), start)
            rest = expression(readable(angle - turned))
            return {u: value, angle: _near(angle, turn + rest, start)}
    return None


def _direction(sine: Expr, cosine: Expr, start: Start) -> Expr:
    """The angle of a direction; that of (k cos v, k sin v) is v, or v + π where k < 0."""
    waves = (x.args[0] for x in reachable([sine, cosine]) if x.op in ("sin", "cos"))
    for v in (sign * x for x in dict.fromkeys(waves) for sign in (1, -1)):
        if vanishes(sine * v.cos() - cosine * v.sin()):
            known = {**dict.fromkeys((x.name for x in free_symbols([sine, cosine])), 1.0), **start}
            size = float(evaluate(cosine * v.cos() + sine * v.sin(), known))
            return v if size > 0 else v + PI
    return sine.arctan2(cosine)


def _arguments(zero: Expr, angle: Expr) -> list[Expr]:
    """The angles in which an unknown stands with the factor one."""
    waves = dict.fromkeys(x.args[0] for x in reachable([zero]) if x.op in ("sin", "cos"))
    signed = dict.fromkeys(expression(sign * x) for x in waves for sign in (1, -1))
    return [x for x in signed if vanishes(x - substitute(x, {angle: ZERO}) - angle)]


def _squared(zero: Expr) -> Expr:
    """√E − A = 0 as E − A² = 0: a distance."""
    roots = [x for x in reachable([zero]) if x.op == "pow" and x.value == Fraction(1, 2)]
    if len(roots) != 1:
        return zero
    rest = substitute(zero, {roots[0]: ZERO})
    if not vanishes(zero - rest - roots[0]):
        return zero
    return expression(readable(roots[0].args[0] - rest**2))


# --- branches -----------------------------------------------------------------------------------


def _branch(u: Expr, values: Sequence[Expr], start: Start, *, turns: bool = False) -> Expr:
    """The value that u has at the start, the nearest if none has; an angle `turns`."""

    def distance(x: Expr) -> float:
        gap = float(evaluate(x, start)) - start[u.name]
        return abs((gap + np.pi) % _TURN - np.pi) if turns else abs(gap)

    with np.errstate(invalid="ignore"):
        distances = [distance(x) for x in values]
    best = int(np.nanargmin(distances)) if not np.all(np.isnan(distances)) else 0
    return _near(u, values[best], start) if turns else values[best]


def _near(u: Expr, x: Expr, start: Start) -> Expr:
    """An angle in the turn in which it starts."""
    value = float(evaluate(x, start))
    turns = round((start[u.name] - value) / _TURN) if np.isfinite(value) else 0
    return x + 2 * turns * PI if turns else x
