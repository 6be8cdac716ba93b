"""The local rules by which a node is simplified when it is created.

Each rule is a small function with a name and looks at a bounded part of its operands only, so
that building an expression costs a constant time a node. The operators of nodes call these rules.
"""

import math
from collections.abc import Callable
from fractions import Fraction

from torseur.algebra.core import angles
from torseur.algebra.core.coefficients import negative as negative
from torseur.algebra.core.coefficients import over, scale, scaled, split
from torseur.algebra.core.expr import CONSTANT, ONE, PARAMETER, ZERO, Expr, Scalar, node, number
from torseur.algebra.core.functions import FUNCTIONS

_LONGEST_NORMAL_SUM = 32  # terms
_LARGEST_DIVISOR = 50  # whose square is taken out of a root


# --- sums ---------------------------------------------------------------------------------------


def add(a: Expr, b: Expr) -> Expr:
    """a + b, by the first rule that applies."""
    if a is ZERO:
        return b
    if b is ZERO:
        return a
    return _sum_of_two(*split(a), *split(b))


def subtract(a: Expr, b: Expr) -> Expr:
    """a − b; the opposite of b is not made where the sum does not have it as a term."""
    if b is ZERO:
        return a
    cb, tb = split(b)
    return scale(-cb, tb) if a is ZERO else _sum_of_two(*split(a), -cb, tb)


def _sum_of_two(ca: Scalar, ta: Expr, cb: Scalar, tb: Expr) -> Expr:
    """The sum of two terms, neither of which is zero."""
    if ta is tb:  # like terms: 2x + 3x = 5x
        return scale(ca + cb, ta)
    if ta.stage <= PARAMETER and tb.stage <= PARAMETER and "add" in (ta.op, tb.op):
        collected = _collected(scale(ca, ta), scale(cb, tb))
        if collected is not None:
            return collected
    if ta.op == "add" or tb.op == "add":
        shorter = (
            _gather_terms(ca, ta, cb, tb)
            or _gather_terms(cb, tb, ca, ta)
            or _cancel(ca, ta, cb, tb)
            or _cancel(cb, tb, ca, ta)
        )
        if shorter is not None:
            return shorter
    if ta is not ONE and tb is not ONE and abs(ca) == abs(cb):
        return _scaled_pair(ca, ta, cb, tb)
    if ta is ONE or tb is ONE:
        squared = angles.one_minus_square(ca, ta, cb, tb)
        if squared is not None:
            return squared
    return _sum(ca, ta, cb, tb)


def _collected(a: Expr, b: Expr) -> Expr | None:
    """Sums of parameters in normal form: like terms collected, a common coefficient in front.

    They are computed once for all, so that their shape is free; in normal form what is zero is seen
    to be zero and what is equal is one node. Long sums are left as they are built.
    """
    like, more = _short_sum(a), _short_sum(b)
    if like is None or more is None or len(like) + len(more) > _LONGEST_NORMAL_SUM:
        return None
    for key, (coefficient, core) in more.items():
        like[key] = (like[key][0] + coefficient if key in like else coefficient, core)
    terms = [like[key] for key in sorted(like) if like[key][0] != 0]
    if not terms:
        return ZERO
    first = terms[0][0]
    sign = -1 if first < 0 else 1
    common = first if len({abs(c) for c, _ in terms}) == 1 else sign
    total = scale(over(terms[0][0], common), terms[0][1])
    for coefficient, core in terms[1:]:
        term = scale(over(coefficient, common), core)
        total = node("add", (total, term), None, max(total.stage, core.stage))
    return scale(common, total) if total.op != "number" else multiply(number(common), total)


def _short_sum(x: Expr) -> dict[int, tuple[Scalar, Expr]] | None:
    """The terms of a sum by the key of their core; None if they are many, which is seen early."""
    like: dict[int, tuple[Scalar, Expr]] = {}
    count = 0
    pending: list[tuple[Scalar, Expr]] = [(1, x)]
    while pending:
        if count + len(pending) > _LONGEST_NORMAL_SUM:
            return None
        share, part = pending.pop()
        coefficient, core = split(part)
        share = coefficient if share == 1 else share if coefficient == 1 else share * coefficient
        if core.op == "add":
            pending.extend(((share, core.args[0]), (share, core.args[1])))
            continue
        count += 1
        known = like.get(core.key)
        like[core.key] = (share if known is None else known[0] + share, core)
    return like


def _gather_terms(ca: Scalar, ta: Expr, cb: Scalar, tb: Expr) -> Expr | None:
    """(x + p) + p' = x + (p + p') for parameters p, p': their sum is computed once for all."""
    if tb.stage > PARAMETER or ta.stage <= PARAMETER or ta.op != "add" or abs(ca) != 1:
        return None
    for moving, still in (ta.args, ta.args[::-1]):
        if still.stage <= PARAMETER < moving.stage:
            return add(scaled(ca, moving), add(scaled(ca, still), scale(cb, tb)))
    return None


