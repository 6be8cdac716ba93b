"""A mechanism with loops: the tree of its bodies and the joints that close it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import expressions
from torseur.model.description import GROUND, BodyMotion, Contact, Joint, Mechanism
from torseur.model.joint_graph import Spanning, spanning
from torseur.model.joints.fixed import Fixed
from torseur.model.joints.spherical import Spherical
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY
from torseur.spatial.vectors import axial
from torseur.topology.spanning import tree_of
from torseur.topology.tree import Tree

Array = np.ndarray
TIME = symbol("t", "time")


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
    return Structure(tree, cuts_of(mechanism, tree, found), *state_names(mechanism))


def state_names(mechanism: Mechanism) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the coordinates and of the speeds of the tree."""
    return mechanism.coordinates, mechanism.speeds


def cuts_of(mechanism: Mechanism, tree: Tree, found: Spanning) -> tuple[Cut, ...]:
    index = {link.name: i for i, link in tree} | {GROUND: -1}

    def placed(body: str, X: Pose) -> Pose:
        return X if body == GROUND else tree.links[index[body]].X_MB @ X

    def cut(closing: Joint | Contact, coordinates: tuple[str, ...]) -> Cut:
        A, B = closing.first, closing.second
        X_AF, X_BM = placed(A, closing.X_AF), placed(B, closing.X_BM)
        return Cut(closing.name, closing.kind, index[A], index[B], X_AF, X_BM, coordinates)

    def guided(motion: BodyMotion) -> Cut:
        joint, R = (Spherical(), IDENTITY) if motion.R is None else (Fixed(), motion.R)
        X_BM, B = placed(motion.body, motion.X_BM), index[motion.body]
        return Cut(motion.name, joint, -1, B, Pose(motion.p, R), X_BM, (), _guide(motion))

    contacts = (x for x in mechanism.constraints.values() if isinstance(x, Contact))
    motions = (x for x in mechanism.motions.values() if isinstance(x, BodyMotion))
    return (
        *(cut(joint, joint.coordinates) for joint in found.closing),
        *(cut(contact, ()) for contact in contacts),
        *(guided(motion) for motion in motions),
    )


def _guide(motion: BodyMotion) -> Guide:
    """The velocities and accelerations of a pose that depends on time; ω̃ = Ṙ Rᵀ."""
    p = expressions(motion.p)
    v = derivative(p, TIME)
    w = np.zeros(3)
    if motion.R is not None:
        R = expressions(motion.R.matrix)
        w = axial(derivative(R, TIME) @ R.T) / 2
    return Guide(w, v, derivative(expressions(w), TIME), derivative(v, TIME))
