"""From the XML of a URDF to links and joints, a tree on the ground; what is not read is told."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any

from torseur.errors import ModelError, unknown
from torseur.language.robot.numbers import attribute, number, placed, several, turned_inertia
from torseur.language.robot.packages import Packages
from torseur.language.robot.parts import (
    WORLD,
    Link,
    Mesh,
    Mimic,
    Numbers,
    Placement,
    Robot,
    RobotJoint,
)
from torseur.language.robot.plain_solids import meshes, undrawn, visuals
from torseur.language.robot.unread import Known, unread
from torseur.language.robot.xml_tree import Element
from torseur.model.description import GROUND
from torseur.model.left_out import not_read
from torseur.words.sentence import say

KINDS = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "free",
    "planar": "planar",
}
_SAID = {
    "robot": Known("link joint", "material", "name version"),
    "link": Known("inertial visual", "", "name type"),
    "inertial": Known("origin mass inertia"),
    "origin": Known(attributes="xyz rpy"),
    "mass": Known(attributes="value"),
    "inertia": Known(attributes="ixx ixy ixz iyy iyz izz"),
    "visual": Known("origin", "geometry material", "name"),  # what is not drawn is told apart
    "joint": Known("origin parent child axis limit dynamics mimic", "", "name type"),
    "parent": Known(attributes="link"),
    "child": Known(attributes="link"),
    "axis": Known(attributes="xyz"),
    "limit": Known(attributes="lower upper effort velocity"),
    "dynamics": Known(attributes="damping friction"),
    "mimic": Known(attributes="joint multiplier offset"),
}


def urdf_robot(root: Element, packages: Packages, free_base: bool = False) -> Robot:
    """The robot of the root element of a URDF."""
    links: dict[str, Link] = {}
    for element in root.all("link"):
        link = _link(element, packages)
        _once(element, "link", link.name, links)
        links[link.name] = link
    joints: dict[str, RobotJoint] = {}
    notices: list[str] = []
    for element in root.all("joint"):
        if not element.children and not element.get("type"):
            continue  # a joint of a <transmission> of old files
        joint = _joint(element, notices)
        _once(element, "joint", joint.name, joints)
        joints[joint.name] = joint
    if not links:
        raise root.fault("the file has no link.", 'Example: <link name="base"/>')
    told = unread(root, _SAID) + _zero_limits(root)
    notices += [*not_read(told), *undrawn(root.all("link")), *packages.notices]
    name = root.get("name") or "robot"
    robot = Robot(name, links, joints, notices=tuple(notices), source=root.file)
    return rooted(robot, root.place, free_base)


def _once(element: Element, kind: str, name: str, found: dict[str, Any]) -> None:
    if name in found:
        raise element.fault(
            say(
                'the <{kind}> "{name}" is there twice: first on line {line}.',
                kind,
                name,
                found[name].line,
            ),
            "Rename one of them.",
        )


def _link(element: Element, packages: Packages) -> Link:
    name, inertial = element.required("name"), element.first("inertial")
    surfaces = meshes(element, partial(_mesh, packages))
    drawn = visuals(element, Element.required, _origin)
    if inertial is None:
        return Link(name, element.line, meshes=surfaces, visuals=drawn)
    mass, inertia = inertial.first("mass"), inertial.first("inertia")
    X = _origin(inertial)
    keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    six = tuple(attribute(inertia, key) for key in keys)
    return Link(
        name,
        element.line,
        attribute(mass, "value"),
        X.position,
        turned_inertia(six, X.R),
        surfaces,
        drawn,
    )


def _origin(element: Element) -> Placement:
    origin = element.first("origin")
    if origin is None:
        return Placement()
    return placed(_three(origin, "xyz"), _three(origin, "rpy"))


def _three(element: Element, key: str, otherwise: str = "0 0 0") -> Numbers:
    return several(element, key, element.get(key) or otherwise, 3)


def _mesh(packages: Packages, visual: Element, mesh: Element) -> Mesh:
    file = packages.path(mesh.required("filename"))
    return Mesh(file, _origin(visual), _three(mesh, "scale", "1 1 1"))


def _joint(element: Element, notices: list[str]) -> RobotJoint:
    name, kind = element.required("name"), element.required("type")
    if kind not in KINDS:
        known = ", ".join(KINDS)
        problem = say('the joint "{name}" has the type "{kind}".', name, kind)
        raise element.fault(problem, say("Types of URDF: {known}.", known))
    ends = {}
    for tag in ("parent", "child"):
        end = element.first(tag)
        if end is None:
            raise element.fault(say('the joint "{name}" has no <{tag}>.', name, tag))
        ends[tag] = end.required("link")
    axis = element.first("axis")
    limit, dynamics = element.first("limit"), element.first("dynamics")
    direction = (1, 0, 0) if axis is None else _three(axis, "xyz", "1 0 0")
    if KINDS[kind] != "fixed" and not any(direction):
        raise element.fault(say('the axis of the joint "{name}" is zero.', name))
    turns_or_slides = KINDS[kind] in ("revolute", "prismatic")
    return RobotJoint(
        name,
        KINDS[kind],
        ends["parent"],
        ends["child"],
        element.line,
        _origin(element),
        axis=direction,
        limits=_limits(name, kind, limit, notices),
        effort=_positive(limit if turns_or_slides else None, "effort"),
        velocity=_positive(limit if turns_or_slides else None, "velocity"),
        damping=attribute(dynamics, "damping"),
        friction=attribute(dynamics, "friction"),
        mimic=_mimic(element),
    )


def _limits(
    name: str, kind: str, limit: Element | None, notices: list[str]
) -> tuple[float, float] | None:
    """The range of a coordinate; none where the file gives none that makes sense."""
    if kind not in ("revolute", "prismatic") or limit is None:
        return None
    if not limit.get("lower") and not limit.get("upper"):
        return None
    if not all(_finite(limit.get(key) or "0") for key in ("lower", "upper")):
        return None
    low, high = attribute(limit, "lower"), attribute(limit, "upper")
    if low > high:
        notices.append(
            say(
                'joint "{name}": its limits {low} and {high} are reversed and not kept.',
                name,
                low,
                high,
            )
        )
        return None
    return low, high


def _finite(text: str) -> bool:
    return text.lower().lstrip("+-") not in ("inf", "infinity")


def _positive(limit: Element | None, key: str) -> float | None:
    """A limit of effort or speed; none where it is absent, zero, negative or infinite."""
    text = limit.get(key) if limit is not None else ""
    if limit is None or not text or not _finite(text):
        return None
    value = number(limit, key, text)
    return value if value > 0 else None


def _zero_limits(root: Element) -> Counter[str]:
    """Limits of effort and speed that are zero, which stand for none."""
    limits = [x for joint in root.all("joint") for x in joint.all("limit")]
    return Counter(
        f'<limit {key}="0">'
        for key in ("effort", "velocity")
        for limit in limits
        if limit.get(key) and _finite(limit.get(key)) and number(limit, key, limit.get(key)) <= 0
    )


def _mimic(element: Element) -> Mimic | None:
    mimic = element.first("mimic")
    if mimic is None:
        return None
    return Mimic(
        mimic.required("joint"), attribute(mimic, "multiplier", "1"), attribute(mimic, "offset")
    )


# --- one root, nothing in a circle --------------------------------------------------------------


def rooted(robot: Robot, place: str, free_base: bool = False) -> Robot:
    """The robot whose root is on the ground: it is the ground, is fixed to it, or is free."""
    robot = _renamed(robot)
    carried = _carried(robot)
    roots = [name for name in robot.links if name not in carried]
    if not roots:
        problem = say("every link is carried by another: {names}.", ", ".join(robot.links))
        raise ModelError(place, problem, "One link, the base, is the child of no joint.")
    _reached(robot, carried, roots)
    if len(roots) > 1:
        raise ModelError(
            f"{robot.source}:{robot.links[roots[1]].line}",
            say("several links are carried by no joint: {names}.", ", ".join(roots[:10])),
            "Join them: a robot has one base.",
        )
    return _based(robot, roots[0], free_base)


def _based(robot: Robot, root: str, free_base: bool) -> Robot:
    """The root joined to the ground, unless it is called world."""
    if root == WORLD and not free_base:
        return robot
    if root == WORLD:
        raise ModelError(
            f"{robot.source}:{robot.links[root].line}",
            say('the base is called "{name}", which is the ground: it cannot move.', WORLD),
        )
    kind, name = ("free", "base") if free_base else ("fixed", f"{root}_base")
    base = RobotJoint(name, kind, WORLD, root, robot.links[root].line)
    told = (
        say('The base "{root}" moves freely.', root)
        if free_base
        else say('The base "{root}" is fixed to the ground.', root)
    )
    return replace(
        robot,
        links={WORLD: Link(WORLD), **robot.links},
        joints={base.name: base, **robot.joints},
        notices=(*robot.notices, told),
    )


def _renamed(robot: Robot) -> Robot:
    """The robot without a link that has the name of the ground of every mechanism."""
    if GROUND not in robot.links:
        return robot
    name = f"{GROUND}_link"
    links = {
        name if x == GROUND else x: replace(y, name=name) if x == GROUND else y
        for x, y in robot.links.items()
    }
    joints = {
        x: replace(
            y,
            parent=name if y.parent == GROUND else y.parent,
            child=name if y.child == GROUND else y.child,
        )
        for x, y in robot.joints.items()
    }
    told = say('The link "{link}" is the body "{name}".', GROUND, name)
    return replace(robot, links=links, joints=joints, notices=(*robot.notices, told))


def _carried(robot: Robot) -> dict[str, RobotJoint]:
    """The joint that carries each link."""
    found: dict[str, RobotJoint] = {}
    for joint in robot.joints.values():
        place = robot.place(joint)
        for end in (joint.parent, joint.child):
            if end not in robot.links:
                raise unknown(place, "link", end, robot.links)
        if joint.parent == joint.child:
            raise ModelError(place, say('it joins the link "{name}" to itself.', joint.child))
        if joint.child in found:
            raise ModelError(
                place,
                say(
                    'the link "{child}" is carried by "{first}" already: that is a loop.',
                    joint.child,
                    found[joint.child].name,
                ),
                "URDF has no loops: SDF, MJCF and the YAML form have.",
            )
        found[joint.child] = joint
    return found


def _reached(robot: Robot, carried: dict[str, RobotJoint], roots: list[str]) -> None:
    """Every link hangs on a root, none in a circle."""
    sound = set(roots)
    for name in robot.links:
        path: list[str] = []
        while name not in sound:
            if name in path:
                joint = carried[name]
                names = " → ".join([*reversed(path[path.index(name) :]), path[-1]])
                raise ModelError(
                    robot.place(joint),
                    say("links carry each other in a circle: {names}.", names),
                    "Turn one of the joints round, or remove it.",
                )
            path.append(name)
            name = carried[name].parent
        sound.update(path)
