"""From a mechanism to the tree of its bodies."""

from dataclasses import replace

import numpy as np

from torseur.errors import ModelError
from torseur.model.description import GROUND, Body, Joint, Mechanism, Motor
from torseur.model.joint_graph import Spanning, spanning
from torseur.model.joints.reversed import Reversed
from torseur.spatial.inertia import inertia
from torseur.spatial.pose import Pose
from torseur.topology.tree import Link, Rotor, Tree
from torseur.words.sentence import say


def spanning_tree(mechanism: Mechanism) -> Tree:
    """The tree of a mechanism that has no loop."""
    found = spanning(mechanism)
    if found.closing:
        raise _loop(found.closing[0])
    return tree_of(mechanism, found)


def tree_of(mechanism: Mechanism, found: Spanning) -> Tree:
    """The bodies and the joints that carry them, crossed from the ground outward."""
    ranges, nq, nv = _ranges(mechanism, found)
    index: dict[str, int] = {GROUND: -1}
    links: list[Link] = []
    motors = {motor.joint: motor for motor in mechanism.motors.values()}
    for joint, backwards in found.carrying:
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
    mechanism: Mechanism, found: Spanning
) -> tuple[dict[str, tuple[slice, slice]], int, int]:
    """Where each carrying joint stands in the arrays q and v, in the order of the description."""
    carrying = {joint.name for joint, _ in found.carrying}
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


def _rotor(motor: Motor | None, joint: Joint, X_carrier: Pose) -> Rotor | None:
    if motor is None or not motor.rotor_inertia:
        return None
    if motor.axis is None:
        return Rotor(motor.ratio, motor.rotor_inertia)
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
    return Rotor(motor.ratio, motor.rotor_inertia, X_carrier.R.out(np.asarray(motor.axis)))


def _loop(joint: Joint) -> ModelError:
    return ModelError(
        joint.place or f'joint "{joint.name}"',
        say('it closes a loop between "{first}" and "{second}".', joint.first, joint.second),
        "Equations are derived for trees: every body is carried by one joint.",
        say('Remove "{joint}", or another joint of the loop.', joint.name),
    )
