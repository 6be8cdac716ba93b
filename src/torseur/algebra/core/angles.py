"""Rules of trigonometry: rotations about parallel axes come out as one angle.

cos a cos b − sin a sin b is cos(a + b), also with common factors; sin² + cos² is 1; quarter turns
are removed from arguments, and an argument that is a sum has one normal form whatever the order in
which it was built. Double angles are never introduced: c² − s² is cheaper than cos 2a.
"""

from fractions import Fraction
from functools import lru_cache

from torseur.algebra.core.coefficients import Collected, negative, scale, split
from torseur.algebra.core.expr import ONE, PI, ZERO, Expr, Scalar, node, number
from torseur.algebra.core.functions import FUNCTIONS

# sin at the multiples of π/12 below π/2 whose value is a rational or a square root of one.
_SPECIAL: dict[Fraction, tuple[Scalar, Scalar]] = {
    Fraction(0): (0, 1),
    Fraction(1, 6): (Fraction(1, 2), 1),
    Fraction(1, 4): (1, Fraction(1, 2)),
    Fraction(1, 3): (1, Fraction(3, 4)),
    Fraction(1, 2): (1, 1),
}


_WAVES = ("sin", "cos")
_MOST_FACTORS = 12  # a product of more factors is not searched for trigonometry


def sine_or_cosine(name: str, x: Expr) -> Expr:
    """sin x or cos x in normal form."""
    if x.op == "symbol":
        return node(name, (x,), None, x.stage)
    if x.op == "number":
        if x is ZERO:
            return ZERO if name == "sin" else ONE
        value = x.value[1]
        if isinstance(value, float):
            return number(float(FUNCTIONS[name].evaluate(value)))
    turns, rest = _without_half_turns(x)
    if rest is ZERO:
        exact = _special_value(name, turns)
        if exact is not None:
            return exact
    quarters = 2 * turns
    if quarters.denominator != 1:
        rest, quarters = rest + number(turns) * PI, Fraction(0)
    return _shifted(name, rest, int(quarters) % 4)


@lru_cache(maxsize=64)
def _without_half_turns(x: Expr) -> tuple[Fraction, Expr]:
    """The exact multiple of π in a sum, and the rest in normal order; cosine and sine ask both."""
    turns, rest = Fraction(0), ZERO
    for coefficient, core in sorted(terms(x), key=lambda term: term[1].key):
        if core is PI and not isinstance(coefficient, float):
            turns += coefficient
        else:
            rest = rest + scale(coefficient, core)
    return turns, rest


def terms(x: Expr) -> list[tuple[Scalar, Expr]]:
    """The terms of a sum, as coefficients and cores; each shared part is visited once."""
    result: list[tuple[Scalar, Expr]] = []
    pending = Collected(x)
    while pending:
        part, share = pending.take()
        coefficient, core = split(part)
        if core is ONE:
            result.append((share * coefficient, ONE))
        elif core is not part:
            pending.give(core, share * coefficient)
        elif core.op == "add":
            for term in core.args:
                pending.give(term, share)
        elif share != 0:
            result.append((share, core))
    return result


def _special_value(name: str, turns: Fraction) -> Expr | None:
    """sin or cos of turns × π where it is rational or the root of a rational."""
    angle = turns % 2 if name == "sin" else (turns + Fraction(1, 2)) % 2  # cos x = sin(x + π/2)
    sign = -1 if angle >= 1 else 1
    angle %= 1
    special = _SPECIAL.get(min(angle, 1 - angle))
    if special is None:
        return None
    rational, square = special
    return number(sign * rational) * number(square).sqrt()


def _shifted(name: str, x: Expr, quarters: int) -> Expr:
    """sin or cos of x + quarters × π/2."""
    if quarters % 2:
        name = "cos" if name == "sin" else "sin"
        quarters += 0 if name == "cos" else 1  # cos(x + π/2) = −sin x
    sign = -1 if quarters % 4 in (2, 3) else 1
    if split(x)[0] < 0:
        x = negative(x)
        sign = -sign if name == "sin" else sign
    if x is ZERO:
        return number(sign) if name == "cos" else ZERO
    return scale(sign, node(name, (x,), None, x.stage))


