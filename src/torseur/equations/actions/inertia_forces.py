"""The inertia forces that bodies feel in a ground that is not Galilean.

The ground turns at Ω and its origin accelerates at A. A point at r from the origin O of a body,
which is itself at p with the velocity v and the angular velocity ω, all relative to the ground, has
the accelerations of entrainment and of Coriolis

    γ = acc + U r,   acc = A + U_e p + 2 Ω × v,   U = U_e + 2 Ω̃ ω̃,   U_e = Ω̃' + Ω̃ Ω̃:

the form of `Motion`, so that the load is minus the rate of momentum of that motion.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import TIME, ZERO
from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.inverse_dynamics import Wrench, rate_of_momentum
from torseur.dynamics.tree.kinematics import Motion, acceleration_tensor
from torseur.equations.symbols.system import System
from torseur.equations.symbols.system_places import SystemPlaces
from torseur.model.description import MovingFrame
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY, Rotation
from torseur.spatial.vectors import cross, skew

Array = np.ndarray
ENTRAINMENT, CORIOLIS = "entrainment", "Coriolis"
_BOTH = frozenset({ENTRAINMENT, CORIOLIS})


@final
@dataclass(frozen=True)
class _FrameMotion:
    """The motion of the ground in the axes of a body."""

    w: Array  # Ω
    dw: Array  # Ω', the rate in ground axes
    acc: Array  # of the origin

    def acceleration(self, p: Array) -> tuple[Array, Array]:
        """A + U_e p, and U_e."""
        U = acceleration_tensor(self.w, self.dw)
        return self.acc + U @ p, U


def inertia_forces(
    system: System, frame: MovingFrame, places: SystemPlaces, kinds: Collection[str] = _BOTH
) -> tuple[dict[int, Wrench], dict[int, Any]]:
    """The wrench on each body, at the origin and in the axes of its frame, and rotor torques."""
    kinds = kinds if frame.entrainment else set(kinds) - {ENTRAINMENT}
    wrenches: dict[int, Wrench] = {}
    torques: dict[int, Any] = {}
    for i, link in system.tree:
        X, moving = places.poses[i], places.velocities[i]
        motion = _opposite_motion(
            kinds, _frame_motion(frame, X.R), X.R.into(X.p), moving.v, moving.w
        )
        F, N = rate_of_momentum(link.inertia, motion)
        wrenches[i] = -F, -N
        rotor = link.rotor
        if rotor is not None and rotor.axis is not None:
            row, carrier = link.v.start, link.parent
            spin = rotor.ratio * rotor.j * rotor.axis  # momentum per speed of the joint
            w, dw = _carrier_motion(kinds, frame, carrier, places)
            torques[row] = -(spin @ dw)
            if carrier >= 0 and CORIOLIS in kinds:
                force, couple = wrenches[carrier]
                wrenches[carrier] = force, couple - system.v[row] * cross(w, spin)
    return wrenches, torques


def entrainment_potential(system: System, frame: MovingFrame, places: SystemPlaces) -> Any:
    """−½ ∫ |Ω × r|² dm + A · ∫ r dm: zero without entrainment."""
    total: Any = ZERO
    if not frame.entrainment:
        return total
    for i, link in system.tree:
        R, p = places.poses[i].R, places.poses[i].p
        frame_motion, body, place = _frame_motion(frame, R), link.inertia, R.into(p)
        v = cross(frame_motion.w, place)
        twice = (
            body.m * (v @ v)
            + 2 * (v @ cross(frame_motion.w, body.h))
            + frame_motion.w @ body.tensor @ frame_motion.w
        )
        total = total + frame_motion.acc @ (body.m * place + body.h) - twice / 2
    return total


def _frame_motion(frame: MovingFrame, R: Rotation) -> _FrameMotion:
    rotation = expressions(frame.rotation)
    rate = derivative(rotation, TIME)
    return _FrameMotion(R.into(rotation), R.into(rate), R.into(expressions(frame.acceleration)))


def _opposite_motion(
    kinds: Collection[str], frame_motion: _FrameMotion, p: Array, v: Array, w: Array
) -> Motion:
    """The motion whose rate of momentum is the opposite of the inertia forces."""
    acc, U = np.zeros(3), np.zeros((3, 3))
    if CORIOLIS in kinds:
        acc, U = 2 * cross(frame_motion.w, v), 2 * (skew(frame_motion.w) @ skew(w))
    if ENTRAINMENT in kinds:
        carried, U_e = frame_motion.acceleration(p)
        acc, U = acc + carried, U + U_e
    return Motion(Pose(), w, frame_motion.dw, acc, U)


def _carrier_motion(
    kinds: Collection[str], frame: MovingFrame, carrier: int, places: SystemPlaces
) -> tuple[Array, Array]:
    """The part of ω and ω̇ of the carrier of a rotor that is due to the ground: Ω, Ω' + Ω × ω.

    They act on its spin as in `spin` of `dynamics/tree/inverse_dynamics.py`.
    """
    R = places.poses[carrier].R if carrier >= 0 else IDENTITY
    frame_motion = _frame_motion(frame, R)
    dw = frame_motion.dw if ENTRAINMENT in kinds else np.zeros(3)
    if carrier >= 0 and CORIOLIS in kinds:
        dw = dw + cross(frame_motion.w, places.velocities[carrier].w)
    return frame_motion.w, dw
