"""The links of a robot as a tree on the ground: one root, nothing in a circle."""

from __future__ import annotations

from dataclasses import replace

from torseur.errors import ModelError, unknown
from torseur.language.robot.parts import WORLD, Link, Robot, RobotJoint
from torseur.model.description import GROUND
from torseur.words.sentence import say


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
        place = f'{robot.source}:{joint.line}: joint "{joint.name}"'
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
                    f'{robot.source}:{joint.line}: joint "{joint.name}"',
                    say("links carry each other in a circle: {names}.", names),
                    "Turn one of the joints round, or remove it.",
                )
            path.append(name)
            name = carried[name].parent
        sound.update(path)
