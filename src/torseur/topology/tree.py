"""The tree of bodies: computing frames, parents before children, inertias ready for the recursions.

The computing frame of a body is the frame M of the joint that carries it: then the joint's axis is
a coordinate axis and the joint's own motion costs four products on a vector. Body data are brought
there once, on expressions of parameters only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.errors import ModelError
from torseur.model.joints.catalogue import joint_of
from torseur.model.joints.freedoms import Freedom, Helix, Slide, Turn
from torseur.model.joints.protocol import JointType
from torseur.spatial.inertia import Inertia
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import Rotation, from_matrix
from torseur.words.sentence import say

Array = np.ndarray
GROUND_INDEX = -1


@final
@dataclass(frozen=True)
class MotorRotor:
    """The spinning part of a motor: speed ratio, inertia about its axis, axis in the parent frame.

    Without an axis only the reflected inertia ratio² j counts.
    """

    ratio: Any
    j: Any  # [kg m²]
    axis: Array | None = None


@final
@dataclass(frozen=True)
class Link:
    """A body with the joint that carries it."""

    name: str
    parent: int  # index of the body that carries it; −1 for the ground
    joint: JointType
    X_PF: Pose  # frame F of the joint in the computing frame of the parent
    inertia: Inertia  # about the origin of the computing frame, in its axes
    q: slice  # its coordinates in the mechanism's arrays
    v: slice  # its speeds
    rotor: MotorRotor | None = None
    X_MB: Pose = Pose()  # the user's body frame in the computing frame
    joint_name: str = ""


@final
@dataclass(frozen=True)
class Tree:
    """Bodies in an order where each comes after the body that carries it."""

    links: tuple[Link, ...]
    nq: int
    nv: int

    def __iter__(self) -> Iterator[tuple[int, Link]]:
        return iter(enumerate(self.links))

    def __len__(self) -> int:
        return len(self.links)

    def backwards(self) -> Iterator[tuple[int, Link]]:
        """The bodies from the tips to the ground."""
        return ((i, self.links[i]) for i in range(len(self.links) - 1, -1, -1))

    def poses(self, q: Array) -> list[Pose]:
        """X_PM: each computing frame in that of its parent."""
        return [link.X_PF @ link.joint.transform(q[link.q]) for link in self.links]

    def rates(self, q: Array, v: Array) -> Array:
        """q̇ (nq) from the speeds."""
        if not self.quaternions:  # then they are the same
            return np.array(v, dtype=np.result_type(q, v, float))
        result = np.zeros(self.nq, dtype=np.result_type(q, v, float))
        for link in self.links:
            result[link.q] = link.joint.rates(q[link.q], v[link.v])
        return result

    @cached_property
    def quaternions(self) -> tuple[slice, ...]:
        """Where the quaternions stand among the coordinates."""
        turning = (link for link in self.links if link.joint.turning)
        return tuple(slice(link.q.stop - 4, link.q.stop) for link in turning)

    @property
    def neutral(self) -> Array:
        """The coordinates at which the frames of every joint coincide."""
        q = np.zeros(self.nq)
        for link in self.links:
            q[link.q] = link.joint.neutral()
        return q

    def children(self, i: int) -> list[int]:
        """The bodies carried by body i."""
        return [k for k, link in enumerate(self.links) if link.parent == i]

    def ancestors(self, i: int) -> list[int]:
        """The bodies from i to the ground, i first."""
        path = []
        while i != GROUND_INDEX:
            path.append(i)
            i = self.links[i].parent
        return path

    def with_inertias(self, inertias: list[Inertia]) -> Tree:
        """Tree with other inertias."""
        links = (
            replace(link, inertia=body) for link, body in zip(self.links, inertias, strict=True)
        )
        return replace(self, links=tuple(links))


# --- elementary joints ----------------------------------------------------------------------------


def elementary(tree: Tree, formalism: str, *, screws: bool = False) -> Tree:
    """Revolute and prismatic joints only (with `screws`, screws too); fixed bodies are merged.

    A joint with several degrees of freedom becomes a chain of elementary ones through fictitious
    bodies without mass (Liégeois and Aldon 1980, §2.2). One that is crossed from its second body to
    its first has its freedoms in the other order, each between frames turned by half a turn.
    """
    links: list[Link] = []
    at: dict[int, tuple[int, Pose]] = {-1: (-1, Pose())}  # body → where it now lives
    for i, link in tree:
        parent, X = at[link.parent]
        X_PF, rotor = X @ link.X_PF, _carried(link.rotor, X.R)
        parts = _parts(link, formalism, screws=screws)
        if not parts:
            at[i] = (parent, X_PF)
            if parent >= 0:
                host = links[parent]
                links[parent] = replace(host, inertia=host.inertia + link.inertia.seen_from(X_PF))
            continue
        for number, (k, freedom, half) in enumerate(parts, 1):
            last, back = number == len(parts), half.inverse
            links.append(
                replace(
                    link,
                    parent=parent,
                    joint=joint_of(freedom),
                    X_PF=X_PF @ half,
                    X_MB=back @ link.X_MB,
                    inertia=link.inertia.seen_from(back) if last else Inertia(),
                    q=slice(link.q.start + k, link.q.start + k + 1),
                    v=slice(link.v.start + k, link.v.start + k + 1),
                    rotor=rotor,
                )
            )
            parent, X_PF = len(links) - 1, back
        at[i] = (parent, X_PF)
    return Tree(tuple(links), tree.nq, tree.nv)


def _carried(rotor: MotorRotor | None, R: Rotation) -> MotorRotor | None:
    """A rotor in the axes of the body that now carries it."""
    if rotor is None or rotor.axis is None:
        return rotor
    return replace(rotor, axis=R.out(rotor.axis))


def _parts(link: Link, formalism: str, *, screws: bool) -> list[tuple[int, Freedom, Pose]]:
    """The freedoms of a joint as they are crossed: number, freedom, and how its frames are turned.

    A turn or a slide seen from the other side is one about the opposite axis.
    """
    freedoms = link.joint.forward.freedoms
    plain = [x for x in freedoms or () if isinstance(x, Slide | Turn | Helix)]
    screwed = any(isinstance(x, Helix) for x in plain)
    if freedoms is None or len(plain) < len(freedoms) or (screwed and not screws):
        names = link.joint.names[0]
        raise ModelError(
            f'joint "{link.joint_name or link.name}"',
            say('the formalism "{formalism}" takes no {names} joint.', formalism, names),
            'Use "newton-euler" or "lagrange", which take every joint.',
        )
    if not link.joint.backwards:
        return [(k, x, Pose()) for k, x in enumerate(plain)]
    return [(k, x, _half_turn(x.axis)) for k, x in reversed(list(enumerate(plain)))]


def _half_turn(axis: int) -> Pose:
    """Half a turn that brings an axis to its opposite."""
    R = -np.eye(3, dtype=int)
    R[axis - 1, axis - 1] = 1
    return Pose(R=from_matrix(R))
