"""Mass data of links from their meshes, filled with one density; trimesh reads them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from torseur.errors import ModelError
from torseur.language.robot.parts import Mesh, Robot
from torseur.model.mass.properties import MassProperties, composed
from torseur.packages import package
from torseur.words.sentence import say

_SHOWN = 6


def with_mesh_masses(robot: Robot, density: float) -> Robot:
    """The robot in which links without mass data have those of their meshes [kg/m³]."""
    links, filled = dict(robot.links), []
    for name, link in robot.links.items():
        if not link.heavy and link.meshes:
            solids = [_solid(mesh, density, robot.place(link)) for mesh in link.meshes]
            links[name] = link.weighing(composed(solids))
            filled.append(name)
    names = ", ".join(filled[:_SHOWN]) + (", …" if len(filled) > _SHOWN else "")
    told = say("Mass data from meshes filled with {density:g} kg/m³: {names}.", density, names)
    return replace(robot, links=links, notices=(*robot.notices, told) if filled else robot.notices)


def _solid(mesh: Mesh, density: float, place: str) -> MassProperties:
    """The mass data of a mesh in the frame of its link, filled."""
    need = say("mass data of meshes are computed by trimesh, which is not installed.")
    trimesh = package("trimesh", "robots", place, need)
    try:
        solid: Any = trimesh.load(mesh.file, force="mesh")
    except (OSError, ValueError, KeyError, NotImplementedError, ImportError) as error:
        shown = str(error).split("\n")[0][:200]
        problem = say('the mesh "{file}" cannot be read: {shown}', mesh.file, shown)
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
