"""A mechanism written as MJCF: nested bodies, and equality constraints that close its loops.

Mass data that MuJoCo refuses are changed where that changes no motion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from torseur.language.robot.numeric_robot import NumericRobot
from torseur.language.robot.placement import Array, Placement, by_matrix
from torseur.language.robot.robot_parts import WORLD, Robot, RobotJoint, RobotLink, Visual
from torseur.language.robot.xml_tree import comment, numbers, tag
from torseur.model.description import Mechanism
from torseur.model.mass.properties import composed
from torseur.spatial.quaternion import from_matrix as quaternion
from torseur.words.sentence import say

TYPES = {
    "fixed": "",
    "revolute": "hinge",
    "prismatic": "slide",
    "spherical": "ball",
    "free": "free",
}
TURNS = ("revolute", "prismatic", "spherical")  # joints of which a body may have several
DRAWN = ("box", "cylinder", "sphere", "capsule")  # solids that MJCF has
SHOWN = 2  # the group that MuJoCo shows and where, by custom, nothing touches
_ARM = 0.1  # [m] from a point of an axis to another one, where a hinge closes a loop
_SMALLEST = 1e-15  # mjMINVAL: masses and moments below this are refused
_LEAST = 1e-12  # [kg, kg m²] that a mass or a moment becomes where it would be zero
_PARALLEL = 1e-9
_SEVERAL = np.full(3, np.nan)  # the direction of a link that turns about several


def mjcf_text(mechanism: Mechanism) -> str:
    """The MJCF of a mechanism at the values of its parameters."""
    robot = _with_accepted_masses(NumericRobot(mechanism, TYPES, "MJCF").robot())
    notices = [*robot.notices, *_notices(robot)]
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


def _notices(robot: Robot) -> Iterator[str]:
    if any(x.closing for x in robot.joints.values()):
        yield say("Loops are closed by equality constraints, which are soft in MuJoCo.")
    for joint in robot.joints.values():
        if joint.velocity is not None:
            yield say(
                'Not written in MJCF: joint "{joint}" moves at most at {velocity:g}.',
                joint.name,
                joint.velocity,
            )
    count = sum(len(x.meshes) for x in robot.links.values())
    if count:
        yield say("Not written in MJCF: {count} surface(s) in files.", count)


def _children(robot: Robot, carrier: str) -> list[str]:
    """The bodies that a body carries, each with those that it carries."""
    return [_body(robot, [joint]) for joint in _children_of(robot, carrier)]


def _children_of(robot: Robot, carrier: str) -> list[RobotJoint]:
    return [x for x in robot.joints.values() if x.parent == carrier and not x.closing]


def _body(robot: Robot, joints: list[RobotJoint]) -> str:
    """A body with the joints that carry it, one after the other."""
    last = joints[-1]
    link, beyond = robot.links[last.child], _children_of(robot, last.child)
    closed = any(last.child in (x.parent, x.child) for x in robot.joints.values() if x.closing)
    moves = last.kind not in ("fixed", "free")
    if moves and not link.heavy and len(beyond) == 1 and not closed and beyond[0].kind in TURNS:
        return _body(robot, [*_in_axes(joints, beyond[0].placement), beyond[0]])
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
    """A plain solid that is shown and neither weighs nor touches; MJCF has some of them."""
    if not visual.drawn_by(DRAWN):
        return
    ((name, sizes),) = visual.shape.items()
    if name == "box":
        half = [x / 2 for x in sizes["size"]]
    else:
        half = [sizes["radius"], *([sizes["length"] / 2] if "length" in sizes else [])]
    X = visual.placement
    yield tag(
        "geom",
        type=name,
        size=numbers(half),
        pos=numbers(X.p),
        quat=numbers(quaternion(X.R)),
        group=SHOWN,
        contype=0,
        conaffinity=0,
        mass=0,
    )


def _in_axes(joints: list[RobotJoint], X: Placement) -> list[RobotJoint]:
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
    """The places where a joint that closes a loop holds its two bodies together, by name.

    Sites give them in both bodies; an anchor would give the second at zero coordinates, where the
    loop may be open.
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
    sites = []
    for joint in robot.joints.values():
        for name, first, second in _ends(joint):
            sides = (joint.parent, "first", first), (joint.child, "second", second)
            for owner, side, X in sides:
                if owner == link:
                    pose = {"pos": numbers(X.p), "quat": numbers(quaternion(X.R))}
                    sites.append(tag("site", name=f"{name}_{side}", **pose))
    return sites


