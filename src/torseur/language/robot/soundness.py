"""Mass data of published files: errors that are let pass, joints that move no mass.

Links without mass data may have those of their meshes, filled with one density; trimesh reads them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.errors import ModelError, all_faults
from torseur.language.robot.robot_parts import DUST, DUST_RADIUS, Robot, RobotLink, RobotMesh
from torseur.model.mass.properties import MassProperties, composed
from torseur.model.mass.validity import TOLERANCE, diagnose
from torseur.packages import package
from torseur.spatial.inertia import tensor_of
from torseur.words.sentence import say

ROUNDED = 1e-4  # a negative moment this small beside the largest is one of a bar, rounded
_SHOWN = 6  # names in a notice


def accepted(robot: Robot) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """The kinds of error that are let pass, by link, with the notices about them.

    Published files break the triangle inequality of moments more often than not; a moment that is
    negative beyond rounding is refused.
    """
    heavy = [link for link in robot.links.values() if link.heavy]
    if not heavy:
        return {}, ()
    tensors = np.array([tensor_of(link.inertia) for link in heavy], dtype=float)
    low, middle, high = np.linalg.eigvalsh(tensors).T
    size = np.abs(tensors).max(axis=(1, 2))
    masses = np.array([max(link.mass, DUST) for link in heavy])
    counted = size > masses * DUST_RADIUS**2  # the others are taken as zero
    negative = counted & (low < -TOLERANCE * size / 2)
    broken = negative | (counted & (high - low - middle > TOLERANCE * size / 2))
    if "negative moment" not in robot.accept:
        _refuse(robot, [heavy[k] for k in np.flatnonzero(counted & (low < -ROUNDED * size))])
    kinds = {
        link.name: (
            *(("triangle",) if broken[k] else ()),
            *(("negative moment",) if negative[k] else ()),
            *robot.accept,
        )
        for k, link in enumerate(heavy)
    }
    names = [heavy[k].name for k in np.flatnonzero(broken)]
    accepting = {name: x for name, x in kinds.items() if x}
    if not names:
        return accepting, ()
    notice = say(
        "No body has the moments of inertia of {names}: one exceeds the sum of the two others. "
        "They are kept as they are.",
        _first_names(names),
    )
    return accepting, (notice,)


def _refuse(robot: Robot, links: list[RobotLink]) -> None:
    """Refuse moments that are negative beyond rounding, all at once."""
    if not links:
        return
    errors = [
        ModelError(robot.place(link), error.sentence, *error.advice)
        for link in links
        for error in diagnose(link.properties)
    ]
    last = errors[-1]
    remedy = say(
        'To read it as it is: ts.robots.load("{file}", accept=["negative moment"]), or, in a '
        'shell, torseur check "{file}" --accept "negative moment".',
        robot.source,
    )
    errors[-1] = ModelError(last.place, last.problem, *last.advice, remedy)
    raise all_faults(errors)


def massless_motions(robot: Robot) -> Iterator[str]:
    """The notice of joints that move links without mass and inertia only."""
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
            _first_names(idle),
        )


def _first_names(names: list[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")


# --- filled meshes ------------------------------------------------------------------------------


def with_mesh_masses(robot: Robot, density: float) -> Robot:
    """The robot whose links without mass data have those of their meshes, by a density [kg/m³]."""
    links, filled = dict(robot.links), []
    for name, link in robot.links.items():
        if not link.heavy and link.meshes:
            solids = [_solid(mesh, density, robot.place(link)) for mesh in link.meshes]
            links[name] = link.weighing(composed(solids))
            filled.append(name)
    if not filled:
        return robot
    names = _first_names(filled)
    notice = say("Mass data from meshes filled with {density:g} kg/m³: {names}.", density, names)
    return replace(robot, links=links, notices=(*robot.notices, notice))


def _solid(mesh: RobotMesh, density: float, place: str) -> MassProperties:
    """The mass data of a filled mesh in the frame of its link."""
    need = say("mass data of meshes are computed by trimesh, which is not installed.")
    trimesh = package("trimesh", "robots", place, need)
    try:
        solid: Any = trimesh.load(mesh.file, force="mesh")
    except (OSError, ValueError, KeyError, NotImplementedError, ImportError) as error:
        reason = str(error).split("\n")[0][:200]
        problem = say('the mesh "{file}" cannot be read: {shown}', mesh.file, reason)
        raise ModelError(place, problem) from None
    solid.apply_scale(mesh.scale)
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = mesh.placement.R, mesh.placement.p
    solid.apply_transform(X)
    if solid.volume <= 0 or not solid.is_volume:
        problem = say('the mesh "{file}" is not closed: it has no volume to fill.', mesh.file)
        raise ModelError(place, problem, "Close it, or give the link an <inertial>.")
    solid.density = density
    return MassProperties(float(solid.mass), solid.center_mass, solid.moment_inertia)
