"""The YAML form of a robot: links are bodies, numbers are parameters, followers are couplings.

Chains of joints that follow others (`mimic`) are resolved, each to a coupling of two coordinates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

from torseur.errors import ModelError, unknown
from torseur.language.robot.placement import NOWHERE, Numbers, Placement
from torseur.language.robot.robot_parts import (
    DUST,
    DUST_RADIUS,
    ONE_COORDINATE,
    WORLD,
    Mimic,
    Robot,
    RobotJoint,
    RobotLink,
    RobotMesh,
    Symbols,
)
from torseur.language.robot.soundness import accepted, massless_motions
from torseur.model.description import GROUND
from torseur.words.sentence import say

_NOISE = 1e-9  # of the components of a direction that was turned
_AXES = {"revolute": "axis", "prismatic": "axis", "screw": "axis", "planar": "normal"}

EARTH = (0, 0, -9.81)


@final
@dataclass(frozen=True)
class RobotDocument:
    """A description in the YAML form, made from a file of a robot."""

    data: dict[str, Any]
    notices: tuple[str, ...]  # about contents that were ignored, assumed and converted
    lines: Mapping[tuple[str, str], int]  # (section, name) → line of its file


def robot_document(robot: Robot, stops: bool = False, clips: bool = False) -> RobotDocument:
    """The YAML form of a robot, with notices about it.

    Where it `stops`, joints stop at their limits; where it `clips`, commands at their efforts.
    """
    symbols = Symbols()
    coordinates = symbols.coordinates({x.name: x.kind for x in robot.joints.values()})
    symbols.taken.update(robot.extra.get("parameters", ()))
    accepting, accepted_notices = accepted(robot)
    bodies = {
        name: _body(link, symbols, accepting.get(name, ()))
        for name, link in robot.links.items()
        if name not in (WORLD, GROUND)
    }
    joints = {
        x.name: _joint(x, coordinates, symbols)
        | ({"stop": {"restitution": 0}} if stops and x.limits is not None else {})
        | ({"clip": True} if clips and x.effort is not None else {})
        for x in robot.joints.values()
    }
    constraints, followers = _couplings(robot, coordinates)
    sections: dict[str, Any] = {
        "parameters": {},
        "bodies": bodies,
        "joints": joints,
        "motors": _motors(robot, symbols),
        "forces": _springs(robot, symbols),
        "constraints": constraints,
    }
    for section, parts in robot.extra.items():
        sections[section] = {**sections.get(section, {}), **parts}
    sections["parameters"] |= symbols.values
    data = {
        "torseur": 1,
        "name": robot.name,
        "gravity": list(robot.gravity or EARTH),
        **{section: parts for section, parts in sections.items() if parts},
    }
    notices = (
        *(*robot.notices, *accepted_notices, *followers, *massless_motions(robot)),
        *(*_not_acting(robot, clips), *_assumptions(robot, symbols)),
    )
    return RobotDocument(data, notices, dict(_lines(robot)))


def _lines(robot: Robot) -> Iterator[tuple[tuple[str, str], int]]:
    for link in robot.links.values():
        yield ("bodies", link.name), link.line
    for joint in robot.joints.values():
        for section in ("joints", "motors", "constraints"):
            yield (section, joint.name), joint.line


def _not_acting(robot: Robot, clips: bool) -> Iterator[str]:
    """Notices of values of joints that do not act on a motion."""
    joints = robot.joints.values()
    counts = {
        say("effort"): 0 if clips else sum(x.effort is not None for x in joints),
        say("velocity"): sum(x.velocity is not None for x in joints),
    }
    if limits := ", ".join(f"{what} ({n})" for what, n in counts.items() if n):
        yield say("Limits of joints that do not act on motions: {shown}.", limits)
    for x in joints:
        acting = {"damping": x.damping, "friction": x.friction, "stiffness": x.stiffness}
        listed = ", ".join(name for name, value in acting.items() if value)
        if listed and x.kind not in (*ONE_COORDINATE, "fixed"):
            yield say('joint "{name}" ({kind}): not read: {listed}.', x.name, x.kind, listed)


def no_gravity() -> str:
    """Notice that a file gives no gravity."""
    return say("The file gives no gravity: (0, 0, −9.81) m/s² is assumed.")


def _assumptions(robot: Robot, symbols: Symbols) -> Iterator[str]:
    if WORLD in robot.links and robot.links[WORLD].heavy:
        yield say(
            'The link "{name}" is the ground: its mass of {mass:g} kg does not count, in the '
            "centre of mass neither.",
            WORLD,
            robot.links[WORLD].mass,
        )
    if robot.gravity is None:
        yield no_gravity()
    if symbols.dust:
        yield say(
            "{count} number(s) are taken as 0: lengths below {dust:g} m, and inertias of a mass "
            "within {radius:g} m.",
            symbols.dust,
            DUST,
            DUST_RADIUS,
        )


def _body(link: RobotLink, symbols: Symbols, accept: tuple[str, ...]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if link.heavy:
        data["mass"] = symbols.parameter(f"m_{link.name}", link.mass)
        data["centre"] = symbols.lengths("c", link.name, link.centre)
        data["inertia"] = symbols.inertia(link.name, link.mass, link.inertia)
    if link.meshes:
        data["meshes"] = [_mesh(mesh) for mesh in link.meshes]
    if link.visuals:
        data["visuals"] = [{"shape": x.shape, **x.placement.entries} for x in link.visuals]
    return data | ({"accept": list(accept)} if accept else {})


def _mesh(mesh: RobotMesh) -> dict[str, Any]:
    scale = {} if all(x == 1 for x in mesh.scale) else {"scale": list(mesh.scale)}
    return {"file": mesh.file, **mesh.placement.entries, **scale}


def _joint(joint: RobotJoint, coordinates: Mapping[str, str], symbols: Symbols) -> dict[str, Any]:
    X, off_origin = joint.placement, any(joint.point)
    ends = [GROUND if name == WORLD else name for name in (joint.parent, joint.child)]
    data: dict[str, Any] = {"type": joint.kind, "bodies": ends}
    place = tuple(X.p + X.R @ joint.point) if off_origin else X.position
    first = symbols.lengths("", joint.name, place)
    second = symbols.lengths("b", joint.name, joint.point) if off_origin else list(NOWHERE)
    if any(first) or off_origin:
        data["point"] = [first, second]
    if X.rotation is not None:
        data["rotation"] = X.rotation
    if joint.kind == "universal":
        data["axes"] = [list(joint.axis), list(joint.second_axis)]
    if joint.pitch is not None:
        data["pitch"] = joint.pitch
    if joint.kind in _AXES:
        data[_AXES[joint.kind]] = _direction(joint.axis, X)
    coordinate = coordinates.get(joint.name, joint.name)
    if coordinate != joint.name:
        data["coordinate"] = coordinate
    if joint.limits is not None:
        data["limits"] = list(joint.limits)
    bounds = {"effort": joint.effort, "velocity": joint.velocity}
    return data | {key: x for key, x in bounds.items() if x is not None}


def _direction(axis: Numbers, X: Placement) -> Any:
    """The direction in both bodies; once where they do not turn."""
    in_child = _axis_name(list(axis)) or list(axis)
    if X.rotation is None:
        return in_child
    a = (X.R @ axis).tolist()
    noise = _NOISE * max([abs(x) for x in a])
    a = [0.0 if abs(x) < noise else x for x in a]
    return [_axis_name(a) or a, in_child]


def _axis_name(axis: list[float]) -> str:
    """`x`, `-y`, … where a direction is one of them."""
    along = [k for k in range(3) if axis[k]]
    if len(along) != 1:
        return ""
    return ("" if axis[along[0]] > 0 else "-") + "xyz"[along[0]]


def _motors(robot: Robot, symbols: Symbols) -> dict[str, Any]:
    """Friction in joints and inertias of rotors, as motors that drive directly."""
    motors = {}
    for joint in robot.joints.values():
        if joint.kind not in ONE_COORDINATE:
            continue
        parts: dict[str, Any] = {}
        if rotor := symbols.parameter(f"J_{joint.name}", joint.armature):
            parts["rotor_inertia"] = rotor
        if damping := symbols.parameter(f"d_{joint.name}", joint.damping):
            parts["viscous"] = {"output": damping}
        if friction := symbols.parameter(f"f_{joint.name}", joint.friction):
            parts["dry"] = {"output": friction}
        if parts:
            motors[joint.name] = {"joint": joint.name, "ratio": 1, **parts}
    return motors


def _springs(robot: Robot, symbols: Symbols) -> dict[str, Any]:
    """Springs in joints, as laws of their coordinates."""
    springs = {}
    for joint in robot.joints.values():
        stiffness = symbols.parameter(f"k_{joint.name}", joint.stiffness)
        if joint.kind in ONE_COORDINATE and stiffness:
            variable = "distance" if joint.kind == "prismatic" else "angle"
            law = f"-{stiffness}*({variable} - ({joint.rest}))"
            springs[f"spring of {joint.name}"] = {"type": "law", "joint": joint.name, "value": law}
    return springs


# --- joints that follow others ------------------------------------------------------------------


def _couplings(
    robot: Robot, coordinates: Mapping[str, str]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The couplings of followers, and notices about unusual ones.

    `coordinates` has the coordinate of every joint that has one alone.
    """
    constraints: dict[str, Any] = {}
    notices: list[str] = []
    for joint in robot.joints.values():
        if joint.mimic is None:
            continue
        place, name = robot.place(joint), joint.name
        if joint.kind == "fixed":
            notices.append(say('joint "{joint}" is fixed: its <mimic> is ignored.', name))
            continue
        if name not in coordinates:
            raise ModelError(place, say("a joint of type {kind} cannot follow.", joint.kind))
        mimic, path = _leader(robot, joint, joint.mimic)
        leader = path[-1]
        if len(path) > 1:
            names = " → ".join([name, *path])
            notices.append(say("{names}: followers of followers follow the last one.", names))
        coefficients: dict[str, float] = {coordinates[name]: 1}
        if robot.joints[leader].kind == "fixed":
            notices.append(
                say(
                    'joint "{joint}" follows "{leader}", which is fixed: it stays at {value}.',
                    name,
                    leader,
                    mimic.offset,
                )
            )
        elif leader not in coordinates:
            problem = say('it follows "{leader}", which has no single coordinate.', leader)
            raise ModelError(place, problem, "Let it follow a joint that turns or slides.")
        else:
            coefficients[coordinates[leader]] = -mimic.multiplier
        constraints[f"{name}_follows"] = {
            "type": "coupling",
            "coefficients": coefficients,
            **({"value": mimic.offset} if mimic.offset else {}),
        }
    return constraints, tuple(notices)


def _leader(robot: Robot, joint: RobotJoint, mimic: Mimic) -> tuple[Mimic, list[str]]:
    """The law by which a joint follows the end of its chain of followers, and the way there."""
    path: list[str] = []
    while True:
        if mimic.joint not in robot.joints:
            raise unknown(robot.place(joint), "joint", mimic.joint, robot.joints)
        if mimic.joint in path or mimic.joint == joint.name:
            names = " → ".join([joint.name, *path, mimic.joint])
            problem = say("joints follow each other in a circle: {names}.", names)
            raise ModelError(robot.place(joint), problem, "Remove one <mimic>.")
        path.append(mimic.joint)
        following = robot.joints[mimic.joint].mimic
        if following is None:
            return mimic, path
        k, offset = mimic.multiplier, mimic.multiplier * following.offset + mimic.offset
        mimic = Mimic(following.joint, k * following.multiplier, offset)
