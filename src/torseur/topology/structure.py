"""From a mechanism to the tree of its bodies and the joints that close it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import expressions
from torseur.errors import ModelError
from torseur.model.constraints.protocol import JointRows
from torseur.model.constraints.selection import rows_of
from torseur.model.description import GROUND, Body, Joint, Mechanism, Motor
from torseur.model.freed import followed
from torseur.model.joint_graph import Spanning, spanning
from torseur.model.joints.reversed import Reversed
from torseur.once import once
from torseur.spatial.inertia import inertia
from torseur.spatial.pose import Pose
from torseur.spatial.vectors import Array, axial
from torseur.topology.tree import Link, MotorRotor, Tree
from torseur.words.sentence import say


def tree_of(mechanism: Mechanism, spanning_tree: Spanning) -> Tree:
    """The bodies and the joints that carry them, crossed from the ground outward."""
    ranges, nq, nv = _ranges(mechanism, spanning_tree)
    index: dict[str, int] = {GROUND: -1}
    links: list[Link] = []
    motors = {motor.joint: motor for motor in mechanism.motors.values()}
    for joint, backwards in spanning_tree.carrying:
        crossed = _turned(joint) if backwards else joint
        carrier = links[index[crossed.first]] if crossed.first != GROUND else None
        X_carrier = carrier.X_MB if carrier is not None else Pose()
        index[crossed.second] = len(links)
        body = mechanism.bodies[crossed.second]
        link = _link(body, crossed, index[crossed.first], X_carrier, ranges[joint.name])
        rotor = _rotor(motors.get(joint.name), crossed, X_carrier)
        links.append(replace(link, rotor=rotor))
    return Tree(tuple(links), nq, nv)


def _ranges(
    mechanism: Mechanism, spanning_tree: Spanning
) -> tuple[dict[str, tuple[slice, slice]], int, int]:
    """Where each carrying joint stands in the arrays q and v, in the order of the description."""
    carrying = {joint.name for joint, _ in spanning_tree.carrying}
    ranges, q, v = {}, 0, 0
    for joint in mechanism.joints.values():
        if joint.name in carrying:
            ranges[joint.name] = (slice(q, q + joint.kind.nq), slice(v, v + joint.kind.nv))
            q, v = q + joint.kind.nq, v + joint.kind.nv
    return ranges, q, v


def _turned(joint: Joint) -> Joint:
    """The joint with its bodies exchanged, its coordinates unchanged."""
    return replace(
        joint,
        kind=Reversed(joint.kind),
        first=joint.second,
        second=joint.first,
        X_AF=joint.X_BM,
        X_BM=joint.X_AF,
    )


def _link(
    body: Body, joint: Joint, parent: int, X_carrier: Pose, ranges: tuple[slice, slice]
) -> Link:
    """The body with its data brought to its computing frame, the frame M of its joint."""
    X_MB = joint.X_BM.inverse
    return Link(
        name=body.name,
        parent=parent,
        joint=joint.kind,
        X_PF=X_carrier @ joint.X_AF,
        inertia=inertia(body.mass, body.centre, body.inertia).seen_from(X_MB),
        q=ranges[0],
        v=ranges[1],
        X_MB=X_MB,
        joint_name=joint.name,
    )


def _rotor(motor: Motor | None, joint: Joint, X_carrier: Pose) -> MotorRotor | None:
    if motor is None or not motor.rotor_inertia:
        return None
    if motor.axis is None:
        return MotorRotor(motor.ratio, motor.rotor_inertia)
    if joint.kind.backwards:
        raise ModelError(
            motor.place or f'motor "{motor.name}"',
            say(
                'the rotor is carried by "{second}", which joint "{joint}" moves.',
                joint.second,
                joint.name,
            ),
            say('Write the bodies of "{joint}" from the ground outward.', joint.name),
        )
    return MotorRotor(motor.ratio, motor.rotor_inertia, X_carrier.R.out(np.asarray(motor.axis)))


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
    speeds: tuple[str, ...] = ()
    guide: Guide | None = None  # of F, when it is not at rest on A

    @property
    def rows(self) -> int:
        """The number of its constraint equations."""
        return 6 - int(self.joint.nv)


@final
@dataclass(frozen=True)
class Structure:
    """The tree, the joints that close it, and the names of the tree's coordinates and speeds."""

    tree: Tree
    cuts: tuple[Cut, ...]
    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]


@once
def structure(mechanism: Mechanism) -> Structure:
    """The structure of a mechanism; without loops its coordinates are those of the mechanism."""
    spanning_tree = spanning(mechanism)
    tree = tree_of(mechanism, spanning_tree)
    cuts = cuts_of(tree, closing_parts(mechanism, spanning_tree.closing))
    return Structure(tree, cuts, *state_names(mechanism))


def state_names(mechanism: Mechanism) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the coordinates and of the speeds of the tree; of what follows angles, too."""
    return (*mechanism.coordinates, *followed(mechanism)), mechanism.speeds


def closing_parts(mechanism: Mechanism, joints: Iterable[Joint]) -> list[Joint | JointRows]:
    """The joints that close loops, and what constraints hold between frames."""
    return [*joints, *(x for x in rows_of(mechanism) if isinstance(x, JointRows))]


def cuts_of(tree: Tree, closing: Iterable[Joint | JointRows]) -> tuple[Cut, ...]:
    """Joints that close the tree, between computing frames."""
    index = {link.name: i for i, link in tree} | {GROUND: -1}

    def placed(body: str, X: Pose) -> Pose:
        return X if body == GROUND else tree.links[index[body]].X_MB @ X

    def cut(x: Joint | JointRows) -> Cut:
        poses = placed(x.first, x.X_AF), placed(x.second, x.X_BM)
        guide = _guide(x.X_AF) if isinstance(x, JointRows) and x.moving else None
        A, B = index[x.first], index[x.second]
        return Cut(x.name, x.kind, A, B, *poses, x.coordinates, x.speeds, guide)

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
