"""A joint that its user defines by the pose it gives (liaison définie par l'utilisateur)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, final

import numpy as np

from torseur.algebra.calculus.derivative import directional, jacobian
from torseur.algebra.core.expr import CONSTANT, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, reachable, substitute
from torseur.model.joints.protocol import Array, JointEntryKind, JointKey, JointType, unit
from torseur.model.joints.symbol import Symbol, SymbolBall
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY, Rotation, from_matrix, turn
from torseur.spatial.vectors import axial

_TURNED = 0.7  # an angle at which no sine or cosine is small [rad]


@final
@dataclass(frozen=True)
class Defined(JointType):
    """Any pose of M in F, as expressions of the coordinates and of parameters.

    The speeds are the rates of the coordinates; the free motions are the derivatives of the pose.
    The joint carries every wrench that does not work in them. It only carries bodies, and only
    where its free motions are independent.
    """

    coordinates: tuple[Expr, ...]
    position: tuple[Expr, ...] = (ZERO, ZERO, ZERO)  # of the origin of M, in F [m]
    turns: tuple[tuple[int, Expr], ...] = ()  # axes and angles [rad], each about the turned axes
    matrix: tuple[Expr, ...] = ()  # R_FM row by row, instead of turns
    values: tuple[tuple[Expr, Any], ...] = ()  # of the parameters, once they are numbers

    names = ("defined", "user-defined", "définie")
    words: ClassVar = "defined"
    keys = (JointKey("position", JointEntryKind.POSE),)
    closes = False
    refused = "a defined joint only carries bodies: it tells no coordinates from a pose"
    symbol = Symbol((SymbolBall(0.6),), line="link")

    @cached_property
    def coordinate_units(self) -> tuple[str, ...]:
        """Units: an angle turns, or is the argument of a sine, with a number for factor."""
        pose = [*self.position, *self.matrix]
        waves = [x.args[0] for x in reachable(pose) if x.op in ("sin", "cos", "tan")]
        angles = [*(angle for _, angle in self.turns), *waves]
        return tuple("rad" if _turns(angles, x) else "m" for x in self.coordinates)

    @property
    def speed_units(self) -> tuple[str, ...]:
        return tuple(f"{unit}/s" for unit in self.coordinate_units)

    @cached_property
    def parameters(self) -> tuple[Expr, ...]:
        """The symbols of the pose that are not coordinates."""
        pose = [*self.position, *(angle for _, angle in self.turns), *self.matrix]
        return tuple(x for x in free_symbols(pose) if x not in self.coordinates)

    @property
    def lengths(self) -> Iterator[Expr]:
        """The position, when the angles are about one and the lengths 0."""
        units = zip(self.coordinates, self.coordinate_units, strict=True)
        known = {x: _TURNED if unit == "rad" else 0.0 for x, unit in units}
        return (substitute(expression(x), known) for x in self.position)

    def numeric(self, number: Callable[[Any], Any]) -> Defined:
        return replace(self, values=tuple((x, number(x)) for x in self.parameters))

    @cached_property
    def moving(self) -> tuple[int, ...]:
        """The components of motion, of (ω; v) in the axes of M, that are not zero at every pose."""
        return tuple(k for k, row in enumerate(self._motions) if any(x is not ZERO for x in row))

    def transform(self, q: Array) -> Pose:
        p, angles, matrix = self._at([self.position, [x for _, x in self.turns], self.matrix], q)
        axes = (axis for axis, _ in self.turns)
        return Pose(p, _rotation(zip(axes, angles, strict=True), matrix))

    def motion_subspace(self, q: Array) -> Array:
        return self._at([self._motions], q)[0]

    def bias(self, q: Array, v: Array) -> Array:
        return self._at([self._bias], q, v)[0]

    def reaction_subspace(self, q: Array) -> Array:
        """An orthonormal basis (floats); where freedoms are lost, of as many wrenches as usual."""
        whole, _, _ = np.linalg.svd(np.asarray(self.motion_subspace(q), dtype=float))
        return whole[:, self.nv :]

    @cached_property
    def _speeds(self) -> tuple[Expr, ...]:
        return tuple(symbol(f"{x.name}.", "speed") for x in self.coordinates)

    @cached_property
    def _motions(self) -> Array:
        """S in the symbols of the definition."""
        R = _rotation(self.turns, self.matrix)
        translations = R.into(jacobian(expressions(self.position), self.coordinates))
        if self.matrix:
            M = expressions(self.matrix).reshape(3, 3)
            changes = jacobian(M, self.coordinates)
            rates = [axial(M.T @ changes[:, :, k]) / 2 for k in range(self.nv)]
            rotations = np.array(rates).T
        else:
            rotations = np.zeros((3, self.nv), dtype=object)
            for k, (axis, angle) in enumerate(self.turns):
                about = _rotation(self.turns[k + 1 :], ()).into(unit(axis))
                rotations = rotations + np.outer(about, jacobian(angle, self.coordinates))
        return expressions(np.concatenate([rotations, translations]))

    @cached_property
    def _bias(self) -> Array:
        """Ṡ v in the symbols of the definition."""
        along = dict(zip(self.coordinates, self._speeds, strict=True))
        return np.asarray(directional(self._motions @ np.array(self._speeds), along))

    def _at(self, outputs: Iterable[Any], q: Array, v: Iterable[Any] = ()) -> list[Array]:
        """The outputs at coordinates and speeds: floats, or expressions if anything is one."""
        known = dict(zip(self.coordinates, q, strict=True)) | dict(self.values)
        known |= dict(zip(self._speeds, v, strict=False))
        numbers = all(x in known for x in self.parameters)
        if numbers and not any(isinstance(x, Expr) for x in known.values()):
            values = {x.name: value for x, value in known.items()}
            return [evaluate(np.array(x, dtype=object), values) for x in outputs]
        return [substitute(np.array(x, dtype=object), known) for x in outputs]


def _rotation(turns: Iterable[tuple[int, Any]], matrix: Any) -> Rotation:
    R = IDENTITY
    for axis, angle in turns:
        R = R @ turn(axis, angle)
    return from_matrix(np.array(matrix).reshape(3, 3)) if len(matrix) else R


def _turns(angles: list[Expr], coordinate: Expr) -> bool:
    """Whether one of the angles is proportional to the coordinate, by a number."""
    slopes = jacobian(angles, [coordinate])
    return any(x is not ZERO and x.stage == CONSTANT for x in np.ravel(slopes))
