"""Two equations term by term: coefficients of accelerations and products of speeds, the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ONE, ZERO, Expr, expression
from torseur.algebra.core.graph import free_symbols, reachable, substitute
from torseur.algebra.forms.normal_form import NormalForm, normal_form
from torseur.algebra.forms.readable import readable
from torseur.model.values.named_gravity import LETTER
from torseur.teach.answers.factors import sampled
from torseur.teach.answers.sampling import sized

Array = np.ndarray
Pair = tuple[Expr, Expr]
MISSING, EXTRA, SIGN, FACTOR = "missing", "extra", "sign", "factor"
SWAPPED, PART, OTHER = "swapped", "part", "other"


@final
@dataclass(frozen=True)
class Group:
    """The coefficient of one kind of term in the right formula and in the given one."""

    kind: str  # acceleration, unknown, product, speed, speeds, gravity, force
    of: str  # what it multiplies, such as "theta.*phi."
    expected: Expr
    given: Expr


@final
@dataclass(frozen=True)
class TermDifference:
    """A group that is not the same in both."""

    group: Group
    how: str  # MISSING, EXTRA, SIGN, FACTOR, SWAPPED (sine and cosine), PART (lacks) or OTHER
    factor: Fraction | None = None  # given = factor × expected
    lacking: Expr | None = None  # what a part lacks


def groups(expected: Expr, given: Expr) -> list[Group]:
    """The groups of two formulas, those that are zero in both left out.

    A formula that divides by what is set to zero here, such as a speed, has none.
    """
    try:
        found = list(_groups((expected, given)))
    except ZeroDivisionError:
        return []
    return [x for x in found if x.expected is not ZERO or x.given is not ZERO]


def _groups(pair: Pair) -> Iterator[Group]:
    named = free_symbols(list(pair))
    for kind, label in (("acceleration", "acceleration"), ("input", "unknown")):
        own = [x for x in named if x.kind == kind]
        for x in own:
            yield Group(label, x.name, *_each(pair, lambda y, x=x: derivative(y, x)))
        pair = _each(pair, lambda y, own=own: substitute(y, dict.fromkeys(own, ZERO)))
    v = [x for x in named if x.kind == "speed"]
    still = dict.fromkeys(v, ZERO)
    static = _each(pair, lambda y: substitute(y, still))
    left = _each2(pair, static, lambda y, z: y - z)
    for k, x in enumerate(v):
        slopes = _each(pair, lambda y, x=x: derivative(y, x))
        once = _each(slopes, lambda y: substitute(y, still))
        yield Group("speed", x.name, *once)
        left = _each2(left, once, lambda y, z, x=x: y - z * x)
        for y in v[k:]:
            half = 2 if x is y else 1
            both = _each(slopes, lambda z, y=y, half=half: derivative(z, y) / half)
            both = _each(both, lambda z: substitute(z, still))
            of = f"{x.name}^2" if x is y else f"{x.name}*{y.name}"
            yield Group("product", of, *both)
            left = _each2(left, both, lambda z, w, x=x, y=y: z - w * x * y)
    yield Group("speeds", "", *_each(left, readable))
    yield from _static(static)


def _static(pair: Pair) -> Iterator[Group]:
    """Gravity, then each parameter that is linear in what is left, then the rest."""
    letters = [x for x in free_symbols(list(pair)) if x.name == LETTER and x.kind == "parameter"]
    for g in letters:
        slopes = _each(pair, lambda y, g=g: derivative(y, g))
        if all(g not in free_symbols(y) for y in slopes):
            yield Group("gravity", LETTER, *_each(slopes, lambda y, g=g: y * g))
            pair = _each(pair, lambda y, g=g: substitute(y, {g: ZERO}))
    yield Group("force", "", *pair)


def _each(pair: Pair, function: Any) -> Pair:
    return expression(function(pair[0])), expression(function(pair[1]))


def _each2(pair: Pair, other: Pair, function: Any) -> Pair:
    return expression(function(pair[0], other[0])), expression(function(pair[1], other[1]))


# --- comparing ------------------------------------------------------------------------------------


def differing(
    found: list[Group], values: Mapping[str, Array], equation: bool
) -> tuple[Expr, list[TermDifference]]:
    """The factor that makes most groups agree, and those that still do not."""
    factors = [ONE, *([-ONE, *_quotients(found)] if equation else [])]
    best: tuple[Expr, list[TermDifference]] = ONE, []
    fewest = len(found) + 1
    for factor in factors:
        numbers, _ = sized(factor, values)
        if not np.isfinite(numbers).all():
            continue
        apart = [x for x in found if not sampled(x.expected, x.given, values).close(numbers)]
        if len(apart) < fewest:
            fewest = len(apart)
            best = factor, [_difference(x, factor, values) for x in apart]
    return best


def _quotients(found: list[Group]) -> list[Expr]:
    """What the given equation may have been divided by."""
    return [
        readable(x.expected / x.given)
        for x in found
        if x.kind == "acceleration" and x.expected is not ZERO and x.given is not ZERO
    ]


def _difference(x: Group, factor: Expr, values: Mapping[str, Array]) -> TermDifference:
    given = readable(factor * x.given)
    shown = Group(x.kind, x.of, readable(x.expected), given)
    (a, sa), (b, sb) = sized(x.expected, values), sized(given, values)
    if (np.abs(b) <= 1e-12 * np.maximum(sb, 1e-300)).all():
        return TermDifference(shown, MISSING)
    if (np.abs(a) <= 1e-12 * np.maximum(sa, 1e-300)).all():
        return TermDifference(shown, EXTRA)
    ratio = Fraction(float(np.median(b / a))).limit_denominator(24)
    if ratio != 0 and sampled(given, shown.expected, values).close(float(ratio)):
        return TermDifference(shown, SIGN if ratio == -1 else FACTOR, ratio)
    others = [sampled(given, y, values) for y in _swapped(shown.expected)]
    if any(other.close(sign) for other in others for sign in (1.0, -1.0)):
        return TermDifference(shown, SWAPPED)
    lacking = _lacking(shown)
    return TermDifference(shown, OTHER if lacking is None else PART, lacking=lacking)


def _lacking(x: Group) -> Expr | None:
    """The terms that are left out, if the others are all there and nothing else is."""
    expected, given = normal_form(x.expected), normal_form(x.given)
    if expected is None or given is None:
        return None
    if any(expected.terms.get(term) != c for term, c in given.terms.items()):
        return None
    return NormalForm({t: c for t, c in expected.terms.items() if t not in given.terms}).expr()


def _swapped(x: Expr) -> Iterator[Expr]:
    """The formula with sines for cosines and back: of one angle, or of all."""
    angles = {y.args[0] for y in reachable([x]) if y.op in ("sin", "cos")}
    exchanged = {angle: {angle.sin(): angle.cos(), angle.cos(): angle.sin()} for angle in angles}
    for one in exchanged.values():
        yield substitute(x, one)
    if len(angles) > 1:
        yield substitute(x, {a: b for one in exchanged.values() for a, b in one.items()})
