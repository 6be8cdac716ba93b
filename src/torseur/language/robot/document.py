"""The YAML form of a robot: links are bodies, numbers are parameters, followers are couplings.

Chains of joints that follow others (`mimic`) are resolved, each to a coupling of two coordinates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.errors import ModelError, unknown
from torseur.language.robot.parts import (
    NOWHERE,
    WORLD,
    Link,
    Mesh,
    Mimic,
    Numbers,
    Placement,
    Robot,
    RobotJoint,
)
from torseur.language.robot.soundness import accepted, still_moving
from torseur.language.robot.symbols import DUST, DUST_RADIUS, Symbols
from torseur.model.description import GROUND
from torseur.words.sentence import say

_NOISE = 1e-9  # of the components of a direction that was turned
_ONE_COORDINATE = ("revolute", "prismatic", "screw")
_AXES = {"revolute": "axis", "prismatic": "axis", "screw": "axis", "planar": "normal"}

EARTH = (0, 0, -9.81)


@final
@dataclass(frozen=True)
class Document:
    """A description in the YAML form, made from another form."""

    data: dict[str, Any]
    notices: tuple[str, ...]  # what was ignored, assumed and converted
    lines: Mapping[tuple[str, str], int]  # (section, name) → line of its file


def robot_document(robot: Robot) -> Document:
    """The YAML form of a robot, with what is to be told of it."""
    symbols = Symbols()
    sliding = {
        name: symbols.legal(name)
        for name, joint in robot.joints.items()
        if joint.kind in _ONE_COORDINATE
    }
    accepting, told = accepted(robot)
    bodies = {
        name: _body(link, symbols, accepting.get(name, ()))
        for name, link in robot.links.items()
        if name not in (WORLD, GROUND)
    }
    joints = {x.name: _joint(x, sliding, symbols) for x in robot.joints.values()}
    constraints, followers = followed(robot, sliding)
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
    sections["parameters"] = symbols.values
    data = {
        "torseur": 1,
        "name": robot.name,
        "gravity": list(robot.gravity or EARTH),
        **{section: parts for section, parts in sections.items() if parts},
    }
    told = (*told, *followers, *still_moving(robot), *_inactive(robot), *_assumed(robot, symbols))
    notices = (*robot.notices, *told)
    return Document(data, notices, dict(_lines(robot)))


def _lines(robot: Robot) -> Iterator[tuple[tuple[str, str], int]]:
    for link in robot.links.values():
        yield ("bodies", link.name), link.line
    for joint in robot.joints.values():
        for section in ("joints", "motors", "constraints"):
            yield (section, joint.name), joint.line


def _inactive(robot: Robot) -> Iterator[str]:
    """What joints have that does not act on a motion."""
    joints = robot.joints.values()
    counts = {
        say("effort"): sum(x.effort is not None for x in joints),
        say("velocity"): sum(x.velocity is not None for x in joints),
    }
    if shown := ", ".join(f"{what} ({n})" for what, n in counts.items() if n):
        yield say("Limits of joints that do not act on motions: {shown}.", shown)
    for joint in joints:
        acting = {
            "damping": joint.damping,
            "friction": joint.friction,
            "stiffness": joint.stiffness,
        }
        listed = ", ".join(name for name, x in acting.items() if x)
        if listed and joint.kind not in (*_ONE_COORDINATE, "fixed"):
            yield say(
                'joint "{name}" ({kind}): not read: {listed}.', joint.name, joint.kind, listed
            )


def _assumed(robot: Robot, symbols: Symbols) -> Iterator[str]:
    if robot.gravity is None:
        yield say("The file says nothing of gravity: it is (0, 0, −9.81) m/s².")
    if symbols.dust:
        yield say(
            "{count} number(s) are taken as 0: lengths below {dust:g} m, and inertias of a mass "
            "within {radius:g} m.",
            symbols.dust,
            DUST,
            DUST_RADIUS,
        )


def _body(link: Link, symbols: Symbols, accept: tuple[str, ...]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if link.heavy:
        data["mass"] = symbols.parameter(f"m_{link.name}", link.mass)
        data["centre"] = symbols.lengths("c", link.name, link.centre)
        data["inertia"] = symbols.inertia(link.name, link.mass, link.inertia)
    if link.meshes:
        data["meshes"] = [_mesh(mesh) for mesh in link.meshes]
    if link.visuals:
        data["visuals"] = [{"shape": x.shape, **_placed(x.placement)} for x in link.visuals]
    return data | ({"accept": list(accept)} if accept else {})


def _mesh(mesh: Mesh) -> dict[str, Any]:
    scaled = {} if all(x == 1 for x in mesh.scale) else {"scale": list(mesh.scale)}
    return {"file": mesh.file, **_placed(mesh.placement), **scaled}


def _placed(X: Placement) -> dict[str, Any]:
    placed = {"position": list(X.position)} if any(X.p) else {}
    return placed | ({} if X.rotation is None else {"rotation": X.rotation})


def grounded(name: str) -> str:
    """The name of a link as a body."""
    return GROUND if name == WORLD else name


def _joint(joint: RobotJoint, sliding: Mapping[str, str], symbols: Symbols) -> dict[str, Any]:
    X = joint.placement
    data: dict[str, Any] = {
        "type": joint.kind,
        "bodies": [grounded(joint.parent), grounded(joint.child)],
    }
    moved = any(joint.point)
    place = X.position if not moved else tuple(X.p + X.R @ joint.point)
    first = symbols.lengths("", joint.name, place)
    second = symbols.lengths("b", joint.name, joint.point) if moved else list(NOWHERE)
    if any(first) or moved:
        data["point"] = [first, second]
    if X.rotation is not None:
        data["rotation"] = X.rotation
    if joint.kind == "universal":
        data["axes"] = [list(joint.axis), list(joint.second_axis)]
    if joint.pitch is not None:
        data["pitch"] = joint.pitch
    if joint.kind in _AXES:
        data[_AXES[joint.kind]] = _direction(joint.axis, X)
    if joint.name in sliding and sliding[joint.name] != joint.name:
        data["coordinate"] = sliding[joint.name]
    if joint.limits is not None:
        data["limits"] = list(joint.limits)
    given = {"effort": joint.effort, "velocity": joint.velocity}
    return data | {key: x for key, x in given.items() if x is not None}


def _direction(axis: Numbers, X: Placement) -> Any:
    """The direction in both bodies; once where they do not turn."""
    own = _named(list(axis)) or list(axis)
    if X.rotation is None:
        return own
    a = X.R @ axis
    a = np.where(np.abs(a) < _NOISE * np.abs(a).max(), 0.0, a)
    return [_named(list(a)) or a.tolist(), own]


def _named(axis: list[float]) -> str:
    """`x`, `-y`, … where a direction is one of them."""
    along = [k for k in range(3) if axis[k]]
    if len(along) != 1:
        return ""
    return ("" if axis[along[0]] > 0 else "-") + "xyz"[along[0]]


def _motors(robot: Robot, symbols: Symbols) -> dict[str, Any]:
    """What rubs in joints, and rotors, as motors that drive directly."""
    found = {}
    for joint in robot.joints.values():
        if joint.kind not in _ONE_COORDINATE:
            continue
        parts: dict[str, Any] = {}
        if rotor := symbols.parameter(f"J_{joint.name}", joint.armature):
            parts["rotor_inertia"] = rotor
        if damping := symbols.parameter(f"d_{joint.name}", joint.damping):
            parts["viscous"] = {"output": damping}
        if friction := symbols.parameter(f"f_{joint.name}", joint.friction):
            parts["dry"] = {"output": friction}
        if parts:
            found[joint.name] = {"joint": joint.name, "ratio": 1, **parts}
    return found


def _springs(robot: Robot, symbols: Symbols) -> dict[str, Any]:
    """Springs in joints, as laws of their coordinates."""
    found = {}
    for joint in robot.joints.values():
        stiffness = symbols.parameter(f"k_{joint.name}", joint.stiffness)
        if joint.kind in _ONE_COORDINATE and stiffness:
            moved = "distance" if joint.kind == "prismatic" else "angle"
            law = f"-{stiffness}*({moved} - ({joint.rest}))"
            found[f"spring of {joint.name}"] = {"type": "law", "joint": joint.name, "value": law}
    return found


# --- joints that follow others ------------------------------------------------------------------


def followed(robot: Robot, sliding: Mapping[str, str]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The couplings by the names of their joints, and what was made of unusual ones.

    `sliding` has the coordinate of every joint that has one alone.
    """
    constraints: dict[str, Any] = {}
    notices: list[str] = []
    for joint in robot.joints.values():
        if joint.mimic is None:
            continue
        place = robot.place(joint)
        if joint.kind == "fixed":
            notices.append(say('joint "{joint}" is fixed: its <mimic> says nothing.', joint.name))
            continue
        if joint.name not in sliding:
            raise ModelError(place, say("a joint of type {kind} cannot follow.", joint.kind))
        leader, path = _leader(robot, joint)
        if len(path) > 1:
            names = " → ".join([joint.name, *path])
            notices.append(say("{names}: followers of followers follow the last one.", names))
        own = sliding[joint.name]
        if robot.joints[path[-1]].kind == "fixed":
            notices.append(
                say(
                    'joint "{joint}" follows "{leader}", which is fixed: it stays at {value}.',
                    joint.name,
                    path[-1],
                    leader.offset,
                )
            )
            coefficients: dict[str, float] = {own: 1}
        elif path[-1] not in sliding:
            problem = say('it follows "{leader}", which has no single coordinate.', path[-1])
            raise ModelError(place, problem, "Let it follow a joint that turns or slides.")
        else:
            coefficients = {own: 1, sliding[path[-1]]: -leader.multiplier}
        held = {"type": "coupling", "coefficients": coefficients}
        offset = {"value": leader.offset} if leader.offset else {}
        constraints[f"{joint.name}_follows"] = {**held, **offset}
    return constraints, tuple(notices)


def _leader(robot: Robot, joint: RobotJoint) -> tuple[Mimic, list[str]]:
    """The joint at the end of a chain of followers, with what is between, and the way there."""
    found = joint.mimic
    assert found is not None, "the caller has looked"
    path: list[str] = []
    while True:
        if found.joint not in robot.joints:
            raise unknown(robot.place(joint), "joint", found.joint, robot.joints)
        if found.joint in path or found.joint == joint.name:
            names = " → ".join([joint.name, *path, found.joint])
            problem = say("joints follow each other in a circle: {names}.", names)
            raise ModelError(robot.place(joint), problem, "Remove one <mimic>.")
        path.append(found.joint)
        following = robot.joints[found.joint].mimic
        if following is None:
            return found, path
        k, total = found.multiplier, found.multiplier * following.offset + found.offset
        found = Mimic(following.joint, k * following.multiplier, total)
