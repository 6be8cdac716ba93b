"""The wrench in every joint: what the first body does to the second, in ground axes.

The recursion gives the wrenches of the joints that carry bodies once everything else that acts on
the bodies is known: loads, closing joints and contacts through their multipliers, teeth of gears.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.kinematics import ground_poses
from torseur.dynamics.tree.newton_euler import Wrench, inverse_dynamics
from torseur.equations.actions.applied import Applied, external_wrenches
from torseur.equations.constraints.rows import Constraints, carrier_pose
from torseur.equations.symbols.system import System
from torseur.model.constraints.protocol import MeshRow
from torseur.model.constraints.selection import meshes
from torseur.model.description import GROUND
from torseur.spatial.pose import Pose
from torseur.spatial.vectors import cross
from torseur.topology.tree import Link

Array = np.ndarray
WIDTH = 18  # force, couple, origin of M, axes of M row by row; all in ground axes


def wrench_names(system: System) -> tuple[str, ...]:
    """What each row of the wrenches belongs to: joints of the tree, then what closes it."""
    return (*(link.joint_name for _, link in system.tree), *(cut.name for cut in system.cuts))


def joint_wrenches(system: System, multipliers: Array) -> Array:
    """A row for each joint, contact and imposed motion of a body: see WIDTH."""
    tree, q = system.tree, system.q
    held, placed = Constraints(system), ground_poses(tree, q)
    external, loads = external_wrenches(system), list(Applied(system).in_closing_joints())
    closing, start = [], 0
    for closure in held.closures:
        X, cut = closure.X_WM, closure.cut
        wrench = closure.T @ multipliers[start : start + cut.rows]
        for row, k, factor in held.on_closing(cut):
            wrench = wrench + closure.along(k) * (multipliers[row] * factor)
        start += cut.rows
        force, couple = X.R.out(wrench[3:]), X.R.out(wrench[:3])
        for i, sign in ((cut.A, -1), (cut.B, 1)):
            _add(external, placed, i, X.p, sign * force, sign * couple)
        for freedom, value in loads:  # `external` has them already
            if freedom.joint == cut.name:
                more = closure.along(freedom.index) * value
                force, couple = force + X.R.out(more[3:]), couple + X.R.out(more[:3])
        closing.append(held.opened(expressions(_row(X, force, couple))))
    teeth = [
        (gear, size * gear.direction + abs(size) * gear.apart)
        for gear, size in _gears(system, multipliers)
    ]
    _add_teeth(system, placed, external, teeth)
    opened = {i: (held.opened(F), held.opened(C)) for i, (F, C) in external.items()}
    found = inverse_dynamics(tree, q, system.v, system.a, system.gravity, opened)
    carrying = [
        _carried(system, link, placed, i, found.forces[i], found.couples[i]) for i, link in tree
    ]
    return np.array([*carrying, *closing], dtype=object).reshape(-1, WIDTH)


def _add(
    external: dict[int, Wrench], placed: list[Pose], i: int, at: Array, force: Any, couple: Any
) -> None:
    """One more wrench on body i, given at a point of the ground."""
    if i < 0:
        return
    X = placed[i]
    before = external.get(i, (np.zeros(3), np.zeros(3)))
    moved = couple + cross(at - X.p, force)
    external[i] = (before[0] + X.R.into(force), before[1] + X.R.into(moved))


def pushed_apart(system: System, multipliers: Array) -> Array:
    """The generalised forces, in the tree, of what the teeth of gears push apart.

    It works in no motion of the mechanism, but closing joints may have to hold it.
    """
    tree, still, external = system.tree, np.zeros(system.tree.nv), dict[int, Wrench]()
    pushes = [(gear, abs(size) * gear.apart) for gear, size in _gears(system, multipliers)]
    _add_teeth(system, ground_poses(tree, system.q), external, pushes)
    return -inverse_dynamics(tree, system.q, still, still, np.zeros(3), external).Q


def _gears(system: System, multipliers: Array) -> list[tuple[MeshRow, Any]]:
    """The gears with their multipliers."""
    owners = Constraints(system).owners
    return [(x, multipliers[owners.index(x.name)]) for x in meshes(system.mechanism)]


def _add_teeth(
    system: System,
    placed: list[Pose],
    external: dict[int, Wrench],
    pushes: list[tuple[MeshRow, Array]],
) -> None:
    """Forces between the teeth of gears, in the axes of the carrier: of the first on the second."""
    index = {link.name: i for i, link in system.tree} | {GROUND: -1}
    for gear, push in pushes:
        X = carrier_pose(system, placed, gear.carrier)
        at, force = X.point(gear.point), X.R.out(push)
        for body, sign in ((gear.first, -1), (gear.second, 1)):
            _add(external, placed, index[body], at, sign * force, np.zeros(3))


def _carried(
    system: System, link: Link, placed: list[Pose], i: int, force: Array, couple: Array
) -> Array:
    """The wrench in a joint of the tree; crossed backwards, it has its frame M on the parent."""
    X = placed[i]
    force, couple = X.R.out(force), X.R.out(couple)
    if not link.joint.backwards:
        return _row(X, force, couple)
    parent = placed[link.parent] if link.parent >= 0 else Pose()
    X_WM = parent @ link.X_PF
    return _row(X_WM, -force, -(couple + cross(X.p - X_WM.p, force)))


def _row(X: Pose, force: Array, couple: Array) -> Array:
    return np.array([*force, *couple, *X.p, *X.R.matrix.ravel()], dtype=object)
