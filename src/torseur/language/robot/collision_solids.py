"""Solids that links touch with, as files of robots have them, and hulls of meshes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from torseur.errors import ModelError
from torseur.language.robot.format_tables import RobotFormat
from torseur.language.robot.placement import Placement
from torseur.language.robot.robot_parts import CollisionSolid, RobotMesh
from torseur.language.robot.shapes_of_links import SIZES, Packages
from torseur.language.robot.xml_tree import XmlElement
from torseur.language.text.files import SUFFIXES, read_triangles
from torseur.packages import package
from torseur.spatial.hulls import Triangles
from torseur.words.sentence import say

Array = np.ndarray
IDLE = "collision/geometry collision/material collision/laser_retro collision/max_contacts"
MOST_VERTICES = 64  # of a hull
_CONVEX = 0.9  # of the volume of its hull: a mesh that fills less is concave
_EXACT = 1e-9  # of the size of a mesh: what a hull may cut off unsaid


def reading_collisions(format: RobotFormat) -> RobotFormat:
    """The format whose collision shapes are read."""
    read = f"{format.read} link/collision/pose collision/@name"
    return replace(format, read=read, idle=f"{format.idle} {IDLE}")


def unknown_solids(links: Iterable[XmlElement]) -> Counter[str]:
    """Numbers of the solids of <collision> that do not touch, by kind."""
    known = ("mesh", "plane", *SIZES)
    geometries = (x for link in links for c in link.all("collision") for x in c.all("geometry"))
    kinds = (solid.tag for geometry in geometries for solid in geometry.children)
    return Counter(f"<collision> {kind}" for kind in kinds if kind not in known)


def collision_solids(
    link: XmlElement,
    format: RobotFormat,
    pose: Callable[[XmlElement], Placement],
    packages: Packages,
) -> tuple[CollisionSolid, ...]:
    """The solids of the <collision> of a link."""
    solids = []
    for collision in link.all("collision"):
        for geometry in collision.all("geometry"):
            for solid in geometry.children:
                read = _solid(solid, format, packages)
                friction = format.tables["collision"].get("mu")
                mu = None if friction is None else friction.of(collision)
                if read is not None:
                    solids.append(CollisionSolid(pose(collision), friction=mu, **read))
    return tuple(solids)


def _solid(solid: XmlElement, format: RobotFormat, packages: Packages) -> dict[str, Any] | None:
    """The fields of a solid; None where it cannot touch."""
    if solid.tag == "plane":
        return {"is_plane": True}
    if solid.tag not in ("mesh", *SIZES):
        return None
    keys = tuple(format.tables[solid.tag])
    values = dict(zip(keys, format.values(solid, *keys), strict=True))
    if solid.tag == "mesh":
        path = packages.path(values["file"])
        return {"mesh": RobotMesh(path, scale=values["scale"])}
    if min(np.ravel([*values.values()])) <= 0:
        return None
    return {"shape": {solid.tag: {k: list(x) if k == "size" else x for k, x in values.items()}}}


# --- hulls ----------------------------------------------------------------------------------------


def mesh_surface(mesh: RobotMesh, place: str) -> Triangles:
    """The triangles of a mesh, scaled."""
    path = Path(mesh.file)
    try:
        if path.suffix.lower() in SUFFIXES:
            read = read_triangles(path, place)
        else:
            need = say("meshes other than STL and OBJ are read by trimesh, which is not installed.")
            trimesh = package("trimesh", "robots", place, need)
            loaded = trimesh.load(str(path), force="mesh")
            read = Triangles(np.asarray(loaded.vertices, dtype=float), np.asarray(loaded.faces))
    except (OSError, ValueError, KeyError, NotImplementedError, ImportError) as error:
        reason = str(error).split("\n")[0][:200]
        problem = say('the mesh "{file}" cannot be read: {shown}', mesh.file, reason)
        raise ModelError(place, problem, "Or load without collisions.") from None
    return Triangles(read.points * np.asarray(mesh.scale, dtype=float), read.faces)


def hull_points(points: Array) -> tuple[Array, float] | None:
    """At most 64 points of the hull of points, and how much of it they cut off [m].

    None where the points lie in a plane. Each point more is the one farthest outside of the hull
    of those before.
    """
    from scipy.spatial import ConvexHull, QhullError

    try:
        corners = points[np.sort(ConvexHull(points).vertices)]
    except (QhullError, ValueError):
        return None
    if len(corners) <= MOST_VERTICES:
        return corners, 0.0
    axes = np.vstack(
        [np.eye(3), -np.eye(3), [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]]
    )
    chosen = sorted(set(map(int, np.argmax(axes @ corners.T, axis=1))))
    size = float(np.ptp(corners, axis=0).max())
    while True:
        sides = ConvexHull(corners[chosen]).equations
        outside = (corners @ sides[:, :3].T + sides[:, 3]).max(axis=1)
        worst = int(np.argmax(outside))
        if len(chosen) == MOST_VERTICES or outside[worst] <= _EXACT * size:
            return corners[sorted(chosen)], float(outside[worst])
        chosen.append(worst)


def ellipsoid_points(radii: Iterable[float]) -> Array:
    """Points of an ellipsoid, evenly about its centre."""
    k = np.arange(MOST_VERTICES) + 0.5
    z, turn = 1 - 2 * k / MOST_VERTICES, np.pi * (1 + np.sqrt(5)) * k
    r = np.sqrt(1 - z * z)
    unit = np.column_stack([r * np.cos(turn), r * np.sin(turn), z])
    return np.asarray(unit * np.array(list(radii)))


def solid_entries(
    solids: Iterable[CollisionSolid], place: str, notices: list[str], parts: bool = False
) -> Iterator[tuple[dict[str, Any], Placement]]:
    """The shape or hull of each solid as the YAML form has it; flat meshes are left out.

    With `parts`, each part of a mesh that no face connects with the others has a hull of its own.
    """
    for solid in solids:
        if solid.shape is not None:
            yield {"shape": solid.shape}, solid.placement
        elif solid.mesh is None:
            assert solid.points is not None, "a solid has a shape, points or a mesh"
            yield from _hull_entry(solid.points, "", solid.placement, place, notices)
        else:
            surface, name = mesh_surface(solid.mesh, place), Path(solid.mesh.file).name
            for part in surface.parts if parts else [surface]:
                yield from _hull_entry(part.points, name, solid.placement, place, notices)
                notices.extend(_concave(part, name, place))


def _hull_entry(
    points: Array, name: str, placement: Placement, place: str, notices: list[str]
) -> Iterator[tuple[dict[str, Any], Placement]]:
    """The hull of points; none where they are flat."""
    hull = hull_points(points)
    if hull is None:
        notices.append(say('{place}: the mesh "{name}" is flat: it does not touch.', place, name))
        return
    if hull[1] > 0:
        notices.append(
            say(
                '{place}: the hull of "{name}" has {most} vertices here, up to {cut:.2g} m '
                "inside of the whole one.",
                place,
                name,
                MOST_VERTICES,
                hull[1],
            )
        )
    yield {"hull": [[float(x) for x in p] for p in hull[0]]}, placement


def _concave(part: Triangles, name: str, place: str) -> Iterator[str]:
    """The notice that a closed mesh leaves much of its hull free."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        whole, filled = float(ConvexHull(part.points).volume), part.volume
    except (QhullError, ValueError):
        return
    if filled is not None and filled < _CONVEX * whole:
        yield say(
            '{place}: "{name}" is concave, but touches by its hull, of which it fills {share:.0%}.',
            place,
            name,
            filled / whole,
        )
