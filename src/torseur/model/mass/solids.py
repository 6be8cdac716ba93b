"""Homogeneous solids by name: their dimensions, their symmetries and their mass properties.

A solid that has an axis is described for z; another axis follows by the cyclic permutation
x → y → z → x. Thin bodies have a density per area [kg/m²] or per length [kg/m]. The formulas are
those of Plaut 2007, (2.33) to (2.45), with full lengths instead of half-lengths, and those of the
thin disc, which is a cylinder without length, and half-disc.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise, product
from types import MappingProxyType
from typing import Any, final

import numpy as np

from torseur.algebra import PI, Expr
from torseur.errors import ModelError, all_faults, suggestion, unknown
from torseur.model.mass.properties import IDENTITY, Array, MassProperties, Scalar, as_number
from torseur.model.mass.symmetry import Plane, Revolution, Symmetry
from torseur.words.entries import shown_key
from torseur.words.sentence import say, worded

DIRECTIONS = np.array(
    [np.array(u) / np.linalg.norm(u) for u in product((-1, 0, 1), repeat=3) if any(u)]
)


@final
@dataclass(frozen=True)
class Extent:
    """The convex hull of circles about z, or of a box, rounded by a radius [m]."""

    circles: tuple[tuple[float, float], ...] = ()  # radius and height of each
    half: bool = False  # of the circles only the half y ≥ 0
    box: tuple[float, float, float] = (0.0, 0.0, 0.0)  # full lengths
    rounded: float = 0.0

    def reach(self, u: Array) -> float:
        """The largest u·x of its points, u being a unit vector."""
        across = abs(u[0]) if self.half and u[1] < 0 else float(np.hypot(u[0], u[1]))
        boxed = float(np.abs(u) @ self.box) / 2
        reaches = (radius * across + height * u[2] for radius, height in self.circles)
        return float(max(reaches, default=boxed) + self.rounded)


@final
@dataclass(frozen=True)
class PlacedExtent:
    """An extent in a body: the point x of it is at p + R x."""

    extent: Extent
    R: Array
    p: Array

    def reach(self, u: Array) -> float:
        """The largest u·x of its points, in the axes of the body."""
        return float(u @ self.p) + self.extent.reach(self.R.T @ u)


def beyond(removed: PlacedExtent, others_given: Iterable[PlacedExtent]) -> float:
    """Least distance that a removed part reaches beyond all others; not positive: none.

    Seen along 26 directions, so that it may reach farther along another one.
    """
    others = tuple(others_given)
    return max(removed.reach(u) - max(x.reach(u) for x in others) for u in DIRECTIONS)


# --- the solids -----------------------------------------------------------------------------------


_STEPS = {"z": 0, "x": 1, "y": 2}  # of x → y → z → x, which bring z onto the axis


@final
@dataclass(frozen=True)
class Geometry:
    """A homogeneous solid in axes where its inertia is diagonal."""

    measure: Scalar  # volume [m³], area [m²] or length [m]
    centre: tuple[Scalar, Scalar, Scalar]  # [m]
    gyration: tuple[Scalar, Scalar, Scalar]  # squared radii of gyration at the centre [m²]


@final
@dataclass(frozen=True)
class Solid:
    """A family of homogeneous solids, described by named dimensions."""

    name: str
    dimension: int  # 3: volume, 2: surface, 1: line
    parameters: Mapping[str, str]  # name → meaning; all in metres
    symmetries: tuple[Symmetry, ...]  # for the axis z
    geometry: Callable[..., Geometry]
    extent: Callable[..., Extent]  # of numbers
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

    def placed(self, dimensions: Mapping[str, Any], R: Array, p: Array) -> PlacedExtent:
        """The extent of a solid whose dimensions are numbers, with its axes at R and p."""
        given, axis = self.checked(dimensions)
        return PlacedExtent(self.extent(**given), R @ np.roll(IDENTITY, _STEPS[axis], axis=0), p)

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
        given, axis = self.checked(dimensions, axis, place)
        place = f"{place}: {shown_key(self.name)}"
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

    def checked(
        self, dimensions: Mapping[str, Any], axis: str = "z", place: str = "shape"
    ) -> tuple[dict[str, Any], str]:
        """The dimensions without the direction, and this; every wrong or missing one at once."""
        place, given = f"{place}: {shown_key(self.name)}", dict(dimensions)
        axis = given.pop(self.directed_by, axis) if self.directed_by else axis
        faults = list(self._dimension_errors(place, given, axis)) or list(
            self._order_errors(place, given)
        )
        if faults:
            raise all_faults(faults)
        return given, axis

    def _dimension_errors(
        self, place: str, given: Mapping[str, Any], axis: str
    ) -> Iterator[ModelError]:
        dimensions = [*self.parameters, *([self.directed_by] if self.directed_by else [])]
        keys = [shown_key(name) for name in dimensions]
        for name in given:
            if name not in self.parameters:
                problem = say('dimension "{name}" does not exist.', name)
                listed = say("Dimensions of this shape: {wanted}.", ", ".join(keys))
                yield ModelError(place, problem, listed, *suggestion(name, keys))
        for name, meaning in self.parameters.items():
            if name in given:
                yield from self._size_errors(place, name, given[name])
            else:
                problem = say('dimension "{name}" is missing.', shown_key(name))
                yield ModelError(place, problem, say("It is {parameters}.", worded(meaning)))
        if axis not in _STEPS:
            key = self.directed_by or "axis"
            problem = say('{directed_by} "{axis}" does not exist.', key, axis)
            yield ModelError(place, problem, "Axes: x, y, z.")

    def _size_errors(self, place: str, name: str, value: Any) -> Iterator[ModelError]:
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
            yield ModelError(place, problem, say("It is {parameters}.", self.parameters[name]))
            return
        least = 0.0 if name == "inner_radius" else math.ulp(0.0)
        bad = [v for v in map(as_number, numbers) if v is not None and not least <= v < math.inf]
        if bad:
            thin = ("For a thin body use plate, disc, bar, hoop or shell.",) if 0.0 in bad else ()
            problem = say("{name} = {value} m is not a positive length.", name, value)
            yield ModelError(place, problem, *thin)

    def _order_errors(self, place: str, given: Mapping[str, Any]) -> Iterator[ModelError]:
        values = [(name, as_number(given[name])) for name in self.increasing]
        for (a, low), (b, high) in pairwise(values):
            if low is not None and high is not None and low >= high:
                problem = say("{a} = {low} m is not below {b} = {high} m.", a, low, b, high)
                yield ModelError(place, problem, "Are they exchanged?")


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
        raise unknown(place, "shape", name, map(shown_key, SOLIDS))
    return SOLIDS[name].mass_properties(dimensions, mass=mass, density=density, place=place)


# --- the solids ---------------------------------------------------------------------------------


def _pi(length: Scalar) -> Scalar:
    """π, exact where the dimensions are expressions, of Torseur or of SymPy."""
    if isinstance(length, Expr):
        return PI
    if not hasattr(length, "free_symbols"):
        return math.pi
    import sympy

    return sympy.pi


def _round(measure: Scalar, across: Scalar, along: Scalar, at: Scalar = 0) -> Geometry:
    """A solid of revolution about z, with its centre on the axis."""
    return Geometry(measure, (0, 0, at), (across, across, along))


def _box(size: Array) -> Geometry:
    x, y, z = size
    xx, yy, zz = x * x, y * y, z * z
    return Geometry(x * y * z, (0, 0, 0), ((yy + zz) / 12, (zz + xx) / 12, (xx + yy) / 12))


def _plate(size: Array) -> Geometry:
    x, y = size
    xx, yy = x * x, y * y
    return Geometry(x * y, (0, 0, 0), (yy / 12, xx / 12, (xx + yy) / 12))


def _tube(inner_radius: Scalar, outer_radius: Scalar, length: Scalar) -> Geometry:
    aa, bb = inner_radius * inner_radius, outer_radius * outer_radius
    across = (aa + bb) / 4 + length * length / 12
    return _round((bb - aa) * length * _pi(outer_radius), across, (aa + bb) / 2)


def _cylinder(radius: Scalar, length: Scalar) -> Geometry:
    return _tube(0, radius, length)


def _capsule(radius: Scalar, length: Scalar) -> Geometry:
    """A cylinder with half a ball at each end, whose centre is 3 r/8 beyond that of its base."""
    rr, ll = radius * radius, length * length
    middle, ends = rr * length * _pi(radius), 4 * radius * rr * _pi(radius) / 3
    total = middle + ends
    across = middle * (rr / 4 + ll / 12) + ends * (2 * rr / 5 + ll / 4 + 3 * length * radius / 8)
    along = middle * rr / 2 + ends * 2 * rr / 5
    return _round(total, across / total, along / total)


def _torus(minor_radius: Scalar, major_radius: Scalar) -> Geometry:
    aa, bb = minor_radius * minor_radius, major_radius * major_radius
    volume = 2 * aa * major_radius * _pi(minor_radius) ** 2
    return _round(volume, 5 * aa / 8 + bb / 2, 3 * aa / 4 + bb)


def _cone(radius: Scalar, height: Scalar) -> Geometry:
    aa, hh = radius * radius, height * height
    volume = aa * height * _pi(radius) / 3
    return _round(volume, 3 * (4 * aa + hh) / 80, 3 * aa / 10, at=3 * height / 4)


def _hollow_sphere(inner_radius: Scalar, outer_radius: Scalar) -> Geometry:
    a, b = inner_radius, outer_radius
    volume_of_unit_pi = b**3 - a**3
    k = 2 * (b**5 - a**5) / (5 * volume_of_unit_pi)
    return _round(4 * volume_of_unit_pi * _pi(b) / 3, k, k)


def _hoop(radius: Scalar) -> Geometry:
    bb = radius * radius
    return _round(2 * radius * _pi(radius), bb / 2, bb)


def _disc(radius: Scalar) -> Geometry:
    bb = radius * radius
    return _round(bb * _pi(radius), bb / 4, bb / 2)


def _sphere(radius: Scalar) -> Geometry:
    k = 2 * radius * radius / 5
    return _round(4 * radius**3 * _pi(radius) / 3, k, k)


def _shell(radius: Scalar) -> Geometry:
    k = 2 * radius * radius / 3
    return _round(4 * radius * radius * _pi(radius), k, k)


def _half_disc(radius: Scalar) -> Geometry:
    """Plaut 2007, exercise 4.6: the centre is at 4r/(3π) from the diameter."""
    rr, b = radius * radius, 4 * radius / (3 * _pi(radius))
    gyration = (rr / 4 - b * b, rr / 4, rr / 2 - b * b)
    return Geometry(rr * _pi(radius) / 2, (0, b, 0), gyration)


def _ends(radius: float, length: float, rounded: float = 0.0) -> Extent:
    return Extent(((radius, length / 2), (radius, -length / 2)), rounded=rounded)


def _ring(radius: float, rounded: float = 0.0) -> Extent:
    return Extent(((radius, 0.0),), rounded=rounded)


_TURNING = (Revolution("z"), Plane("z"))
_ROUND = (Revolution("x"), Revolution("z"))
_BOXED = (Plane("x"), Plane("y"), Plane("z"))
_RADIUS = {"radius": "the radius [m]"}
_LENGTH = {"length": "the full length along the axis [m]"}
_ENDED = {"length": "from the centre of one end to that of the other [m]"}
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
    Solid("box", 3, _BOX, _BOXED, _box, lambda size: Extent(box=tuple(size)), None, 3),
    Solid(
        "plate", 2, _PLATE, _BOXED, _plate, lambda size: Extent(box=(*size, 0.0)), "normal", 2
    ),
    Solid(
        "bar", 1, _LENGTH, _TURNING, lambda length: _round(length, length * length / 12, 0),
        lambda length: _ends(0.0, length),
    ),
    Solid(
        "hollow_cylinder", 3, {**_SHELLS, **_LENGTH}, _TURNING, _tube,
        lambda inner_radius, outer_radius, length: _ends(outer_radius, length), increasing=_NESTED,
    ),
    Solid("cylinder", 3, {**_RADIUS, **_LENGTH}, _TURNING, _cylinder, _ends),
    Solid(
        "capsule", 3, {**_RADIUS, **_ENDED}, _TURNING, _capsule,
        lambda radius, length: _ends(0.0, length, radius),
    ),
    Solid(
        "torus", 3, _TORUS, _TURNING, _torus,
        lambda minor_radius, major_radius: _ring(major_radius, minor_radius), increasing=_RINGED,
    ),
    Solid("hoop", 1, _RADIUS, _TURNING, _hoop, _ring),
    Solid(
        "cone", 3, _CONE, (Revolution("z"),), _cone,
        lambda radius, height: Extent(((0.0, 0.0), (radius, height))),
    ),
    Solid(
        "hollow_sphere", 3, _SHELLS, _ROUND, _hollow_sphere,
        lambda inner_radius, outer_radius: _ring(0.0, outer_radius), None, increasing=_NESTED,
    ),
    Solid("sphere", 3, _RADIUS, _ROUND, _sphere, lambda radius: _ring(0.0, radius), None),
    Solid("shell", 2, _RADIUS, _ROUND, _shell, lambda radius: _ring(0.0, radius), None),
    Solid("disc", 2, _RADIUS, _TURNING, _disc, _ring),
    Solid(
        "half_disc", 2, _HALF, (Plane("x"), Plane("z")), _half_disc,
        lambda radius: Extent(((radius, 0.0),), half=True),
    ),
)  # fmt: skip
SOLIDS: Mapping[str, Solid] = MappingProxyType({solid.name: solid for solid in _TABLE})
