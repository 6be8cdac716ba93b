"""Mass properties of a domain given by a parametrisation, by exact or numerical integration.

A curve r(u), a surface r(u, v) or a volume r(u, v, w), with nested bounds: a bound may depend on
other parameters. Cartesian coordinates are the parametrisation r = (x, y, z).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.errors import ModelError
from torseur.model.mass.properties import Array, MassProperties, from_pseudo_inertia
from torseur.words.sentence import say

ORDERS = (8, 16, 32, 64)  # Gauss-Legendre points in each direction, tried in turn
STEP = 1e-30  # complex step: no subtraction, hence no rounding (Squire and Trapp 1998)


@final
@dataclass(frozen=True, eq=False)
class Integral:
    """Mass properties from numerical integration, with an error estimate."""

    _repr_html_ = notebook.html

    properties: MassProperties
    error: float  # change in the last doubling of the order, relative to mass and size
    order: int  # Gauss-Legendre points in each direction


@final
@dataclass(frozen=True)
class NumericDomain:
    """A domain whose symbols have values: functions of arrays of its parameters."""

    position: Callable[..., Any]
    bounds: Sequence[tuple[Any, Any]]
    measure: Callable[..., Any]
    others: Sequence[Callable[..., Any]]


@final
@dataclass(frozen=True)
class Domain:
    """A parametrised domain in SymPy expressions; the number of bounds is its dimension."""

    position: tuple[Any, Any, Any]  # x, y, z as expressions of the parameters [m]
    bounds: tuple[tuple[Any, Any, Any], ...]  # (parameter, from, to), put in order: outermost first
    density: Any = 1  # expression of the parameters [kg/m³, kg/m² or kg/m]
    jacobian: Any = None  # of the measure; None: from the position, which must be regular

    def __post_init__(self) -> None:
        object.__setattr__(self, "bounds", nested(self.bounds))
        limits = [limit for _, *both in self.bounds for limit in both]
        for formula in (*self.position, *limits, self.density, self.jacobian or 1):
            self._check_symbols(formula)

    def _check_symbols(self, formula: Any) -> None:
        """Refuse a symbol that has the name of a parameter of the domain and is another one."""
        import sympy

        parameters = {str(u): u for u, _, _ in self.bounds}
        for symbol in sympy.sympify(formula).free_symbols:
            if symbol != parameters.get(str(symbol), symbol):
                raise ModelError(
                    "domain",
                    say('"{symbol}" stands for two different symbols.', symbol),
                    "Make one symbol, with the same assumptions, and use it everywhere.",
                )

    def mass_properties(self) -> MassProperties:
        """The mass properties in closed form, as SymPy expressions.

        Symbols declared positive give the shortest results. Only expand, together and factor are
        applied; an integral that SymPy cannot do stays unevaluated.
        """
        import sympy

        weight = self.density * self.measure()
        d = (*self.position, sympy.Integer(1))
        J = [[None] * 4 for _ in range(4)]
        for i in range(4):
            for j in range(i, 4):
                J[i][j] = J[j][i] = self.closed_integral(sympy.expand(weight * d[i] * d[j]))
        raw = from_pseudo_inertia(np.array(J, dtype=object))
        tidy = np.vectorize(lambda e: sympy.factor(sympy.together(e)), otypes=[object])
        return MassProperties(sympy.factor(raw.mass), tidy(raw.centre), tidy(raw.inertia))

    def integrate(self, values: Mapping[str, float] | None = None, **options: float) -> Integral:
        """The mass properties by quadrature, for values of the remaining symbols by name."""
        function = self.numeric_functions(values, [self.density])
        return integrate(
            function.position, function.bounds, function.others[0], function.measure, **options
        )

    def numeric_functions(
        self, values: Mapping[str, float] | None, others: Sequence[Any]
    ) -> NumericDomain:
        """The domain, and other formulas of its parameters, as functions of arrays."""
        import sympy

        given = dict(values or {})
        symbols = [symbol for symbol, _, _ in self.bounds]
        limits = [limit for _, *both in self.bounds for limit in both]
        formulas = [*self.position, *limits, *others, self.measure()]
        for formula in others:
            self._check_symbols(formula)
        free = set().union(*[sympy.sympify(f).free_symbols for f in formulas]) - set(symbols)
        missing = sorted(str(symbol) for symbol in free if str(symbol) not in given)
        if missing:
            problem = say("no value is given for {missing}.", ", ".join(missing))
            raise ModelError(
                "domain", problem, say("Values given: {given}.", ", ".join(given) or say("none"))
            )
        numbers = {symbol: given[str(symbol)] for symbol in free}

        def function(formula: Any, arguments: Sequence[Any]) -> Any:
            return sympy.lambdify(arguments, sympy.sympify(formula).subs(numbers), "numpy")

        coordinates = [function(c, symbols) for c in self.position]
        bounds = [
            (function(low, symbols[:i]), function(high, symbols[:i]))
            for i, (_, low, high) in enumerate(self.bounds)
        ]
        return NumericDomain(
            lambda *u: [c(*u) for c in coordinates],
            bounds,
            function(self.measure(), symbols),
            [function(formula, symbols) for formula in others],
        )

    def measure(self) -> Any:
        """The element of length, area or volume for unit steps of the parameters (non-negative)."""
        import sympy

        if self.jacobian is not None:
            return self.jacobian
        r = sympy.Matrix(self.position)
        tangents = sympy.Matrix.hstack(*[r.diff(symbol) for symbol, _, _ in self.bounds])
        if len(self.bounds) == 3:
            root = _pythagoras(tangents.det(method="berkowitz"))
        else:
            root = sympy.sqrt(sympy.factor(_pythagoras((tangents.T * tangents).det())))
            root = root.replace(sympy.Abs, lambda inside: inside * self._sign(inside))
        return root * self._sign(root)

    def _sign(self, expression: Any) -> int:
        """The sign of a function that does not change it, from one point inside the domain."""
        sample: dict[Any, Any] = {}
        for symbol, low, high in self.bounds:
            middle = 0.45 * low + 0.55 * high
            sample[symbol] = middle.subs(sample) if hasattr(middle, "subs") else middle
        value = expression.subs(sample)
        free = sorted(value.free_symbols, key=str)
        value = value.subs({symbol: 1 + i / 100 for i, symbol in enumerate(free)})
        return -1 if float(value) < 0 else 1

    def closed_integral(self, integrand: Any) -> Any:
        """The integral of a formula over the parameters, in closed form where SymPy finds one."""
        import sympy

        self._check_symbols(integrand)
        for bound in reversed(self.bounds):
            integrand = sympy.expand(sympy.integrate(integrand, bound))
        return integrand


def nested(bounds: Sequence[tuple[Any, Any, Any]]) -> tuple[tuple[Any, Any, Any], ...]:
    """Bounds in the order of dependence: each may hold parameters of those before it only."""
    import sympy

    names = [str(bound[0]) for bound in bounds]
    _check_dimension(len(bounds))
    if len(set(names)) < len(names):
        problem = say("the bounds are on {named}.", ", ".join(names))
        raise ModelError("domain", problem, "Give the bounds of each parameter once.")
    ordered: list[tuple[Any, Any, Any]] = []
    left = {
        name: {str(x) for limit in bound[1:] for x in sympy.sympify(limit).free_symbols}
        for name, bound in zip(names, bounds, strict=True)
    }
    while left:
        ready = next((name for name, needed in left.items() if not needed & left.keys()), None)
        if ready is None:
            raise ModelError(
                "domain",
                say(
                    "no order of integration exists: the bounds of {names} depend on {names}.",
                    ", ".join(left),
                ),
                "Give one of them bounds that hold none of these parameters.",
            )
        del left[ready]
        ordered.append(bounds[names.index(ready)])
    return tuple(ordered)


def cartesian(bounds: Sequence[tuple[Any, Any, Any]], density: Any = 1) -> Domain:
    """The domain between nested bounds on the symbols x, y, z; one that is absent is 0."""
    symbols = {str(symbol): symbol for symbol, _, _ in bounds}
    if len(symbols) != len(bounds) or not set(symbols) <= {"x", "y", "z"}:
        named = ", ".join(str(symbol) for symbol, _, _ in bounds)
        raise ModelError(
            "domain", say("the bounds are on {named}.", named), "Use each of x, y, z once."
        )
    x, y, z = (symbols.get(name, 0) for name in "xyz")
    return Domain((x, y, z), tuple(bounds), density, jacobian=1)


def integrate(
    position: Callable[..., Any],
    bounds: Sequence[tuple[Any, Any]],
    density: Any = 1.0,
    jacobian: Callable[..., Any] | None = None,
    *,
    tolerance: float = 1e-10,
) -> Integral:
    """The mass properties of a domain by Gauss-Legendre quadrature, with an error estimate.

    `position` returns x, y, z for arrays of the parameters; `density` and each bound are numbers or
    functions (a bound, of the parameters before it). Without `jacobian` the position is
    differentiated by a complex step: it must be an analytic NumPy formula.
    """
    _check_dimension(len(bounds))
    for k, (low, high) in enumerate(bounds):
        _check_takes(low, k)
        _check_takes(high, k)
    J, error, order = _pseudo_inertia(position, bounds, density, jacobian, ORDERS[0]), np.inf, 0
    for order in ORDERS[1:]:
        previous, J = J, _pseudo_inertia(position, bounds, density, jacobian, order)
        error = _relative_change(previous, J)
        if error <= tolerance:
            break
    return Integral(from_pseudo_inertia(J), error, order)


def _check_dimension(count: int) -> None:
    if not 1 <= count <= 3:
        problem = say("{number} bounds are given.", count)
        raise ModelError("domain", problem, "1: curve, 2: surface, 3: volume.")


def _check_takes(bound: Any, k: int) -> None:
    """Refuse a bound that does not take the k parameters before it."""
    if not callable(bound):
        return
    try:
        signature(bound).bind(*range(k))
    except TypeError as problem:
        raise ModelError(
            "domain",
            say(
                "a bound of parameter {k} is a function of other arguments: {problem}.",
                k + 1,
                problem,
            ),
            "A bound takes the parameters before it: give bounds and arguments in this order.",
        ) from None
    except ValueError:  # a built-in function that does not tell its arguments
        return


def _pseudo_inertia(
    position: Callable[..., Any],
    bounds: Sequence[tuple[Any, Any]],
    density: Any,
    jacobian: Callable[..., Any] | None,
    order: int,
) -> Array:
    """∫ d dᵀ dm (4, 4) over the domain, with `order` points in each direction."""
    u, measure = gauss_points(position, bounds, jacobian, order)
    mass = measure * _value(density, u)
    d = np.array([np.broadcast_to(c, mass.shape) for c in (*position(*u), 1.0)])
    J = (d * mass) @ d.T
    return np.asarray((J + J.T) / 2)


def gauss_points(
    position: Callable[..., Any],
    bounds: Sequence[tuple[Any, Any]],
    jacobian: Callable[..., Any] | None,
    order: int,
) -> tuple[list[Array], Array]:
    """The parameters at the points of a quadrature, and the measure of each [m, m² or m³]."""
    nodes, weights = np.polynomial.legendre.leggauss(order)
    fractions = [t.ravel() for t in np.meshgrid(*[(nodes + 1) / 2] * len(bounds), indexing="ij")]
    products = [w.ravel() for w in np.meshgrid(*[weights / 2] * len(bounds), indexing="ij")]
    u: list[Array] = []
    share = np.prod(products, axis=0)
    for (low, high), t in zip(bounds, fractions, strict=True):
        start, stop = _value(low, u), _value(high, u)
        u.append(start + (stop - start) * t)
        share = share * (stop - start)
    measure = _measure(position, u) if jacobian is None else _value(jacobian, u)
    return u, share * measure


def _measure(position: Callable[..., Any], u: Sequence[Array]) -> Array:
    """The element of length, area or volume at each point: √det(TᵀT), T the tangents."""
    tangents = []
    for k in range(len(u)):
        stepped = position(*[c + 1j * STEP if i == k else c for i, c in enumerate(u)])
        if not any(np.iscomplexobj(c) for c in stepped):
            raise ModelError(
                "domain",
                say("the position does not follow a complex step of its parameter {k}.", k + 1),
                "Give the jacobian, or write the position with analytic NumPy functions.",
            )
        tangents.append([np.broadcast_to(np.imag(c) / STEP, u[0].shape) for c in stepped])
    T = np.array(tangents)  # (dimension, 3, points)
    return np.asarray(np.sqrt(np.abs(np.linalg.det(np.einsum("ikp,jkp->pij", T, T)))))


def _relative_change(before: Array, after: Array) -> float:
    """The largest change of a pseudo-inertia, for a body of unit mass and size."""
    mass = abs(after[3, 3])
    if mass == 0:
        return float(np.abs(after - before).max())
    length = np.sqrt(np.trace(np.abs(after[:3, :3])) / mass) or 1.0
    unit = np.array([length, length, length, 1.0])
    return float(np.max(np.abs(after - before) / np.outer(unit, unit)) / mass)


def _value(quantity: Any, u: Sequence[Array]) -> Any:
    return quantity(*u) if callable(quantity) else quantity


def _pythagoras(expression: Any) -> Any:
    """The expanded expression with cos² replaced by 1 − sin²."""
    import sympy

    def is_even_cosine(e: Any) -> bool:
        return e.is_Pow and isinstance(e.base, sympy.cos) and e.exp.is_Integer and e.exp > 1

    def without(e: Any) -> Any:
        angle, power = e.base.args[0], int(e.exp)
        return (1 - sympy.sin(angle) ** 2) ** (power // 2) * sympy.cos(angle) ** (power % 2)

    return sympy.expand(sympy.expand(expression).replace(is_even_cosine, without))