def _cancel(ca: Scalar, ta: Expr, cb: Scalar, tb: Expr) -> Expr | None:
    """(x + y) − x = y: a term of a sum meets its opposite."""
    if ta.op != "add" or abs(ca) != 1:
        return None
    for one, other in (ta.args, ta.args[::-1]):
        c, t = split(one)
        if t is tb and ca * c == -cb:
            return scale(ca, ONE) * other if ca != 1 else other
    return None


def _scaled_pair(ca: Scalar, ta: Expr, cb: Scalar, tb: Expr) -> Expr:
    """c x ± c y = c (x ± y), after the rules that merge x ± y into one term."""
    sign = 1 if ca == cb else -1
    merged = angles.merge(sign, ta, tb)
    if merged is None:
        merged = _common_factor(sign, ta, tb)
    if merged is None:
        merged = _sum(1, ta, sign, tb)
    coefficient, core = split(merged)
    size = ca if isinstance(ca, float) else sign * cb  # 2.5 x + 5/2 y is inexact in either order
    return scale(size * coefficient, core)


def _common_factor(sign: int, ta: Expr, tb: Expr) -> Expr | None:
    """p x ± p' x = (p ± p') x for parameters p, p': the sum is computed once for all."""
    pa, xa = parameter_factor(ta)
    pb, xb = parameter_factor(tb)
    if xa is not xb or xa.stage <= PARAMETER:
        return None
    return multiply(add(pa, pb if sign == 1 else negative(pb)), xa)


def parameter_factor(x: Expr) -> tuple[Expr, Expr]:
    """x = p × rest, with p the factor that depends on parameters only."""
    if x.op == "mul":
        a, b = x.args
        if a.stage <= PARAMETER < b.stage:
            return a, b
        if b.stage <= PARAMETER < a.stage:
            return b, a
    return ONE, x


def _sum(ca: Scalar, ta: Expr, cb: Scalar, tb: Expr) -> Expr:
    """The sum node: terms in order of creation, the first one positive."""
    if ta.key > tb.key:
        ca, ta, cb, tb = cb, tb, ca, ta
    sign = -1 if ca < 0 else 1
    terms = (scale(sign * ca, ta), scale(sign * cb, tb))
    return scale(sign, node("add", terms, None, max(ta.stage, tb.stage)))


# --- products and powers ------------------------------------------------------------------------


def multiply(a: Expr, b: Expr) -> Expr:
    """a × b: coefficients are collected in front, equal bases merge into powers."""
    if a is ZERO or b is ZERO:
        return ZERO
    if a is ONE:
        return b
    if b is ONE:
        return a
    ca, ta = split(a)
    cb, tb = split(b)
    product = _product(ta, tb)
    if type(ca) is type(cb) is int and ca == cb == 1:  # most often
        return product
    coefficient, core = split(product)
    return scale(ca * cb * coefficient, core)


def _product(a: Expr, b: Expr) -> Expr:
    if a is ONE:
        return b
    if b is ONE:
        return a
    base_a, exponent_a = (a.args[0], a.value) if a.op == "pow" else (a, 1)
    base_b, exponent_b = (b.args[0], b.value) if b.op == "pow" else (b, 1)
    if base_a is base_b:
        return power(base_a, exponent_a + exponent_b)
    if a.op == "mul" or b.op == "mul":
        shorter = (
            _cancel_factor(a, base_b, exponent_b)
            or _cancel_factor(b, base_a, exponent_a)
            or _gather_parameters(a, b)
            or _gather_parameters(b, a)
        )
        if shorter is not None:
            return shorter
    if a.key > b.key:
        a, b = b, a
    return node("mul", (a, b), None, max(a.stage, b.stage))


def base_and_exponent(x: Expr) -> tuple[Expr, Scalar]:
    """x = base ** exponent."""
    return (x.args[0], x.value) if x.op == "pow" else (x, 1)


def _cancel_factor(product: Expr, base: Expr, exponent: Scalar) -> Expr | None:
    """(x y) × y⁻¹ = x: a factor meets its inverse."""
    if product.op != "mul":
        return None
    for one, other in (product.args, product.args[::-1]):
        b, e = base_and_exponent(one)
        if b is base and (e < 0) != (exponent < 0):
            return multiply(other, power(base, e + exponent))
    return None


def _gather_parameters(p: Expr, x: Expr) -> Expr | None:
    """p (p' x) = (p p') x for parameters p, p': their product is computed once for all."""
    if p.stage > PARAMETER or x.op != "mul":
        return None
    inner, rest = parameter_factor(x)
    return None if inner is ONE else multiply(multiply(p, inner), rest)


