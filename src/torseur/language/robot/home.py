"""A robot at home, all coordinates zero: places of links, and pairs that overlap there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from torseur.language.robot.placement import start_of
from torseur.language.robot.robot_parts import WORLD, Robot, RobotJoint

Array = np.ndarray
Convex = tuple[Array, float]  # points whose hull it is, and how far it reaches around them
_ROUNDS = 60
_ROUND = 24  # points of a rim
_SEPARATE = 1e-6  # [m]: shapes that overlap less only touch


def _carrying(robot: Robot) -> dict[str, RobotJoint]:
    """The joint that carries each link: of several in loops of SDF, the first from the root."""
    carrying: dict[str, RobotJoint] = {}
    by_parent: dict[str, list[RobotJoint]] = {}
    for joint in robot.joints.values():
        if not joint.closing:
            by_parent.setdefault(joint.parent, []).append(joint)
    children = {joint.child for joints in by_parent.values() for joint in joints}
    pending = [name for name in by_parent if name not in children]
    for name in pending:
        for joint in by_parent.get(name, ()):
            if joint.child not in carrying:
                carrying[joint.child] = joint
                pending.append(joint.child)
    return carrying


def home_poses(robot: Robot) -> dict[str, Array]:
    """The pose (4, 4) of each link in the world at zero; of parts that move freely, their start."""
    carrying = _carrying(robot)
    initial = robot.extra.get("initial", {})
    poses: dict[str, Array] = {WORLD: np.eye(4)}

    def pose(name: str) -> Array:
        if name not in poses:
            joint = carrying.get(name)
            X = np.eye(4)
            if joint is not None:
                placed = joint.placement if joint.kind != "free" else start_of(joint.name, initial)
                X[:3, :3], X[:3, 3] = placed.R, placed.p
                X = pose(joint.parent) @ X
            poses[name] = X
        return poses[name]

    return {name: pose(name) for name in robot.links}


def rigid_groups(robot: Robot) -> dict[str, str]:
    """The link that stands for all links fixed to each other, by link."""
    carrying = _carrying(robot)

    def first(name: str) -> str:
        while name in carrying and carrying[name].kind == "fixed":
            name = carrying[name].parent
        return name

    return {name: first(name) for name in robot.links}


def free_parts(robot: Robot) -> dict[str, str]:
    """The link that carries all that moves with it, by link: one that moves freely, or the root."""
    carrying = _carrying(robot)

    def first(name: str) -> str:
        while name in carrying and carrying[name].kind != "free":
            name = carrying[name].parent
        return name

    return {name: first(name) for name in robot.links}


def neighbours(robot: Robot, shaped: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pairs of shaped links that are fixed together, or whose joint holds them to each other.

    A link without mass and shape between two joints is no link between them.
    """
    groups = rigid_groups(robot)
    members: dict[str, list[str]] = {}
    for name in shaped:
        members.setdefault(groups[name], []).append(name)
    heavy = {groups[link.name] for link in robot.links.values() if link.heavy} | {*members, WORLD}
    carrying = _carrying(robot)
    for names in members.values():
        yield from combinations(names, 2)
    for group, names in members.items():
        joint = carrying.get(group)
        while joint is not None and joint.kind != "free":
            above = groups[joint.parent]
            if joint.parent == WORLD:  # what stands in the world may be touched
                break
            if above in heavy:
                yield from ((one, other) for one in members.get(above, ()) for other in names)
                break
            joint = carrying.get(above)


# --- overlaps -------------------------------------------------------------------------------------


def convex_of(entry: Mapping[str, Any], X: Array, placement: Any) -> Convex:
    """A solid of a link at a pose, as points and a radius; rims have points."""
    radius, points = 0.0, np.zeros((1, 3))
    if "hull" in entry:
        points = np.array(entry["hull"], dtype=float)
    else:
        ((kind, sizes),) = entry["shape"].items()
        half = np.array([0, 0, float(sizes.get("length", 0)) / 2])
        if kind == "box":
            corners = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
            points = np.array(corners) * np.array(sizes["size"], dtype=float) / 2
        elif kind == "cylinder":
            turn = np.linspace(0, 2 * np.pi, _ROUND, endpoint=False)
            rim = np.column_stack([np.cos(turn), np.sin(turn), 0 * turn]) * float(sizes["radius"])
            points = np.concatenate([rim - half, rim + half])
        else:
            radius = float(sizes["radius"])
            points = np.array([-half, half]) if kind == "capsule" else points
    inner = points @ placement.R.T + placement.p
    return inner @ X[:3, :3].T + X[:3, 3], radius


def overlap(one: Convex, other: Convex) -> bool:
    """Whether two solids have points in common: no plane separates them.

    The nearest point of the differences of their points is that of a few of them, which are
    found one by one (Gilbert, Johnson and Keerthi 1988).
    """
    from scipy.optimize import nnls

    (A, r), (B, s) = one, other
    apart = r + s - _SEPARATE
    v = A.mean(axis=0) - B.mean(axis=0)
    supports = np.zeros((0, 3))
    scale = float(np.abs(A).max() + np.abs(B).max()) + 1.0
    for _ in range(_ROUNDS):
        w = A[np.argmin(A @ v)] - B[np.argmax(B @ v)]
        size = float(np.linalg.norm(v))
        if size <= max(apart, 1e-12):
            return True
        if float(v @ w) > apart * size:
            return False
        if any((w == x).all() for x in supports):
            return size <= apart
        supports = np.vstack([supports, w])
        table = np.vstack([supports.T, np.full(len(supports), scale)])
        weights, _ = nnls(table, np.array([0.0, 0.0, 0.0, scale]))
        supports, weights = supports[weights > 0], weights[weights > 0]
        v = weights @ supports / weights.sum()
    return True