# --- mass data that MuJoCo accepts --------------------------------------------------------------


def _with_accepted_masses(robot: Robot) -> Robot:
    """The robot with mass data of which MuJoCo refuses as few as can be, without another motion.

    A link that is fixed leaves its mass data to its carrier where they are refused. A link that
    turns about one direction only needs its moment about that one.
    """
    links, outward = dict(robot.links), _outward(robot)
    fixed = [x for x in reversed(outward) if x.kind == "fixed"]
    merged = [x.child for x in fixed if _leave_to_carrier(links, x)]
    flat = [name for name, u in _turning(outward).items() if _flatten(links, name, u)]
    moving = (x for x in robot.joints.values() if x.kind != "fixed" and not x.closing)
    wrong = [x.child for x in moving if links[x.child].heavy and not _sound(links[x.child])]
    notices = [*robot.notices]
    if merged:
        notices.append(
            say(
                "MuJoCo refuses the mass data of {names}: they are added to the bodies that carry "
                "them.",
                ", ".join(merged),
            )
        )
    if flat:
        notices.append(
            say(
                "Moments of {names} about directions that they do not turn about are replaced by "
                "values that MuJoCo accepts.",
                ", ".join(flat),
            )
        )
    if wrong:
        names = ", ".join(wrong)
        notices.append(say("MuJoCo refuses the mass data of {names}, which move.", names))
    return replace(robot, links=links, notices=tuple(notices))


def _sound(link: RobotLink) -> bool:
    """Whether MuJoCo takes the mass data: principal moments of some body, none of them zero."""
    a, b, c = np.linalg.eigvalsh(link.properties.inertia)
    return bool(link.mass > _SMALLEST and a > _SMALLEST and a + b >= c)


def _outward(robot: Robot) -> list[RobotJoint]:
    """The joints that carry links, each after the one that carries its carrier."""
    outward: list[RobotJoint] = []
    pending = [WORLD]
    while pending:
        beyond = _children_of(robot, pending.pop())
        outward += beyond
        pending += [joint.child for joint in beyond]
    return outward


def _leave_to_carrier(links: dict[str, RobotLink], joint: RobotJoint) -> bool:
    """Give refused mass data of a fixed link to its carrier; whether that was done."""
    link = links[joint.child]
    if not link.heavy or _sound(link):
        return False
    if joint.parent != WORLD:
        carrier, X = links[joint.parent], joint.placement
        parts = [
            link.properties.in_frame(X.R, X.p),
            *([carrier.properties] if carrier.heavy else []),
        ]
        links[joint.parent] = carrier.weighing(composed(parts))
    links[joint.child] = replace(link, mass=0, centre=(0, 0, 0), inertia=(0,) * 6)
    return True


def _turning(outward: list[RobotJoint]) -> Mapping[str, Array]:
    """The direction about which each link turns, in its axes: zero for none, NaN for several."""
    directions = {WORLD: np.zeros(3)}
    for joint in outward:
        u = joint.placement.R.T @ directions[joint.parent]
        if joint.kind == "revolute":
            axis = np.array(joint.axis, dtype=float) / np.linalg.norm(joint.axis)
            alike = not u.any() or np.abs(np.cross(u, axis)).max() < _PARALLEL
            u = axis if alike else _SEVERAL
        elif joint.kind not in ("fixed", "prismatic"):
            u = _SEVERAL
        directions[joint.child] = u
    return directions


def _flatten(links: dict[str, RobotLink], name: str, u: Array) -> bool:
    """Give a link that turns about one direction at most equal moments; whether that was done."""
    link = links[name]
    if not link.heavy or _sound(link) or np.isnan(u).any():
        return False
    tensor, mass = link.properties.inertia, max(float(link.mass), _LEAST)
    about = max(float(u @ tensor @ u), _LEAST)
    links[name] = replace(link, mass=mass, inertia=(about, about, about, 0.0, 0.0, 0.0))
    return True
