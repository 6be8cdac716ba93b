"""Formulas rewritten without changing them, and mutated; both as trees, evaluated here again.

Nothing of the checker is used to decide what is equal: trees are evaluated by `value`, and the true
accelerations are solved for from the values of the equations.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from torseur.teach.formula.nodes import Node, number

GREEK = {"theta", "phi", "psi", "alpha", "beta", "lambda", "rho"}
HALF = number(Fraction(1, 2))


def value(x, at):
    """A tree at named values, which may be arrays."""
    parts = [value(part, at) for part in x.args]
    match x.kind:
        case "number":
            return float(x.value)
        case "symbol":
            return at[x.value]
        case "add":
            return sum(parts)
        case "neg":
            return -parts[0]
        case "mul":
            made = 1.0
            for part in parts:
                made = made * part
            return made
        case "div":
            return parts[0] / parts[1]
        case "pow":
            return parts[0] ** parts[1]
        case "call":
            return np.pi if x.value == "pi" else getattr(np, _NUMPY.get(x.value, x.value))(*parts)
    raise AssertionError(x.kind)


_NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}


def add(*parts):
    return Node("add", tuple(parts))


def mul(*parts):
    return Node("mul", tuple(parts))


def power(x, n):
    return Node("pow", (x, number(n)))


def call(name, x):
    return Node("call", (x,), name)


def neg(x):
    return Node("neg", (x,))


def divided(x, y):
    return Node("div", (x, y))


# --- rewriting ------------------------------------------------------------------------------------


def rewritings(x, rng):
    """Other forms of one node, of the same value."""
    yield divided(mul(number(2), x), number(2))
    yield neg(neg(x))
    if x.kind in ("add", "mul"):
        yield replace(x, args=tuple(x.args[k] for k in rng.permutation(len(x.args))))
        yield (
            add(x, x.args[0], neg(x.args[0]))
            if x.kind == "add"
            else divided(mul(*x.args, x.args[0]), x.args[0])
        )
    if x.kind == "mul":
        sums = [k for k, part in enumerate(x.args) if part.kind == "add"]
        for k in sums:
            others = [part for i, part in enumerate(x.args) if i != k]
            yield add(*(mul(*others, term) for term in x.args[k].args))
    if x.kind == "pow" and x.args[1].kind == "number" and x.args[1].value == 2:
        yield mul(x.args[0], x.args[0])
        inner = x.args[0]
        if inner.kind == "call" and inner.value in ("sin", "cos"):
            other = call("cos" if inner.value == "sin" else "sin", inner.args[0])
            yield add(number(1), neg(power(other, 2)))
            sign = neg if inner.value == "sin" else (lambda y: y)
            yield divided(
                add(number(1), sign(call("cos", mul(number(2), inner.args[0])))), number(2)
            )
    if x.kind == "call" and x.value in ("sin", "cos"):
        yield from _of_angle(x)
    if x.kind == "number" and x.value not in (0, 1):
        yield add(number(x.value - 1), number(1))


def _of_angle(x):
    angle = x.args[0]
    half = mul(HALF, angle)
    s, c = call("sin", half), call("cos", half)
    right = Node("div", (Node("call", (), "pi"), number(2)))
    if x.value == "sin":
        yield mul(number(2), s, c)
        yield call("cos", add(right, neg(angle)))
        yield neg(call("sin", neg(angle)))
    else:
        yield add(power(c, 2), neg(power(s, 2)))
        yield add(number(1), neg(mul(number(2), power(s, 2))))
        yield call("sin", add(right, angle))
        yield call("cos", neg(angle))
    if angle.kind == "add" and len(angle.args) == 2:
        a, b = angle.args
        sa, ca, sb, cb = (call(f, y) for y in (a, b) for f in ("sin", "cos"))
        if x.value == "sin":
            yield add(mul(sa, cb), mul(ca, sb))
        else:
            yield add(mul(ca, cb), neg(mul(sa, sb)))


def _nodes(x, path=()):
    yield path, x
    if x.kind == "pow":  # exponents stay as they are
        yield from _nodes(x.args[0], (*path, 0))
        return
    for k, part in enumerate(x.args):
        yield from _nodes(part, (*path, k))


def _put(x, path, new):
    if not path:
        return new
    k = path[0]
    args = (*x.args[:k], _put(x.args[k], path[1:], new), *x.args[k + 1 :])
    return replace(x, args=args)


def rewritten(x, rng, steps):
    """The tree after a number of random rewritings."""
    for _ in range(steps):
        places = list(_nodes(x))
        path, node = places[int(rng.integers(len(places)))]
        forms = list(rewritings(node, rng))
        x = _put(x, path, forms[int(rng.integers(len(forms)))])
    return x


def as_equation(x, rng, parameters):
    """The zero of a tree as left = right: terms moved across, both sides times the same factor."""
    terms = list(x.args) if x.kind == "add" else [x]
    cut = rng.random(len(terms)) < 0.5
    left = [t for t, moved in zip(terms, cut, strict=True) if not moved]
    right = [neg(t) for t, moved in zip(terms, cut, strict=True) if moved]
    sides = [add(*s) if len(s) > 1 else (s[0] if s else number(0)) for s in (left, right)]
    kind = int(rng.integers(4))
    if kind == 1 and parameters:
        by = Node("symbol", (), str(rng.choice(parameters)))
        sides = [divided(s, by) for s in sides]
    elif kind == 2:
        sides = [mul(number(Fraction(2, 3)), s) for s in sides]
    elif kind == 3:
        sides = [neg(s) for s in reversed(sides)]
    return Node("equal", tuple(sides))


# --- mutating -------------------------------------------------------------------------------------


def mutations(x, rng, parameters, moving):
    """Faults at one node: sign, factor, function, term, exponent, letter."""
    if x.kind == "add":
        k = int(rng.integers(len(x.args)))
        yield replace(x, args=(*x.args[:k], neg(x.args[k]), *x.args[k + 1 :]))
        rest = (*x.args[:k], *x.args[k + 1 :])
        yield add(*rest) if len(rest) > 1 else rest[0]
    if x.kind in ("mul", "pow", "symbol"):
        yield mul(number(2), x)
        yield mul(HALF, x)
    if x.kind == "call" and x.value in ("sin", "cos"):
        yield replace(x, value="cos" if x.value == "sin" else "sin")
        yield neg(x)
    if x.kind == "pow" and x.args[1].kind == "number":
        yield power(x.args[0], x.args[1].value + 1)
    if x.kind == "number" and x.value not in (0,):
        yield neg(x)
    if x.kind == "symbol":
        family = next((f for f in (parameters, *moving) if x.value in f), ())
        for other in family:
            if other != x.value:
                yield replace(x, value=other)


def mutated(x, rng, parameters, moving):
    """The tree with one fault."""
    while True:
        places = list(_nodes(x))
        path, node = places[int(rng.integers(len(places)))]
        forms = list(mutations(node, rng, parameters, moving))
        if forms:
            return _put(x, path, forms[int(rng.integers(len(forms)))])


# --- notations ------------------------------------------------------------------------------------

STYLES = ("plain", "primes", "leibniz", "latex", "unicode", "mathematica")


def written(x, style):
    """A tree as text."""
    if style == "latex":
        return _latex(x)
    if style == "plain":
        return str(x)
    if style == "mathematica":
        return _mathematica(x)
    renamed = _renamed(x, style)
    return str(renamed)


def _renamed(x, style):
    if x.kind == "symbol":
        bare = x.value.rstrip(".")
        dots = len(x.value) - len(bare)
        if style == "primes":
            return replace(x, value=bare + ("'" * dots if dots != 2 else '"'))
        if style == "unicode":
            return replace(x, value=_with_dots(bare, dots))
        if dots:
            order = "" if dots == 1 else "²"
            return replace(x, value=f"(d{order}{bare}/dt{order})")
        return x
    return replace(x, args=tuple(_renamed(part, style) for part in x.args))


def _with_dots(bare, dots):
    letters = {"theta": "θ", "phi": "φ", "psi": "ψ", "alpha": "α", "lam": "λ"}
    for word, letter in letters.items():
        if bare == word or (bare.startswith(word) and bare[len(word) :].isdigit()):
            mark = ("", "\u0307", "\u0308")[dots]
            return letter + mark + bare[len(word) :]
    return bare + "." * dots


def _latex(x):
    parts = [_latex(part) for part in x.args]
    match x.kind:
        case "number":
            v = Fraction(x.value) if not isinstance(x.value, float) else x.value
            exact = isinstance(v, Fraction) and v.denominator != 1
            text = rf"\frac{{{v.numerator}}}{{{v.denominator}}}" if exact else str(v)
            return rf"\left({text}\right)" if v < 0 else text
        case "symbol":
            return _latex_name(x.value)
        case "add":
            return r"\left(" + " + ".join(parts) + r"\right)"
        case "neg":
            return rf"\left(-{parts[0]}\right)"
        case "mul":
            return r" \cdot ".join(parts)
        case "div":
            return rf"\dfrac{{{parts[0]}}}{{{parts[1]}}}"
        case "pow":
            return rf"\left({parts[0]}\right)^{{{parts[1]}}}"
        case "call":
            if x.value == "pi":
                return r"\pi"
            if x.value == "sqrt":
                return rf"\sqrt{{{parts[0]}}}"
            return rf"\{x.value}\left({parts[0]}\right)"
        case "equal":
            return " = ".join(parts)
    raise AssertionError(x.kind)


def _mathematica(x):
    parts = [_mathematica(part) for part in x.args]
    match x.kind:
        case "number":
            return f"({Fraction(x.value)})"
        case "symbol":
            bare = x.value.rstrip(".")
            primes = "'" * (len(x.value) - len(bare))
            return bare.replace("_", "") + (f"{primes}[t]" if primes else "")
        case "neg":
            return f"(-{parts[0]})"
        case "call":
            return f"{x.value.capitalize()}[{parts[0]}]" if parts else "Pi"
    signs = {"add": " + ", "mul": "*", "div": "/", "pow": "^", "equal": " == "}
    text = signs[x.kind].join(parts)
    return text if x.kind == "equal" else f"({text})"


def _latex_name(name):
    bare = name.rstrip(".")
    dots = len(name) - len(bare)
    stem = bare.rstrip("0123456789")
    digits = bare[len(stem) :]
    first, _, sub = stem.partition("_")
    letter = {"lam": r"\lambda"}.get(first, rf"\{first}" if first in GREEK else first)
    over = {0: letter, 1: rf"\dot{{{letter}}}", 2: rf"\ddot{{{letter}}}"}[dots]
    below = sub + digits
    return f"{over}_{{{below}}}" if below else over
