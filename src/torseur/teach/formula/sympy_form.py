"""Formulas given as SymPy expressions or equations."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from typing import Any

from torseur.algebra.exchange import dotted
from torseur.teach.formula.formula_names import FUNCTIONS, KnownNames
from torseur.teach.formula.nodes import Node, number
from torseur.teach.formula.tokens import FormulaError
from torseur.words.sentence import say

_NAMES = {"Abs": "abs", "sign": "sign", "Max": "max", "Min": "min"} | {
    name: name for name in FUNCTIONS.values()
}


def is_sympy(formula: Any) -> bool:
    """Whether an object is SymPy's, without importing SymPy."""
    return type(formula).__module__.split(".")[0] == "sympy" or any(
        kind.__module__.split(".")[0] == "sympy" for kind in type(formula).__mro__
    )


def from_sympy(formula: Any, names: KnownNames) -> Node:
    """The tree of a SymPy expression, an Eq, or a matrix of three components.

    Coordinates are symbols named as in the model (`theta`, `theta.`, `theta..`) or as in its SymPy
    matrices (`theta_dot`, `theta_ddot`), or functions of time and their derivatives.
    """
    import sympy

    if isinstance(formula, sympy.Eq):
        return Node("equal", tuple(from_sympy(part, names) for part in formula.args))
    if isinstance(formula, sympy.MatrixBase):
        return Node("tuple", tuple(from_sympy(part, names) for part in formula))
    return _node(formula, names)


def _node(x: Any, names: KnownNames) -> Node:
    import sympy

    if isinstance(x, sympy.Rational):
        return number(Fraction(int(x.p), int(x.q)))
    if isinstance(x, sympy.Float):
        return number(Fraction(str(x)))
    if x is sympy.pi:
        return Node("call", (), "pi")
    if isinstance(x, sympy.Symbol):
        return _named(x.name, 0, names)
    if isinstance(x, sympy.Derivative):
        inner, *variables = x.args
        order = sum(int(count) for _, count in variables)
        return _named(inner.func.__name__, order, names)
    if isinstance(x, sympy.core.function.AppliedUndef):
        return _named(x.func.__name__, 0, names)
    parts = tuple(_node(part, names) for part in x.args)
    for kind in (sympy.Add, sympy.Mul, sympy.Pow):
        if isinstance(x, kind):
            return Node(kind.__name__.lower(), parts)
    name = _NAMES.get(x.func.__name__)
    if name is None:
        raise FormulaError(
            say('"{x}" ({kind}) cannot be read as a formula.', x, x.func.__name__), 0
        )
    if name in ("max", "min"):  # of any number, two at a time
        return reduce(lambda a, b: Node("call", (a, b), name), parts)
    return Node("call", parts, name)


def _named(name: str, dots: int, names: KnownNames) -> Node:
    known = names.find(name + "." * dots) or names.find(dotted(name) + "." * dots)
    return Node("unknown", (), name + "." * dots) if known is None else Node("symbol", (), known)
