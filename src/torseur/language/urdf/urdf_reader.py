"""From the XML of a URDF to links and joints, a tree on the ground; the rest is reported."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from torseur.errors import ModelError, unknown
from torseur.language.robot.collision_solids import (
    collision_solids,
    reading_collisions,
    unknown_solids,
)
from torseur.language.robot.format_tables import (
    MOMENTS,
    REQUIRED,
    Field,
    RobotFormat,
    add_once,
    finite,
    number,
    numbers,
    positive,
    text,
    zero_axis,
)
from torseur.language.robot.placement import NOWHERE, Placement, by_angles
from torseur.language.robot.robot_parts import WORLD, Mimic, Robot, RobotJoint, RobotLink
from torseur.language.robot.shapes_of_links import Packages, not_drawn, shape_tables, shapes_of
from torseur.language.robot.xml_tree import XmlElement
from torseur.model.description import GROUND
from torseur.notices import not_read
from torseur.words.sentence import say

_NAME = {"name": Field("@name", text, REQUIRED)}
_ORIGIN = {
    "position": Field("origin/@xyz", numbers(3), NOWHERE),
    "angles": Field("origin/@rpy", numbers(3), NOWHERE),
}
URDF = RobotFormat(
    tables={
        "link": {
            **_NAME,
            "mass": Field("inertial/mass/@value"),
            **{key: Field(f"inertial/inertia/@{key}") for key in MOMENTS},
        },
        "inertial": _ORIGIN,
        "visual": _ORIGIN,
        "collision": _ORIGIN,
        "joint": {
            **_NAME,
            **_ORIGIN,
            "type": Field("@type", text, REQUIRED),
            "parent": Field("parent/@link", text, REQUIRED),
            "child": Field("child/@link", text, REQUIRED),
            "axis": Field("axis/@xyz", numbers(3), (1, 0, 0)),
            "low": Field("limit/@lower", finite),
            "high": Field("limit/@upper", finite),
            "effort": Field("limit/@effort", positive(finite), None),
            "velocity": Field("limit/@velocity", positive(finite), None),
            "damping": Field("dynamics/@damping"),
            "friction": Field("dynamics/@friction"),
            "leader": Field("mimic/@joint", text, REQUIRED),
            "multiplier": Field("mimic/@multiplier", number, 1),
            "offset": Field("mimic/@offset"),
        },
        **shape_tables("@", "@filename"),
    },
    types={x: x for x in ("revolute", "prismatic", "fixed", "planar")}
    | {"continuous": "revolute", "floating": "free"},
    read="robot/link robot/joint robot/@name robot/@version link/visual link/@type visual/@name",
    idle="robot/material visual/geometry visual/material",  # see `not_drawn`
)


def urdf_robot(
    root: XmlElement, packages: Packages, free_base: bool = False, collisions: bool = False
) -> Robot:
    """The robot of the root element of a URDF."""
    links: dict[str, RobotLink] = {}
    joints: dict[str, RobotJoint] = {}
    notices: list[str] = []
    for element in root.all("link"):
        add_once(links, _link(element, packages), element)
    for element in root.all("joint"):
        if element.children or element.get("type"):  # else it is of a <transmission> of old files
            add_once(joints, _joint(element, notices), element)
    if not links:
        raise root.fault("the file has no link.", 'Example: <link name="base"/>')
    format = reading_collisions(URDF) if collisions else URDF
    unread = format.unread(root) + _zero_limits(root)
    unread += unknown_solids(root.all("link")) if collisions else Counter()
    notices += [*not_read(unread), *not_drawn(root.all("link")), *packages.notices]
    name = root.get("name") or "robot"
    robot = Robot(name, links, joints, notices=tuple(notices), source=root.file)
    return rooted(robot, root.place, free_base)


def _link(element: XmlElement, packages: Packages) -> RobotLink:
    inertial = element.first("inertial")
    X = Placement() if inertial is None else _origin(inertial)
    solids = collision_solids(element, URDF, _origin, packages)
    shapes = shapes_of(element, URDF, _origin, packages)
    return URDF.link(element, (X.position, X.R), **shapes, collision=solids)


def _origin(element: XmlElement) -> Placement:
    return by_angles(*URDF.values(element, "position", "angles"))


def _joint(element: XmlElement, notices: list[str]) -> RobotJoint:
    kind = URDF.joint_type(element)
    name, parent, child, axis = URDF.values(element, "name", "parent", "child", "axis")
    if kind != "fixed" and not any(axis):
        raise zero_axis(element, name)
    return RobotJoint(
        name,
        kind,
        parent,
        child,
        element.line,
        _origin(element),
        axis=axis,
        limits=_limits(element, name, notices),
        mimic=_mimic(element),
        **URDF.acting(element, kind),
    )


def _limits(element: XmlElement, name: str, notices: list[str]) -> tuple[float, float] | None:
    """The range of a coordinate; None where the file gives none, or one without meaning."""
    limit = element.first("limit")
    if limit is None or element.get("type") not in ("revolute", "prismatic"):
        return None
    if not limit.get("lower") and not limit.get("upper"):
        return None
    low, high = URDF.values(element, "low", "high")
    if low is None or high is None:
        return None
    if low > high:
        notices.append(
            say(
                'joint "{name}": its limits {low} and {high} are reversed: ignored.',
                name,
                low,
                high,
            )
        )
        return None
    return low, high


def _zero_limits(root: XmlElement) -> Counter[str]:
    """Limits of effort and speed that are zero, which stand for none."""
    limits = [x for joint in root.all("joint") for x in joint.all("limit")]
    values = {
        (key, k): finite(limit, f"@{key}", limit.get(key))
        for key in ("effort", "velocity")
        for k, limit in enumerate(limits)
        if limit.get(key)
    }
    return Counter(
        f'<limit {key}="0">' for (key, _), x in values.items() if x is not None and x <= 0
    )


def _mimic(element: XmlElement) -> Mimic | None:
    if element.first("mimic") is None:
        return None
    return Mimic(*URDF.values(element, "leader", "multiplier", "offset"))


# --- one root, nothing in a circle --------------------------------------------------------------


def rooted(robot: Robot, place: str, free_base: bool = False) -> Robot:
    """The robot whose root is on the ground: it is the ground, is fixed to it, or is free."""
    robot = _without_ground(robot)
    carriers = _carriers(robot)
    roots = [name for name in robot.links if name not in carriers]
    if not roots:
        problem = say("every link is carried by another: {names}.", ", ".join(robot.links))
        raise ModelError(place, problem, "Let one link, the base, be the child of no joint.")
    if WORLD in carriers:
        joint = carriers[WORLD]
        problem = say('it carries the link "{name}", which is the ground.', WORLD)
        advice = say('Exchange its parent and its child, or give "{name}" another name.', WORLD)
        raise ModelError(robot.place(joint), problem, advice)
    _check_reached(robot, carriers, roots)
    if len(roots) > 1:
        raise ModelError(
            f"{robot.source}:{robot.links[roots[1]].line}",
            say("several links are carried by no joint: {names}.", ", ".join(roots[:10])),
            "Join them: a robot has one base.",
        )
    return _with_base(robot, roots[0], free_base)


def _with_base(robot: Robot, root: str, free_base: bool) -> Robot:
    """The robot with its root joined to the ground, unless that is called world."""
    line = robot.links[root].line
    if root == WORLD:
        if not free_base:
            return robot
        problem = say('the base is called "{name}", which is the ground: it cannot move.', WORLD)
        raise ModelError(f"{robot.source}:{line}", problem)
    if free_base:
        base = RobotJoint("base", "free", WORLD, root, line)
        notice = say('The base "{root}" moves freely.', root)
    else:
        base = RobotJoint(f"{root}_base", "fixed", WORLD, root, line)
        notice = say('The base "{root}" is fixed to the ground.', root)
    return replace(
        robot,
        links={WORLD: RobotLink(WORLD), **robot.links},
        joints={base.name: base, **robot.joints},
        notices=(*robot.notices, notice),
    )


def _without_ground(robot: Robot) -> Robot:
    """The robot whose link "ground" has another name: in a mechanism that is the fixed body."""
    if GROUND not in robot.links:
        return robot
    name = f"{GROUND}_link"
    while name in robot.links:
        name += "_link"
    names = {GROUND: name}
    links = [replace(x, name=names.get(x.name, x.name)) for x in robot.links.values()]
    joints = {
        key: replace(x, parent=names.get(x.parent, x.parent), child=names.get(x.child, x.child))
        for key, x in robot.joints.items()
    }
    notice = say('The link "{link}" is the body "{name}".', GROUND, name)
    notices = (*robot.notices, notice)
    return replace(robot, links={x.name: x for x in links}, joints=joints, notices=notices)


def _carriers(robot: Robot) -> dict[str, RobotJoint]:
    """The joint that carries each link."""
    carriers: dict[str, RobotJoint] = {}
    for joint in robot.joints.values():
        place, child = robot.place(joint), joint.child
        for end in (joint.parent, child):
            if end not in robot.links:
                raise unknown(place, "link", end, robot.links)
        if joint.parent == child:
            raise ModelError(place, say('it joins the link "{name}" to itself.', child))
        if child in carriers:
            first = carriers[child].name
            raise ModelError(
                place,
                say(
                    'the link "{child}" is carried by "{first}" too: that is a loop.', child, first
                ),
                "URDF has no loops: write SDF, MJCF or YAML.",
            )
        carriers[child] = joint
    return carriers


def _check_reached(robot: Robot, carriers: dict[str, RobotJoint], roots: list[str]) -> None:
    """Refuse links that carry each other in a circle."""
    reached = set(roots)
    for name in robot.links:
        path: list[str] = []
        while name not in reached:
            if name in path:
                names = " → ".join([*reversed(path[path.index(name) :]), path[-1]])
                raise ModelError(
                    robot.place(carriers[name]),
                    say("links carry each other in a circle: {names}.", names),
                    "Reverse one of the joints, or remove it.",
                )
            path.append(name)
            name = carriers[name].parent
        reached.update(path)
