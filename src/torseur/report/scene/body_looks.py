"""Looks of bodies and joints: surfaces of files, shapes of bodies and of parts of joints."""

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
from torseur.model.joints import symbol as drawn
from torseur.model.joints.symbol import Symbol
from torseur.report.scene.geometry import SceneGeometry
from torseur.report.scene.scene_solids import (
    BallPart,
    CylinderPart,
    Limb,
    MeshPart,
    Polyline,
    Size,
    Solid,
    box,
    strip,
)
from torseur.report.scene.shape_solids import centred, ellipsoid, part_solid
from torseur.spatial.hulls import Triangles
from torseur.spatial.pose import Pose

Array = np.ndarray
_CELLS, _LEAST = 14, 4  # across the largest side of a surface, and across any: finer is not drawn
_FIELD_CELLS = 40  # of a height field along a side
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
    solids += _height_fields(geometry, body)
    if solids:
        return BodyLook(solids)
    if body.shape is not None:
        shape = _numbered(geometry, body.shape)
        return BodyLook(shapes=[(shape, centred(shape, body.centre))])
    return BodyLook(shapes=list(_placed_parts(geometry, body.parts)))


def _height_fields(geometry: SceneGeometry, body: Body) -> Iterator[Solid]:
    """Surfaces of the height fields that a body touches with, of a limited number of cells."""
    for part in body.collision:
        if part.height_field is not None:
            surface = part.height_field.coarse(_FIELD_CELLS).surface
            faces = tuple(tuple(face) for face in surface.faces.tolist())
            drawn_surface = MeshPart(surface.points, faces, open=True)
            yield drawn_surface.transformed(geometry.pose(part.pose))


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


# --- joint parts ----------------------------------------------------------------------------------

# The parts of a joint as solids: those that move with its first body, and with its second.

LIFT = 2.4  # how much nearer a symbol is drawn than what it links, in its radii
_BEHIND = -20.0  # a plate is behind everything, in units
_PIECES = 96  # of a profile


def joint_parts(
    symbol: Symbol, travel: Array, size: Size, radius: float
) -> tuple[list[Solid], list[Solid]]:
    """The solids of a symbol of this radius: the first in F, the others in M.

    `travel` (2, 3) is from where to where the origin of M goes, in the axes of F.
    """
    back = -travel[::-1]
    first = [_solid(part, travel, size, radius, "ground") for part in symbol.first]
    return first, [_solid(part, back, size, radius, "own") for part in symbol.second]


def _solid(part: drawn.Part, travel: Array, size: Size, r: float, style: str) -> Solid:
    """A part of a symbol of radius r; `travel` is that of the other frame, seen from its own."""
    origin = np.zeros(3)
    if isinstance(part, drawn.Bar):
        (low, high), thick = bar_ends(part, travel, r), part.radius * r
        if style == "ground":
            return Limb(low, high, thick, thick, style, -size.unit)
        return Limb(np.minimum(low, 0.0), np.maximum(high, 0.0), thick, thick, style)
    if isinstance(part, drawn.Plate):
        return _plate(part, travel, size, r)
    if isinstance(part, drawn.Profile):
        return _profile(part, travel, size)
    if isinstance(part, drawn.Prism):
        return _prism(part, size)
    if isinstance(part, drawn.Capsule):
        end, thick = part.half * r * np.eye(3)[part.axis], part.radius * r
        return Limb(-end, end, thick, thick, part.style)
    lift = 0.0 if part.style == "own" else LIFT * r
    if isinstance(part, drawn.Cylinder):
        axis = np.eye(3)[part.axis]
        return CylinderPart(origin, axis, part.radius * r, part.half * r, part.style, lift)
    lift += part.lift * r
    if isinstance(part, drawn.SymbolBall):
        return BallPart(origin, part.radius * r, part.style, lift)
    if isinstance(part, drawn.SymbolEllipsoid):
        return ellipsoid(r * np.array(part.radii), part.style, lift)
    return box(r * np.array(part.half), part.style, lift, r * np.array(part.at))


def bar_ends(bar: drawn.Bar, travel: Array, r: float) -> tuple[Array, Array]:
    """From where to where a bar goes."""
    (low, high), along = travel[:, bar.axis], np.eye(3)[bar.axis]
    return (low - bar.beyond * r) * along, (high + bar.beyond * r) * along


def _plate(plate: drawn.Plate, travel: Array, size: Size, r: float) -> Polyline:
    reach = plate.beyond * max(r, size.radius)
    low, high = travel[0] - reach, travel[1] + reach
    i, j = (plate.normal + 1) % 3, (plate.normal + 2) % 3
    corners = np.zeros((4, 3))
    corners[:, i] = low[i], high[i], high[i], low[i]
    corners[:, j] = low[j], low[j], high[j], high[j]
    return Polyline(tuple(corners), "ground-plate", _BEHIND * size.unit, closed=True)


def _profile(part: drawn.Profile, travel: Array, size: Size) -> MeshPart:
    """A strip of flat pieces between two edges."""
    across, reach = 3 - part.along - part.normal, part.beyond * size.radius
    low, high = travel[0] - reach, travel[1] + reach
    places = np.linspace(low[part.along], high[part.along], _PIECES + 1)
    edges = np.zeros((2, _PIECES + 1, 3))
    edges[:, :, part.along] = places
    edges[:, :, part.normal] = [float(part.height(float(x))) for x in places]
    edges[:, :, across] = [[low[across]], [high[across]]]
    second = _PIECES + 1
    faces = tuple((k, k + 1, second + k + 1, second + k) for k in range(_PIECES))
    return MeshPart(edges.reshape(-1, 3), faces, "ground", _BEHIND * size.unit, open=True)


def _prism(part: drawn.Prism, size: Size) -> MeshPart:
    """Two outlines side by side and the strip between them; one sees through what is hollow."""
    angles = 2 * np.pi * np.arange(_PIECES) / _PIECES
    radii = np.array([float(part.radius(float(u))) for u in angles])
    half = 0.05 * float(radii.max())
    edges = np.zeros((2, _PIECES, 3))
    edges[:, :, part.first] = radii * np.cos(angles)
    edges[:, :, part.second] = radii * np.sin(angles)
    edges[:, :, 3 - part.first - part.second] = [[-half], [half]]
    below, above = tuple(range(_PIECES)), tuple(range(_PIECES, 2 * _PIECES))
    hollow = part.style == "hint"
    faces = (*strip(below, above), *(() if hollow else (below[::-1], above)))
    lift = _BEHIND * size.unit if part.style == "ground" else 0.0
    if (part.second - part.first) % 3 == 2:  # the axes are in the other order
        faces = tuple(face[::-1] for face in faces)
    return MeshPart(edges.reshape(-1, 3), faces, part.style, lift, open=hollow)
