"""A mechanism with loops: the tree of its bodies and the joints that close it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import expressions
from torseur.model.constraints.protocol import JointRows
from torseur.model.constraints.selection import rows_of
from torseur.model.description import GROUND, Joint, Mechanism
from torseur.model.joint_graph import spanning
from torseur.spatial.pose import Pose
from torseur.spatial.vectors import axial
from torseur.topology.spanning import tree_of
from torseur.topology.tree import Tree

Array = np.ndarray


@final
@dataclass(frozen=True)
class Guide:
    """The imposed motion of a frame of the ground, in ground axes, as expressions of time."""

    w: Array  # angular velocity [rad/s]
    v: Array  # velocity of its origin [m/s]
    dw: Array
    acc: Array


@final
@dataclass(frozen=True)
class Cut:
    """A joint that closes a loop, between a frame F of body A and a frame M of body B.

    Contacts without slipping and imposed motions of bodies are such joints too.
    """

    name: str
    joint: Any  # a JointType or a ContactType
    A: int  # index of the first body in the tree; −1 for the ground
    B: int
    X_AF: Pose  # in the computing frame of A
    X_BM: Pose  # in the computing frame of B
    coordinates: tuple[str, ...] = ()
    guide: Guide | None = None  # of F, when it is not at rest on A

    @property
    def rows(self) -> int:
        """The number of its constraint equations."""
        return 6 - self.joint.nv


@final
@dataclass(frozen=True)
class Structure:
    """The tree, the joints that close it, and the names of the tree's coordinates and speeds."""

    tree: Tree
    cuts: tuple[Cut, ...]
    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]


def structure(mechanism: Mechanism) -> Structure:
    """The structure of a mechanism; without loops its coordinates are those of the mechanism."""
    found = spanning(mechanism)
    tree = tree_of(mechanism, found)
    cuts = cuts_of(tree, closing_parts(mechanism, found.closing))
    return Structure(tree, cuts, *state_names(mechanism))


def state_names(mechanism: Mechanism) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the coordinates and of the speeds of the tree."""
    return mechanism.coordinates, mechanism.speeds


def closing_parts(mechanism: Mechanism, joints: Iterable[Joint]) -> list[Joint | JointRows]:
    """The joints that close loops, and what constraints hold between frames."""
    return [*joints, *(x for x in rows_of(mechanism) if isinstance(x, JointRows))]


def cuts_of(tree: Tree, closing: Iterable[Joint | JointRows]) -> tuple[Cut, ...]:
    """What closes a tree, between computing frames."""
    index = {link.name: i for i, link in tree} | {GROUND: -1}

    def placed(body: str, X: Pose) -> Pose:
        return X if body == GROUND else tree.links[index[body]].X_MB @ X

    def cut(x: Joint | JointRows) -> Cut:
        poses = placed(x.first, x.X_AF), placed(x.second, x.X_BM)
        guide = _guide(x.X_AF) if isinstance(x, JointRows) and x.moving else None
        A, B = index[x.first], index[x.second]
        return Cut(x.name, x.kind, A, B, *poses, x.coordinates, guide)

    return tuple(cut(x) for x in closing)


def _guide(X: Pose) -> Guide:
    """The velocities and accelerations of a pose that depends on time; ω̃ = Ṙ Rᵀ."""
    p = expressions(X.p)
    v = derivative(p, TIME)
    w = np.zeros(3)
    if X.R.factors:
        R = expressions(X.R.matrix)
        w = axial(derivative(R, TIME) @ R.T) / 2
    return Guide(w, v, derivative(expressions(w), TIME), derivative(v, TIME))
