"""Looks of bodies: solids and surfaces of files, or the shapes of a body or of its parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.errors import ModelError
from torseur.language.text.files import SUFFIXES, read_triangles
from torseur.model.description import Body, Part, Shape
from torseur.model.description import Mesh as MeshFile
from torseur.report.scene.geometry import SceneGeometry
from torseur.report.scene.scene_solids import MeshPart, Solid
from torseur.report.scene.shape_solids import centred, part_solid
from torseur.spatial.hulls import Triangles
from torseur.spatial.pose import Pose

Array = np.ndarray
_CELLS, _LEAST = 14, 4  # across the largest side of a surface, and across any: finer is not drawn
_FAULTS = (OSError, ValueError, KeyError, IndexError, NotImplementedError, ImportError)


@final
@dataclass(frozen=True)
class BodyLook:
    """Parts to draw of a body, in its frame; empty if symbols alone represent it."""

    solids: list[Solid] = field(default_factory=list)  # that files of robots say
    shapes: list[tuple[Shape, Pose]] = field(default_factory=list)  # else, that it has

    def __bool__(self) -> bool:
        return bool(self.solids or self.shapes)

    @property
    def reach(self) -> float:
        """The size of what is drawn."""
        if self.solids:
            corners = np.concatenate([solid.corners for solid in self.solids])
            return float(np.ptp(corners, axis=0).max())
        dimensions = (x for (_, given), _ in self.shapes for x in given.values())
        sizes = (float(np.max(x)) for x in dimensions if not isinstance(x, str))
        return max(sizes, default=0.0)

    def drawn(self, thin: float) -> list[Solid]:
        """The solids, of which lines have the radius `thin`."""
        return self.solids or [part_solid(shape, X, thin) for shape, X in self.shapes]


def look(geometry: SceneGeometry, body: Body) -> BodyLook:
    """Look of a body; missing files are ignored."""
    solids: list[Solid] = [part_solid(*part) for part in _placed_parts(geometry, body.visuals)]
    folder = Path(geometry.mechanism.source).parent
    for mesh in body.meshes:
        surface = _surface(folder / mesh.file)
        if surface is not None:
            solids.append(_placed(surface, geometry, mesh))
    if solids:
        return BodyLook(solids)
    if body.shape is not None:
        shape = _numbered(geometry, body.shape)
        return BodyLook(shapes=[(shape, centred(shape, body.centre))])
    return BodyLook(shapes=list(_placed_parts(geometry, body.parts)))


def _placed_parts(geometry: SceneGeometry, parts: Iterable[Part]) -> Iterator[tuple[Shape, Pose]]:
    for part in parts:
        if part.shape is not None and not part.removed:
            yield _numbered(geometry, part.shape), geometry.pose(part.pose)


def _numbered(geometry: SceneGeometry, shape: Shape) -> Shape:
    return shape[0], geometry.dimensions(shape[1])


def _placed(surface: Triangles, geometry: SceneGeometry, mesh: MeshFile) -> MeshPart:
    scale = geometry.numbers(list(mesh.scale)) if mesh.scale else np.ones(3)
    faces = surface.faces if np.prod(scale) > 0 else surface.faces[:, ::-1]
    listed = tuple(tuple(face) for face in faces.tolist())
    return MeshPart(surface.points * scale, listed).transformed(geometry.pose(mesh.pose))


def _surface(path: Path) -> Triangles | None:
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return None
    return _read(path, changed)


@lru_cache(256)
def _read(path: Path, changed: int) -> Triangles | None:
    """A surface of few faces, of a file as it was last changed; None of what cannot be read."""
    try:
        if path.suffix.lower() in SUFFIXES:
            return coarse(read_triangles(path, str(path)))
        import trimesh

        mesh: Any = trimesh.load(path, force="mesh")
        return coarse(Triangles(np.asarray(mesh.vertices), np.asarray(mesh.faces)))
    except (ModelError, *_FAULTS):
        return None


def coarse(surface: Triangles) -> Triangles:
    """A surface whose points in one cell of a grid are one.

    Rossignac and Borrel (1993), Multi-resolution 3D approximations for rendering complex scenes.
    """
    points, faces = surface.points, surface.faces
    low, sides = points.min(axis=0), np.ptp(points, axis=0)
    if len(faces) <= 2 * _CELLS**2:
        return surface
    counts = np.maximum(_CELLS * sides / sides.max(), _LEAST)
    shares = (points - low) / np.where(sides > 0, sides, 1.0)
    cells = np.minimum(np.floor(shares * counts), np.ceil(counts) - 1).astype(int)
    _, which, count = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    which = which.reshape(-1)
    means = np.column_stack([np.bincount(which, points[:, k]) for k in range(3)]) / count[:, None]
    merged = which[faces]
    corners = np.sort(merged, axis=1)
    whole = (corners[:, 0] != corners[:, 1]) & (corners[:, 1] != corners[:, 2])
    _, first = np.unique(corners[whole], axis=0, return_index=True)
    return Triangles(means, merged[whole][np.sort(first)])
