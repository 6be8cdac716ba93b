"""Exchange with SymPy: expressions to and from it, node by node.

SymPy is imported when it is needed. Its symbols bear the names of ours without any assumption, so
that `subs("alpha", 1)` finds them. The speed `alpha.` is `alpha_dot` there and the acceleration
`alpha..` is `alpha_ddot`: names of C and of Python too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache, reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from torseur.algebra.core import rules
from torseur.algebra.core.called import refused
from torseur.algebra.core.expr import ONE, PI, Expr, Scalar, number
from torseur.algebra.core.functions import FUNCTIONS
from torseur.algebra.core.graph import flat, free_symbols, mapped
from torseur.algebra.core.rules import choice, larger, smaller
from torseur.algebra.core.tabulated import FACTORS, Tabulated
from torseur.errors import ModelError, unknown
from torseur.words.sentence import say

if TYPE_CHECKING:
    import sympy

NO_NAMES: Mapping[int, str] = {}
_PLACE = "SymPy expression"


def sympy_names(symbols: Iterable[Expr]) -> dict[str, str]:
    """The name in SymPy of each symbol: alpha_dot for alpha., alpha_dot_ if that is another one."""
    originals = sorted(x.name for x in symbols)
    used = {name for name in originals if not name.endswith(".")}
    spelt = {name: name for name in used}
    for name in originals:
        if name in spelt:
            continue
        preferred = undotted(name)
        while preferred in used:
            preferred += "_"
        used.add(preferred)
        spelt[name] = preferred
    return spelt


def undotted(name: str) -> str:
    """alpha_dot for alpha., alpha_ddot for alpha.."""
    stem = name.rstrip(".")
    dots = len(name) - len(stem)
    return f"{stem}_{'d' * dots}ot" if dots else name


def dotted(name: str) -> str:
    """alpha. for alpha_dot, alpha.. for alpha_ddot."""
    match = re.fullmatch(r"(.+)_(d+)ot", name)
    return match[1] + "." * len(match[2]) if match else name


def to_sympy(
    outputs: Any,
    names: Mapping[int, str] = NO_NAMES,
    *,
    top: bool = False,
    real: bool | None = None,
    beside: Iterable[Expr] = (),
) -> Any:
    """A SymPy expression, or a matrix of them (a vector is a column, a higher array an Array).

    Named nodes (key → name) become symbols, except the outputs themselves when `top`. With `real`
    the symbols are real, which SymPy needs to differentiate |x|; they are then not those that it
    makes of a name. Symbols that stand `beside` these outputs keep names of their own.
    """
    import sympy

    called = sympy_names({*free_symbols(outputs), *beside})
    if top:
        roots = {x.key for x in flat(outputs)}
        names = {key: name for key, name in names.items() if key not in roots}

    def rebuild(x: Expr, args: list[sympy.Expr]) -> sympy.Expr:
        if x.key in names:
            return sympy.Symbol(names[x.key], real=real)
        if x.op == "symbol":
            return sympy.Symbol(called[x.name], real=real)
        return _sympy_node(x, args)

    converted = mapped(outputs, rebuild, names)
    if not isinstance(converted, np.ndarray):
        return converted
    return sympy.Matrix(converted) if converted.ndim <= 2 else sympy.Array(converted.tolist())


def _sympy_node(x: Expr, args: list[sympy.Expr]) -> sympy.Expr:
    import sympy

    if x.op == "number":
        return _sympy_number(x.value[1])
    if x.op == "constant":
        return sympy.pi
    if x.op == "add":
        return sympy.Add(*args)
    if x.op == "mul":
        return sympy.Mul(*args)
    # SymPy searches the whole argument of a function or a root: only a short one is worth it
    short = all(_is_short(argument) for argument in args)
    if x.op == "if":
        condition, above, otherwise = args
        positive = sympy.StrictGreaterThan(condition, 0, evaluate=False)
        return sympy.Piecewise((above, positive), (otherwise, True), evaluate=False)
    if x.op == "call":
        raise refused(x)
    if x.op == "table":
        return _sympy_table(x.value)(*args)
    if x.op == "pow":
        evaluate = short or isinstance(x.value, int)
        return sympy.Pow(args[0], _sympy_number(x.value), evaluate=evaluate)
    return getattr(sympy, "Abs" if x.op == "abs" else x.op)(*args, evaluate=short)


@cache
def _sympy_table(function: Tabulated) -> Any:
    """A function of SymPy that has the derivatives and the numbers of a table."""
    import sympy

    def fdiff(self: Any, argindex: int = 1) -> sympy.Expr:
        if function.order + 1 == len(FACTORS):
            return sympy.S.Zero
        return _sympy_table(Tabulated(function.table, function.order + 1))(self.args[0])

    def _eval_evalf(self: Any, precision: int) -> sympy.Expr | None:
        x = self.args[0].evalf()
        return sympy.Float(float(function.evaluate(float(x)))) if x.is_number else None

    content = {
        "nargs": 1,
        "is_real": True,
        "tabulated": function,
        "fdiff": fdiff,
        "_eval_evalf": _eval_evalf,
        "_sympystr": lambda self, printer: f"{function.name}({printer.doprint(self.args[0])})",
        "_imp_": staticmethod(function.evaluate),  # what lambdify calls
    }
    suffix = f"_d{function.order}" if function.order else ""  # a prime is no Python
    return type(function.table.name + suffix, (sympy.Function,), content)


def _is_short(argument: sympy.Expr) -> bool:
    """Whether it is a symbol, or a sum or product of symbols and their multiples."""
    return all(not inner.args for part in argument.args for inner in part.args)


def _sympy_number(value: Scalar) -> sympy.Expr:
    import sympy

    if isinstance(value, float):
        return sympy.Float(value)
    return sympy.Rational(value.numerator, value.denominator)


def from_sympy(expression: Any, symbols: Mapping[Any, Expr] | Iterable[Expr]) -> Any:
    """A SymPy expression as a node, a SymPy matrix as an array of nodes.

    `symbols` are the symbols it may contain, under their own names or those that `to_sympy` gives
    them; or a mapping to nodes from their names, or from what SymPy uses for them, such as q(t).
    """
    import sympy

    known = dict(symbols) if isinstance(symbols, Mapping) else _by_name(list(symbols))
    convert = np.vectorize(lambda x: _node(sympy.sympify(x), known), otypes=[object])
    return convert(np.array(expression, dtype=object))[()]


def _by_name(symbols: list[Expr]) -> dict[Any, Expr]:
    called = sympy_names(symbols)
    return {called[x.name]: x for x in symbols} | {x.name: x for x in symbols}


def _node(root: sympy.Basic, known: Mapping[Any, Expr]) -> Expr:
    """The node of an expression; every distinct part is converted once."""
    builders = _builders()
    nodes: dict[sympy.Basic, Expr] = {}
    pending = [root]
    while pending:
        part = pending[-1]
        if part in nodes:
            pending.pop()
        elif (leaf := _leaf(part, known)) is not None:
            nodes[part] = leaf
        elif part.func not in builders and not hasattr(part.func, "tabulated"):
            raise _untaken(part, builders)
        elif missing := [a for a in part.args if a not in nodes]:
            pending.extend(missing)
        else:
            build = builders.get(part.func) or part.func.tabulated
            nodes[part] = build(*(nodes[a] for a in part.args))
    return nodes[root]


def _leaf(part: sympy.Basic, known: Mapping[Any, Expr]) -> Expr | None:
    import sympy

    if part in known:
        return known[part]
    if isinstance(part, sympy.Symbol):
        if part.name not in known:
            raise unknown(_PLACE, "symbol", part.name, (str(name) for name in known))
        return known[part.name]
    if isinstance(part, sympy.Rational):
        return number(Fraction(int(part.p), int(part.q)))
    if isinstance(part, sympy.Float):
        return number(float(part))
    if part is sympy.pi:
        return PI
    if part in (sympy.true, sympy.false):
        return ONE if part is sympy.true else -ONE
    return rules.function("exp", ONE) if part is sympy.E else None


def _builders() -> dict[Any, Callable[..., Expr]]:
    """Constructors of nodes by the kind of SymPy expression."""
    import sympy

    def function(name: str) -> Callable[..., Expr]:
        return lambda *args: rules.function(name, *args)

    builders: dict[Any, Callable[..., Expr]] = {
        getattr(sympy, "Abs" if name == "abs" else name): function(name)
        for name in FUNCTIONS
        if name != "if"
    }
    builders |= _pieces()
    builders[sympy.Add] = lambda *args: reduce(rules.add, args)
    builders[sympy.Mul] = lambda *args: reduce(rules.multiply, args)
    builders[sympy.Pow] = rules.raised
    return builders


def _pieces() -> dict[Any, Callable[..., Any]]:
    """Piecewise, Max and Min; a condition is an amount that is positive where it holds."""
    import sympy
    from sympy.functions.elementary.piecewise import ExprCondPair

    def piecewise(*pairs: tuple[Expr, Expr]) -> Expr:
        *first, (value_so_far, last) = pairs
        if last is not ONE:
            advice = "Give a last piece for all other cases: (value, True)."
            raise ModelError(_PLACE, "a Piecewise is not defined everywhere.", advice)
        for value, condition in reversed(first):
            value_so_far = choice(condition, value, value_so_far)
        return value_so_far

    def opposite(condition: Expr) -> Expr:
        return choice(condition, -ONE, ONE)

    return {
        sympy.Piecewise: piecewise,
        ExprCondPair: lambda value, condition: (value, condition),
        sympy.StrictGreaterThan: lambda a, b: a - b,
        sympy.StrictLessThan: lambda a, b: b - a,
        sympy.GreaterThan: lambda a, b: opposite(b - a),
        sympy.LessThan: lambda a, b: opposite(a - b),
        sympy.Not: opposite,
        sympy.And: lambda *args: reduce(smaller, args),
        sympy.Or: lambda *args: reduce(larger, args),
        sympy.ITE: choice,
        sympy.Max: lambda *args: reduce(larger, args),
        sympy.Min: lambda *args: reduce(smaller, args),
    }


def _untaken(part: sympy.Basic, builders: Iterable[Any]) -> ModelError:
    kinds = ", ".join(sorted(kind.__name__ for kind in builders))
    problem = say(
        'it contains "{part}" ({kind}), which has no equivalent here.', part, part.func.__name__
    )
    advice = say("It may contain {kinds}, real numbers, pi, E and known symbols.", kinds)
    return ModelError(_PLACE, problem, advice)
