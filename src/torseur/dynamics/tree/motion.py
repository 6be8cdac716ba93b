"""Velocities and accelerations of every body, from the ground outward."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.dynamics.recursions import places as at
from torseur.dynamics.recursions.motion import move, tensor
from torseur.dynamics.recursions.rows import Row, place, rows, scalars, tree_rows
from torseur.spatial.pose import Pose
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
    """The motion of every body when the accelerations are `a`; gravity is in ground axes."""
    made, speeds, rates = tree_rows(tree, scalars(-gravity)), scalars(v), scalars(a)
    for i in range(1, len(made.model)):
        body, here, carrier = rows(made.model, made.work, i, at.INVERSE_WIDTH)
        place(body, here, made.columns, q)
        move(body, here, carrier, made.columns, q, speeds, rates)
    return [motion(here) for here in made.work[1:]]


def motion(here: Row) -> Motion:
    """What the workspace of a recursion holds of a body."""
    X = Pose(np.array(here[at.P]), here[at.R])
    w, dw = np.array(here[at.W]), np.array(here[at.DW])
    return Motion(X, w, dw, np.array(here[at.ACC]), acceleration_tensor(w, dw))


def acceleration_tensor(w: Any, dw: Any) -> Array:
    """U = dw̃ + w̃ w̃; components may be columns of numbers."""
    nine = np.array(tensor(w, dw))
    return nine.reshape(3, 3, *nine.shape[1:])
