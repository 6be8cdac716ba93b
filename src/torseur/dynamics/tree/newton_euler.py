"""Inverse dynamics: the recursive Newton-Euler algorithm, with motors and external loads."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.dynamics.tree.motion import Motion, accelerations
from torseur.spatial.inertia import Inertia
from torseur.spatial.vectors import cross, settled
from torseur.topology.tree import Rotor, Tree

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

    Reference: Llibre (2009) §3.2.1 with erratum E0-19, in the tensor form of Balafoutis and Patel
    (1991): F = m acc + U h, N = h × acc + axial(U K). `external` holds wrenches applied to bodies.
    """
    motions = accelerations(tree, q, v, a, gravity)

    # each body: what its own motion needs, less what is applied to it
    forces, couples = [], []
    for i, link in tree:
        F, N = rate_of_momentum(link.inertia, motions[i])
        applied_force, applied_couple = (external or {}).get(i, (np.zeros(3), np.zeros(3)))
        forces.append(F - applied_force)
        couples.append(N - applied_couple)

    # inward: each joint carries its body and everything beyond it
    Q = np.zeros(tree.nv, dtype=object)
    for i, link in tree.backwards():
        S, X, p = link.joint.motion_subspace(q[link.q]), motions[i].X, link.parent
        Q[link.v] = S[:3].T @ couples[i] + S[3:].T @ forces[i]
        if p >= 0:
            force, couple = X.R.out(forces[i]), X.R.out(couples[i])
            forces[p] = forces[p] + force
            couples[p] = couples[p] + couple + cross(X.p, force)
        if link.rotor is not None:
            carrier = motions[p] if p >= 0 else None
            torque, couple = spin(link.rotor, carrier, v[link.v][0], a[link.v][0])
            Q[link.v] = Q[link.v] + torque
            if p >= 0:
                couples[p] = couples[p] + couple
    return InverseDynamics(settled(Q), forces, couples, motions)


def rate_of_momentum(inertia: Inertia, motion: Motion) -> Wrench:
    """Force and couple at O that the motion of a body needs: m acc + U h, h × acc + axial(U K)."""
    m, h, K, U, acc = inertia.m, inertia.h, inertia.K, motion.U, motion.acc
    xx, yy, zz = (U[2, 2] - U[1, 1]), (U[0, 0] - U[2, 2]), (U[1, 1] - U[0, 0])
    Kxy, Kyz, Kzx = K[0, 1], K[1, 2], K[2, 0]
    euler = np.array(
        [
            U[2, 1] * K[1, 1] - U[1, 2] * K[2, 2] + xx * Kyz + U[2, 0] * Kxy - U[1, 0] * Kzx,
            U[0, 2] * K[2, 2] - U[2, 0] * K[0, 0] + yy * Kzx + U[0, 1] * Kyz - U[2, 1] * Kxy,
            U[1, 0] * K[0, 0] - U[0, 1] * K[1, 1] + zz * Kxy + U[1, 2] * Kzx - U[0, 2] * Kyz,
        ]
    )
    return m * acc + U @ h, cross(h, acc) + euler


def spin(rotor: Rotor, carrier: Motion | None, speed, acceleration) -> tuple[Array, Array]:
    """Torque on the joint and couple on the carrier due to the spin of a rotor.

    The rotor's own spin adds H = α j q̇ ε to the momentum of its carrier:
    Ḣ = α j (q̈ ε + q̇ ω × ε), and the joint feels α j (α q̈ + ε · dω).
    """
    reflected = rotor.ratio * rotor.j
    torque = reflected * (rotor.ratio * acceleration)
    if rotor.axis is None or carrier is None:
        return np.array([torque]), np.zeros(3)
    e = rotor.axis
    couple = reflected * (acceleration * e + speed * cross(carrier.w, e))
    return np.array([torque + reflected * (e @ carrier.dw)]), couple
