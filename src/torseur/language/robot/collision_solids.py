"""Solids that links touch with, as files of robots have them, and hulls of meshes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.brief import shortened
from torseur.errors import ModelError
from torseur.language.robot.format_tables import RobotFormat
from torseur.language.robot.placement import Placement
from torseur.language.robot.robot_parts import CollisionSolid, RobotMesh
from torseur.language.robot.shapes_of_links import SIZES, Packages
from torseur.language.robot.xml_tree import XmlElement
from torseur.language.text.files import SUFFIXES, read_triangles
from torseur.packages import package
from torseur.words.sentence import say

Array = np.ndarray
IDLE = "collision/geometry collision/material collision/laser_retro collision/max_contacts"
MOST_VERTICES = 256  # of a hull
_SHARE = 16  # of the points of a hull: how many more a round may add
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
    values = {key: x.of(solid) for key, x in format.tables[solid.tag].items()}
    if solid.tag == "mesh":
        path = packages.path(values["file"])
        return {"mesh": RobotMesh(path, scale=values["scale"])}
    if min(np.ravel([*values.values()])) <= 0:
        return None
    return {"shape": {solid.tag: {k: list(x) if k == "size" else x for k, x in values.items()}}}


# --- hulls ----------------------------------------------------------------------------------------


def mesh_points(mesh: RobotMesh, place: str) -> Array:
    """The points (n, 3) of a mesh, scaled."""
    path = Path(mesh.file)
    try:
        if path.suffix.lower() in SUFFIXES:
            points = read_triangles(path, place).points
        else:
            need = say("meshes other than STL and OBJ are read by trimesh, which is not installed.")
            trimesh = package("trimesh", "robots", place, need)
            points = np.asarray(trimesh.load(str(path), force="mesh").vertices, dtype=float)
    except (OSError, ValueError, KeyError, NotImplementedError, ImportError) as error:
        reason = str(error).split("\n")[0][:200]
        problem = say('the mesh "{file}" cannot be read: {shown}', mesh.file, reason)
        raise ModelError(place, problem, "Or load without collisions.") from None
    return np.asarray(points * np.asarray(mesh.scale, dtype=float))


def hull_points(points: Array) -> tuple[Array, float] | None:
    """The corners of the hull of points, of many the ones that matter, and how much is cut off [m].

    None where the points lie in a plane. Each round adds the points that are farthest outside of
    faces of the hull of those before.
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
        heights = corners @ sides[:, :3].T + sides[:, 3]
        outside, over = heights.max(axis=1), heights.argmax(axis=1)
        room = MOST_VERTICES - len(chosen)
        if not room or outside.max() <= _EXACT * size:
            return corners[sorted(chosen)], float(outside.max())
        order = np.argsort(-outside, kind="stable")
        first = np.unique(over[order], return_index=True)[1]  # the farthest over each face
        worst = order[np.sort(first)][: max(1, min(room, len(chosen) // _SHARE))]
        chosen += [int(k) for k in worst if outside[k] > _EXACT * size]


def ellipsoid_points(radii: Iterable[float]) -> Array:
    """Points of an ellipsoid, evenly about its centre."""
    k = np.arange(MOST_VERTICES) + 0.5
    z, turn = 1 - 2 * k / MOST_VERTICES, np.pi * (1 + np.sqrt(5)) * k
    r = np.sqrt(1 - z * z)
    unit = np.column_stack([r * np.cos(turn), r * np.sin(turn), z])
    return np.asarray(unit * np.array(list(radii)))


@final
class HullReader:
    """Shapes and hulls of solids as the YAML form has them; a mesh is read once for each scale."""

    def __init__(self) -> None:
        self._hulls: dict[tuple[str, Any], tuple[Array, float] | None] = {}
        self._cuts: dict[str, float] = {}  # of meshes with many corners, by file
        self._flat: list[str] = []

    def entries(
        self, solids: Iterable[CollisionSolid], place: str
    ) -> Iterator[tuple[dict[str, Any], Placement]]:
        """The entry and the place of each solid; flat meshes are left out."""
        for solid in solids:
            if solid.shape is not None:
                yield {"shape": solid.shape}, solid.placement
                continue
            hull = self._hull(solid, place)
            if hull is not None:
                yield {"hull": [[float(x) for x in p] for p in hull[0]]}, solid.placement

    def _hull(self, solid: CollisionSolid, place: str) -> tuple[Array, float] | None:
        if solid.mesh is None:
            assert solid.points is not None, "a solid has a shape, points or a mesh"
            return self._noted(hull_points(solid.points), place)
        key = solid.mesh.file, tuple(solid.mesh.scale)
        if key not in self._hulls:
            hull = hull_points(mesh_points(solid.mesh, place))
            self._hulls[key] = self._noted(hull, Path(solid.mesh.file).name)
        return self._hulls[key]

    def _noted(self, hull: tuple[Array, float] | None, name: str) -> tuple[Array, float] | None:
        if hull is None:
            self._flat.append(name)
        elif hull[1] > 0:
            self._cuts[name] = max(hull[1], self._cuts.get(name, 0.0))
        return hull

    @property
    def notices(self) -> Iterator[str]:
        """Meshes that are flat, and those whose hulls have fewer vertices here."""
        if self._flat:
            listed = shortened(", ".join(dict.fromkeys(self._flat)))
            yield say("Flat meshes do not touch: {names}.", listed)
        if self._cuts:
            worst = max(self._cuts, key=self._cuts.__getitem__)
            yield say(
                "Hulls of {count} mesh(es) have {most} vertices here; they cut off at most "
                "{cut:.2g} m ({name}).",
                len(self._cuts),
                MOST_VERTICES,
                self._cuts[worst],
                worst,
            )
