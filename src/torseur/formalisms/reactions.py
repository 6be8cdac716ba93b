"""The wrench in every joint: what the first body does to the second, in ground axes.

The recursion gives the wrenches of the joints that carry bodies once everything else that acts on
the bodies is known: loads, closing joints and contacts through their multipliers, teeth of gears.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torseur.dynamics.kinematics import ground_poses
from torseur.dynamics.newton_euler import Wrench, inverse_dynamics
from torseur.formalisms.applied import external_wrenches
from torseur.formalisms.constraints import Constraints, carrier_pose
from torseur.formalisms.system import System
from torseur.joints.reversed import Reversed
from torseur.mechanism.description import GROUND, Gear
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
    external = external_wrenches(system)
    closing, start = [], 0
    for closure in held.closures:
        X, cut = closure.X_WM, closure.cut
        wrench = closure.T @ multipliers[start : start + cut.rows]
        start += cut.rows
        force, couple = X.R.out(wrench[3:]), X.R.out(wrench[:3])
        closing.append(_row(X, force, couple))
        for i, sign in ((cut.A, -1), (cut.B, 1)):
            _add(external, placed, i, X.p, sign * force, sign * couple)
    _add_teeth(system, held, multipliers, placed, external)
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


def _add_teeth(
    system: System,
    held: Constraints,
    multipliers: Array,
    placed: list[Pose],
    external: dict[int, Wrench],
) -> None:
    """The forces between the teeth of gears: the second wheel is pushed, the first pushed back."""
    index = {link.name: i for i, link in system.tree} | {GROUND: -1}
    for gear in system.mechanism.constraints.values():
        if not isinstance(gear, Gear):
            continue
        X = carrier_pose(system, placed, gear.carrier)
        at, push, apart = X.point(gear.point), X.R.out(gear.direction), X.R.out(gear.apart)
        size = multipliers[held.owners.index(gear.name)]
        force = size * push + abs(size) * apart
        for body, sign in ((gear.first, -1), (gear.second, 1)):
            _add(external, placed, index[body], at, sign * force, np.zeros(3))


def _carried(
    system: System, link: Link, placed: list[Pose], i: int, force: Array, couple: Array
) -> Array:
    """The wrench in a joint of the tree; crossed backwards, it has its frame M on the parent."""
    X = placed[i]
    force, couple = X.R.out(force), X.R.out(couple)
    if not isinstance(link.joint, Reversed):
        return _row(X, force, couple)
    parent = placed[link.parent] if link.parent >= 0 else Pose()
    X_WM = parent @ link.X_PF
    return _row(X_WM, -force, -(couple + cross(X.p - X_WM.p, force)))


def _row(X: Pose, force: Array, couple: Array) -> Array:
    return np.array([*force, *couple, *X.p, *X.R.matrix.ravel()], dtype=object)
