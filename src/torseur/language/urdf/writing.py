"""A mechanism written as URDF: a tree of links; what URDF has no words for stands in comments."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from torseur.errors import ModelError
from torseur.language.robot.numeric import Numeric
from torseur.language.robot.parts import Array, Link, Placement, Robot, RobotJoint
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
    robot = Numeric(mechanism, TYPES, "URDF").robot()
    for joint in robot.joints.values():
        if joint.closing:
            raise ModelError(
                f'joint "{joint.name}"',
                say('it closes a loop between "{a}" and "{b}".', joint.parent, joint.child),
                "URDF has no loops: write MJCF (.xml) or YAML.",
            )
    # a link of URDF has its origin on the axis of the joint that carries it
    origins = {joint.child: np.array(joint.point) for joint in robot.joints.values()}
    notices = [*robot.notices, *_told(robot, origins)]
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


def _told(robot: Robot, origins: dict[str, Array]) -> Iterator[str]:
    if tuple(robot.gravity or ()) != _EARTH:
        yield say("Not said in URDF: gravity ({gravity}).", numbers(robot.gravity or ()))
    moved = ", ".join(name for name, p in origins.items() if p.any())
    if moved:
        yield say("The origins of these links are moved to their joints: {names}.", moved)
    unsaid = sum(not x.drawn_by(_DRAWN) for link in robot.links.values() for x in link.visuals)
    if unsaid:
        yield say("Not said in URDF: {count} solid(s) that it has no word for.", unsaid)
    for joint in robot.joints.values():
        if joint.armature:
            yield say(
                'Not said in URDF: the rotor of joint "{joint}", {inertia:g} kg m².',
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


def _link(link: Link, origin: Array) -> str:
    inner = []
    if link.heavy:
        keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        components = {key: x for key, x in zip(keys, link.inertia, strict=True)}
        inner.append(
            tag(
                "inertial",
                tag("origin", xyz=numbers(np.array(link.centre, dtype=float) - origin)),
                tag("mass", value=link.mass),
                tag("inertia", **components),
            )
        )
    for mesh in link.meshes:
        X: Placement = mesh.placement
        file = tag("mesh", filename=mesh.file, scale=numbers(mesh.scale))
        inner.append(tag("visual", _origin(X.p - origin, X.R), tag("geometry", file)))
    for visual in link.visuals:
        X = visual.placement
        ((name, given),) = visual.shape.items()
        if visual.drawn_by(_DRAWN):
            sizes = {key: numbers(x) if key == "size" else x for key, x in given.items()}
            solid = tag(name, **{key: x for key, x in sizes.items() if key != "axis"})
            inner.append(tag("visual", _origin(X.p - origin, X.R), tag("geometry", solid)))
    return tag("link", *inner, name=link.name)


def _joint(joint: RobotJoint, carrier: Array) -> str:
    X = joint.placement
    place = X.p + X.R @ np.array(joint.point) - carrier  # of the joint, in the link that carries it
    turns = joint.kind == "revolute" and joint.limits is None
    inner = [
        _origin(place, X.R),
        tag("parent", link=joint.parent),
        tag("child", link=joint.child),
    ]
    if joint.kind not in ("fixed", "free"):
        inner.append(tag("axis", xyz=numbers(joint.axis)))
    if joint.kind in ("revolute", "prismatic") and not turns:
        low, high = joint.limits or (-1e9, 1e9)
        inner.append(
            tag("limit", lower=low, upper=high, effort=_most(joint.effort), velocity=_most(
                joint.velocity))
        )  # fmt: skip
    elif joint.effort or joint.velocity:
        inner.append(tag("limit", effort=_most(joint.effort), velocity=_most(joint.velocity)))
    if joint.damping or joint.friction:
        inner.append(tag("dynamics", damping=joint.damping, friction=joint.friction))
    if joint.mimic is not None:
        mimic = joint.mimic
        inner.append(
            tag("mimic", joint=mimic.joint, multiplier=mimic.multiplier, offset=mimic.offset)
        )
    kind = "continuous" if turns else TYPES[joint.kind]
    return tag("joint", *inner, name=joint.name, type=kind)


def _most(x: float | None) -> float:
    """What the format wants where nothing is said; zero is read as none."""
    return 0.0 if x is None else x
