"""From the XML of an SDF model to links and joints; a joint too many closes a loop."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from torseur.errors import unknown
from torseur.language.robot.numbers import (
    by_matrix,
    free_start,
    number,
    several,
    turned_inertia,
)
from torseur.language.robot.packages import Packages
from torseur.language.robot.parts import (
    WORLD,
    Array,
    Link,
    Mesh,
    Mimic,
    Placement,
    Robot,
    RobotJoint,
)
from torseur.language.robot.plain_solids import meshes, undrawn, visuals
from torseur.language.robot.unread import Known, unread
from torseur.language.robot.xml_tree import Element
from torseur.language.sdf.poses import Poses, own_pose, relative, text_of
from torseur.model.description import GROUND
from torseur.model.left_out import not_read
from torseur.words.sentence import say

KINDS = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "ball": "spherical",
    "universal": "universal",
    "revolute2": "universal",
    "screw": "screw",
}
_OFF = "self_collide=false self_collide=0 enable_wind=false enable_wind=0"
_SAID = {
    "sdf": Known("world model", "", "version"),
    "world": Known(
        "model gravity",  # the others are looks, sensors and numerical methods
        "atmosphere audio gui light magnetic_field physics scene spherical_coordinates",
        "name",
    ),
    "model": Known(
        "link joint frame pose static name", f"allow_auto_disable {_OFF}", "name canonical_link"
    ),
    "frame": Known("pose", "", "name attached_to"),
    "pose": Known(attributes="relative_to rotation_format degrees"),
    "link": Known(
        "pose inertial visual",
        f"light gravity=true gravity=1 kinematic=false kinematic=0 {_OFF}",
        "name",
    ),
    "visual": Known(
        "pose",
        "geometry material cast_shadows transparency visibility_flags meta laser_retro",
        "name",
    ),
    "inertial": Known("pose mass inertia", "", "auto=false auto=0"),
    "inertia": Known("ixx ixy ixz iyy iyz izz"),
    "joint": Known("parent child pose axis axis2 screw_thread_pitch", "thread_pitch", "name type"),
    "axis": Known("xyz limit dynamics mimic use_parent_model_frame"),
    "axis2": Known("xyz use_parent_model_frame"),
    "xyz": Known(attributes="expressed_in"),
    "limit": Known("lower upper effort velocity"),
    "dynamics": Known("damping friction spring_stiffness spring_reference"),
    "mimic": Known("multiplier offset reference", "", "joint axis=axis"),
}
_FAR = 1e15  # a limit beyond this is none


def sdf_robot(root: Element, packages: Packages) -> Robot:
    """The robot of the root element of an SDF."""
    model = _model(root)
    poses = Poses(model)
    links = {WORLD: Link(WORLD)}
    for element in model.all("link"):
        link = _link(element, packages)
        if link.name in links:
            raise element.fault(say('the link "{name}" is there twice.', link.name))
        links[link.name] = link
    static = model.first("static")
    joints: dict[str, RobotJoint] = {}
    for element in model.all("joint"):
        joint = _joint(element, poses, links)
        joints[joint.name] = joint
    notices = [*not_read(unread(root, _SAID)), *undrawn(model.all("link"))]
    initial: dict[str, Any] = {}
    fixed = static is not None and static.text in ("true", "1")
    carried = _spanned(model, poses, links, joints, fixed, initial, notices)
    return Robot(
        model.get("name") or "model",
        links,
        carried,
        _gravity(root),
        {"initial": initial} if initial else {},
        (*notices, *packages.notices),
        root.file,
    )


def _model(root: Element) -> Element:
    """The one model of a file, alone or in a world."""
    places = [root, *root.all("world")]
    models = [model for place in places for model in place.all("model")]
    if len(models) != 1:
        names = ", ".join(x.get("name") for x in models)
        several = say(
            "one <model> is expected, but there are {count}: {names}.", len(models), names
        )
        none = say("one <model> is expected, but there is none.")
        raise root.fault(several if models else none, "Give a file with one model.")
    for tag in ("include", "model"):
        inner = models[0].first(tag)
        if inner is not None:
            raise inner.fault(
                say("<{tag}> in a model is not read.", tag), "Write out what it stands for."
            )
    return models[0]


def _gravity(root: Element) -> tuple[Any, ...] | None:
    for world in root.all("world"):
        element = world.first("gravity")
        if element is not None:
            return several(element, "gravity", element.text, 3)
    return None


def _value(element: Element | None, tag: str, otherwise: Any = 0) -> Any:
    child = element.first(tag) if element is not None else None
    if element is None or child is None or not child.text:
        return otherwise
    return number(child, tag, child.text)


def _name(element: Element) -> str:
    name = element.required("name")
    return f"{name}_link" if name == GROUND else name


def _place(element: Element) -> Placement:
    X = own_pose(element)
    return by_matrix(X[:3, 3], X[:3, :3])


def _link(element: Element, packages: Packages) -> Link:
    surfaces = meshes(element, partial(_mesh, packages))
    drawn = visuals(element, text_of, _place)
    name, inertial = _name(element), element.first("inertial")
    if inertial is None:
        # what SDF says of a link without <inertial>: 1 kg, unit moments
        unit = (1, 1, 1, 0, 0, 0)
        return Link(name, element.line, 1, inertia=unit, meshes=surfaces, visuals=drawn)
    X, inertia = own_pose(inertial), inertial.first("inertia")
    keys = {"ixx": 1, "iyy": 1, "izz": 1, "ixy": 0, "ixz": 0, "iyz": 0}
    six = tuple(_value(inertia, key, otherwise) for key, otherwise in keys.items())
    centre = tuple(float(x) for x in X[:3, 3])
    mass = _value(inertial, "mass", 1)
    turned = turned_inertia(six, X[:3, :3])
    return Link(name, element.line, mass, centre, turned, surfaces, drawn)


def _mesh(packages: Packages, visual: Element, mesh: Element) -> Mesh:
    scale = mesh.first("scale")
    size = (1, 1, 1) if scale is None else several(scale, "scale", scale.text, 3)
    return Mesh(packages.path(text_of(mesh, "uri")), _place(visual), size)


def _joint(element: Element, poses: Poses, links: dict[str, Link]) -> RobotJoint:
    name, kind = element.required("name"), element.required("type")
    if kind not in KINDS:
        problem = say('the joint "{name}" has the type "{kind}".', name, kind)
        raise element.fault(problem, say("Types that are read: {known}.", ", ".join(KINDS)))
    ends = {tag: text_of(element, tag) for tag in ("parent", "child")}
    X_WA, X_WB = (poses.of(end, element) for end in ends.values())
    X_WJ = poses.of(name, element)
    between, at = relative(X_WA, X_WB), relative(X_WB, X_WJ)
    axis = element.first("axis")
    limit = axis.first("limit") if axis is not None else None
    dynamics = axis.first("dynamics") if axis is not None else None
    first = _direction(element, "axis", X_WJ, poses)
    second = _direction(element, "axis2", X_WJ, poses)
    cardan = KINDS[kind] == "universal"
    in_child, in_parent = X_WB[:3, :3].T @ first, X_WA[:3, :3].T @ first
    alone = KINDS[kind] in ("revolute", "prismatic", "screw")
    low, high = (_bound(limit, tag) for tag in ("lower", "upper"))
    return RobotJoint(
        name,
        KINDS[kind],
        _end(ends["parent"], element, links),
        _end(ends["child"], element, links),
        element.line,
        by_matrix(between["p"], between["R"]),
        tuple(float(x) for x in at["p"]),
        _clean(in_parent if cardan else in_child),
        _clean(X_WB[:3, :3].T @ second),
        pitch=_pitch(element) if kind == "screw" else None,
        limits=(low, high) if alone and low is not None and high is not None else None,
        effort=_positive(limit, "effort") if alone else None,
        velocity=_positive(limit, "velocity") if alone else None,
        damping=_value(dynamics, "damping"),
        friction=_value(dynamics, "friction"),
        stiffness=_value(dynamics, "spring_stiffness"),
        rest=_value(dynamics, "spring_reference"),
        mimic=_mimic(axis),
    )


def _end(name: str, element: Element, links: dict[str, Link]) -> str:
    known = f"{name}_link" if name == GROUND else name
    if known not in links:
        raise unknown(f'{element.place}: joint "{element.get("name")}"', "link", name, links)
    return known


def _direction(element: Element, tag: str, X_WJ: Array, poses: Poses) -> Array:
    """The direction of an axis in the world."""
    axis = element.first(tag)
    xyz = axis.first("xyz") if axis is not None else None
    if axis is None or xyz is None:
        return np.asarray(X_WJ[:3, :3] @ (0.0, 0.0, 1.0))
    vector = np.array([float(x) for x in several(xyz, "xyz", xyz.text, 3)])
    if not vector.any():
        raise axis.fault(say('the axis of the joint "{name}" is zero.', element.get("name")))
    frame = X_WJ
    old = axis.first("use_parent_model_frame")
    if xyz.get("expressed_in"):
        frame = poses.of(xyz.get("expressed_in"), axis)
    elif old is not None and old.text in ("true", "1"):
        frame = poses.found["__model__"]
    return np.asarray(frame[:3, :3] @ vector)


def _clean(v: Array) -> tuple[float, ...]:
    size = np.abs(v).max()
    return tuple(float(x) if abs(x) > 1e-12 * size else 0.0 for x in v)


def _bound(limit: Element | None, tag: str) -> Any:
    """A limit; none where it is absent or beyond all sizes."""
    child = limit.first(tag) if limit is not None else None
    if child is None or not child.text or child.text.lstrip("+-").lower() in ("inf", "infinity"):
        return None
    value = number(child, tag, child.text)
    return None if abs(float(value)) > _FAR else value


def _positive(limit: Element | None, tag: str) -> Any:
    value = _bound(limit, tag)
    return value if value is not None and float(value) > 0 else None


def _pitch(element: Element) -> Any:
    """The advance of a screw a turn."""
    if element.first("screw_thread_pitch") is None:
        raise element.fault(
            say('the screw "{name}" has no <screw_thread_pitch>.', element.get("name")),
            "Give the advance a turn [m]; the older <thread_pitch> is not read.",
        )
    return _value(element, "screw_thread_pitch")


def _mimic(axis: Element | None) -> Mimic | None:
    """multiplier × (leader − reference) + offset."""
    mimic = axis.first("mimic") if axis is not None else None
    if mimic is None:
        return None
    k, offset = _value(mimic, "multiplier", 1), _value(mimic, "offset")
    reference = float(_value(mimic, "reference"))
    if reference:
        offset = float(offset) - float(k) * reference
    return Mimic(mimic.required("joint"), k, offset)


def _spanned(
    model: Element,
    poses: Poses,
    links: dict[str, Link],
    joints: dict[str, RobotJoint],
    fixed: bool,
    initial: dict[str, Any],
    notices: list[str],
) -> dict[str, RobotJoint]:
    """The joints, with one that carries what nothing joins to the world: free, or fixed."""
    reached, found = {WORLD}, dict(joints)
    while len(reached) < len(links):
        near = [x for x in joints.values() if (x.parent in reached) != (x.child in reached)]
        if near:
            reached |= {x for joint in near for x in (joint.parent, joint.child)}
            continue
        children = {x.child for x in joints.values()}
        left = [name for name in links if name not in reached]
        root = next((name for name in left if name not in children), left[0])
        element = next(x for x in model.all("link") if _name(x) == root)
        X_W = poses.of(element.get("name"), element)
        X = by_matrix(X_W[:3, 3], X_W[:3, :3])
        name = f"{root}_base"
        if fixed:
            found[name] = RobotJoint(name, "fixed", WORLD, root, element.line, X)
        else:
            found[name] = RobotJoint(name, "free", WORLD, root, element.line)
            initial |= free_start(name, X)
            notices.append(say('Nothing joins "{root}" to the world: it is free.', root))
        reached.add(root)
    return found
