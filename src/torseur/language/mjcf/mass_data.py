"""Mass data as MuJoCo takes them: what it refuses is changed where that changes no motion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from torseur.language.robot.parts import WORLD, Array, Link, Robot, RobotJoint
from torseur.model.mass.properties import composed
from torseur.words.sentence import say

_SMALLEST = 1e-15  # mjMINVAL, of masses and moments that MuJoCo takes
_LEAST = 1e-12  # [kg, kg m²] that a mass or a moment becomes where it would be zero
_PARALLEL = 1e-9
_ANY = np.full(3, np.nan)  # the direction of a link that turns about several
_STILL = np.zeros(3)  # of one that does not turn


def as_mujoco_takes_them(robot: Robot) -> Robot:
    """The same robot with mass data of which MuJoCo refuses as few as can be.

    A link that is fixed leaves what is refused to its carrier. A link that turns about one
    direction only needs its moment about that one.
    """
    links = dict(robot.links)
    fixed = [x for x in _outward(robot) if x.kind == "fixed"]
    moved = [x.child for x in reversed(fixed) if _left_to_carrier(links, x)]
    flat = [name for name, u in _turning(robot).items() if _flattened(links, name, u)]
    moving = (x for x in robot.joints.values() if x.kind != "fixed" and not x.closing)
    wrong = [x.child for x in moving if links[x.child].heavy and not _sound(links[x.child])]
    notices = (*robot.notices, *_told(*(", ".join(names) for names in (moved, flat, wrong))))
    return replace(robot, links=links, notices=notices)


def _told(moved: str, flat: str, wrong: str) -> Iterator[str]:
    if moved:
        yield say(
            "MuJoCo refuses the mass data of {names}: the bodies that they are fixed to have them.",
            moved,
        )
    if flat:
        yield say(
            "Moments of {names} about directions that they do not turn about are those that MuJoCo "
            "needs.",
            flat,
        )
    if wrong:
        yield say("MuJoCo refuses the mass data of {names}, which move.", wrong)


def _sound(link: Link) -> bool:
    """Whether MuJoCo takes the mass data: principal moments of some body, none of them zero."""
    a, b, c = np.linalg.eigvalsh(link.properties.inertia)
    return bool(link.mass > _SMALLEST and a > _SMALLEST and a + b >= c)


# --- links that are fixed -----------------------------------------------------------------------


def _outward(robot: Robot) -> list[RobotJoint]:
    """The joints that carry links, each after that which carries its carrier."""
    carried: dict[str, list[RobotJoint]] = {}
    for joint in robot.joints.values():
        if not joint.closing:
            carried.setdefault(joint.parent, []).append(joint)
    found: list[RobotJoint] = []
    pending = [WORLD]
    while pending:
        beyond = carried.get(pending.pop(), [])
        found += beyond
        pending += [joint.child for joint in beyond]
    return found


def _left_to_carrier(links: dict[str, Link], joint: RobotJoint) -> bool:
    link = links[joint.child]
    if not link.heavy or _sound(link):
        return False
    if joint.parent != WORLD:
        carrier, X = links[joint.parent], joint.placement
        parts = [link.properties.moved(X.R, X.p), *([carrier.properties] if carrier.heavy else [])]
        links[joint.parent] = carrier.weighing(composed(parts))
    links[joint.child] = replace(link, mass=0, centre=(0, 0, 0), inertia=(0,) * 6)
    return True


# --- links that turn about one direction --------------------------------------------------------


def _turning(robot: Robot) -> Mapping[str, Array]:
    """The direction about which each link turns, in its own axes; not a number for several."""
    found = {WORLD: _STILL}
    for joint in _outward(robot):
        before = joint.placement.R.T @ found[joint.parent]
        if joint.kind in ("fixed", "prismatic"):
            own = before
        elif joint.kind == "revolute":
            axis = np.array(joint.axis, dtype=float) / np.linalg.norm(joint.axis)
            alike = not before.any() or np.abs(np.cross(before, axis)).max() < _PARALLEL
            own = axis if alike else _ANY
        else:
            own = _ANY
        found[joint.child] = own
    return found


def _flattened(links: dict[str, Link], name: str, u: Array) -> bool:
    """A link with equal moments about all directions, where it turns about one at most."""
    link = links[name]
    if not link.heavy or _sound(link) or np.isnan(u).any():
        return False
    tensor, mass = link.properties.inertia, max(float(link.mass), _LEAST)
    about = max(float(u @ tensor @ u), _LEAST)
    links[name] = replace(link, mass=mass, inertia=(about, about, about, 0.0, 0.0, 0.0))
    return True
