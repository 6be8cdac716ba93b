"""The lumped constants of the 1980 report: first moments V, lumped inertias W, total inertias J."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.core.expr import PARAMETER, ZERO, Expr, expression, symbol
from torseur.algebra.forms.listing import ListedEquation
from torseur.algebra.forms.program import unsigned
from torseur.algebra.printing.layout import layout
from torseur.dynamics.tree.augmented_bodies import AugmentedBody
from torseur.equations.expressions.sampling import vanishes
from torseur.equations.motion.equations import Equations
from torseur.model.mass.properties import COMPONENTS
from torseur.report.pages.formulas import Naming

Array = np.ndarray


@final
@dataclass(frozen=True)
class Constant:
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


def lumped(equations: Equations, naming: Naming) -> dict[str, tuple[Constant, ...]]:
    """What is not zero, by letter: "V", "W" and "J"; "moving" has what depends on coordinates."""
    constants_by_letter: dict[str, list[Constant]] = {"V": [], "W": [], "J": [], "moving": []}
    at_centre = _inertias_at_centre(equations)
    for name, body in equations.output("bodies").items():
        suffix = name if name[:1].isdigit() else f"_{name}"
        lever = _LumpedBody(suffix, body, naming)
        for letter, constants in (
            ("V", lever.first_moments()),
            ("W", lever.lumped_inertias()),
            ("J", lever.total_inertias(at_centre.get(name))),
        ):
            for constant in constants:
                varies = constant.value.stage > PARAMETER
                constants_by_letter["moving" if varies else letter].append(constant)
    return {letter: tuple(lines) for letter, lines in constants_by_letter.items()}


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


@final
class _LumpedBody:
    """The constants of one body, under labels of their own."""

    def __init__(self, suffix: str, body: AugmentedBody, naming: Naming) -> None:
        self._suffix, self._body, self._naming = suffix, body, naming
        self._inertia_labels: dict[str, str] = {}  # wanted → given

    def first_moments(self) -> Iterator[Constant]:
        """V of each axis."""
        for axis, value in zip("XYZ", map(expression, self._body.V), strict=True):
            if value is not ZERO:
                yield Constant(self._naming.label(f"V{axis}{self._suffix}"), value, value)

    def lumped_inertias(self) -> Iterator[Constant]:
        """W, once where the masses are on one lever."""
        for i, j in COMPONENTS.values():
            value, wanted = expression(self._body.W[i, j]), self._lumped_name(i, j)
            if value is not ZERO and wanted not in self._inertia_labels:
                self._inertia_labels[wanted] = self._naming.label(wanted)
                yield Constant(self._inertia_labels[wanted], value, value)

    def _lumped_name(self, i: int, j: int) -> str:
        """WY1 when the masses are on one lever along y, else WX1 … WYZ1."""
        V = zip("XYZ", self._body.V, strict=True)
        levers = [axis for axis, x in V if expression(x) is not ZERO]
        return f"W{levers[0] if len(levers) == 1 else _axes(i, j)}{self._suffix}"

    def total_inertias(self, I: Array | None) -> Iterator[Constant]:
        """J = I + W, with the name of W where this is the whole of J."""
        for i, j in COMPONENTS.values():
            J, W = expression(self._body.J[i, j]), expression(self._body.W[i, j])
            if J is ZERO:
                continue
            shown = J
            if I is not None and W is not ZERO and vanishes(expression(J - I[i, j] - W)):
                shown = I[i, j] + symbol(self._inertia_labels[self._lumped_name(i, j)])
            yield Constant(self._naming.label(f"J{_axes(i, j)}{self._suffix}"), J, shown)


def _axes(i: int, j: int) -> str:
    return "XYZ"[i] if i == j else "XYZ"[i] + "XYZ"[j]
