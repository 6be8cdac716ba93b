"""Velocities and accelerations of every body, from the ground outward."""

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.spatial.pose import Pose
from torseur.spatial.vectors import cross
from torseur.topology.tree import Tree

Array = np.ndarray


@final
@dataclass(frozen=True)
class Motion:
    """Of one body, in its computing frame, of which O is the origin."""

    X: Pose  # in the frame of the parent
    w: Array  # angular velocity [rad/s]
    dw: Array  # angular acceleration [rad/s²]
    acc: Array  # acceleration of O, gravity included as an upward acceleration of the ground
    U: Array  # dw̃ + w̃ w̃: a point at r from O accelerates by acc + U r


def accelerations(tree: Tree, q: Array, v: Array, a: Array, gravity: Array) -> list[Motion]:
    """The motion of every body when the accelerations are `a`; gravity is a field in ground axes.

    Composition of motions (Bour, Coriolis) in body axes; U is the angular acceleration tensor of
    Balafoutis and Patel (1991), which both the next body and this body's own inertia need.
    """
    still = np.zeros(3)
    ground = Motion(Pose(), still, still, -gravity, np.zeros((3, 3)))
    motions: list[Motion] = []
    for X, link in zip(tree.poses(q), tree.links, strict=True):
        parent = motions[link.parent] if link.parent >= 0 else ground
        v_i, a_i = v[link.v], a[link.v]
        S = link.joint.motion_subspace(q[link.q])
        relative, apparent = S @ v_i, S @ a_i + link.joint.bias(q[link.q], v_i)
        w_joint, v_joint = relative[:3], relative[3:]
        w_carried = X.R.into(parent.w)
        w = w_carried + w_joint
        dw = X.R.into(parent.dw) + apparent[:3] + cross(w_carried, w_joint)
        acc = (
            X.R.into(parent.acc + parent.U @ X.p)
            + apparent[3:]
            + cross(2 * w_carried + w_joint, v_joint)
        )
        motions.append(Motion(X, w, dw, acc, acceleration_tensor(w, dw)))
    return motions


def acceleration_tensor(w: Array, dw: Array) -> Array:
    """U = dw̃ + w̃ w̃."""
    x, y, z = w
    xx, yy, zz, xy, yz, zx = x * x, y * y, z * z, x * y, y * z, z * x
    return np.array(
        [
            [-(yy + zz), xy - dw[2], zx + dw[1]],
            [xy + dw[2], -(zz + xx), yz - dw[0]],
            [zx - dw[1], yz + dw[0], -(xx + yy)],
        ]
    )
