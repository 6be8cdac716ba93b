"""What bodies of MJCF are drawn with: the geometries of a compiled model that MuJoCo shows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.language.robot.numbers import by_matrix
from torseur.language.robot.parts import Mesh, Placement, Visual
from torseur.spatial import quaternion
from torseur.words.sentence import say

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = range(8)  # mjtGeom
WORDS = {
    PLANE: say("planes"),
    HFIELD: say("height fields"),
    ELLIPSOID: say("ellipsoids"),
    MESH: say("surfaces in no file of their own"),
}
SHOWN_GROUPS = 3  # MuJoCo shows the groups 0, 1 and 2; the others mostly are hulls that touch


@final
@dataclass
class Drawn:
    """The solids and surfaces of each body by its number, and what is not drawn."""

    visuals: dict[int, list[Visual]] = field(default_factory=lambda: defaultdict(list))
    meshes: dict[int, list[Mesh]] = field(default_factory=lambda: defaultdict(list))
    left_out: Counter[str] = field(default_factory=Counter)
    coloured: bool = False

    @property
    def notices(self) -> Iterator[str]:
        """What of the geometries is not drawn."""
        if self.left_out:
            listed = ", ".join(f"{what} ({n})" for what, n in self.left_out.items())
            yield say("Geometries that are not drawn: {listed}.", listed)
        if self.coloured:
            yield say("Colours, materials and textures are not read.")


def read_visuals(model: Any, spec: Any) -> Drawn:
    """The geometries of a compiled model; `spec` is what it was compiled from."""
    found = Drawn(coloured=bool(model.nmat or model.ntex))
    files = {mesh.name: mesh for mesh in spec.meshes}
    for k in range(model.ngeom):
        body, kind = int(model.geom_bodyid[k]), int(model.geom_type[k])
        placement = by_matrix(model.geom_pos[k], quaternion.matrix(model.geom_quat[k]))
        shape = _shape(kind, [float(x) for x in model.geom_size[k]])
        if not body:
            found.left_out[say("of the world")] += 1
        elif int(model.geom_group[k]) >= SHOWN_GROUPS:
            found.left_out[say("of hidden groups")] += 1
        elif shape is not None:
            found.visuals[body].append(Visual(shape, placement))
        elif kind == MESH and (mesh := _mesh(model, k, placement, files)) is not None:
            found.meshes[body].append(mesh)
        else:
            found.left_out[WORDS.get(kind, say("other shapes"))] += 1
    return found


def _shape(kind: int, size: list[float]) -> dict[str, Any] | None:
    """A plain solid as the YAML form writes it, from its half sizes."""
    if kind == SPHERE:
        return {"sphere": {"radius": size[0]}}
    if kind in (CAPSULE, CYLINDER):
        name = "capsule" if kind == CAPSULE else "cylinder"
        return {name: {"radius": size[0], "length": 2 * size[1]}}
    return {"box": {"size": [2 * x for x in size]}} if kind == BOX else None


def _mesh(model: Any, k: int, X_BG: Placement, files: dict[str, Any]) -> Mesh | None:
    """The file of a surface and its frame in the body; None where it is in no file.

    MuJoCo moves the points of a file by refpos, turns them by refquat, scales them, and then takes
    the centre and the principal axes of the surface as the frame of the geometry.
    """
    data = int(model.geom_dataid[k])
    start = int(model.mesh_pathadr[data])
    path = "" if start < 0 else model.paths[start:].split(b"\0")[0].decode()
    said = files.get(model.mesh(data).name)
    if not path or said is None:
        return None
    S, p = np.asarray(said.scale, dtype=float), np.asarray(said.refpos, dtype=float)
    R = quaternion.matrix(np.asarray(said.refquat, dtype=float) / np.linalg.norm(said.refquat))
    if not np.allclose(R * S, (R.T * S).T, atol=1e-9):  # turned, then stretched unevenly
        return None
    p_MF, R_MF = -S * (R.T @ p), R.T  # the file in the mesh as MuJoCo scaled it
    R_MG = quaternion.matrix(model.mesh_quat[data])
    R_BM = X_BG.R @ R_MG.T
    p_BM = X_BG.p - R_BM @ model.mesh_pos[data]
    placement = by_matrix(p_BM + R_BM @ p_MF, R_BM @ R_MF)
    return Mesh(str(Path(path).absolute()), placement, tuple(float(x) for x in S))
