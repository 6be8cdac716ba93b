"""Pose, motions, reactions and coordinates of joints made of elementary freedoms.

A joint of this kind is one declaration: its fields, names, words, keys and freedoms. The wrenches
that it carries are couples, then forces, in the axes of M at its origin; each gap that it keeps
closed is that of the wrench at its place.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import numpy as np

from torseur.model.joints.elementary import Elementary, elementary_constraints
from torseur.model.joints.freedoms import (
    Ball,
    Freedoms,
    Helix,
    Slide,
    barred,
    helix,
    slides,
    slides_agree,
    sweeps,
    turns,
    twists,
)
from torseur.model.joints.protocol import (
    NOTHING,
    Array,
    JointType,
    columns,
    cross_angles,
    offset,
    tilt,
    turn_angle,
    turned,
    unit,
)
from torseur.spatial import quaternion
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY, MatrixRotation, Rotation, turn
from torseur.spatial.vectors import cross

Wrench = tuple[Array, Array]  # couple, force


def couples(freedoms: Freedoms, R: Array) -> list[Wrench]:
    """About the axes of M that do not turn, or about the normal to two that do."""
    about = turns(freedoms)
    if about is None:
        return []
    if len(about) > 1:
        return [(cross(R[about[0]], unit(about[1])), NOTHING)]
    return [(unit(k), NOTHING) for k in _others(about)]


def tilts(freedoms: Freedoms, R: Array) -> Iterable[Any]:
    """Rotation of M away from the orientation that the couples keep."""
    about = turns(freedoms)
    if about is None:
        return ()
    if len(about) > 1:
        return (-R[about[0], about[1]],)
    return tilt(R, about[0]) if about else turned(R)


def forces(freedoms: Freedoms, R: Array) -> list[Wrench]:
    """Along the axes of M where these stay those that do not slide, else along those of F."""
    screw = helix(freedoms)
    if screw is not None:
        e = unit(screw.axis)
        normal = [(NOTHING, unit(k)) for k in _others([screw.axis])]
        return [*normal, (-screw.lead * e, e)]
    ours = not slides(freedoms) or slides_agree(freedoms)
    return [(NOTHING, unit(k) if ours else R[k]) for k in barred(freedoms)]


def offsets(freedoms: Freedoms, R: Array, p: Array) -> Iterable[Any]:
    """Distance of the origin of M from the place where the forces keep it."""
    screw, free = helix(freedoms), slides(freedoms)
    if screw is not None:
        return (*offset(R, p, screw.axis), _ahead(screw, R, p[screw.axis]))
    if not free:
        return list(R.T @ p)
    if len(free) == 1 and slides_agree(freedoms):
        return offset(R, p, free[0])
    return [p[k] for k in barred(freedoms)]


def _others(about: list[int]) -> list[int]:
    """The axes that follow the axis of turning; all where there is none."""
    return [(about[0] + k) % 3 for k in (1, 2)] if about else [0, 1, 2]


def _ahead(screw: Helix, R: Array, distance: Any) -> Any:
    """The distance that the angle does not explain, which is known within one pitch."""
    if not screw.lead:
        return distance
    j, k = (screw.axis + 1) % 3, (screw.axis + 2) % 3
    s, c = R[k, j] - R[j, k], R[j, j] + R[k, k]  # of the angle, but for a common factor
    explained = distance / screw.lead
    sine, cosine = np.sin(explained), np.cos(explained)
    return screw.lead * np.arctan2(c * sine - s * cosine, c * cosine + s * sine)


def declared(freedoms: Callable[[Any], Freedoms]) -> Any:
    """The elementary freedoms of a joint as a function of its fields."""
    return cached_property(freedoms)


class Composed(JointType, ABC):
    """A joint made of elementary freedoms; it carries bodies and closes loops."""

    @property
    @abstractmethod
    def freedoms(self) -> Freedoms:
        """The elementary freedoms in order."""

    # --- coordinates ----------------------------------------------------------------------------

    @cached_property
    def coordinate_units(self) -> tuple[str, ...]:
        return tuple(unit for x in self.freedoms for unit in x.coordinate_units)

    @cached_property
    def speed_units(self) -> tuple[str, ...]:
        return tuple(unit for x in self.freedoms for unit in x.speed_units)

    @cached_property
    def turning(self) -> bool:
        return turns(self.freedoms) is None

    def neutral(self) -> Array:
        return np.array([float(k == self.nq - 4 and self.turning) for k in range(self.nq)])

    def rates(self, q: Array, v: Array) -> Array:
        return np.array([*v[:-3], *quaternion.rate(q[-4:], v[-3:])]) if self.turning else v

    def speeds(self, q: Array, rates: Array) -> Array:
        if not self.turning:
            return rates
        return np.array([*rates[:-4], *quaternion.angular_velocity(q[-4:], rates[-4:])])

    def read(self, R: Array, p: Array) -> Array:
        screwed = [x for x in self.freedoms if isinstance(x, Helix) and x.lead]
        if screwed:
            return np.array([p[x.axis] / x.lead for x in screwed])
        distances = [p[x.axis] for x in self.freedoms if isinstance(x, Slide)]
        return np.array([*distances, *_angles(turns(self.freedoms), R)])

    # --- pose and motions -----------------------------------------------------------------------

    def transform(self, q: Array) -> Pose:
        return Pose(self._displacement(q), self._rotation(q))

    def _displacement(self, x: Array) -> Array:
        """The displacement in F by the coordinates of slides, or its rate by their rates."""
        p: list[Any] = [0.0, 0.0, 0.0]
        for freedom, value in zip(self.freedoms, x, strict=False):
            if isinstance(freedom, Slide):
                p[freedom.axis] = value
            elif isinstance(freedom, Helix):
                p[freedom.axis] = freedom.lead * value
        return np.array(p)

    def _rotation(self, q: Array, start: int = 0) -> Rotation:
        """The rotation of M by the freedoms from `start` on."""
        R = IDENTITY
        for k, freedom in enumerate(self.freedoms[start:], start):
            if isinstance(freedom, Ball):
                R = R @ Rotation((MatrixRotation(quaternion.matrix(q[k : k + 4])),))
            elif not isinstance(freedom, Slide):
                R = R @ turn(freedom.axis, q[k])
        return R

    def _axis_in_M(self, axis: int, q: Array, start: int) -> Array:
        """An axis that the freedoms from `start` on turn, seen from M."""
        return self._rotation(q, start).into(unit(axis))

    def motion_subspace(self, q: Array) -> Array:
        return self._motions(q, self._rotation(q) if sweeps(self.freedoms) else IDENTITY)

    def motions_at(self, R: Array, p: Array) -> Array:
        if not self.turning:
            return self.motion_subspace(self.read(R, p))
        return self._motions(
            np.zeros(0), Rotation((MatrixRotation(R),))
        )  # no other angle beside a ball

    def _motions(self, q: Array, R: Rotation) -> Array:
        """S at coordinates that turn M by R."""
        motions: list[tuple[Array, Array]] = []
        for k, freedom in enumerate(self.freedoms):
            if isinstance(freedom, Ball):
                motions += ((unit(j), NOTHING) for j in range(3))
            elif isinstance(freedom, Slide):
                motions.append((NOTHING, R.into(unit(freedom.axis))))
            else:
                e = self._axis_in_M(freedom.axis, q, k + 1)
                motions.append((e, freedom.lead * e if isinstance(freedom, Helix) else NOTHING))
        return columns(*motions)

    def bias(self, q: Array, v: Array) -> Array:
        freedoms = self.freedoms
        sweeping, twisting = sweeps(freedoms), twists(freedoms)
        if not (sweeping or twisting):
            return np.zeros(6)
        spins = [
            v[k:] if isinstance(x, Ball) else self._axis_in_M(x.axis, q, k + 1) * v[k]
            for k, x in enumerate(freedoms)
            if not isinstance(x, Slide)
        ]
        angular = cross(*spins) if twisting else NOTHING
        if not sweeping:
            return np.array([*angular, *NOTHING])
        sliding = self._rotation(q).into(self._displacement(v))
        return np.array([*angular, *cross(sliding, sum(spins, NOTHING))])

    # --- reactions ------------------------------------------------------------------------------

    @property
    def elementary(self) -> tuple[Elementary, ...]:
        return elementary_constraints(self.freedoms)

    def reactions_at(self, R: Array, p: Array) -> Array:
        return columns(*couples(self.freedoms, R), *forces(self.freedoms, R))

    def gap(self, R: Array, p: Array) -> Array:
        parts = tilts(self.freedoms, R), offsets(self.freedoms, R, p)
        return np.array([x for part in parts for x in part])


def _angles(about: list[int] | None, R: Array) -> Iterable[Any]:
    """The coordinates of a rotation about these axes; a quaternion where there is no list."""
    if about is None:
        return quaternion.from_matrix(np.asarray(R, dtype=float))
    if len(about) > 1:
        return cross_angles(R, about[0], about[1])
    return [turn_angle(R, axis) for axis in about]
