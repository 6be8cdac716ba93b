"""What a formula answers: an equation of motion, an energy, a force, a momentum or a vector."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.algebra.expr import ZERO, expression
from torseur.algebra.readable import readable
from torseur.errors import ModelError, unknown
from torseur.mechanism.description import GROUND
from torseur.told.dimensions import Dimension, dimension
from torseur.told.formula.names import plain
from torseur.told.model import Model

Array = np.ndarray
_ENERGIES = {
    "T": ("T", ("T", "E_c", "Ec", "K")),
    "V": ("V", ("V", "E_p", "Ep")),
    "L": ("L", ("L",)),
    "H": ("H", ("H", "E")),
    "R": ("R", ("R",)),
}
_FORCES = {"S": "inertia_forces", "Q": "given_forces", "p": "momenta"}
_VECTORS = {"OM": "m", "V": "m/s", "gamma": "m/s^2", "Omega": "rad/s"}


@final
@dataclass(frozen=True)
class Asked:
    """What is asked: its name, the right answer, whether that is an equation `… = 0`."""

    name: str
    expected: Any  # an expression, or an array of three
    equation: bool
    unit: Dimension | None = None  # None: any, or not known
    names: tuple[str, ...] = field(default_factory=tuple)  # what may stand left of the "="

    @property
    def order(self) -> int:
        """0 for a scalar, 1 for a vector."""
        return np.ndim(self.expected)


def asked(model: Model, of: str, axes: str = GROUND) -> Asked:
    """What is asked for: the equation of a coordinate, T, V, L, H, R, S_q, Q_q, p_q, V(A), …

    Without a name, the only equation of a model with one coordinate.
    """
    if not of:
        if len(model.coordinates) != 1:
            listed = ", ".join(model.coordinates)
            raise ModelError(
                "check_answer",
                f"the model has {len(model.coordinates)} equations: {listed}.",
                f'Say which one: of="{model.coordinates[0]}".',
            )
        of = model.coordinates[0]
    vector = re.fullmatch(r"(OM|V|v|gamma|γ|Omega|Ω)\((\w+)\)", of)
    if vector:
        return _vector(model, vector[1], vector[2], axes)
    if of in model.coordinates:
        return Asked(of, readable(model.rows[model.coordinates.index(of)]), True)
    for letter, attribute in _FORCES.items():
        name = of.removeprefix(letter).removeprefix("_")
        if of.startswith(letter) and name in model.coordinates:
            value = getattr(model, attribute)[model.coordinates.index(name)]
            return Asked(
                of, value, False, _force_unit(model, letter, name), (of, f"{letter}{name}")
            )
    for table, names in _ENERGIES.values():
        if of in names:
            found = model.table(table)
            if found is not None:
                return Asked(of, found, False, dimension("J"), names)
    known = [*model.coordinates, *_ENERGIES, *(f"{x}_{model.coordinates[0]}" for x in _FORCES)]
    raise unknown("check_answer", "quantity", of, [*known, "V(point)", "gamma(point)"])


def constraint_rows(model: Model, of: str) -> list[Asked]:
    """The conditions of a constraint that has this name: of positions, then of speeds."""
    held, v = model.equations.constraints, model.equations.system.v
    if of in model.coordinates or of not in held.owners:
        return []
    gaps = dict(zip(held.positions, held.gap, strict=True))
    own = [k for k, owner in enumerate(held.owners) if owner == of]
    speeds = [expression(held.J[k] @ v) + held.rate[k] for k in own]
    zeros = [*(gaps[k] for k in own if k in gaps), *speeds]
    read = (readable(expression(x)) for x in zeros)
    return [Asked(of, x, True) for x in read if x is not ZERO]


def _vector(model: Model, kind: str, name: str, axes: str) -> Asked:
    kind = {"v": "V", "γ": "gamma", "Ω": "Omega"}.get(kind, kind)
    known: Mapping[str, Any] = model.mechanism.bodies if kind == "Omega" else model.points
    if name not in known:
        raise unknown("check_answer", "body" if kind == "Omega" else "point", name, known)
    functions = {
        "OM": model.position,
        "V": model.velocity,
        "gamma": model.acceleration,
        "Omega": model.rotation,
    }
    value = model.in_axes(functions[kind](name), axes)
    label = f"{kind}({name})" if kind != "OM" else f"O{name}"
    return Asked(label, value, False, dimension(_VECTORS[kind]), (label, f"{kind}_{name}"))


def _force_unit(model: Model, letter: str, name: str) -> Dimension | None:
    """A force for a length, a couple for an angle; a momentum has a second more."""
    units = model.coordinate_units
    if name not in units:
        return None
    force = dimension("N" if units[name] == "m" else "N.m")
    assert force is not None, "newton and metre are known units"
    second = dimension("s")
    assert second is not None, "the second is a known unit"
    return force * second if letter == "p" else force


def names_left(asked_for: Asked, written: str) -> bool:
    """Whether a name left of the "=" is that of what is asked for."""
    return plain(written) in {plain(name) for name in asked_for.names}
