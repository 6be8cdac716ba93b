"""What the symmetries of a body say about its centre of mass and its inertia.

Planes and axes pass through the origin of the body frame, along its axes; the density has the same
symmetry. A mass geometry is unchanged by a group of symmetries when each of them leaves it alone,
so that the consequences of several are simply put together (Plaut 2007, §2.1.3 and §2.3.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.errors import ModelError, suggestion
from torseur.model.mass.properties import (
    COMPONENTS,
    MassProperties,
    Scalar,
    as_number,
    inertia_tensor,
)
from torseur.words.sentence import say

# Relative to the largest moment, or to the largest length: a symmetry is exact, and what was
# computed from symmetric data differs by rounding only.
TOLERANCE = 1e-9

_PRODUCTS_WITH = {"x": ("xy", "xz"), "y": ("xy", "yz"), "z": ("xz", "yz")}
_MOMENTS_ACROSS = {"x": ("yy", "zz"), "y": ("xx", "zz"), "z": ("xx", "yy")}
_ACROSS = {"x": ("y", "z"), "y": ("x", "z"), "z": ("x", "y")}


@final
@dataclass(frozen=True)
class Consequences:
    """The zeros and the equalities of a symmetric mass geometry, at the origin and the centre."""

    _repr_html_ = notebook.html

    centre: tuple[str, ...]  # coordinates of the centre of mass that are zero, among x, y, z
    products: tuple[str, ...]  # products of inertia that are zero, among xy, xz, yz
    moments: tuple[tuple[str, ...], ...]  # groups of equal moments, among xx, yy, zz
    sentences: tuple[str, ...]  # one for each symmetry

    @property
    def unknowns(self) -> int:
        """How many of the ten mass parameters remain to be known."""
        return 10 - len(self.centre) - len(self.products) - sum(len(g) - 1 for g in self.moments)


@final
@dataclass(frozen=True)
class Plane:
    """A plane of symmetry through the origin, given by its normal."""

    normal: str  # "x", "y" or "z"; a vector along one of them is taken, too

    def __post_init__(self) -> None:
        object.__setattr__(self, "normal", _along(self.normal))

    def consequences(self) -> Consequences:
        """The centre is in the plane and the normal is a principal axis."""
        n = _axis(self.normal)
        sentence = say(
            "the plane {n} = 0 is one of symmetry: the centre of mass is in it and {n} is a "
            "principal axis ({products} = 0).",
            n,
            " = ".join(_PRODUCTS_WITH[n]),
        )
        return Consequences((n,), _PRODUCTS_WITH[n], (), (sentence,))

    def turned(self, names: Mapping[str, str]) -> Plane:
        """The same plane where each axis takes another name."""
        return Plane(names[self.normal])


@final
@dataclass(frozen=True)
class FoldAxis:
    """An axis through the origin about which 1/fold of a turn leaves the body alone."""

    axis: str  # "x", "y" or "z"
    fold: int = 2  # 2: half-turn; 3: three-bladed propeller; …

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", _along(self.axis))

    def consequences(self) -> Consequences:
        """The centre is on the axis, a principal one; from three-fold on it is of revolution."""
        n = _axis(self.axis)
        if self.fold < 2:
            raise ModelError(
                "symmetry",
                say("an axis of order {fold} is no symmetry.", self.fold),
                "Give 2 (half-turn) or more.",
            )
        if self.fold > 2:
            return _turning(n, say("the axis {n} is {fold}-fold", n, self.fold))
        sentence = say(
            "a half-turn about {n} leaves the body alone: the centre of mass is on {n}, a "
            "principal axis ({products} = 0).",
            n,
            " = ".join(_PRODUCTS_WITH[n]),
        )
        return Consequences(_ACROSS[n], _PRODUCTS_WITH[n], (), (sentence,))

    def turned(self, names: Mapping[str, str]) -> FoldAxis:
        """The same symmetry where each axis takes another name."""
        return FoldAxis(names[self.axis], self.fold)


@final
@dataclass(frozen=True)
class Revolution:
    """An axis of revolution through the origin; two of them make a spherical inertia."""

    axis: str  # "x", "y" or "z"

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", _along(self.axis))

    def consequences(self) -> Consequences:
        """The centre is on the axis, products vanish and the two transverse moments are equal."""
        n = _axis(self.axis)
        return _turning(n, say("the axis {n} is one of revolution", n))

    def turned(self, names: Mapping[str, str]) -> Revolution:
        """The same symmetry where each axis takes another name."""
        return Revolution(names[self.axis])


@final
@dataclass(frozen=True)
class CentralPoint:
    """The origin as a centre of symmetry: matter at r as at −r."""

    def consequences(self) -> Consequences:
        """The centre of mass is the origin; the inertia, even in r, is not restricted."""
        sentence = "the origin is a centre of symmetry: it is the centre of mass."
        return Consequences(("x", "y", "z"), (), (), (sentence,))

    def turned(self, names: Mapping[str, str]) -> CentralPoint:
        """The same point: it has no axis."""
        return self


Symmetry = Plane | FoldAxis | Revolution | CentralPoint


def deduce(symmetries: Sequence[Symmetry]) -> Consequences:
    """What several symmetries say together."""
    found = [symmetry.consequences() for symmetry in symmetries]
    groups: list[tuple[str, ...]] = []
    for pair in (group for one in found for group in one.moments):
        touching = [group for group in groups if set(group) & set(pair)]
        merged = set(pair).union(*touching)
        groups = [group for group in groups if group not in touching] + [tuple(sorted(merged))]
    return Consequences(
        tuple(sorted({coordinate for one in found for coordinate in one.centre})),
        tuple(sorted({product for one in found for product in one.products})),
        tuple(groups),
        tuple(sentence for one in found for sentence in one.sentences),
    )


def applied(properties: MassProperties, symmetries: Sequence[Symmetry]) -> MassProperties:
    """The mass properties with the zeros and equalities of the symmetries put in.

    Of equal moments the first one stays. Numbers that contradict a symmetry are an error.
    """
    broken = violations(properties, symmetries)
    if broken:
        raise ModelError("symmetry", broken[0], *broken[1:], "Correct the values or the symmetry.")
    known = deduce(symmetries)
    values = dict(zip(COMPONENTS, properties.components, strict=True))
    values |= dict.fromkeys(known.products, 0)
    for group in known.moments:
        values |= dict.fromkeys(group, values[group[0]])
    pairs = zip("xyz", properties.centre, strict=True)
    centre = np.array([0 if axis in known.centre else value for axis, value in pairs])
    return MassProperties(properties.mass, centre, inertia_tensor(tuple(values.values())))


def violations(properties: MassProperties, symmetries: Sequence[Symmetry]) -> tuple[str, ...]:
    """Where the numbers contradict the symmetries, one sentence each; symbols never do."""
    return tuple(_broken(properties, deduce(symmetries)))


def _broken(properties: MassProperties, known: Consequences) -> Iterator[str]:
    centre = dict(zip("xyz", properties.centre, strict=True))
    inertia = dict(zip(COMPONENTS, properties.components, strict=True))
    length, moment = _sizes(properties)
    for name in known.centre:
        if _differs(x := centre[name], 0.0, length):
            yield say(
                "the centre of mass has {name} = {shown} m where symmetry wants 0.", name, _shown(x)
            )
    for name in known.products:
        if _differs(x := inertia[name], 0.0, moment):
            yield say(
                "the product {name} is {shown} kg m² where symmetry wants 0.", name, _shown(x)
            )
    for first, other in ((g[0], name) for g in known.moments for name in g[1:]):
        if _differs(inertia[first], inertia[other], moment):
            yield say(
                "{group} = {shown} and {name} = {shown2} kg m² differ where symmetry wants them "
                "equal.",
                first,
                _shown(inertia[first]),
                other,
                _shown(inertia[other]),
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


def _shown(value: Scalar) -> str:
    return f"{as_number(value):.6g}"


def _turning(n: str, name: str) -> Consequences:
    """An axis about which the inertia does not change."""
    equal = " = ".join(_MOMENTS_ACROSS[n])
    sentence = say(
        "{name}: the centre of mass is on it, xy = xz = yz = 0 and {equal}.", name, equal
    )
    return Consequences(_ACROSS[n], ("xy", "xz", "yz"), (_MOMENTS_ACROSS[n],), (sentence,))


def _along(direction: Any) -> Any:
    """The name of the axis that a vector of numbers is along; a name stays."""
    if isinstance(direction, str):
        return direction
    listed = np.asarray(direction, dtype=object).ravel().tolist()
    numbers = [as_number(x) for x in listed]
    across = [axis for axis, x in zip("xyz", numbers, strict=False) if x]
    if len(numbers) != 3 or None in numbers or len(across) != 1:
        raise ModelError(
            "symmetry",
            say("{direction} is along no axis of the body.", listed),
            "Symmetries are along x, y or z: choose axes of the body along them.",
        )
    return across[0]


def _axis(name: str) -> str:
    if name not in ("x", "y", "z"):
        raise ModelError(
            "symmetry",
            say('axis "{name}" does not exist.', name),
            "Axes: x, y, z.",
            *suggestion(name, ("x", "y", "z")),
        )
    return name
