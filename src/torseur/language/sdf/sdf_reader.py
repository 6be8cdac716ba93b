"""From the XML of an SDF model to links and joints; a joint too many closes a loop."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, final

import numpy as np

from torseur.errors import unknown
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
from torseur.language.robot.placement import Array, Placement, by_matrix, free_start, rpy_matrix
from torseur.language.robot.robot_parts import (
    ONE_COORDINATE,
    WORLD,
    Mimic,
    Robot,
    RobotJoint,
    RobotLink,
)
from torseur.language.robot.shapes_of_links import Packages, not_drawn, shape_tables, shapes_of
from torseur.language.robot.xml_tree import XmlElement
from torseur.model.description import GROUND
from torseur.notices import not_read
from torseur.spatial import quaternion
from torseur.words.sentence import say

MODEL = "__model__"
_FAR = 1e15  # a limit beyond this is none
_TRUE = ("true", "1")


def _body_name(element: XmlElement, step: str, written: str) -> str:
    """The name of a link as a body: "ground" is that of the fixed one."""
    return f"{written}_link" if written == GROUND else written


def _bound(element: XmlElement, step: str, written: str) -> float | None:
    """A limit; None where it is beyond all sizes."""
    value = finite(element, step, written)
    return None if value is None or abs(value) > _FAR else value


SDF = RobotFormat(
    tables={
        "link": {
            "name": Field("@name", _body_name, REQUIRED),
            "mass": Field("inertial/mass", number, 1),  # 1 kg and unit moments, as SDF says
            **{key: Field(f"inertial/inertia/{key}", number, 1) for key in MOMENTS[:3]},
            **{key: Field(f"inertial/inertia/{key}") for key in MOMENTS[3:]},
        },
        "joint": {
            "name": Field("@name", text, REQUIRED),
            "type": Field("@type", text, REQUIRED),
            "parent": Field("parent", text, REQUIRED),
            "child": Field("child", text, REQUIRED),
            "pitch": Field("screw_thread_pitch"),
            "low": Field("axis/limit/lower", _bound, None),
            "high": Field("axis/limit/upper", _bound, None),
            "effort": Field("axis/limit/effort", positive(_bound), None),
            "velocity": Field("axis/limit/velocity", positive(_bound), None),
            "damping": Field("axis/dynamics/damping"),
            "friction": Field("axis/dynamics/friction"),
            "stiffness": Field("axis/dynamics/spring_stiffness"),
            "rest": Field("axis/dynamics/spring_reference"),
            "leader": Field("axis/mimic/@joint", text, REQUIRED),
            "multiplier": Field("axis/mimic/multiplier", number, 1),
            "offset": Field("axis/mimic/offset"),
            "reference": Field("axis/mimic/reference"),
        },
        "collision": {"mu": Field("surface/friction/ode/mu", number, 1)},
        **shape_tables("", "uri"),
    },
    types={x: x for x in ("revolute", "prismatic", "fixed", "universal", "screw")}
    | {"continuous": "revolute", "ball": "spherical", "revolute2": "universal"},
    read="""
        sdf/world/model sdf/model sdf/@version world/gravity world/@name
        model/link/pose model/joint/pose model/frame/pose model/pose/@relative_to
        pose/@rotation_format pose/@degrees model/static model/name model/@name
        model/@canonical_link frame/@name frame/@attached_to link/visual/pose visual/@name
        link/inertial/pose joint/axis/xyz/@expressed_in joint/axis2/xyz
        axis/use_parent_model_frame axis2/use_parent_model_frame
    """,
    # looks, sensors, numerical methods, and what says that nothing is changed
    idle="""
        world/atmosphere world/audio world/gui world/light world/magnetic_field world/physics
        world/scene world/spherical_coordinates model/allow_auto_disable
        model/self_collide=false model/self_collide=0 model/enable_wind=false model/enable_wind=0
        link/self_collide=false link/self_collide=0 link/enable_wind=false link/enable_wind=0
        link/light link/gravity=true link/gravity=1 link/kinematic=false link/kinematic=0
        inertial/@auto=false inertial/@auto=0 joint/thread_pitch mimic/@axis=axis
        visual/geometry visual/material visual/cast_shadows visual/transparency
        visual/visibility_flags visual/meta visual/laser_retro
    """,
)


def sdf_robot(root: XmlElement, packages: Packages, collisions: bool = False) -> Robot:
    """The robot of the root element of an SDF."""
    model = _model(root)
    frames = ModelFrames(model)
    links = {WORLD: RobotLink(WORLD)}
    joints: dict[str, RobotJoint] = {}
    for element in model.all("link"):
        add_once(links, _link(element, packages), element)
    for element in model.all("joint"):
        add_once(joints, _joint(element, frames, links), element)
    unread = (reading_collisions(SDF) if collisions else SDF).unread(root)
    unread += unknown_solids(model.all("link")) if collisions else Counter()
    notices = [*not_read(unread), *not_drawn(model.all("link"))]
    initial: dict[str, Any] = {}
    _carry_loose(model, frames, links, joints, initial, notices)
    gravity = [x for world in root.all("world") for x in world.all("gravity")]
    return Robot(
        model.get("name") or "model",
        links,
        joints,
        numbers(3)(gravity[0], "gravity", gravity[0].text) if gravity else None,
        {"initial": initial} if initial else {},
        (*notices, *packages.notices),
        root.file,
        least_friction=True,
    )


def _model(root: XmlElement) -> XmlElement:
    """The one model of a file, alone or in a world."""
    models = [model for place in (root, *root.all("world")) for model in place.all("model")]
    if len(models) != 1:
        names = ", ".join(x.get("name") for x in models)
        problem = say("one <model> is expected, but there is none.")
        if models:
            count = len(models)
            problem = say("one <model> is expected, but there are {count}: {names}.", count, names)
        raise root.fault(problem, "Give a file with one model.")
    for tag in ("include", "model"):
        inner = models[0].first(tag)
        if inner is not None:
            problem = say("<{tag}> in a model is not read.", tag)
            raise inner.fault(problem, "Write out its contents.")
    return models[0]


def _link(element: XmlElement, packages: Packages) -> RobotLink:
    if element.get("name") == WORLD:
        problem = say('the name "{ground}" is that of the fixed body.', WORLD)
        raise element.fault(problem, "Rename it.")
    inertial = element.first("inertial")
    X = np.eye(4) if inertial is None else own_pose(inertial)
    centre = (0, 0, 0) if inertial is None else tuple(float(x) for x in X[:3, 3])
    solids = collision_solids(element, SDF, _placement, packages)
    shapes = shapes_of(element, SDF, _placement, packages)
    return SDF.link(element, (centre, X[:3, :3]), **shapes, collision=solids)


def _joint(element: XmlElement, frames: ModelFrames, links: dict[str, RobotLink]) -> RobotJoint:
    kind, name = SDF.joint_type(element), SDF.value(element, "name")
    parent, child = SDF.value(element, "parent"), SDF.value(element, "child")
    X_WA, X_WB, X_WJ = (frames.pose(x, element) for x in (parent, child, name))
    R_WB = X_WB[:3, :3]
    first, second = (_direction(element, tag, X_WJ, frames) for tag in ("axis", "axis2"))
    low, high = SDF.value(element, "low"), SDF.value(element, "high")
    limited = kind in ONE_COORDINATE and low is not None and high is not None
    return RobotJoint(
        name,
        kind,
        _end(parent, element, links),
        _end(child, element, links),
        element.line,
        by_matrix(*_relative(X_WA, X_WB)),
        tuple(float(x) for x in _relative(X_WB, X_WJ)[0]),
        _without_rounding((X_WA[:3, :3] if kind == "universal" else R_WB).T @ first),
        _without_rounding(R_WB.T @ second),
        pitch=_pitch(element, name) if kind == "screw" else None,
        limits=(low, high) if limited else None,
        mimic=_mimic(element),
        **SDF.acting(element, kind),
    )


def _end(name: str, element: XmlElement, links: dict[str, RobotLink]) -> str:
    known = _body_name(element, "", name)
    if known not in links:
        raise unknown(f'{element.place}: joint "{element.get("name")}"', "link", name, links)
    return known


def _direction(element: XmlElement, tag: str, X_WJ: Array, frames: ModelFrames) -> Array:
    """The direction of an axis in the world."""
    axis = element.first(tag)
    xyz = axis.first("xyz") if axis is not None else None
    if axis is None or xyz is None:
        return np.asarray(X_WJ[:3, :3] @ (0.0, 0.0, 1.0))
    vector = np.array([float(x) for x in numbers(3)(xyz, "xyz", xyz.text)])
    if not vector.any():
        raise zero_axis(axis, element.get("name"))
    old = axis.first("use_parent_model_frame")
    frame = X_WJ
    if xyz.get("expressed_in"):
        frame = frames.pose(xyz.get("expressed_in"), axis)
    elif old is not None and old.text in _TRUE:
        frame = frames.pose(MODEL, axis)
    return np.asarray(frame[:3, :3] @ vector)


def _without_rounding(v: Array) -> tuple[float, ...]:
    size = np.abs(v).max()
    return tuple(float(x) if abs(x) > 1e-12 * size else 0.0 for x in v)


def _pitch(element: XmlElement, name: str) -> Any:
    """The advance of a screw a turn."""
    if element.first("screw_thread_pitch") is None:
        raise element.fault(
            say('the screw "{name}" has no <screw_thread_pitch>.', name),
            "Give the advance a turn [m]; the older <thread_pitch> is not read.",
        )
    return SDF.value(element, "pitch")


def _mimic(element: XmlElement) -> Mimic | None:
    """multiplier × (leader − reference) + offset."""
    axis = element.first("axis")
    if axis is None or axis.first("mimic") is None:
        return None
    leader, k, offset, reference = (
        SDF.value(element, key) for key in ("leader", "multiplier", "offset", "reference")
    )
    if reference:
        offset = float(offset) - float(k) * float(reference)
    return Mimic(leader, k, offset)


def _carry_loose(
    model: XmlElement,
    frames: ModelFrames,
    links: dict[str, RobotLink],
    joints: dict[str, RobotJoint],
    initial: dict[str, Any],
    notices: list[str],
) -> None:
    """Add a joint for each part that nothing joins to the world: free, or fixed if it is static."""
    static = model.first("static")
    fixed = static is not None and static.text in _TRUE
    given, reached = list(joints.values()), {WORLD}
    while len(reached) < len(links):
        near = [x for x in given if (x.parent in reached) != (x.child in reached)]
        if near:
            reached |= {x for joint in near for x in (joint.parent, joint.child)}
            continue
        children = {x.child for x in given}
        left = [name for name in links if name not in reached]
        root = next((name for name in left if name not in children), left[0])
        element = next(x for x in model.all("link") if SDF.value(x, "name") == root)
        X_W = frames.pose(element.get("name"), element)
        X = by_matrix(X_W[:3, 3], X_W[:3, :3])
        name = f"{root}_base"
        if fixed:
            joints[name] = RobotJoint(name, "fixed", WORLD, root, element.line, X)
        else:
            joints[name] = RobotJoint(name, "free", WORLD, root, element.line)
            initial |= free_start(name, X)
            notices.append(say('Nothing joins "{root}" to the world: it is free.', root))
        reached.add(root)


# --- poses, each relative to another one by name ------------------------------------------------


def own_pose(element: XmlElement) -> Array:
    """The pose that an element gives, relative to the frame that it names (4 × 4)."""
    pose = element.first("pose")
    X = np.eye(4)
    if pose is None or not pose.text:
        return X
    by_quaternion = pose.get("rotation_format") == "quat_xyzw"
    count = 7 if by_quaternion else 6
    values = [float(x) for x in numbers(count)(pose, "pose", pose.text)]
    if by_quaternion:
        x, y, z, w = np.array(values[3:]) / np.linalg.norm(values[3:])
        X[:3, :3] = quaternion.matrix(np.array([w, x, y, z]))
    else:
        degrees = pose.get("degrees") in _TRUE
        X[:3, :3] = rpy_matrix([math.radians(x) if degrees else x for x in values[3:]])
    X[:3, 3] = values[:3]
    return X


def _placement(element: XmlElement) -> Placement:
    X = own_pose(element)
    return by_matrix(X[:3, 3], X[:3, :3])


def _relative(X_WA: Array, X_WB: Array) -> tuple[Array, Array]:
    """The position and rotation of B in A."""
    R = X_WA[:3, :3].T
    return R @ (X_WB[:3, 3] - X_WA[:3, 3]), R @ X_WB[:3, :3]


@final
class ModelFrames:
    """The poses of links, joints and named frames of a model in the world, each computed once."""

    def __init__(self, model: XmlElement) -> None:
        self._elements = {
            child.get("name"): child
            for tag in ("link", "joint", "frame")
            for child in model.all(tag)
        }
        self._poses: dict[str, Array] = {"world": np.eye(4), MODEL: own_pose(model)}
        self._open: list[str] = []

    def pose(self, name: str, at: XmlElement) -> Array:
        """The pose of a frame, which an element names."""
        if name in self._poses:
            return self._poses[name]
        element = self._elements.get(name)
        if element is None:
            raise unknown(at.place, "frame", name, {*self._elements, MODEL, "world"})
        if name in self._open:
            names = " → ".join([*self._open[self._open.index(name) :], name])
            raise element.fault(
                say("poses are relative to each other in a circle: {names}.", names)
            )
        self._open.append(name)
        self._poses[name] = self.pose(self._base(element), element) @ own_pose(element)
        self._open.pop()
        return self._poses[name]

    def _base(self, element: XmlElement) -> str:
        """The frame of a pose: the one it names, one attached to, a child, or the model."""
        pose = element.first("pose")
        if pose is not None and pose.get("relative_to"):
            return pose.get("relative_to")
        if element.tag == "joint":
            return str(SDF.value(element, "child"))
        return element.get("attached_to") or MODEL
