"""What bodies are drawn with where files of robots say it: plain solids and surfaces in files."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from torseur.errors import ModelError
from torseur.language.text.triangles import SUFFIXES, read_triangles
from torseur.model.description import Body
from torseur.model.description import Mesh as MeshFile
from torseur.report.scene.geometry import Geometry
from torseur.report.scene.shapes import part_solid
from torseur.report.scene.solids import Mesh, Solid
from torseur.spatial.triangles import Triangles

Array = np.ndarray
_CELLS, _LEAST = 14, 4  # across the largest side of a surface, and across any: finer is not drawn
_FAULTS = (OSError, ValueError, KeyError, IndexError, NotImplementedError, ImportError)


def visual_solids(geometry: Geometry, body: Body) -> list[Solid]:
    """The solids of a body, in its frame; files that are not there are left out."""
    found: list[Solid] = []
    for visual in body.visuals:
        name, dimensions = visual.shape
        shape = name, geometry.dimensions(dimensions)
        found.append(part_solid(shape, geometry.pose(visual.pose), 0.0))
    folder = Path(geometry.mechanism.source).parent
    for mesh in body.meshes:
        surface = _surface(folder / mesh.file)
        if surface is not None:
            found.append(_placed(surface, geometry, mesh))
    return found


def _placed(surface: Triangles, geometry: Geometry, mesh: MeshFile) -> Mesh:
    scale = geometry.numbers(list(mesh.scale)) if mesh.scale else np.ones(3)
    faces = surface.faces if np.prod(scale) > 0 else surface.faces[:, ::-1]
    listed = tuple(tuple(face) for face in faces.tolist())
    return Mesh(surface.points * scale, listed).moved(geometry.pose(mesh.pose))


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

        found = trimesh.load(path, force="mesh")
        return coarse(Triangles(np.asarray(found.vertices), np.asarray(found.faces)))
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
    made = which[faces]
    corners = np.sort(made, axis=1)
    whole = (corners[:, 0] != corners[:, 1]) & (corners[:, 1] != corners[:, 2])
    _, first = np.unique(corners[whole], axis=0, return_index=True)
    return Triangles(means, made[whole][np.sort(first)])
