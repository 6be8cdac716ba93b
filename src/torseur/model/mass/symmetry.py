"""Consequences of symmetries of a body for its centre of mass and its inertia.

Planes and axes pass through the origin of the body frame, along its axes or along any direction;
the density has the same symmetry. A mass geometry is unchanged by a group of symmetries when each
of them leaves it alone, so that the relations of several are simply put together (Plaut 2007,
§2.1.3 and §2.3.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.errors import ModelError, suggestion
from torseur.model.mass.invariance import MassRelation, mirror, relations
from torseur.model.mass.properties import (
    COMPONENTS,
    MassProperties,
    Scalar,
    as_number,
    inertia_tensor,
)
from torseur.spatial.rotation import rodrigues
from torseur.spatial.vectors import Array
from torseur.words.sentence import say

# Relative to the largest moment, or to the largest length: a symmetry is exact, and what was
# computed from symmetric data differs by rounding only.
TOLERANCE = 1e-9

_PRODUCTS_WITH = {"x": ("xy", "xz"), "y": ("xy", "yz"), "z": ("xz", "yz")}
_MOMENTS_ACROSS = {"x": ("yy", "zz"), "y": ("xx", "zz"), "z": ("xx", "yy")}

Direction = str | tuple[float, float, float]


@final
@dataclass(frozen=True)
class Consequences:
    """The zeros and the equalities of a symmetric mass geometry, at the origin and the centre."""

    _repr_html_ = notebook.html

    centre: tuple[str, ...]  # coordinates of the centre of mass that are zero, among x, y, z
    products: tuple[str, ...]  # products of inertia that are zero, among xy, xz, yz
    moments: tuple[tuple[str, ...], ...]  # groups of equal moments, among xx, yy, zz
    sentences: tuple[str, ...]  # one for each symmetry
    relations: tuple[MassRelation, ...] = ()  # those of oblique symmetries: y = x, yz = xz

    @property
    def unknowns(self) -> int:
        """Number of the ten mass parameters that remain unknown."""
        equal = sum(len(group) - 1 for group in self.moments)
        return 10 - len(self.centre) - len(self.products) - equal - len(self.relations)


@final
@dataclass(frozen=True)
class Plane:
    """A plane of symmetry through the origin, given by its normal."""

    normal: Direction  # "x", "y" or "z", or a vector of any length

    def __post_init__(self) -> None:
        object.__setattr__(self, "normal", _direction(self.normal))

    @property
    def operation(self) -> Array:
        """The reflection."""
        return mirror(_vector(self.normal))

    def consequences(self) -> Consequences:
        """The centre is in the plane and the normal is a principal axis."""
        known = relations([self.operation])
        if isinstance(self.normal, str):
            sentence = say(
                "the plane {n} = 0 is one of symmetry: the centre of mass is in it and {n} is a "
                "principal axis ({products} = 0).",
                self.normal,
                " = ".join(_PRODUCTS_WITH[self.normal]),
            )
        else:
            sentence = say(
                "the plane normal to {n} is one of symmetry: the centre of mass is in it and its "
                "normal is a principal axis ({relations}).",
                _direction_text(self.normal),
                _relations_text(known),
            )
        return _consequences(known, sentence)

    def turned(self, names: Mapping[str, str]) -> Plane:
        """The plane with other names of the axes."""
        return Plane(_rename_axes(self.normal, names))


@final
@dataclass(frozen=True)
class FoldAxis:
    """Axis of symmetry through the origin: 1/fold of a turn maps the body to itself."""

    axis: Direction  # "x", "y" or "z", or a vector of any length
    fold: int = 2  # 2: half-turn; 3: three-bladed propeller; …

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", _direction(self.axis))

    @property
    def operation(self) -> Array:
        """The rotation by 1/fold of a turn."""
        n = _vector(self.axis)
        if self.fold < 2:
            raise ModelError(
                "symmetry",
                say("an axis of order {fold} is not a symmetry.", self.fold),
                "Give 2 (half-turn) or more.",
            )
        return rodrigues(n / np.linalg.norm(n), 2 * np.pi / self.fold)

    def consequences(self) -> Consequences:
        """The centre is on the axis, a principal one; from three-fold on it is of revolution."""
        n, known = _direction_text(self.axis), relations([self.operation])
        if self.fold > 2:
            return _turning(self.axis, say("the axis {n} is {fold}-fold", n, self.fold), known)
        products = f"{' = '.join(_PRODUCTS_WITH[n])} = 0" if n in _PRODUCTS_WITH else ""
        sentence = say(
            "a half-turn about {n} leaves the body unchanged: the centre of mass is on {n}, a "
            "principal axis ({relations}).",
            n,
            products or _relations_text(known),
        )
        return _consequences(known, sentence)

    def turned(self, names: Mapping[str, str]) -> FoldAxis:
        """The symmetry with other names of the axes."""
        return FoldAxis(_rename_axes(self.axis, names), self.fold)


@final
@dataclass(frozen=True)
class Revolution:
    """An axis of revolution through the origin; two of them make a spherical inertia."""

    axis: Direction  # "x", "y" or "z", or a vector of any length

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", _direction(self.axis))

    @property
    def operation(self) -> Array:
        """A third of a turn: an inertia that it leaves alone is one of revolution."""
        return FoldAxis(self.axis, 3).operation

    def consequences(self) -> Consequences:
        """The centre is on the axis, products vanish and the two transverse moments are equal."""
        name = say("the axis {n} is one of revolution", _direction_text(self.axis))
        return _turning(self.axis, name, relations([self.operation]))

    def turned(self, names: Mapping[str, str]) -> Revolution:
        """The symmetry with other names of the axes."""
        return Revolution(_rename_axes(self.axis, names))


@final
@dataclass(frozen=True)
class CentralPoint:
    """The origin as a centre of symmetry: matter at r as at −r."""

    @property
    def operation(self) -> Array:
        """The inversion."""
        return -np.eye(3)

    def consequences(self) -> Consequences:
        """The centre of mass is the origin; the inertia, even in r, is not restricted."""
        sentence = "the origin is a centre of symmetry: it is the centre of mass."
        return Consequences(("x", "y", "z"), (), (), (sentence,))

    def turned(self, names: Mapping[str, str]) -> CentralPoint:
        """The point itself: it has no axis."""
        return self


Symmetry = Plane | FoldAxis | Revolution | CentralPoint


def deduce(symmetries: Sequence[Symmetry]) -> Consequences:
    """Consequences of several symmetries together."""
    sentences = [x for symmetry in symmetries for x in symmetry.consequences().sentences]
    return _consequences(_relations(symmetries), *sentences)


def _relations(symmetries: Sequence[Symmetry]) -> tuple[MassRelation, ...]:
    return relations([symmetry.operation for symmetry in symmetries])


def _consequences(known: Sequence[MassRelation], *sentences: str) -> Consequences:
    """Relations as zeros of the centre and of products, equal moments, and the remaining ones."""
    zeros = [relation.name for relation in known if not relation.factors]
    equal = {x.name: x.factors[0][0] for x in known if _equal_moments(x)}
    groups = [(first, *(x for x in equal if equal[x] == first)) for first in set(equal.values())]
    return Consequences(
        tuple(name for name in zeros if name not in COMPONENTS),
        tuple(name for name in zeros if name in COMPONENTS),
        tuple(sorted(groups)),
        sentences,
        tuple(x for x in known if x.factors and x.name not in equal),
    )


def _equal_moments(relation: MassRelation) -> bool:
    ((other, factor),) = relation.factors if len(relation.factors) == 1 else (("", 0),)
    return factor == 1 and {relation.name, other} <= {"xx", "yy", "zz"}


def applied(properties: MassProperties, symmetries: Sequence[Symmetry]) -> MassProperties:
    """The mass properties with the zeros and equalities of the symmetries put in.

    Of equal moments the first one stays. Numbers that contradict a symmetry are an error.
    """
    broken = violations(properties, symmetries)
    if broken:
        raise ModelError("symmetry", broken[0], *broken[1:], "Correct the values or the symmetry.")
    values = dict(zip("xyz", properties.centre, strict=True))
    values |= dict(zip(COMPONENTS, properties.components, strict=True))
    values |= {relation.name: relation.of(values) for relation in _relations(symmetries)}
    *centre, xx, yy, zz, xy, xz, yz = values.values()
    inertia = inertia_tensor((xx, yy, zz, xy, xz, yz))
    return MassProperties(properties.mass, np.array(centre), inertia)


def violations(properties: MassProperties, symmetries: Sequence[Symmetry]) -> tuple[str, ...]:
    """Contradictions between numbers and symmetries, one sentence each; letters have none."""
    return tuple(_contradictions(properties, deduce(symmetries)))


def _contradictions(properties: MassProperties, known: Consequences) -> Iterator[str]:
    centre = dict(zip("xyz", properties.centre, strict=True))
    inertia = dict(zip(COMPONENTS, properties.components, strict=True))
    length, moment = _sizes(properties)
    for name in known.centre:
        if _differs(x := centre[name], 0.0, length):
            yield say(
                "the centre of mass has {name} = {shown} m where the symmetry requires 0.",
                name,
                _text(x),
            )
    for name in known.products:
        if _differs(x := inertia[name], 0.0, moment):
            yield say(
                "the product {name} is {shown} kg m² where the symmetry requires 0.", name, _text(x)
            )
    for first, other in ((g[0], name) for g in known.moments for name in g[1:]):
        if _differs(inertia[first], inertia[other], moment):
            yield say(
                "{group} = {shown} and {name} = {shown2} kg m² differ where the symmetry requires "
                "equality.",
                first,
                _text(inertia[first]),
                other,
                _text(inertia[other]),
            )
    for relation in known.relations:
        values, size, unit = (
            (centre, length, "m") if relation.name in centre else (inertia, moment, "kg m²")
        )
        if _differs(x := values[relation.name], required := relation.of(values), size):
            yield say(
                "{name} is {shown} {unit} where the symmetry requires {relation} = {wanted}.",
                relation.name,
                _text(x),
                unit,
                str(relation).partition(" = ")[2],
                _text(required),
            )


def _sizes(properties: MassProperties) -> tuple[float, float]:
    """The largest length and the largest moment among the numbers."""
    lengths = [abs(as_number(value) or 0.0) for value in properties.centre]
    moment = max(abs(as_number(value) or 0.0) for value in properties.components)
    mass = as_number(properties.mass)
    radius = float(np.sqrt(moment / mass)) if mass is not None and mass > 0 else 0.0
    return max(radius, *lengths), moment


def _differs(a: Scalar, b: Scalar, size: float) -> bool:
    first, second = as_number(a), as_number(b)
    return first is not None and second is not None and abs(first - second) > TOLERANCE * size


def _text(value: Scalar) -> str:
    return f"{as_number(value):.6g}"


def _turning(axis: Direction, name: str, known: Sequence[MassRelation]) -> Consequences:
    """An axis about which the inertia does not change."""
    if isinstance(axis, str):
        sentence = say(
            "{name}: the centre of mass is on it, xy = xz = yz = 0 and {equal}.",
            name,
            " = ".join(_MOMENTS_ACROSS[axis]),
        )
    else:
        sentence = say(
            "{name}: the centre of mass is on it and {relations}.", name, _relations_text(known)
        )
    return _consequences(known, sentence)


# --- directions ---------------------------------------------------------------------------------


def _direction(given: Any) -> Any:
    """A name, or the vector with the largest component 1; along an axis, the name of the axis."""
    if isinstance(given, str):
        return given
    listed = np.asarray(given, dtype=object).ravel().tolist()
    numbers = [as_number(x) for x in listed]
    values = np.array([x for x in numbers if x is not None and np.isfinite(x)])
    if len(numbers) != 3 or len(values) != 3 or not values.any():
        raise ModelError(
            "symmetry",
            say("{direction} is not a direction.", listed),
            "Give x, y, z, or three numbers that are not all zero.",
        )
    scaled = values / values[np.abs(values).argmax()]
    scaled[np.abs(scaled) < TOLERANCE] = 0.0
    return "xyz"[scaled.argmax()] if np.count_nonzero(scaled) == 1 else tuple(scaled.tolist())


def _vector(direction: Direction) -> Array:
    if not isinstance(direction, str):
        return np.array(direction)
    if direction not in ("x", "y", "z"):
        raise ModelError(
            "symmetry",
            say('axis "{name}" does not exist.', direction),
            "Axes: x, y, z.",
            *suggestion(direction, ("x", "y", "z")),
        )
    return np.array([float(axis == direction) for axis in "xyz"])


def _direction_text(direction: Direction) -> str:
    if isinstance(direction, str):
        return direction
    return f"({', '.join(f'{x:.4g}' for x in direction)})"


def _rename_axes(direction: Direction, names: Mapping[str, str]) -> Direction:
    if isinstance(direction, str):
        return names[direction]
    parts = {names[axis]: x for axis, x in zip("xyz", direction, strict=True)}
    return parts["x"], parts["y"], parts["z"]


def _relations_text(known: Sequence[MassRelation]) -> str:
    return ", ".join(map(str, known))
