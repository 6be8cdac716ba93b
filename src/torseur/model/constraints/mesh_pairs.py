"""Contacts between two meshes: the corners that entries give, and the points they may touch at."""

from __future__ import annotations

import numpy as np

from torseur.algebra.core.expr import ONE
from torseur.algebra.core.graph import expressions
from torseur.errors import ModelError
from torseur.model.constraints.protocol import Given
from torseur.model.forces.protocol import no_vector
from torseur.model.joints.mesh_points import POINTS, Corners, Meshes, MeshPoint
from torseur.spatial.hulls import is_flat
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY
from torseur.spatial.vectors import Array
from torseur.words.sentence import say

_REFUSED = ("rolling", "pivoting", "patch", "stiffness")


def mesh_pieces(given: Given) -> list[tuple[MeshPoint, Pose, Pose]]:
    """The points of two meshes, with their frames; names are given to them later."""
    for entry in _REFUSED:
        if entry in given:
            raise ModelError(
                given.place,
                say('two meshes have no "{entry}": where they touch is found on the way.', entry),
                "Their laws are friction and restitution.",
            )
    shape = Meshes(_corners(given, "surface_"), _corners(given, ""))
    frames = Pose(given.get("through", no_vector()), IDENTITY), Pose(no_vector(), IDENTITY)
    return [(MeshPoint("", shape), *frames) for _ in range(POINTS)]


def _corners(given: Given, before: str) -> Corners:
    """Those that are listed, or of what is convex about the triangles of a file."""
    if f"{before}file" in given:
        scale = given.get(f"{before}scale", ONE)
        return tuple(map(tuple, expressions(scale * given[f"{before}file"].hull)))
    corners = tuple(map(tuple, given[f"{before}points"]))
    known = [[given.value(x) for x in corner] for corner in corners]
    if all(x is not None for corner in known for x in corner):
        require_volume(np.array(known, dtype=float), f"{before}points", given.place)
    return corners


def require_volume(corners: Array, entry: str, place: str) -> None:
    """Refuse corners (k, 3) that lie in a plane."""
    if is_flat(corners.reshape(-1, 3)):
        raise ModelError(
            place,
            say("{entry}: all points lie in a plane.", entry),
            "A mesh has some volume: give four points or more.",
        )
