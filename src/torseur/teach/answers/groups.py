"""Two equations term by term: coefficients of accelerations and products of speeds, the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ONE, ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, free_symbols, reachable, substitute
from torseur.algebra.forms.normal_form import NormalForm, normal_form
from torseur.algebra.forms.readable import readable
from torseur.model.values.named_numbers import LETTER
from torseur.teach.answers.sampling import sampled, sized

Array = np.ndarray
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
        pairs = list(_groups(expressions([expected, given])))
    except ZeroDivisionError:
        return []
    return [x for x in pairs if x.expected is not ZERO or x.given is not ZERO]


def _groups(pair: Array) -> Iterator[Group]:
    named = free_symbols(pair)
    for kind, label in (("acceleration", "acceleration"), ("input", "unknown")):
        alike = [x for x in named if x.kind == kind]
        for x in alike:
            yield Group(label, x.name, *expressions(derivative(pair, x)))
        pair = substitute(pair, dict.fromkeys(alike, ZERO))
    v = [x for x in named if x.kind == "speed"]
    still = dict.fromkeys(v, ZERO)
    static = substitute(pair, still)
    left = pair - static
    for k, x in enumerate(v):
        slopes = derivative(pair, x)
        once = substitute(slopes, still)
        yield Group("speed", x.name, *expressions(once))
        left = left - once * x
        for y in v[k:]:
            both = substitute(derivative(slopes, y), still) / (2 if x is y else 1)
            of = f"{x.name}^2" if x is y else f"{x.name}*{y.name}"
            yield Group("product", of, *expressions(both))
            left = left - both * x * y
    yield Group("speeds", "", *(readable(expression(y)) for y in left))
    yield from _static(expressions(static))


def _static(pair: Array) -> Iterator[Group]:
    """Gravity, then each parameter that is linear in what is left, then the rest."""
    letters = [x for x in free_symbols(pair) if x.name == LETTER and x.kind == "parameter"]
    for g in letters:
        slopes = expressions(derivative(pair, g))
        if g not in free_symbols(slopes):
            yield Group("gravity", LETTER, *expressions(slopes * g))
            pair = expressions(substitute(pair, {g: ZERO}))
    yield Group("force", "", *pair)


# --- comparing ------------------------------------------------------------------------------------


def differing(
    terms: list[Group], values: Mapping[str, Array], equation: bool
) -> tuple[Expr, list[TermDifference]]:
    """The factor that makes most groups agree, and those that still do not."""
    factors = [ONE, *([-ONE, *_quotients(terms)] if equation else [])]
    best: tuple[Expr, list[TermDifference]] = ONE, []
    fewest = len(terms) + 1
    for factor in factors:
        numbers, _ = sized(factor, values)
        if not np.isfinite(numbers).all():
            continue
        apart = [x for x in terms if not sampled(x.expected, x.given, values).close(numbers)]
        if len(apart) < fewest:
            fewest = len(apart)
            best = factor, [_difference(x, factor, values) for x in apart]
    return best


def _quotients(terms: list[Group]) -> list[Expr]:
    """Factors by which the given equation may have been divided."""
    return [
        readable(x.expected / x.given)
        for x in terms
        if x.kind == "acceleration" and x.expected is not ZERO and x.given is not ZERO
    ]


def _difference(x: Group, factor: Expr, values: Mapping[str, Array]) -> TermDifference:
    given = readable(factor * x.given)
    readable_group = Group(x.kind, x.of, readable(x.expected), given)
    (a, sa), (b, sb) = sized(x.expected, values), sized(given, values)
    if (np.abs(b) <= 1e-12 * np.maximum(sb, 1e-300)).all():
        return TermDifference(readable_group, MISSING)
    if (np.abs(a) <= 1e-12 * np.maximum(sa, 1e-300)).all():
        return TermDifference(readable_group, EXTRA)
    ratio = _usual_ratio(a, b)
    if ratio != 0 and sampled(given, readable_group.expected, values).close(float(ratio)):
        return TermDifference(readable_group, SIGN if ratio == -1 else FACTOR, ratio)
    others = [sampled(given, y, values) for y in _swapped(readable_group.expected)]
    if any(other.close(sign) for other in others for sign in (1.0, -1.0)):
        return TermDifference(readable_group, SWAPPED)
    lacking = _lacking(readable_group)
    return TermDifference(readable_group, OTHER if lacking is None else PART, lacking=lacking)


def _usual_ratio(a: Array, b: Array) -> Fraction:
    """The small fraction that b / a is, by the median of its values; 0 if it has none."""
    with np.errstate(all="ignore"):
        ratio = b / a
    finite = ratio[np.isfinite(ratio)]
    middle = float(np.median(finite)) if len(finite) else 0.0
    return Fraction(middle).limit_denominator(24)


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
