"""The lumped constants of the 1980 report: first moments V, lumped inertias W, total inertias J."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.core.expr import PARAMETER, ZERO, Expr, expression, symbol
from torseur.algebra.forms.listing import ListedEquation
from torseur.algebra.forms.program import unsigned
from torseur.algebra.printing.reading_order import layout
from torseur.dynamics.tree.augmented_bodies import AugmentedBody
from torseur.equations.expressions.sampling import vanishes
from torseur.equations.motion.equations import Equations
from torseur.model.mass.properties import COMPONENTS
from torseur.report.pages.named_formulas import FormulaNaming

Array = np.ndarray
_ENTRIES = tuple(COMPONENTS.values())  # of a symmetric tensor


@final
@dataclass(frozen=True)
class LumpedConstant:
    """A constant that is not zero: its name, its value and how it is printed."""

    label: str
    value: Expr
    shown: Expr

    def equation(self, abbreviated: Mapping[int, str]) -> ListedEquation:
        """label = formula."""
        return ListedEquation((self.label,), layout(self.shown, abbreviated))

    @property
    def names(self) -> bool:
        """Whether formulas write it by name: a symbol, a number or an opposite is written out."""
        return bool(self.value.args) and unsigned(self.value) is self.value


def lumped(equations: Equations, naming: FormulaNaming) -> dict[str, tuple[LumpedConstant, ...]]:
    """Constants that are not zero, by letter: "V", "W", "J"; "moving" depends on coordinates."""
    constants: dict[str, list[LumpedConstant]] = {"V": [], "W": [], "J": [], "moving": []}
    at_centre = _inertias_at_centre(equations)
    for name, body in equations.output("bodies").items():
        for letter, constant in _constants(name, body, at_centre.get(name), naming):
            varies = constant.value.stage > PARAMETER
            constants["moving" if varies else letter].append(constant)
    return {letter: tuple(lines) for letter, lines in constants.items()}


def values(equations: Equations) -> list[Expr]:
    """Every entry of V, W and J."""
    bodies = equations.output("bodies").values()
    arrays = (array for body in bodies for array in (body.V, body.W, body.J))
    return [expression(x) for array in arrays for x in np.ravel(array)]


def _inertias_at_centre(equations: Equations) -> dict[str, Array]:
    """The tensor that the user gave for each body, in its computing axes."""
    system = equations.system
    bodies = system.mechanism.bodies
    return {
        link.name: link.X_MB.R.tensor_out(np.asarray(bodies[link.name].inertia, dtype=object))
        for _, link in system.tree
    }


def _constants(
    body: str, lumped: AugmentedBody, I: Array | None, naming: FormulaNaming
) -> Iterator[tuple[str, LumpedConstant]]:
    """V, W and J of a body, each under its letter; J = I + W where this is the whole of J.

    Of masses on one lever along y there is one WY1, else WX1 … WYZ1.
    """
    suffix = body if body[:1].isdigit() else f"_{body}"
    V = {axis: expression(x) for axis, x in zip("XYZ", lumped.V, strict=True)}
    levers = [axis for axis, value in V.items() if value is not ZERO]
    for axis in levers:
        yield "V", LumpedConstant(naming.label(f"V{axis}{suffix}"), V[axis], V[axis])
    names = {ij: f"W{levers[0] if len(levers) == 1 else _axes(*ij)}{suffix}" for ij in _ENTRIES}
    labels: dict[str, str] = {}  # of W: wanted → given
    for ij in _ENTRIES:
        W = expression(lumped.W[ij])
        if W is not ZERO and names[ij] not in labels:
            labels[names[ij]] = naming.label(names[ij])
            yield "W", LumpedConstant(labels[names[ij]], W, W)
    for ij in _ENTRIES:
        J, W = expression(lumped.J[ij]), expression(lumped.W[ij])
        if J is ZERO:
            continue
        inertia = J
        if I is not None and W is not ZERO and vanishes(expression(J - I[ij] - W)):
            inertia = I[ij] + symbol(labels[names[ij]])
        yield "J", LumpedConstant(naming.label(f"J{_axes(*ij)}{suffix}"), J, inertia)


def _axes(i: int, j: int) -> str:
    return "XYZ"[i] if i == j else "XYZ"[i] + "XYZ"[j]
