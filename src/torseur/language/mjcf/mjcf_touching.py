"""Geometries of a compiled MuJoCo model that touch: solids of links, planes, pairs left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, final

import numpy as np

from torseur.language.mjcf.mjcf_shapes import ELLIPSOID, HFIELD, MESH, PLANE, plain_solid
from torseur.language.robot.collision_solids import MOST_VERTICES, ellipsoid_points
from torseur.language.robot.placement import by_quaternion
from torseur.language.robot.robot_parts import WORLD, CollisionSolid, RobotJoint, RobotLink
from torseur.words.sentence import say

FRICTIONLESS, SLIDING = 1, 3  # condim
WORLD_LINK = "world_shapes"  # a link that carries the solids of the world


@final
class TouchingGeometries:
    """The geometries that touch, by link; contents of contacts that are not read."""

    def __init__(self, model: Any, bodies: list[str]) -> None:
        self.model, self.bodies = model, bodies
        self.solids: dict[str, list[CollisionSolid]] = {}
        self.unread: Counter[str] = Counter()
        for k in range(model.ngeom):
            if model.geom_contype[k] or model.geom_conaffinity[k]:
                self._add(k)

    @property
    def excluded(self) -> tuple[tuple[str, str], ...]:
        """Pairs of bodies of <exclude>."""
        signatures = (int(x) for x in self.model.exclude_signature)
        pairs = ((x >> 16, x & 0xFFFF) for x in signatures)
        return tuple((self.bodies[a], self.bodies[b]) for a, b in pairs)

    def add_to(self, links: dict[str, RobotLink], joints: dict[str, RobotJoint]) -> None:
        """Give links their solids; those of the world but planes are of a link fixed to it."""
        fixed = [x for x in self.solids.get(WORLD, ()) if not x.is_plane]
        planes = [x for x in self.solids.get(WORLD, ()) if x.is_plane]
        if fixed:
            links[WORLD_LINK] = RobotLink(WORLD_LINK, collision=tuple(fixed))
            joints[WORLD_LINK] = RobotJoint(WORLD_LINK, "fixed", WORLD, WORLD_LINK)
        for name, solids in (self.solids | {WORLD: planes}).items():
            links[name] = replace(links[name], collision=tuple(solids))

    def _add(self, k: int) -> None:
        m, kind = self.model, int(self.model.geom_type[k])
        size = tuple(float(x) for x in m.geom_size[k])
        given: dict[str, Any] = {"shape": plain_solid(kind, size)}
        if kind == PLANE:
            given = {"is_plane": True}
        elif kind == ELLIPSOID:
            given = {"points": ellipsoid_points(size)}
            self.unread[say("ellipsoids, but for {count} points of each", MOST_VERTICES)] += 1
        elif kind == MESH:
            data = int(m.geom_dataid[k])
            first, count = int(m.mesh_vertadr[data]), int(m.mesh_vertnum[data])
            given = {"points": np.array(m.mesh_vert[first : first + count], dtype=float)}
        elif kind == HFIELD:
            given = {"height_field": self._height_field(k)}
        elif given["shape"] is None:
            self.unread[say("geometries that touch")] += 1
            return
        if m.geom_margin[k] or m.geom_gap[k]:
            self.unread[say("margins of contacts")] += 1
        if m.geom_priority[k]:
            self.unread[say("priorities of contacts")] += 1
        if m.geom_condim[k] > SLIDING:
            self.unread[say("friction against spinning and rolling")] += 1
        sliding = 0.0 if m.geom_condim[k] == FRICTIONLESS else float(m.geom_friction[k][0])
        groups = int(m.geom_contype[k]), int(m.geom_conaffinity[k])
        X = by_quaternion(m.geom_pos[k], m.geom_quat[k])
        solid = CollisionSolid(X, friction=sliding, groups=groups, **given)
        self.solids.setdefault(self.bodies[int(m.geom_bodyid[k])], []).append(solid)

    def _height_field(self, k: int) -> dict[str, Any]:
        """The height field of a geometry: rows of heights along x, from the lowest y."""
        m, data = self.model, int(self.model.geom_dataid[k])
        x, y, top, base = (float(value) for value in m.hfield_size[data])
        rows, columns = int(m.hfield_nrow[data]), int(m.hfield_ncol[data])
        first = int(m.hfield_adr[data])
        heights = np.array(m.hfield_data[first : first + rows * columns], dtype=float) * top
        listed = heights.reshape(rows, columns).tolist()
        return {"size": [2 * x, 2 * y], "heights": listed, "depth": base}
