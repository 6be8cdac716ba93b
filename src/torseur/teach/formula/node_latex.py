"""Formulas as they were written, in LaTeX: nothing is simplified or put in another order."""

from __future__ import annotations

from fractions import Fraction

from torseur.algebra.printing.latex import name
from torseur.teach.formula.nodes import Node

_CALLS = {x: rf"\{x}" for x in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "max", "min")}
_CALLS |= {"asin": r"\arcsin", "acos": r"\arccos", "atan": r"\arctan", "log": r"\ln"}
_RANKS = {"equal": 0, "add": 1, "neg": 2, "mul": 3, "cross": 3, "rate": 3, "call": 3, "pow": 5}


def node_latex(x: Node) -> str:
    """The LaTeX of a formula."""
    match x.kind:
        case "number":
            return _number(x.value)
        case "symbol" | "unknown":
            return name(str(x.value))
        case "vector":
            return rf"\vec{{{x.value}}}"
        case "tuple":
            components = r",\; ".join(map(node_latex, x.args))
            return rf"\left({components}\right)"
        case "add":
            return "".join(_signed(part, k == 0) for k, part in enumerate(x.terms))
        case "neg":
            return f"-{_within(x.args[0], 2)}"
        case "mul":
            return r"\,".join(_within(part, 3) for part in x.args)
        case "cross":
            return r" \wedge ".join(_within(part, 4) for part in x.args)
        case "div":
            return rf"\frac{{{node_latex(x.args[0])}}}{{{node_latex(x.args[1])}}}"
        case "pow":
            return _power(x)
        case "norm":
            return rf"\left|{node_latex(x.args[0])}\right|"
        case "rate":
            order = "" if x.value == 1 else f"^{{{x.value}}}"
            return rf"\frac{{d{order}}}{{dt{order}}}\left({node_latex(x.args[0])}\right)"
        case "call":
            return _call(x)
    return " = ".join(map(node_latex, x.args))


def _number(value: Fraction | float) -> str:
    exact = Fraction(value)
    if exact.denominator == 1:
        return str(exact.numerator)
    if exact.denominator <= 100 and 10**6 % exact.denominator:
        return rf"\frac{{{exact.numerator}}}{{{exact.denominator}}}"
    return f"{float(value):g}"


def _signed(term: Node, first: bool) -> str:
    if term.kind == "neg":
        return f"{'-' if first else ' - '}{_within(term.args[0], 2)}"
    return ("" if first else " + ") + _within(term, 2)


def _within(part: Node, rank: int) -> str:
    """A part of an operation, in brackets if it binds less."""
    written = node_latex(part)
    return rf"\left({written}\right)" if _RANKS.get(part.kind, 9) < rank else written


def _power(x: Node) -> str:
    base, exponent = x.args
    raised = f"^{{{node_latex(exponent)}}}"
    if base.kind == "call" and base.value in _CALLS and len(base.args) == 1:
        return f"{_CALLS[base.value]}{raised}{_argument(base)}"
    tight = base.kind in ("symbol", "unknown", "number", "vector", "tuple", "norm")
    return (node_latex(base) if tight else rf"\left({node_latex(base)}\right)") + raised


def _call(x: Node) -> str:
    if x.value == "pi":
        return r"\pi"
    if x.value == "sqrt":
        return rf"\sqrt{{{node_latex(x.args[0])}}}"
    word = _CALLS.get(str(x.value), rf"\operatorname{{{x.value}}}")
    return word + _argument(x)


def _argument(x: Node) -> str:
    if len(x.args) == 1 and x.args[0].kind in ("symbol", "unknown"):
        return f" {node_latex(x.args[0])}"
    return rf"\left({', '.join(map(node_latex, x.args))}\right)"
