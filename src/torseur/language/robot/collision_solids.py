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
from torseur.language.robot.shapes_of_links import SIZES, Packages, smallest_size
from torseur.language.robot.xml_tree import XmlElement
from torseur.language.text.files import SUFFIXES, read_triangles
from torseur.packages import package
from torseur.spatial.hulls import Triangles
from torseur.words.sentence import say

Array = np.ndarray
IDLE = "collision/geometry collision/material collision/laser_retro collision/max_contacts"
MOST_VERTICES = 256  # of a hull
_SHARE = 16  # of the points of a hull: how many more a round may add
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
    if smallest_size(values) <= 0:
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
        advice = ["Or load without collisions."]
        if mesh.file.startswith("package:"):
            advice = ["Give its folder: ts.load(…, packages=[…]), or --package.", *advice]
        raise ModelError(place, problem, *advice) from None
    return Triangles(read.points * np.asarray(mesh.scale, dtype=float), read.faces)


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
    """Shapes and hulls of solids as the YAML form has them; a mesh is read once for each scale.

    With `parts`, each part of a mesh that no face connects with the others has a hull of its own.
    """

    def __init__(self, parts: bool = False) -> None:
        self._parts = parts
        self._hulls: dict[tuple[str, Any], list[Array]] = {}
        self._cuts: dict[str, float] = {}  # of meshes with many corners, by file
        self._filled: dict[str, float] = {}  # share of its hull, of a mesh that is concave
        self._flat: list[str] = []

    def entries(
        self, solids: Iterable[CollisionSolid], place: str
    ) -> Iterator[tuple[dict[str, Any], CollisionSolid]]:
        """The entry of each solid, with the solid; flat meshes are left out."""
        for solid in solids:
            if solid.height_field is not None:
                yield {"height_field": solid.height_field}, solid
            elif solid.shape is not None:
                yield {"shape": solid.shape}, solid
            else:
                for hull in self._solid_hulls(solid, place):
                    yield {"hull": [[float(x) for x in p] for p in hull]}, solid

    def _solid_hulls(self, solid: CollisionSolid, place: str) -> list[Array]:
        if solid.mesh is None:
            assert solid.points is not None, "a solid has a shape, points or a mesh"
            return self._hull(solid.points, place)
        key = solid.mesh.file, tuple(solid.mesh.scale)
        if key not in self._hulls:
            surface, name = mesh_surface(solid.mesh, place), Path(solid.mesh.file).name
            parts = surface.parts if self._parts else [surface]
            self._hulls[key] = [hull for part in parts for hull in self._hull(part.points, name)]
            for part in parts:
                self._note_concave(part, name)
        return self._hulls[key]

    def _hull(self, points: Array, name: str) -> list[Array]:
        """The hull of points; none where they are flat."""
        hull = hull_points(points)
        if hull is None:
            self._flat.append(name)
            return []
        if hull[1] > 0:
            self._cuts[name] = max(hull[1], self._cuts.get(name, 0.0))
        return [hull[0]]

    def _note_concave(self, part: Triangles, name: str) -> None:
        from scipy.spatial import ConvexHull, QhullError

        try:
            whole, filled = float(ConvexHull(part.points).volume), part.volume
        except (QhullError, ValueError):
            return
        if filled is not None and filled < _CONVEX * whole:
            self._filled[name] = min(filled / whole, self._filled.get(name, 1.0))

    @property
    def notices(self) -> Iterator[str]:
        """Meshes that are flat, concave, or whose hulls have fewer vertices here."""
        if self._flat:
            listed = shortened(", ".join(dict.fromkeys(self._flat)))
            yield say("Flat meshes do not touch: {names}.", listed)
        for name, share in self._filled.items():
            yield say(
                '"{name}" is concave, but touches by its hull, of which it fills {share:.0%}.',
                name,
                share,
            )
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
