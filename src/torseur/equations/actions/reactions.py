"""The wrench in every joint: what the first body does to the second, in ground axes.

The recursion gives the wrenches of the joints that carry bodies once everything else that acts on
the bodies is known: loads, closing joints and contacts through their multipliers, teeth of gears.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.equations.actions.applied import Part, actions_of, combined, external_wrenches
from torseur.equations.actions.ropes import of_tension
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.symbols.system import System
from torseur.equations.symbols.system_places import SystemPlaces, places_of
from torseur.model.constraints.protocol import MeshRow
from torseur.model.constraints.selection import meshes, ropes
from torseur.model.description import GROUND
from torseur.spatial.pose import Pose
from torseur.spatial.vectors import cross
from torseur.topology.tree import Link

Array = np.ndarray
WIDTH = 18  # force, couple, origin of M, axes of M row by row; all in ground axes


def wrench_names(system: System) -> tuple[str, ...]:
    """Owners of the rows of wrenches: joints of the tree, then joints that close it."""
    return (*(link.joint_name for _, link in system.tree), *(cut.name for cut in system.cuts))


def joint_wrenches(system: System, multipliers: Array) -> Array:
    """A row for each joint, contact and imposed motion of a body: see WIDTH."""
    tree, q = system.tree, system.q
    constraints, applied = constraints_of(system), actions_of(system)
    places, loads = applied.places, list(applied.in_closing_joints())
    acting: list[Part] = [(external_wrenches(system), {})]
    closing, start = [], 0
    for closure in constraints.closures:
        X, cut = closure.X_WM, closure.cut
        wrench = closure.T @ multipliers[start : start + cut.rows]
        for row, k, factor in constraints.on_closing(cut):
            wrench = wrench + closure.along(k) * (multipliers[row] * factor)
        start += cut.rows
        force, couple = X.R.out(wrench[3:]), X.R.out(wrench[:3])
        acting += _pair(places, (cut.A, cut.B), X.p, force, couple)
        for freedom, value in loads:  # what acts has them already
            if freedom.joint == cut.name:
                more = closure.along(freedom.index) * value
                force, couple = force + X.R.out(more[3:]), couple + X.R.out(more[:3])
        closing.append(constraints.opened(expressions(_row(X, force, couple))))
    for gear, size in _gears(system, multipliers):
        acting += _teeth(places, gear, size * gear.direction + abs(size) * gear.apart)
    owners = constraints.owners
    for rope in ropes(system.mechanism):
        acting.append(of_tension(places, rope, multipliers[owners.index(rope.name)]))
    external, _ = combined(acting)
    opened = {i: (constraints.opened(F), constraints.opened(C)) for i, (F, C) in external.items()}
    dynamics = inverse_dynamics(tree, q, system.v, system.a, system.gravity, opened)
    carrying = [
        _joint_wrench(link, places.poses, i, dynamics.forces[i], dynamics.couples[i])
        for i, link in tree
    ]
    return np.array([*carrying, *closing], dtype=object).reshape(-1, WIDTH)


def in_joint_axes(row: Array) -> Array:
    """Force and couple of a row of the wrenches, in the axes of the joint's frame."""
    R = row[9:].reshape(3, 3)
    return np.concatenate([row[:3] @ R, row[3:6] @ R])


def _pair(
    places: SystemPlaces, bodies: tuple[int, int], at: Array, force: Array, couple: Array
) -> Iterator[Part]:
    """A wrench on the second of two bodies and its opposite on the first, at a ground point."""
    for i, sign in zip(bodies, (-1, 1), strict=True):
        if i >= 0:
            yield {i: places.felt(i, at, sign * force, sign * couple)}, {}


def pushed_apart(system: System, multipliers: Array) -> Array:
    """The generalised forces, in the tree, of what the teeth of gears push apart.

    It works in no motion of the mechanism, but closing joints may have to hold it.
    """
    tree, still, places = system.tree, np.zeros(system.tree.nv), places_of(system)
    pushes = (
        part
        for gear, size in _gears(system, multipliers)
        for part in _teeth(places, gear, abs(size) * gear.apart)
    )
    external, _ = combined(pushes)
    return -inverse_dynamics(tree, system.q, still, still, np.zeros(3), external).Q


def _gears(system: System, multipliers: Array) -> list[tuple[MeshRow, Any]]:
    """The gears with their multipliers."""
    owners = constraints_of(system).owners
    return [(x, multipliers[owners.index(x.name)]) for x in meshes(system.mechanism)]


def _teeth(places: SystemPlaces, gear: MeshRow, push: Array) -> Iterator[Part]:
    """A force of the teeth of a gear on those of the other, in the axes of their carrier."""
    index = {**places.index, GROUND: -1}
    X = places.frame(gear.carrier)
    bodies = index[gear.first], index[gear.second]
    return _pair(places, bodies, X.point(gear.point), X.R.out(push), np.zeros(3))


def _joint_wrench(link: Link, placed: list[Pose], i: int, force: Array, couple: Array) -> Array:
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