# --- sums of products ---------------------------------------------------------------------------


def merge(sign: int, a: Expr, b: Expr) -> Expr | None:
    """a ± b as one term, when trigonometry makes one of the two."""
    if not (_may_merge(a) and _may_merge(b)):
        return None
    rest_a, rest_b = _factors(a), _factors(b)
    common = _remove_common(rest_a, rest_b)
    if len(rest_a) != 2 or len(rest_b) != 2:
        return None
    merged = _merged_pair(sign, rest_a, rest_b)
    if merged is None:
        return None
    for factor in common:
        merged = merged * factor
    return merged


def _may_merge(x: Expr) -> bool:
    """Whether a product may hold two sines or cosines: most cannot, which is seen at once."""
    if x.op == "mul":
        ops = (x.args[0].op, x.args[1].op)
        return "mul" in ops or "pow" in ops or all(op in _WAVES for op in ops)
    return x.op == "pow" and x.args[0].op in _WAVES


def _factors(x: Expr) -> list[Expr]:
    """The factors of a product, a square counted twice; none if they are many."""
    factors: list[Expr] = []
    pending = [x]
    while pending:
        if len(factors) > _MOST_FACTORS:
            return []
        part = pending.pop()
        if part.op == "mul":
            pending.extend(part.args)
        elif part.op == "pow" and part.value == 2:
            factors.extend((part.args[0], part.args[0]))
        else:
            factors.append(part)
    return factors


def _remove_common(a: list[Expr], b: list[Expr]) -> list[Expr]:
    """Take the common factors out of both lists."""
    common = []
    for factor in list(a):
        if any(factor is other for other in b):
            a.remove(factor)
            b.remove(factor)
            common.append(factor)
    return common


def _merged_pair(sign: int, a: list[Expr], b: list[Expr]) -> Expr | None:
    kinds_a, kinds_b = {f.op for f in a}, {f.op for f in b}
    if not (kinds_a <= {"sin", "cos"} and kinds_b <= {"sin", "cos"}):
        return None
    if kinds_a == kinds_b == {"sin", "cos"}:
        return _sine_of_sum(sign, a, b)
    if len(kinds_a) == len(kinds_b) == 1 and kinds_a != kinds_b:
        return _cosine_of_sum(sign, a, b, first_is_cosine=kinds_a == {"cos"})
    return None


def _sine_of_sum(sign: int, a: list[Expr], b: list[Expr]) -> Expr | None:
    """sin x cos y ± cos x sin y = sin(x ± y)."""
    sine_a, cosine_a = sorted(a, key=lambda f: f.op, reverse=True)
    sine_b, cosine_b = sorted(b, key=lambda f: f.op, reverse=True)
    x, y = sine_a.args[0], cosine_a.args[0]
    if cosine_b.args[0] is not x or sine_b.args[0] is not y or x is y:
        return None
    return (x + y if sign == 1 else x - y).sin()


def _cosine_of_sum(
    sign: int, a: list[Expr], b: list[Expr], *, first_is_cosine: bool
) -> Expr | None:
    """cos x cos y ∓ sin x sin y = cos(x ± y); cos² x + sin² x = 1."""
    x, y = (factor.args[0] for factor in a)
    if {f.args[0].key for f in b} != {x.key, y.key}:
        return None
    if x is y:
        return ONE if sign == 1 else None
    if sign == 1:
        return (x - y).cos()
    cosine = (x + y).cos()
    return cosine if first_is_cosine else -cosine


def one_minus_square(ca: Scalar, ta: Expr, cb: Scalar, tb: Expr) -> Expr | None:
    """k − k sin² x = k cos² x, and the same with cosine and sine exchanged."""
    constant, coefficient, core = (ca, cb, tb) if ta is ONE else (cb, ca, ta)
    if constant != -coefficient or core.op != "pow" or core.value != 2:
        return None
    base = core.args[0]
    if base.op not in ("sin", "cos"):
        return None
    other = sine_or_cosine("cos" if base.op == "sin" else "sin", base.args[0])
    return scale(constant, other**2)
