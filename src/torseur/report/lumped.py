"""The lumped constants of the 1980 report: first moments V, lumped inertias W, total inertias J."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.expr import ZERO, Expr, expression, symbol
from torseur.algebra.graph import evaluate, free_symbols
from torseur.algebra.printing.layout import layout
from torseur.algebra.printing.listing import Equation
from torseur.dynamics.augmented_bodies import AugmentedBody
from torseur.formalisms.equations import Equations
from torseur.report.formulas import abbreviations, unsigned

Array = np.ndarray
_COMPONENTS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@final
@dataclass(frozen=True)
class Constant:
    """A constant that is not zero: its name, its value and how it is printed."""

    label: str
    value: Expr
    shown: Expr

    @property
    def equation(self) -> Equation:
        """label = formula."""
        return Equation((self.label,), layout(self.shown, abbreviations([self.shown])))

    @property
    def names(self) -> bool:
        """Whether formulas write it by name: a symbol, a number or an opposite is written out."""
        return bool(self.value.args) and unsigned(self.value) is self.value


def lumped(equations: Equations) -> dict[str, tuple[Constant, ...]]:
    """The constants that are not zero, by letter: "V", "W" and "J"."""
    found: dict[str, list[Constant]] = {"V": [], "W": [], "J": []}
    at_centre = _inertias_at_centre(equations)
    for name, body in equations.output("bodies").items():
        suffix = name if name[:1].isdigit() else f"_{name}"
        found["V"] += _first_moments(suffix, body)
        found["W"] += _lumped_inertias(suffix, body)
        found["J"] += _total_inertias(suffix, body, at_centre.get(name))
    return {letter: tuple(lines) for letter, lines in found.items()}


def _inertias_at_centre(equations: Equations) -> dict[str, Array]:
    """The tensor that the user gave for each body, in its computing axes."""
    system = equations.system
    bodies = system.mechanism.bodies
    return {
        link.name: link.X_MB.R.tensor_out(np.asarray(bodies[link.name].inertia, dtype=object))
        for _, link in system.tree
    }


def _first_moments(suffix: str, body: AugmentedBody) -> Iterator[Constant]:
    for axis, value in zip("XYZ", map(expression, body.V), strict=True):
        if value is not ZERO:
            yield Constant(f"V{axis}{suffix}", value, value)


def _lumped_inertias(suffix: str, body: AugmentedBody) -> Iterator[Constant]:
    seen = set()
    for i, j in _COMPONENTS:
        value, label = expression(body.W[i, j]), _lumped_name(suffix, body, i, j)
        if value is not ZERO and label not in seen:
            seen.add(label)
            yield Constant(label, value, value)


def _lumped_name(suffix: str, body: AugmentedBody, i: int, j: int) -> str:
    """WY1 when the masses are on one lever along y, else WX1 … WYZ1."""
    levers = [axis for axis, x in zip("XYZ", body.V, strict=True) if expression(x) is not ZERO]
    return f"W{levers[0] if len(levers) == 1 else _axes(i, j)}{suffix}"


def _axes(i: int, j: int) -> str:
    return "XYZ"[i] if i == j else "XYZ"[i] + "XYZ"[j]


def _total_inertias(suffix: str, body: AugmentedBody, I: Array | None) -> Iterator[Constant]:
    """J = I + W, with the name of W where this is the whole of J."""
    for i, j in _COMPONENTS:
        J, W = expression(body.J[i, j]), expression(body.W[i, j])
        if J is ZERO:
            continue
        shown = J
        if I is not None and W is not ZERO and _are_equal(J, I[i, j] + W):
            shown = I[i, j] + symbol(_lumped_name(suffix, body, i, j))
        yield Constant(f"J{_axes(i, j)}{suffix}", J, shown)


def _are_equal(a: Expr, b: Expr) -> bool:
    """Whether two expressions are one function, judged at random values."""
    rng = np.random.default_rng(0)
    values = {x.name: rng.uniform(0.5, 2.0, 3) for x in free_symbols([a, b])}
    return bool(np.allclose(evaluate(a, values), evaluate(b, values), rtol=1e-12, atol=0))
