"""Mass, centre of mass and inertia of a rigid body, for numbers and for expressions.

An inertia holds tensor components: xx = ∫(y² + z²) dm and xy = −∫xy dm (Plaut 2007,
(2.21) and (2.22)).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from numbers import Real
from operator import add
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.core.expr import CONSTANT, Expr
from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError
from torseur.notices import with_old_names
from torseur.spatial.hulls import Triangles
from torseur.spatial.inertia import tensor_of
from torseur.spatial.torseur import inertia_at
from torseur.spatial.vectors import Array as Array  # of floats or of expressions
from torseur.words.sentence import say

Scalar = Any  # a number or an expression

IDENTITY = np.eye(3, dtype=int)
IDENTITY.setflags(write=False)
COMPONENTS = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}


@final
@dataclass(frozen=True)
class FrenchForm:
    """The letters of French courses: the inertia reads [[A, −F, −E], [−F, B, −D], [−E, −D, C]]."""

    _repr_html_ = notebook.html

    A: Scalar  # ∫(y² + z²) dm [kg m²]
    B: Scalar  # ∫(z² + x²) dm
    C: Scalar  # ∫(x² + y²) dm
    D: Scalar  # ∫yz dm
    E: Scalar  # ∫xz dm
    F: Scalar  # ∫xy dm

    @property
    def inertia(self) -> Array:
        """The inertia (3, 3) with tensor components."""
        return inertia_tensor((self.A, self.B, self.C, -self.F, -self.E, -self.D))


@final
@with_old_names(moved="in_frame")
@dataclass(frozen=True, eq=False)
class MassProperties:
    """Mass, centre of mass and inertia of a rigid body, in the body frame."""

    _repr_html_ = notebook.html

    mass: Scalar  # [kg]
    centre: Array  # (3,) [m], from the origin of the body frame
    inertia: Array  # (3, 3) [kg m²], at the centre of mass, in the axes of the body frame

    def __post_init__(self) -> None:
        object.__setattr__(self, "centre", _read_only("centre of mass", self.centre, (3,)))
        object.__setattr__(self, "inertia", _read_only("inertia", self.inertia, (3, 3)))

    @property
    def components(self) -> tuple[Scalar, ...]:
        """The inertia at the centre of mass as (xx, yy, zz, xy, xz, yz)."""
        return tuple(self.inertia[place] for place in COMPONENTS.values())

    def inertia_at(self, point: Sequence[Scalar] | Array) -> Array:
        """The inertia (3, 3) at a point of the body frame, in its axes (Huygens; Plaut (2.24))."""
        there = _require_shape("point", np.asarray(point), (3,))
        return inertia_at(self.inertia, self.mass, self.centre - there)

    def products_at(self, point: Sequence[Scalar] | Array) -> Array:
        """The tensor of products P_A = ∫ r rᵀ dm (3, 3) at a point A: j_A 1 = P_A + I_A.

        Like the inertia it is semi-definite, not always definite (Llibre 2009, §1.4.4, E0-3).
        """
        return products_of(self.inertia_at(point))

    def moment_about_point(self, point: Sequence[Scalar] | Array) -> Scalar:
        """The polar moment j_A = ∫ r² dm about a point A [kg m²]."""
        return half_trace(self.inertia_at(point))

    def moment_about_axis(
        self, point: Sequence[Scalar] | Array, direction: Sequence[Scalar] | Array
    ) -> Scalar:
        """The moment of inertia u·I_A u about the axis through a point [kg m²] (Plaut (2.27))."""
        return _along(self.inertia_at(point), direction, "axis")

    def moment_about_plane(
        self, point: Sequence[Scalar] | Array, normal: Sequence[Scalar] | Array
    ) -> Scalar:
        """The moment of inertia n·P_A n about the plane through a point [kg m²]."""
        return _along(self.products_at(point), normal, "normal of the plane")

    def in_frame(self, R_AB: Array, p_AB: Sequence[Scalar] | Array) -> MassProperties:
        """The body in a frame A, where the present frame B has the pose R, p."""
        R = _rotation(R_AB)
        return MassProperties(self.mass, R @ self.centre + np.asarray(p_AB), R @ self.inertia @ R.T)

    def in_axes(self, R_AB: Array) -> MassProperties:
        """The body in other axes A through the same origin: I_A = R_AB I_B R_ABᵀ."""
        return self.in_frame(R_AB, IDENTITY[0] * 0)

    def scaled(self, factor: Scalar) -> MassProperties:
        """The body with its density multiplied by a factor, without a change of its shape."""
        return MassProperties(self.mass * factor, self.centre, self.inertia * factor)

    def __add__(self, other: MassProperties) -> MassProperties:
        return composed((self, other))

    def __sub__(self, other: MassProperties) -> MassProperties:
        return composed((self, other.scaled(-1)))

    def pseudo_inertia(self) -> Array:
        """J = ∫ d dᵀ dm (4, 4) of the points d = (x, y, z, 1) of the body.

        Liégeois and Aldon 1980, (2-6), corrected (E1-18): the inertia that enters is the one at
        the origin of the frame. Their products are ∫xy dm, opposite to the components used here.
        """
        P, first = self.products_at(IDENTITY[0] * 0), self.centre * self.mass
        return np.array([[*P[i], first[i]] for i in range(3)] + [[*first, self.mass]])

    def french_form(self, point: Sequence[Scalar] | Array | None = None) -> FrenchForm:
        """A … F at a point of the body frame (at the centre of mass unless one is given)."""
        I_A = self.inertia if point is None else self.inertia_at(point)
        return FrenchForm(I_A[0, 0], I_A[1, 1], I_A[2, 2], -I_A[1, 2], -I_A[0, 2], -I_A[0, 1])


def inertia_tensor(components: Sequence[Scalar]) -> Array:
    """The inertia (3, 3) of three moments, or of [xx, yy, zz, xy, xz, yz] with xy = −∫xy dm."""
    if len(components) not in (3, 6):
        raise ModelError(
            "inertia",
            say("{number} components are given: {components}.", len(components), list(components)),
            "Give three moments [xx, yy, zz] or six components [xx, yy, zz, xy, xz, yz].",
        )
    return tensor_of([*components, 0, 0, 0][:6])


def particles(masses: Sequence[Scalar] | Array, positions: Sequence[Any] | Array) -> MassProperties:
    """The mass properties of a set of particles, masses (n,) at positions (n, 3)."""
    if len(masses) != len(positions):
        problem = say("{m} masses and {n} positions are given.", len(masses), len(positions))
        raise ModelError("particles", problem, "Give a position for each mass.")
    nothing = IDENTITY * 0
    return composed(
        [
            MassProperties(mass, position, nothing)
            for mass, position in zip(masses, positions, strict=True)
        ]
    )


def composed(parts: Sequence[MassProperties]) -> MassProperties:
    """One rigid body made of several parts given in one frame.

    Without mass the centre means nothing and the inertia is the same at every point: the centre
    of the first part is kept.
    """
    if not parts:
        raise ModelError("composition", "0 parts are given: a body needs at least one.")
    mass = reduce(add, [part.mass for part in parts])
    first_moments = [part.centre * part.mass for part in parts]
    first_moment = reduce(add, first_moments)
    if mass == 0:
        _no_first_moment(first_moment, first_moments)
    centre = parts[0].centre if mass == 0 else first_moment / mass
    return MassProperties(mass, centre, reduce(add, [part.inertia_at(centre) for part in parts]))


def huygens(I_A: Array, mass: Scalar, centre: Array, A: Array, B: Array) -> Array:
    """The inertia I_B (3, 3) at any point B from the inertia at any other point A.

    I_B = I_A + m [(BA² + 2 BA·AG) 1 − (BA⊗BA + AG⊗BA + BA⊗AG)]: Plaut (2.23) with the sign of
    the cross terms corrected (erratum E4-2). `centre`, `A` and `B` are given from one origin.
    """
    tensor = _require_shape("I_A", np.asarray(I_A), (3, 3))
    given = {"centre": centre, "A": A, "B": B}
    G, A, B = (_require_shape(name, np.asarray(x), (3,)) for name, x in given.items())
    BA, AG = A - B, G - A
    products = np.outer(BA, BA) + np.outer(AG, BA) + np.outer(BA, AG)
    return np.asarray(tensor + (IDENTITY * (BA @ BA + 2 * (BA @ AG)) - products) * mass)


def from_pseudo_inertia(J: Array) -> MassProperties:
    """The mass properties whose pseudo-inertia is J (4, 4)."""
    J = _require_shape("pseudo-inertia", np.asarray(J), (4, 4))
    mass, first_moment, P = J[3, 3], J[:3, 3], J[:3, :3]
    if mass == 0:
        _no_first_moment(first_moment, [])
    centre = first_moment * 0 if mass == 0 else first_moment / mass
    I_O = IDENTITY * (P[0, 0] + P[1, 1] + P[2, 2]) - P
    return MassProperties(mass, centre, inertia_at(I_O, -mass, centre))


def half_trace(I_A: Array) -> Scalar:
    """Half the trace of an inertia: the polar moment j_A of the same point."""
    return (I_A[0, 0] + I_A[1, 1] + I_A[2, 2]) / 2


def products_of(I_A: Array) -> Array:
    """The tensor of products P_A = j_A 1 − I_A that belongs to an inertia."""
    return np.asarray(IDENTITY * half_trace(I_A) - I_A)


def as_number(value: Scalar) -> float | None:
    """The value of a number, or None for an expression that holds symbols."""
    if isinstance(value, Expr):
        return float(evaluate(value, {})) if value.stage == CONSTANT else None
    return float(value) if isinstance(value, Real) else None


def _along(tensor: Array, direction: Sequence[Scalar] | Array, what: str) -> Scalar:
    u = _require_shape(what, np.asarray(direction), (3,))
    if u @ u == 0:
        raise ModelError(
            what, say("the direction {direction} is zero.", u.tolist()), "Give a vector."
        )
    return u @ tensor @ u / (u @ u)


def _rotation(R: Array) -> Array:
    R = np.asarray(R)
    if R.dtype != object and not np.allclose(R @ R.T, IDENTITY, rtol=0, atol=1e-9):
        raise ModelError(
            "change of axes",
            say("the matrix {r} is not orthogonal.", R.tolist()),
            "Its columns are the unit vectors of the present axes, expressed in the new ones.",
        )
    return R


def _no_first_moment(first_moment: Array, terms: Sequence[Array]) -> None:
    """Without mass there is no first moment, up to the rounding of the terms of its sum."""
    size = max((abs(as_number(c) or 0.0) for term in terms for c in term), default=0.0)
    numbers = [as_number(component) for component in first_moment]
    if any(number is None or abs(number) > 1e-12 * size for number in numbers):
        raise ModelError(
            "composition",
            say(
                "the total mass is 0 but the first moment is {first_moment} kg m.",
                np.asarray(first_moment).tolist(),
            ),
            "The rest has no centre of mass: is a part subtracted at the wrong place?",
        )


def _require_shape(name: str, array: Array, shape: tuple[int, ...]) -> Array:
    """An array that has as many components as it must."""
    if array.shape != shape:
        raise ModelError(
            name,
            say("the shape is {shape}, not {shape2}: {value}.", array.shape, shape, array.tolist()),
            say("Give {shape} numbers.", shape),
        )
    return array


def _read_only(name: str, value: Any, shape: tuple[int, ...]) -> Array:
    array = _require_shape(name, np.array(value), shape)
    array.setflags(write=False)
    return array


# --- closed surfaces ------------------------------------------------------------------------------


def filled(surface: Triangles, density: float) -> MassProperties:
    """The mass data of a closed surface filled with one density [kg/m³].

    A tetrahedron of the origin and a triangle (a, b, c) has the volume v = det(a, b, c)/6, the
    centre (a + b + c)/4 and ∫ r rᵀ dv = v/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), s = a + b + c; those that
    are turned away from the origin count as negative (Tonon 2004).
    """
    origin = surface.points.mean(axis=0)  # near the surface, so that little cancels
    corners = (surface.points - origin)[surface.faces]  # (m, 3 corners, 3)
    volumes = np.linalg.det(corners) / 6
    sums = corners.sum(axis=1)
    volume = volumes.sum()
    centre = volumes @ sums / 4 / volume
    products = np.einsum("m,mki,mkj->ij", volumes, corners, corners)
    products = (products + np.einsum("m,mi,mj->ij", volumes, sums, sums)) / 20
    at_centre = products - volume * np.outer(centre, centre)
    mass = density * abs(volume)
    P = density * np.sign(volume) * at_centre
    inertia = np.trace(P) * np.eye(3) - P
    return MassProperties(float(mass), origin + centre, inertia)


def open_edges(surface: Triangles) -> int:
    """Number of edges without two triangles that run along them in opposite senses."""
    faces = surface.faces.tolist()
    runs = Counter(edge for a, b, c in faces for edge in ((a, b), (b, c), (c, a)))
    return sum(runs[edge] != 1 or runs[edge[::-1]] != 1 for edge in runs)
