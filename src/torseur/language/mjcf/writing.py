"""A mechanism written as MJCF: nested bodies, and equality constraints that close its loops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from torseur.language.mjcf.mass_data import as_mujoco_takes_them
from torseur.language.robot.numbers import by_matrix
from torseur.language.robot.numeric import Numeric
from torseur.language.robot.parts import WORLD, Placement, Robot, RobotJoint, Visual
from torseur.language.robot.xml_tree import comment, numbers, tag
from torseur.model.description import Mechanism
from torseur.spatial.quaternion import from_matrix as quaternion
from torseur.words.sentence import say

TYPES = {
    "fixed": "",
    "revolute": "hinge",
    "prismatic": "slide",
    "spherical": "ball",
    "free": "free",
}
TURNS = ("revolute", "prismatic", "spherical")  # what one body may have several of
DRAWN = ("box", "cylinder", "sphere", "capsule")  # solids that MJCF has
SEEN = 2  # the group that MuJoCo shows and where, by custom, nothing touches
_ARM = 0.1  # [m] from a point of an axis to another one, where a hinge closes a loop


def mjcf_text(mechanism: Mechanism) -> str:
    """The MJCF of a mechanism at the values of its parameters."""
    numeric = Numeric(mechanism, TYPES, "MJCF")
    robot = as_mujoco_takes_them(numeric.robot())
    notices = [*robot.notices, *_told(robot)]
    closing = [part for joint in robot.joints.values() for part in _equality(joint)]
    return "\n".join(
        [
            *([comment(notices)] if notices else []),
            tag(
                "mujoco",
                tag("compiler", angle="radian", autolimits="true"),
                tag("option", gravity=numbers(robot.gravity or (0, 0, 0))),
                tag("worldbody", *_sites(robot, WORLD), *_children(robot, WORLD)),
                *([tag("equality", *closing)] if closing else []),
                model=robot.name,
            ),
            "",
        ]
    )


def _told(robot: Robot) -> Iterator[str]:
    if any(x.closing for x in robot.joints.values()):
        yield say("Loops are closed by equality constraints, which are soft in MuJoCo.")
    for joint in robot.joints.values():
        if joint.velocity is not None:
            yield say(
                'Not said in MJCF: joint "{joint}" moves at most at {velocity:g}.',
                joint.name,
                joint.velocity,
            )
    unsaid = sum(len(x.meshes) for x in robot.links.values())
    if unsaid:
        yield say("Not said in MJCF: {count} surface(s) in files.", unsaid)


def _children(robot: Robot, carrier: str) -> list[str]:
    """The bodies that a body carries, each with those that it carries."""
    return [_body(robot, [joint]) for joint in _carried(robot, carrier)]


def _carried(robot: Robot, carrier: str) -> list[RobotJoint]:
    return [x for x in robot.joints.values() if x.parent == carrier and not x.closing]


def _body(robot: Robot, joints: list[RobotJoint]) -> str:
    """A body with the joints that carry it, one after the other."""
    last = joints[-1]
    link, beyond = robot.links[last.child], _carried(robot, last.child)
    held = any(last.child in (x.parent, x.child) for x in robot.joints.values() if x.closing)
    moves = last.kind not in ("fixed", "free")
    if moves and not link.heavy and len(beyond) == 1 and not held and beyond[0].kind in TURNS:
        return _body(robot, [*_seen_from(joints, beyond[0].placement), beyond[0]])
    X, inner = joints[0].placement, []
    for joint in joints[1:]:
        X = by_matrix(X.p + X.R @ joint.placement.p, X.R @ joint.placement.R)
    if last.kind == "free":
        inner.append(tag("freejoint", name=last.name))
    inner += [_joint(joint) for joint in joints if joint.kind not in ("fixed", "free")]
    if link.heavy:
        inner.append(
            tag(
                "inertial",
                pos=numbers(link.centre),
                mass=float(link.mass),
                fullinertia=numbers(link.inertia),
            )
        )
    inner += [*(geom for x in link.visuals for geom in _geom(x)), *_sites(robot, link.name)]
    inner += _children(robot, link.name)
    return tag("body", *inner, name=link.name, pos=numbers(X.p), quat=numbers(quaternion(X.R)))


def _geom(visual: Visual) -> Iterator[str]:
    """A plain solid that is seen and neither weighs nor touches; MJCF has some of them."""
    if not visual.drawn_by(DRAWN):
        return
    ((name, given),) = visual.shape.items()
    if name == "box":
        half = [x / 2 for x in given["size"]]
    else:
        half = [given["radius"], *([given["length"] / 2] if "length" in given else [])]
    X = visual.placement
    yield tag(
        "geom",
        type=name,
        size=numbers(half),
        pos=numbers(X.p),
        quat=numbers(quaternion(X.R)),
        group=SEEN,
        contype=0,
        conaffinity=0,
        mass=0,
    )


def _seen_from(joints: list[RobotJoint], X: Placement) -> list[RobotJoint]:
    """Joints with their points and axes in the axes of a body that is carried further on."""
    return [
        replace(
            joint,
            point=tuple(X.R.T @ (np.array(joint.point) - X.p)),
            axis=tuple(X.R.T @ joint.axis),
        )
        for joint in joints
    ]


def _joint(joint: RobotJoint) -> str:
    return tag(
        "joint",
        name=joint.name,
        type=TYPES[joint.kind],
        pos=numbers(joint.point),
        axis=None if joint.kind == "spherical" else numbers(joint.axis),
        range=None if joint.limits is None else numbers(joint.limits),
        actuatorfrcrange=None if joint.effort is None else numbers((-joint.effort, joint.effort)),
        damping=joint.damping or None,
        frictionloss=joint.friction or None,
        armature=joint.armature or None,
    )


def _equality(joint: RobotJoint) -> Iterator[str]:
    """A loop that a joint closes, and a joint that follows another."""
    if joint.mimic is not None:
        mimic = joint.mimic
        yield tag(
            "joint",
            joint1=joint.name,
            joint2=mimic.joint,
            polycoef=numbers((mimic.offset, mimic.multiplier, 0, 0, 0)),
        )
    for name, _, _ in _ends(joint):
        kind = "weld" if joint.kind == "fixed" else "connect"
        yield tag(kind, name=name, site1=f"{name}_first", site2=f"{name}_second")


End = tuple[str, Placement, Placement]


def _ends(joint: RobotJoint) -> list[End]:
    """Where a joint that closes a loop holds its two bodies together, by name.

    Sites say it in both bodies; an anchor would say it in the second as it is at zero coordinates,
    where the loop may be open.
    """
    if not joint.closing:
        return []
    X, p, axis = joint.placement, np.array(joint.point, dtype=float), np.array(joint.axis)
    if joint.kind == "fixed":
        return [(joint.name, X, Placement())]
    # a hinge is held at two points of its axis
    along = (0.0,) if joint.kind == "spherical" else (-_ARM, _ARM)
    return [
        (joint.name if not k else f"{joint.name}_{k + 1}", Placement(tuple(X.p + X.R @ there)),
         Placement(tuple(there)))
        for k, there in enumerate(p + x * axis for x in along)
    ]  # fmt: skip


def _sites(robot: Robot, link: str) -> list[str]:
    """The ends of closing joints that are on a link."""
    found = []
    for joint in robot.joints.values():
        for name, first, second in _ends(joint):
            sides = (joint.parent, "first", first), (joint.child, "second", second)
            for owner, side, X in sides:
                if owner == link:
                    pose = {"pos": numbers(X.p), "quat": numbers(quaternion(X.R))}
                    found.append(tag("site", name=f"{name}_{side}", **pose))
    return found
