"""Inverse dynamics: the recursive Newton-Euler algorithm, with motors and external loads."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.dynamics.recursions import row_places as at
from torseur.dynamics.recursions.body_motion import momentum_rate, rotor_torque
from torseur.dynamics.recursions.body_rows import inertia_scalars, rotor_scalars, scalars, tree_rows
from torseur.dynamics.recursions.newton_euler import find_wrenches, hand_wrenches
from torseur.dynamics.tree.kinematics import Motion, motion
from torseur.spatial.inertia import Inertia
from torseur.spatial.triples import minus
from torseur.spatial.vectors import settled
from torseur.topology.tree import MotorRotor, Tree

Array = np.ndarray
Wrench = tuple[Array, Array]  # force and couple, at the origin and in the axes of a body's frame


@final
@dataclass(frozen=True)
class InverseDynamics:
    """Generalised forces, and the wrench each joint transmits to the body it carries."""

    Q: Array  # (nv)
    forces: list[Array]  # of the parent on body i, in the axes of body i [N]
    couples: list[Array]  # at the origin of body i, in its axes [N m]
    motions: list[Motion]


def inverse_dynamics(
    tree: Tree,
    q: Array,
    v: Array,
    a: Array,
    gravity: Array,
    external: Mapping[int, Wrench] | None = None,
) -> InverseDynamics:
    """The generalised forces and joint wrenches that produce the accelerations `a`; O(n).

    `external` holds wrenches applied to bodies.
    """
    arrays, speeds, rates = tree_rows(tree, scalars(-gravity)), scalars(v), scalars(a)
    find_wrenches(arrays.model, arrays.work, arrays.columns, q, speeds, rates)
    motions = [motion(row) for row in arrays.work[1:]]
    for i, (force, couple) in (external or {}).items():
        row = arrays.work[1 + i]
        row[at.FORCE] = minus(row[at.FORCE], scalars(force))
        row[at.COUPLE] = minus(row[at.COUPLE], scalars(couple))
    Q: list[Any] = [0.0] * tree.nv
    hand_wrenches(arrays.model, arrays.work, arrays.columns, speeds, rates, Q)
    forces = [np.array(row[at.FORCE]) for row in arrays.work[1:]]
    couples = [np.array(row[at.COUPLE]) for row in arrays.work[1:]]
    return InverseDynamics(settled(np.array(Q, dtype=object)), forces, couples, motions)


def rate_of_momentum(inertia: Inertia, motion: Motion) -> Wrench:
    """Force and couple at O that the motion of a body needs: m acc + U h, h × acc + axial(U K)."""
    U = tuple(motion.U.ravel())
    force, couple = momentum_rate(*inertia_scalars(inertia), motion.acc, U)
    return np.array(force), np.array(couple)


def spin(
    rotor: MotorRotor, carrier: Motion | None, speed: Any, acceleration: Any
) -> tuple[Array, Array]:
    """Torque on the joint and couple on the carrier due to the spin of a rotor."""
    still = np.zeros(3)
    w, dw = (still, still) if carrier is None else (carrier.w, carrier.dw)
    torque, couple = rotor_torque(*rotor_scalars(rotor), w, dw, speed, acceleration)
    return np.array([torque]), np.array(couple) if carrier is not None else still
