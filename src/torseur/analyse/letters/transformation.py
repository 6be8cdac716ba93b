"""The transformation Φ of a solid, its inverse Ψ and both velocity fields, as formulas.

M = Φ(M₀, t) is where the point goes that was at M₀ at the start; Ψ traces it back. The Lagrangian
velocity ∂Φ/∂t belongs to M₀, the Eulerian one to the place M (Plaut 2007, §1.1.1 and exercise 1.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, substitute
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing import unicode
from torseur.algebra.printing.text import text
from torseur.analyse.letters.steady_lines import coordinates_by_others
from torseur.equations.formalisms.derive import derive_in_modes
from torseur.equations.symbols.system_places import SystemPlaces
from torseur.errors import require_known
from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import name_ranks, named_numbers
from torseur.result import Result

Array = np.ndarray
_LETTERS = "XYZ"


@final
class TransformationInLetters(Result, document=("document",)):
    """Φ, Ψ and the velocity fields of a solid, along the axes of the ground."""

    _repr_html_ = notebook.preformatted

    body: str
    start: tuple[Expr, ...]  # M₀
    place: tuple[Expr, ...]  # M
    transformation: Array
    inverse: Array
    lagrangian_velocity: Array
    eulerian_velocity: Array
    ranks: Mapping[Any, Any]

    def formula(self, name: str) -> Array:
        """Components of "Phi", "Psi", "V" (Lagrangian) or "v" (Eulerian)."""
        require_known("formula", "formula", [name], self._fields)
        return self._fields[name]

    @property
    def _fields(self) -> dict[str, Array]:
        return {
            "Phi": self.transformation,
            "Psi": self.inverse,
            "V": self.lagrangian_velocity,
            "v": self.eulerian_velocity,
        }

    def __str__(self) -> str:
        signs = {"Phi": ("Φ", self.start), "Psi": ("Ψ", self.place),
                 "V": ("V", self.start), "v": ("v", self.place)}  # fmt: skip
        lines = []
        for name, (sign, letters) in signs.items():
            given = ", ".join(unicode.unicode_text(x) for x in letters)
            listed = (unicode.unicode_text(x, ranks=dict(self.ranks)) for x in self._fields[name])
            lines.append(f"{sign}({given}, t) = ({', '.join(listed)})")
        return "\n".join(lines)

    @property
    def document(self) -> dict[str, Any]:
        """Formulas as text that can be read back."""
        ranks = dict(self.ranks)
        fields = {k: [text(x, ranks=ranks) for x in v] for k, v in self._fields.items()}
        return {"body": self.body, **fields}


def transformation(mechanism: Mechanism, body: str) -> TransformationInLetters:
    """Φ, Ψ and both velocity fields of a body, in letters.

    X0, Y0, Z0 are the coordinates of a point at the start, X, Y, Z those of its place at time t.
    Imposed motions and simple loops are put in; coordinates that move freely stay letters, with
    their values of the start, and their speeds.
    """
    require_known("body", "body", [body], mechanism.bodies)
    named = named_numbers(mechanism)
    equations = derive_in_modes(named, "newton-euler", None)
    system = equations.system
    known = coordinates_by_others(equations)
    frame = SystemPlaces(system).frame(body)
    p, R = (substitute(expressions(x), known) for x in (frame.p, frame.R.matrix))
    at_start = _at_start(named, system, known)
    p0, R0 = (expressions(substitute(expressions(x), at_start)) for x in (p, R))
    used = {*named.parameter_table, *system.coordinates}
    letters = [symbol(_free(x, used)) for x in _LETTERS]
    starts = [symbol(_free(f"{x}0", used)) for x in _LETTERS]
    phi = _read(p + R @ R0.T @ (np.array(starts, dtype=object) - p0))
    psi = _read(p0 + R0 @ R.T @ (np.array(letters, dtype=object) - p))
    rates = {x: v for x, v in zip(system.q, equations.constraints.coordinate_rates, strict=True)
             if x not in known}  # fmt: skip
    velocity = _read(time_derivative(phi, rates, TIME))
    field = _read(substitute(velocity, dict(zip(starts, psi, strict=True))))
    return TransformationInLetters(
        body, tuple(starts), tuple(letters), phi, psi, velocity, field, name_ranks(named)
    )


def _at_start(named: Mechanism, system: Any, known: Mapping[Expr, Expr]) -> dict[Expr, Expr]:
    """Time zero, and the coordinates of the start."""
    first: dict[Expr, Expr] = {TIME: ZERO}
    for x in system.q:
        if x not in known:
            first[x] = expression(named.initial.get(x.name, 0))
    return first


def _free(name: str, used: set[str]) -> str:
    while name in used:
        name = f"{name}_M"
    return name


def _read(outputs: Any) -> Array:
    return expressions(readable(expressions(outputs)))
