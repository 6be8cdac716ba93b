"""The sheet of a body of a mechanism, with the values its parameters have.

Its symmetries follow from those of the shapes it is made of and from where they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.errors import require_known
from torseur.model.checks.plausibility import overhangs
from torseur.model.description import Body, Mechanism, Shape
from torseur.model.mass.properties import MassProperties
from torseur.model.mass.sheet import MassSheet, sheet
from torseur.model.mass.solids import SOLIDS
from torseur.model.mass.symmetry import Plane, Revolution, Symmetry
from torseur.model.parameters import values, with_values
from torseur.model.values.numbers import Values

AXES = "xyz"
ALL: tuple[Revolution | Plane, ...] = (*map(Revolution, AXES), *map(Plane, AXES))


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
    require_known("body", "body", body, mechanism.bodies)
    described = mechanism.bodies[body]
    value = Values(values(with_values(mechanism.parameter_table, parameters or {})))
    entries = [described.mass, *described.centre, *described.inertia.flat]
    known = [x if (number := value(x)) is None else number for x in entries]
    centre, inertia = np.array(known[1:4]), np.array(known[4:]).reshape(3, 3)
    properties = MassProperties(known[0], centre, inertia)
    shared = _symmetries(described, value)
    result = sheet(properties, name=body, at=at, axes=axes, planes=planes, symmetries=shared)
    return replace(result, doubts=tuple(overhangs(described, value)))


def _symmetries(body: Body, value: Values) -> tuple[Symmetry, ...]:
    """The axes of revolution and the planes, through the origin, that every shape has.

    A part that is turned is taken to have none. A plane that contains an
    axis of revolution says nothing more and is left out.
    """
    pieces = list(_pieces(body, value))
    if not pieces or any(part.shape is None for part in body.parts):
        return ()
    shared = [x for x in ALL if all(_has(shape, at, x) for shape, at in pieces)]
    about = {x.axis for x in shared if isinstance(x, Revolution)}
    return tuple(x for x in shared if isinstance(x, Revolution) or not about - {x.normal})


def _pieces(body: Body, value: Values) -> Iterator[tuple[Shape, list[bool]]]:
    """Each shape and which coordinates of its own origin are zero; none where it is turned."""
    if body.shape is not None:
        name, given = body.shape
        centre = SOLIDS[name].mass_properties(given, mass=1).centre
        yield body.shape, [value(x) == 0 for x in body.centre - centre]
    for part in body.parts:
        if part.shape is not None:
            turned = part.pose.R.factors != ()
            yield part.shape, [value(x) == 0 and not turned for x in part.pose.p]


def _has(shape: Shape, zero: list[bool], symmetry: Revolution | Plane) -> bool:
    """Whether a shape at a place has a symmetry about the origin."""
    name, given = shape
    solid = SOLIDS[name]
    symmetries = solid.symmetries_about(given.get(solid.directed_by or "", "z"))
    around = {x.axis for x in symmetries if isinstance(x, Revolution)}
    if isinstance(symmetry, Revolution):
        across = [zero[k] for k, axis in enumerate(AXES) if axis != symmetry.axis]
        return symmetry.axis in around and all(across)
    n = str(symmetry.normal)
    return (Plane(n) in symmetries or bool(around - {n})) and zero[AXES.index(n)]
