"""Mass data of files as they are found in the wild: what is let pass, and what moves no mass."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.errors import ModelError, all_faults
from torseur.language.robot.parts import Link, Robot
from torseur.language.robot.symbols import DUST, DUST_RADIUS
from torseur.model.mass.validity import TOLERANCE, diagnose
from torseur.spatial.inertia import tensor_of
from torseur.words.sentence import say

ROUNDED = 1e-4  # a negative moment this small beside the largest is one of a bar, rounded
_SHOWN = 6  # names in a notice


def accepted(robot: Robot) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """The kinds of fault that are let pass, by link, and the notices that say so.

    Published files break the triangle inequality of moments more often than not; a moment that is
    negative beyond rounding is refused when the mechanism is checked.
    """
    heavy = [link for link in robot.links.values() if link.heavy]
    if not heavy:
        return {}, ()
    tensors = np.array([tensor_of(link.inertia) for link in heavy], dtype=float)
    low, middle, high = np.linalg.eigvalsh(tensors).T
    size = np.abs(tensors).max(axis=(1, 2))
    masses = np.array([max(link.mass, DUST) for link in heavy])
    seen = size > masses * DUST_RADIUS**2  # the others are taken as zero
    flat = seen & (high - low - middle > TOLERANCE * size / 2)
    negative = seen & (low < -TOLERANCE * size / 2)
    if "negative moment" not in robot.accept:
        _refuse(robot, [heavy[k] for k in np.flatnonzero(seen & (low < -ROUNDED * size))])
    found = {
        link.name: (
            *(("triangle",) if flat[k] or negative[k] else ()),
            *(("negative moment",) if negative[k] else ()),
            *robot.accept,
        )
        for k, link in enumerate(heavy)
    }
    broken = [link.name for k, link in enumerate(heavy) if flat[k] or negative[k]]
    notices: tuple[str, ...] = ()
    if broken:
        notices = (
            say(
                "No body has the moments of inertia of {names}: one exceeds the sum of the two "
                "others. They are kept as they are.",
                _listed(broken),
            ),
        )
    return {name: kinds for name, kinds in found.items() if kinds}, notices


def _refuse(robot: Robot, links: list[Link]) -> None:
    """Moments that are negative beyond rounding, all at once."""
    if not links:
        return
    faults = [
        ModelError(robot.place(link), fault.sentence, *fault.advice)
        for link in links
        for fault in diagnose(link.properties)
    ]
    last = faults[-1]
    remedy = (
        'To read it as it is: ts.robots.load(FILE, accept=["negative moment"]), or '
        '--accept "negative moment".'
    )
    faults[-1] = ModelError(last.place, last.problem, *last.advice, remedy)
    raise all_faults(faults)


def still_moving(robot: Robot) -> Iterator[str]:
    """Joints that move nothing that has a mass or an inertia."""
    carrying = {joint.child: joint for joint in robot.joints.values() if not joint.closing}
    moving: set[str] = set()
    for link in robot.links.values():
        name = link.name if link.heavy else ""
        while name in carrying and name not in moving:
            moving.add(name)
            name = carrying[name].parent
    idle = [
        joint.name
        for joint in carrying.values()
        if joint.kind != "fixed" and joint.child not in moving
    ]
    if idle:
        yield say(
            "{names}: these joints move links without mass and inertia, so that accelerations "
            "are not determined; give <inertial> to their links, or fix the joints.",
            _listed(idle),
        )


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
