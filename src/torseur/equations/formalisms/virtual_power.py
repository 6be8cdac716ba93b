"""Virtual power: the torseurs of each body against its virtual twists, coordinate by coordinate."""

from typing import Any

import numpy as np

from torseur.algebra.core.expr import ZERO
from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.inverse_dynamics import rate_of_momentum, spin
from torseur.dynamics.tree.kinematics import accelerations, ground_poses
from torseur.equations.actions.applied import actions_of, combined
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.system import System
from torseur.spatial.vectors import cross

Array = np.ndarray


def derive(system: System) -> Equations:
    """Σ over bodies of {D} ⊗ {V*_i} = Σ {F} ⊗ {V*_i}, a virtual twist for each coordinate."""
    tree, q, v = system.tree, system.q, system.v
    virtual = _virtual_twists(system)
    moving = accelerations(tree, q, v, np.zeros(tree.nv), np.zeros(3))
    applied = actions_of(system)
    wrenches, rows = combined(applied.parts.values())
    placed = ground_poses(tree, q)
    n = tree.nv
    M, h, g, Q = (expressions(np.zeros(shape)) for shape in ((n, n), n, n, n))
    for i, link in tree:
        body, twists = link.inertia, virtual[i]
        weight = placed[i].R.into(system.gravity)
        linear, angular = body.momentum(twists[:3], twists[3:])
        M = M + twists[3:].T @ linear + twists[:3].T @ angular
        h = h + _comoment(rate_of_momentum(body, moving[i]), twists)
        g = g - _comoment((body.m * weight, cross(body.h, weight)), twists)
        if i in wrenches:
            Q = Q + _comoment(wrenches[i], twists)
    for row, value in rows.items():
        Q[row] = Q[row] + value
    _add_rotors(system, virtual, moving, M, h)
    Q, whole = applied.opened(expressions(Q)), M @ system.a + h + g
    tables = {"virtual_twists": {link.name: virtual[i] for i, link in tree}}
    return Equations(system, "virtual-power", M, h, g, Q, whole, tables=tables)


def _virtual_twists(system: System) -> list[Array]:
    """(ω*; v*) of each body for a unit rate of each coordinate, time standing still (6 × nv)."""
    tree, q = system.tree, system.q
    columns: list[Array] = []
    for X, link in zip(tree.poses(q), tree.links, strict=True):
        twists = np.zeros((6, tree.nv), dtype=object)
        if link.parent >= 0:
            w, v = columns[link.parent][:3], columns[link.parent][3:]
            twists[:3], twists[3:] = X.R.into(w), X.R.into(v + cross(w, X.p))
        twists[:, link.v] = twists[:, link.v] + link.joint.motion_subspace(q[link.q])
        columns.append(twists)
    return columns


def _comoment(wrench: tuple[Array, Array], twists: Array) -> Array:
    force, couple = wrench
    return np.asarray(force @ twists[3:] + couple @ twists[:3])


def _add_rotors(
    system: System, virtual: list[Array], moving: list[Any], M: Array, h: Array
) -> None:
    """A rotor spins virtually with its joint, on a carrier that turns virtually too."""
    for _, link in system.tree:
        rotor, row, p = link.rotor, link.v.start, link.parent
        if rotor is None:
            continue
        carrier = moving[p] if p >= 0 else None
        torque, couple = spin(rotor, carrier, system.v[row], ZERO)
        h[row] = h[row] + torque[0]
        M[row, row] = M[row, row] + rotor.ratio**2 * rotor.j
        if carrier is not None:
            h[:] = h + couple @ virtual[p][:3]
        if carrier is not None and rotor.axis is not None:
            turned = rotor.ratio * rotor.j * (rotor.axis @ virtual[p][:3])
            M[row], M[:, row] = M[row] + turned, M[:, row] + turned
