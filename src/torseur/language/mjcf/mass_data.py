"""Mass data as MuJoCo takes them: what it refuses is changed where that changes no motion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from torseur.language.robot.parts import WORLD, Array, Link, Robot, RobotJoint
from torseur.model.mass.properties import MassProperties, composed
from torseur.spatial.inertia import components_of, tensor_of
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
    moved = [x.child for x in _inward(robot) if _left_to_carrier(links, x)]
    flat = [name for name, u in _turning(robot).items() if _flattened(links, name, u)]
    wrong = [n for n in _moving(robot) if links[n].heavy and not _sound(links[n])]
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
    a, b, c = np.linalg.eigvalsh(_tensor(link))
    return bool(link.mass > _SMALLEST and a > _SMALLEST and a + b >= c)


def _tensor(link: Link) -> Array:
    return np.array(tensor_of(link.inertia), dtype=float)


# --- links that are fixed -----------------------------------------------------------------------


def _inward(robot: Robot) -> Iterable[RobotJoint]:
    """The joints that fix links, those furthest from the ground first."""
    fixed = [x for x in _outward(robot) if x.kind == "fixed"]
    return reversed(fixed)


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
        links[joint.parent] = _with(links[joint.parent], link, joint)
    links[joint.child] = replace(link, mass=0, centre=(0, 0, 0), inertia=(0,) * 6)
    return True


def _with(carrier: Link, link: Link, joint: RobotJoint) -> Link:
    X = joint.placement
    total = composed([_data(link).moved(X.R, X.p), *([_data(carrier)] if carrier.heavy else [])])
    return replace(
        carrier,
        mass=float(total.mass),
        centre=tuple(float(x) for x in total.centre),
        inertia=tuple(float(x) for x in components_of(total.inertia)),
    )


def _data(link: Link) -> MassProperties:
    return MassProperties(float(link.mass), np.array(link.centre, dtype=float), _tensor(link))


# --- links that turn about one direction --------------------------------------------------------


def _moving(robot: Robot) -> list[str]:
    return [x.child for x in robot.joints.values() if x.kind != "fixed" and not x.closing]


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
    about, mass = max(float(u @ _tensor(link) @ u), _LEAST), max(float(link.mass), _LEAST)
    links[name] = replace(link, mass=mass, inertia=(about, about, about, 0.0, 0.0, 0.0))
    return True
