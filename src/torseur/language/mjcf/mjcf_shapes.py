"""Geometries of a file of MuJoCo: plain solids and surfaces in files that bodies are drawn with."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.language.robot.placement import Placement, by_matrix, by_quaternion
from torseur.language.robot.robot_parts import RobotMesh, Visual
from torseur.spatial import quaternion
from torseur.words.sentence import say

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = range(8)  # mjtGeom
NOT_DRAWN = {
    PLANE: say("planes"),
    HFIELD: say("height fields"),
    ELLIPSOID: say("ellipsoids"),
    MESH: say("surfaces in no file of their own"),
}
SHOWN_GROUPS = 3  # MuJoCo shows the groups 0, 1 and 2; the others mostly are hulls that touch


@final
class MjcfShapes:
    """The geometries that MuJoCo shows, by the number of their body, and those not drawn."""

    def __init__(self, model: Any, spec: Any) -> None:
        self.model = model
        self.files = {mesh.name: mesh for mesh in spec.meshes}
        self.visuals: dict[int, list[Visual]] = defaultdict(list)
        self.meshes: dict[int, list[RobotMesh]] = defaultdict(list)
        self.left_out: Counter[str] = Counter()
        for k in range(model.ngeom):
            self._add(k)

    @property
    def notices(self) -> Iterator[str]:
        """The geometries that are not drawn."""
        if self.left_out:
            listed = ", ".join(f"{what} ({n})" for what, n in self.left_out.items())
            yield say("Geometries that are not drawn: {listed}.", listed)
        if self.model.nmat or self.model.ntex:
            yield say("Colours, materials and textures are not read.")

    def _add(self, k: int) -> None:
        m = self.model
        body, kind = int(m.geom_bodyid[k]), int(m.geom_type[k])
        X = by_quaternion(m.geom_pos[k], m.geom_quat[k])
        shape = plain_solid(kind, tuple(map(float, m.geom_size[k])))
        if not body:
            self.left_out[say("of the world")] += 1
        elif int(m.geom_group[k]) >= SHOWN_GROUPS:
            self.left_out[say("of hidden groups")] += 1
        elif shape is not None:
            self.visuals[body].append(Visual(shape, X))
        elif kind == MESH and (mesh := self._mesh(k, X)) is not None:
            self.meshes[body].append(mesh)
        else:
            self.left_out[NOT_DRAWN.get(kind, say("other shapes"))] += 1

    def _mesh(self, k: int, X_BG: Placement) -> RobotMesh | None:
        """The file of a surface and its frame in the body; None where it is in no file.

        MuJoCo moves the points of a file by refpos, turns them by refquat, scales them, and then
        takes the centre and the principal axes of the surface as the frame of the geometry.
        """
        m = self.model
        data = int(m.geom_dataid[k])
        start = int(m.mesh_pathadr[data])
        path = "" if start < 0 else m.paths[start:].split(b"\0")[0].decode()
        mesh = self.files.get(m.mesh(data).name)
        if not path or mesh is None:
            return None
        S, p = np.asarray(mesh.scale, dtype=float), np.asarray(mesh.refpos, dtype=float)
        R = quaternion.matrix(np.asarray(mesh.refquat, dtype=float) / np.linalg.norm(mesh.refquat))
        if not np.allclose(R * S, (R.T * S).T, atol=1e-9):  # turned, then stretched unevenly
            return None
        p_MF, R_MF = -S * (R.T @ p), R.T  # the file in the mesh as MuJoCo scaled it
        R_BM = X_BG.R @ quaternion.matrix(m.mesh_quat[data]).T
        p_BM = X_BG.p - R_BM @ m.mesh_pos[data]
        placement = by_matrix(p_BM + R_BM @ p_MF, R_BM @ R_MF)
        return RobotMesh(str(Path(path).absolute()), placement, tuple(map(float, S)))


def plain_solid(kind: int, size: tuple[float, ...]) -> dict[str, Any] | None:
    """A plain solid as the YAML form writes it, from its half sizes."""
    if kind == SPHERE:
        return {"sphere": {"radius": size[0]}}
    if kind in (CAPSULE, CYLINDER):
        name = "capsule" if kind == CAPSULE else "cylinder"
        return {name: {"radius": size[0], "length": 2 * size[1]}}
    return {"box": {"size": [2 * x for x in size]}} if kind == BOX else None
