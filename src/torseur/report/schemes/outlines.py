"""Outlines of solids on a sheet: silhouettes, and the edges that are seen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.report.scene.camera import Camera
from torseur.report.scene.scene_solids import (
    BallPart,
    CylinderPart,
    Limb,
    MeshPart,
    Polyline,
    Solid,
)
from torseur.report.schemes.symbol_outlines import closed, ring
from torseur.spatial.hulls import outline as convex

Array = np.ndarray
_SEEN = 0.02  # of its size: a face that is seen


def solid_lines(camera: Camera, part: Solid) -> Iterator[Array]:
    """The broken lines on the page, each (n, 2), that show a solid."""
    if isinstance(part, BallPart):
        page = np.column_stack([camera.right, camera.top, camera.reader])
        yield camera.at(part.centre + closed(ring(2, part.radius)) @ page.T)
    elif isinstance(part, CylinderPart):
        yield from _cylinder(camera, part)
    elif isinstance(part, MeshPart):
        yield from (camera.at(line) for line in _silhouette(part, camera.reader))
    elif isinstance(part, Limb) and part.thick:
        yield from _capsule(camera, part)
    elif isinstance(part, Polyline) and part.closed:
        yield camera.at(closed(part.corners))
    else:
        yield camera.at(part.corners)


def _cylinder(camera: Camera, part: CylinderPart) -> Iterator[Array]:
    """The outline, and the end that is seen."""
    u = np.cross(part.axis, np.eye(3)[int(np.argmin(np.abs(part.axis)))])
    u = u / np.linalg.norm(u)
    axes = np.column_stack([u, np.cross(part.axis, u), part.axis])
    sides = [part.centre + ring(2, part.radius, side * part.half) @ axes.T for side in (1, -1)]
    both = [camera.at(closed(side)) for side in sides]
    yield closed(convex(np.concatenate(both)))
    towards = float(part.axis @ camera.reader)
    if _SEEN < abs(towards) < 1 - _SEEN:
        yield both[0 if towards > 0 else 1]


def _capsule(camera: Camera, part: Limb) -> Iterator[Array]:
    """The outline of a rod with round ends."""
    around = ring(2, 1.0)[:, :2] * camera.scale
    ends = zip((part.a, part.b), (part.thick, part.thin), strict=True)
    yield closed(convex(np.concatenate([camera.at(at) + r * around for at, r in ends])))


def _silhouette(mesh: MeshPart, reader: Array) -> list[Array]:
    """The edges between a face that is seen and one that is not, and all that are to be drawn."""
    beside: dict[tuple[int, int], list[bool]] = {}
    for face in mesh.faces:
        corners = mesh.vertices[list(face)]
        normal = np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)
        facing = float(normal @ reader) > _SEEN * float(np.linalg.norm(normal))
        for a, b in zip(face, (*face[1:], face[0]), strict=True):
            beside.setdefault((min(a, b), max(a, b)), []).append(facing)
    visible = [
        edge
        for edge, faces in beside.items()
        if (mesh.edges and any(faces)) or len(set(faces)) == 2 or (mesh.open and len(faces) == 1)
    ]
    return [mesh.vertices[line] for line in _chained(visible)]


def _chained(edges: list[tuple[int, int]]) -> Iterator[list[int]]:
    """Edges one after the other as broken lines."""
    near: dict[int, set[int]] = {}
    for a, b in edges:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    starts = sorted(near, key=lambda vertex: len(near[vertex]) == 2)
    for start in starts:
        while near[start]:
            line = [start]
            while near[line[-1]]:
                after = near[line[-1]].pop()
                near[after].discard(line[-1])
                line.append(after)
            yield line