def power(base: Expr, exponent: Scalar) -> Expr:
    """base ** exponent for a constant exponent."""
    exponent = _plain(exponent)
    if exponent == 0:
        return ONE
    if exponent == 1:
        return base
    if base.op == "number":
        return _number_power(base, exponent)
    integer = isinstance(exponent, int)
    if base.op == "pow" and base.value == 2 and not integer and exponent * 2 == int(exponent * 2):
        return power(function("abs", base.args[0]), int(exponent * 2))  # √x² is |x|
    if base.op == "abs" and integer and int(exponent) % 2 == 0:
        return power(base.args[0], exponent)
    if base.op == "pow" and (integer or isinstance(base.value, int) is False):
        return power(base.args[0], base.value * exponent)
    coefficient, core = split(base)
    if coefficient != 1 and (integer or coefficient > 0):
        factor = power(number(coefficient), exponent)
        return multiply(factor, power(core, exponent))
    return node("pow", (base,), exponent, base.stage)


def _plain(exponent: Scalar) -> Scalar:
    """An exponent has one form: 2.0 and 4/2 are 2, 0.5 is 1/2."""
    if type(exponent) is int:  # most often
        return exponent
    exact = Fraction(exponent)
    if exact.denominator == 1:
        return exact.numerator
    return exact if exact.denominator <= 64 or not isinstance(exponent, float) else exponent


def _number_power(base: Expr, exponent: Scalar) -> Expr:
    """Exact when the result is rational; a float base gives a float."""
    value = base.value[1]
    if value == 0 and exponent < 0:
        raise ZeroDivisionError("division by zero in an expression")
    if isinstance(value, float) and (value > 0 or isinstance(exponent, int)):
        return number(value**exponent)
    if isinstance(exponent, int):
        return number(Fraction(value) ** exponent)
    if value > 0 and Fraction(exponent).denominator == 2:
        return _root(Fraction(value), Fraction(exponent))
    return ZERO if value == 0 else node("pow", (base,), exponent, CONSTANT)


def _root(value: Fraction, exponent: Fraction) -> Expr:
    """√(s² r) = s √r, and √(1/n) = 1/√n: what is left below the root has no square factor."""
    above, upper = _without_squares(value.numerator)
    below, lower = _without_squares(value.denominator)
    inside, whole = Fraction(above, below), int(exponent)
    outside = number(Fraction(upper, lower) ** exponent.numerator * inside**whole)
    exponent -= whole
    if inside == 1:
        return outside
    if above == 1:
        inside, exponent = 1 / inside, -exponent
    return multiply(outside, node("pow", (number(inside),), exponent, CONSTANT))


def _without_squares(n: int) -> tuple[int, int]:
    """(r, s) with n = r s²: every square factor that is small, and n itself if it is a square."""
    whole = math.isqrt(n)
    if whole * whole == n:
        return 1, whole
    outside = 1
    for d in range(2, min(whole, _LARGEST_DIVISOR) + 1):
        while n % (d * d) == 0:
            n, outside = n // (d * d), outside * d
    return n, outside


def raised(base: Expr, exponent: Expr) -> Expr:
    """base ** exponent; a variable exponent goes through the exponential."""
    if exponent.op == "number":
        return power(base, exponent.value[1])
    return function("exp", multiply(exponent, function("log", base)))


# --- functions ----------------------------------------------------------------------------------


def function(name: str, *args: Expr) -> Expr:
    """A function of nodes: constants are folded, parity is used, angles are put in normal form."""
    if name in ("sin", "cos"):
        return angles.sine_or_cosine(name, args[0])
    definition = FUNCTIONS[name]
    if name == "if" and args[1] is args[2]:
        return args[1]
    if name == "if" and args[0].op == "number":
        return args[1] if args[0].value[1] > 0 else args[2]
    if all(argument.op == "number" for argument in args):
        folded = definition.folded(*(argument.value[1] for argument in args))
        if folded is not None:
            return number(folded)
    if definition.parity and split(args[0])[0] < 0:
        mirrored = function(name, negative(args[0]))
        return mirrored if definition.parity == "even" else negative(mirrored)
    return node(name, args, None, max(argument.stage for argument in args))


# --- pieces -------------------------------------------------------------------------------------

# All are made of one function, `if(c, a, b)`: a where c > 0, elsewhere b. Its derivative is that of
# the piece; at the border it is that of b.


def choice(condition: Expr, above: Expr, otherwise: Expr) -> Expr:
    """`above` where the condition is positive, elsewhere `otherwise`."""
    return function("if", condition, above, otherwise)


def smaller(a: Expr, b: Expr) -> Expr:
    """min(a, b)."""
    return choice(b - a, a, b)


def larger(a: Expr, b: Expr) -> Expr:
    """max(a, b)."""
    return choice(a - b, a, b)


def clipped(x: Expr, low: Expr, high: Expr) -> Expr:
    """x, but at least `low` and at most `high`."""
    return smaller(larger(x, low), high)


PIECEWISE: dict[str, Callable[..., Expr]] = {"min": smaller, "max": larger, "clip": clipped}
