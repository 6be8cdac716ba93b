"""A mechanism written as URDF: a tree of links; comments list contents that URDF cannot have."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from torseur.errors import ModelError
from torseur.language.robot.format_tables import MOMENTS
from torseur.language.robot.numeric_robot import NumericRobot
from torseur.language.robot.placement import Array, Placement
from torseur.language.robot.robot_parts import Robot, RobotJoint, RobotLink
from torseur.language.robot.xml_tree import comment, numbers, tag
from torseur.model.description import Mechanism
from torseur.words.sentence import say

TYPES = {
    "fixed": "fixed",
    "revolute": "revolute",
    "prismatic": "prismatic",
    "planar": "planar",
    "free": "floating",
}
_DRAWN = ("box", "cylinder", "sphere")  # solids that URDF has
_EARTH = (0.0, 0.0, -9.81)


def urdf_text(mechanism: Mechanism) -> str:
    """The URDF of a mechanism at the values of its parameters."""
    robot = NumericRobot(mechanism, TYPES, "URDF").robot()
    for joint in robot.joints.values():
        if joint.closing:
            raise ModelError(
                f'joint "{joint.name}"',
                say('it closes a loop between "{a}" and "{b}".', joint.parent, joint.child),
                "URDF has no loops: write MJCF (.xml) or YAML.",
            )
    # a link of URDF has its origin on the axis of the joint that carries it
    origins = {joint.child: np.array(joint.point) for joint in robot.joints.values()}
    notices = [*robot.notices, *_notices(robot, origins)]
    return "\n".join(
        [
            '<?xml version="1.0"?>',
            *([comment(notices)] if notices else []),
            tag(
                "robot",
                *(
                    _link(link, origins.get(name, np.zeros(3)))
                    for name, link in robot.links.items()
                ),
                *(
                    _joint(joint, origins.get(joint.parent, np.zeros(3)))
                    for joint in robot.joints.values()
                ),
                name=robot.name,
            ),
            "",
        ]
    )


def _notices(robot: Robot, origins: dict[str, Array]) -> Iterator[str]:
    if tuple(robot.gravity or ()) != _EARTH:
        yield say("Not written in URDF: gravity ({gravity}).", numbers(robot.gravity or ()))
    names = ", ".join(name for name, p in origins.items() if p.any())
    if names:
        yield say("The origins of these links are moved to their joints: {names}.", names)
    visuals = [x for link in robot.links.values() for x in link.visuals]
    count = sum(not x.drawn_by(_DRAWN) for x in visuals)
    if count:
        yield say("Not written in URDF: {count} solid(s) that it does not have.", count)
    for joint in robot.joints.values():
        if joint.armature:
            yield say(
                'Not written in URDF: the rotor of joint "{joint}", {inertia:g} kg m².',
                joint.name,
                joint.armature,
            )


def _origin(p: Array, R: Array) -> str:
    return tag("origin", xyz=numbers(p), rpy=numbers(rpy(R)))


def rpy(R: Array) -> tuple[float, float, float]:
    """Roll, pitch and yaw of a rotation, R = R_z(yaw) R_y(pitch) R_x(roll)."""
    cosine = math.hypot(R[0, 0], R[1, 0])
    pitch = math.atan2(-R[2, 0], cosine)
    if cosine > 1e-9:
        return math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])
    return math.atan2(-R[1, 2], R[1, 1]), pitch, 0.0


def _link(link: RobotLink, origin: Array) -> str:
    inner = []
    if link.heavy:
        components = dict(zip(MOMENTS, link.inertia, strict=True))
        inner.append(
            tag(
                "inertial",
                tag("origin", xyz=numbers(np.array(link.centre, dtype=float) - origin)),
                tag("mass", value=link.mass),
                tag("inertia", **components),
            )
        )
    for mesh in link.meshes:
        file = tag("mesh", filename=mesh.file, scale=numbers(mesh.scale))
        inner.append(_visual(mesh.placement, origin, file))
    for visual in link.visuals:
        ((name, given),) = visual.shape.items()
        if visual.drawn_by(_DRAWN):
            sizes = {key: numbers(x) if key == "size" else x for key, x in given.items()}
            solid = tag(name, **{key: x for key, x in sizes.items() if key != "axis"})
            inner.append(_visual(visual.placement, origin, solid))
    return tag("link", *inner, name=link.name)


def _visual(X: Placement, origin: Array, solid: str) -> str:
    return tag("visual", _origin(X.p - origin, X.R), tag("geometry", solid))


def _joint(joint: RobotJoint, carrier: Array) -> str:
    X = joint.placement
    place = X.p + X.R @ np.array(joint.point) - carrier  # of the joint, in the link that carries it
    turns = joint.kind == "revolute" and joint.limits is None
    ends = [tag("parent", link=joint.parent), tag("child", link=joint.child)]
    inner = [_origin(place, X.R), *ends]
    if joint.kind not in ("fixed", "free"):
        inner.append(tag("axis", xyz=numbers(joint.axis)))
    # the format wants both, and zero is read as none
    bounds = {"effort": joint.effort or 0.0, "velocity": joint.velocity or 0.0}
    if joint.kind in ("revolute", "prismatic") and not turns:
        low, high = joint.limits or (-1e9, 1e9)
        inner.append(tag("limit", lower=low, upper=high, **bounds))
    elif any(bounds.values()):
        inner.append(tag("limit", **bounds))
    if joint.damping or joint.friction:
        inner.append(tag("dynamics", damping=joint.damping, friction=joint.friction))
    if joint.mimic is not None:
        mimic = joint.mimic
        inner.append(
            tag("mimic", joint=mimic.joint, multiplier=mimic.multiplier, offset=mimic.offset)
        )
    kind = "continuous" if turns else TYPES[joint.kind]
    return tag("joint", *inner, name=joint.name, type=kind)
