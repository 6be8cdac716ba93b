"""Homogeneous solids by name: their dimensions, their symmetries and their mass properties.

A solid that has an axis is described for z; another axis follows by the cyclic permutation
x → y → z → x. Thin bodies have a density per area [kg/m²] or per length [kg/m].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any, final

import numpy as np

from torseur.errors import ModelError, all_faults, suggestion, unknown
from torseur.model.mass import shapes
from torseur.model.mass.properties import IDENTITY, MassProperties, Scalar, as_number
from torseur.model.mass.symmetry import Plane, Revolution, Symmetry
from torseur.words.sentence import say

_STEPS = {"z": 0, "x": 1, "y": 2}  # of x → y → z → x, which bring z onto the axis


@final
@dataclass(frozen=True)
class Solid:
    """A family of homogeneous solids, described by named dimensions."""

    name: str
    dimension: int  # 3: volume, 2: surface, 1: line
    parameters: Mapping[str, str]  # name → meaning; all in metres
    symmetries: tuple[Symmetry, ...]  # for the axis z
    geometry: Callable[..., shapes.Geometry]
    directed_by: str | None = "axis"  # the key that chooses x, y or z
    components: int = 1  # numbers in a dimension: 2 or 3 for a size
    increasing: tuple[str, ...] = ()  # dimensions that must grow in this order

    @property
    def density_unit(self) -> str:
        """The unit of the density that gives the mass."""
        return f"kg/m{('', '²', '³')[self.dimension - 1]}"

    def symmetries_about(self, axis: str = "z") -> tuple[Symmetry, ...]:
        """The symmetries of the solid turned so that its axis is x, y or z."""
        turned = {a: "xyz"[(i + _STEPS[axis]) % 3] for i, a in enumerate("xyz")}
        return tuple(symmetry.turned(turned) for symmetry in self.symmetries)

    def mass_properties(
        self,
        dimensions: Mapping[str, Any],
        *,
        mass: Scalar | None = None,
        density: Scalar | None = None,
        axis: str = "z",
        place: str = "shape",
    ) -> MassProperties:
        """The mass properties for given dimensions, and for either the mass or the density.

        The axis may also stand among the dimensions, under the key `axis` or `normal`.
        """
        place = f"{place}: {self.name}"
        given = dict(dimensions)
        axis = given.pop(self.directed_by, axis) if self.directed_by else axis
        self._check(place, given, axis)
        if (mass is None) == (density is None):
            both = say("both the mass {mass} and the density {density} are given.", mass, density)
            problem = "neither mass nor density is given." if mass is None else both
            advice = say(
                "Give one of them; the density of this shape is in {density_unit}.",
                self.density_unit,
            )
            raise ModelError(place, problem, advice)
        shape = self.geometry(**given)
        total = shape.measure * density if mass is None else mass
        k = shape.gyration
        inertia = np.array([[k[0], 0, 0], [0, k[1], 0], [0, 0, k[2]]]) * total
        R = np.roll(IDENTITY, _STEPS[axis], axis=0)
        return MassProperties(total, np.array(shape.centre), inertia).in_axes(R)

    def _check(self, place: str, given: Mapping[str, Any], axis: str) -> None:
        """Every wrong or missing dimension, at once."""
        faults = [self._extra(place, name) for name in given if name not in self.parameters]
        for name, meaning in self.parameters.items():
            if name in given:
                faults += self._sized(place, name, given[name])
            else:
                problem = say('dimension "{name}" is missing.', name)
                faults.append(ModelError(place, problem, say("It is {parameters}.", meaning)))
        if axis not in _STEPS:
            problem = say(
                '{directed_by} "{axis}" does not exist.', self.directed_by or "axis", axis
            )
            faults.append(ModelError(place, problem, "Axes: x, y, z."))
        faults = faults or self._order(place, given)
        if faults:
            raise all_faults(faults)

    def _extra(self, place: str, name: str) -> ModelError:
        wanted = [*self.parameters, *([self.directed_by] if self.directed_by else [])]
        listed = say("Dimensions of this shape: {wanted}.", ", ".join(wanted))
        problem = say('dimension "{name}" does not exist.', name)
        return ModelError(place, problem, listed, *suggestion(name, wanted))

    def _sized(self, place: str, name: str, value: Any) -> list[ModelError]:
        """A dimension has its number of components, all positive (an inner radius may be 0)."""
        numbers = np.ravel(np.array(value, dtype=object))
        if len(numbers) != self.components:
            problem = say(
                "{name} = {value} has {number} components, not {components}.",
                name,
                value,
                len(numbers),
                self.components,
            )
            return [ModelError(place, problem, say("It is {parameters}.", self.parameters[name]))]
        least = 0.0 if name == "inner_radius" else math.ulp(0.0)
        bad = [v for v in map(as_number, numbers) if v is not None and not least <= v < math.inf]
        if not bad:
            return []
        thin = ("For a thin body use plate, disc, bar, hoop or shell.",) if 0.0 in bad else ()
        return [
            ModelError(
                place, say("{name} = {value} m is not a positive length.", name, value), *thin
            )
        ]

    def _order(self, place: str, given: Mapping[str, Any]) -> list[ModelError]:
        values = [(name, as_number(given[name])) for name in self.increasing]
        return [
            ModelError(
                place,
                say("{a} = {low} m is not below {b} = {high} m.", a, low, b, high),
                "Are they exchanged?",
            )
            for (a, low), (b, high) in pairwise(values)
            if low is not None and high is not None and low >= high
        ]


def from_shape(
    shape: Mapping[str, Mapping[str, Any]],
    *,
    mass: Scalar | None = None,
    density: Scalar | None = None,
    place: str = "shape",
) -> MassProperties:
    """The mass properties of a shape such as `{cylinder: {radius: r, length: a, axis: x}}`."""
    if len(shape) != 1:
        named = ", ".join(shape) or say("none")
        advice = say("Shapes: {solids}.", ", ".join(SOLIDS))
        raise ModelError(
            place, say("{number} shapes are given ({named}), not one.", len(shape), named), advice
        )
    ((name, dimensions),) = shape.items()
    if name not in SOLIDS:
        raise unknown(place, "shape", name, SOLIDS)
    return SOLIDS[name].mass_properties(dimensions, mass=mass, density=density, place=place)


_TURNING = (Revolution("z"), Plane("z"))
_ROUND = (Revolution("x"), Revolution("z"))
_BOXED = (Plane("x"), Plane("y"), Plane("z"))
_RADIUS = {"radius": "the radius [m]"}
_LENGTH = {"length": "the full length along the axis [m]"}
_SHELLS = {"inner_radius": "the radius of the hole [m]", "outer_radius": "the outer radius [m]"}
_BOX = {"size": "the three full lengths [x, y, z] [m]"}
_PLATE = {"size": "two full lengths [m], along the axes after the normal in the cycle x, y, z"}
_CONE = {"radius": "the radius of the base [m]", "height": "from the apex, the origin [m]"}
_TORUS = {
    "minor_radius": "the radius of the section [m]",
    "major_radius": "from the axis to the centre of the section [m]",
}
_HALF = {"radius": "the radius [m]; for the normal z the diameter is on x, the matter at y ≥ 0"}
_NESTED = ("inner_radius", "outer_radius")
_RINGED = ("minor_radius", "major_radius")

_TABLE = (
    Solid("box", 3, _BOX, _BOXED, shapes.box, None, 3),
    Solid("plate", 2, _PLATE, _BOXED, shapes.plate, "normal", 2),
    Solid("bar", 1, _LENGTH, _TURNING, shapes.bar),
    Solid(
        "hollow_cylinder",
        3,
        {**_SHELLS, **_LENGTH},
        _TURNING,
        shapes.hollow_cylinder,
        increasing=_NESTED,
    ),
    Solid("cylinder", 3, {**_RADIUS, **_LENGTH}, _TURNING, shapes.cylinder),
    Solid("torus", 3, _TORUS, _TURNING, shapes.torus, increasing=_RINGED),
    Solid("hoop", 1, _RADIUS, _TURNING, shapes.hoop),
    Solid("cone", 3, _CONE, (Revolution("z"),), shapes.cone),
    Solid("hollow_sphere", 3, _SHELLS, _ROUND, shapes.hollow_sphere, None, increasing=_NESTED),
    Solid("sphere", 3, _RADIUS, _ROUND, shapes.sphere, None),
    Solid("shell", 2, _RADIUS, _ROUND, shapes.shell, None),
    Solid("disc", 2, _RADIUS, _TURNING, shapes.disc),
    Solid("half_disc", 2, _HALF, (Plane("x"), Plane("z")), shapes.half_disc),
)
SOLIDS: Mapping[str, Solid] = MappingProxyType({solid.name: solid for solid in _TABLE})
