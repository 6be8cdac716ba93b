"""Joints that follow others (`mimic`): chains resolved, each a coupling of two coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torseur.errors import ModelError, unknown
from torseur.language.robot.parts import Mimic, Robot, RobotJoint
from torseur.words.sentence import say


def followed(robot: Robot, sliding: Mapping[str, str]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The couplings by the names of their joints, and what was made of unusual ones.

    `sliding` has the coordinate of every joint that has one alone.
    """
    constraints: dict[str, Any] = {}
    notices: list[str] = []
    for joint in robot.joints.values():
        if joint.mimic is None:
            continue
        place = _place(robot, joint)
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
            raise unknown(_place(robot, joint), "joint", found.joint, robot.joints)
        if found.joint in path or found.joint == joint.name:
            names = " → ".join([joint.name, *path, found.joint])
            problem = say("joints follow each other in a circle: {names}.", names)
            raise ModelError(_place(robot, joint), problem, "Remove one <mimic>.")
        path.append(found.joint)
        following = robot.joints[found.joint].mimic
        if following is None:
            return found, path
        k, total = found.multiplier, found.multiplier * following.offset + found.offset
        found = Mimic(following.joint, k * following.multiplier, total)


def _place(robot: Robot, joint: RobotJoint) -> str:
    return f'{robot.source}:{joint.line}: joint "{joint.name}"'
