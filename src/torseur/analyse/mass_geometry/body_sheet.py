"""The sheet of a body of a mechanism, with the values its parameters have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from torseur.analyse.mass_geometry.body_symmetry import symmetries
from torseur.errors import unknown
from torseur.model.description import Mechanism
from torseur.model.mass.properties import MassProperties
from torseur.model.mass.sheet import MassSheet, sheet
from torseur.model.parameters import values, with_values
from torseur.model.values.numbers import Values


def body_sheet(
    mechanism: Mechanism,
    body: str,
    *,
    parameters: Mapping[str, float] | None = None,
    at: Sequence[float] | None = None,
    axes: Sequence[Any] = (),
    planes: Sequence[Any] = (),
) -> MassSheet:
    """Mass, centre, inertia, principal axes and symmetries of a body, in its own frame.

    Formulas stay where a parameter has no value. `axes` and `planes` (their normals) pass through
    the point `at`, the origin unless one is given.
    """
    if body not in mechanism.bodies:
        raise unknown("body", "body", body, mechanism.bodies)
    described = mechanism.bodies[body]
    value = Values(values(with_values(mechanism.parameter_table, parameters or {})))
    entries = [described.mass, *described.centre, *described.inertia.flat]
    found = [x if (number := value(x)) is None else number for x in entries]
    centre, inertia = np.array(found[1:4]), np.array(found[4:]).reshape(3, 3)
    properties = MassProperties(found[0], centre, inertia)
    shared = symmetries(described, value)
    return sheet(properties, name=body, at=at, axes=axes, planes=planes, symmetries=shared)
