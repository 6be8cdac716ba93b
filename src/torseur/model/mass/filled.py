"""Mass, centre and inertia of what a closed surface of triangles encloses, filled evenly."""

from __future__ import annotations

from collections import Counter

import numpy as np

from torseur.model.mass.properties import MassProperties
from torseur.spatial.hulls import Triangles

Array = np.ndarray


def filled(surface: Triangles, density: float) -> MassProperties:
    """The mass data of a closed surface filled with one density [kg/m³].

    A tetrahedron of the origin and a triangle (a, b, c) has the volume v = det(a, b, c)/6, the
    centre (a + b + c)/4 and ∫ r rᵀ dv = v/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), s = a + b + c; those that
    are turned away from the origin count as negative (Tonon 2004).
    """
    origin = surface.points.mean(axis=0)  # near the surface, so that little cancels
    corners = (surface.points - origin)[surface.faces]  # (m, 3 corners, 3)
    volumes = np.linalg.det(corners) / 6
    sums = corners.sum(axis=1)
    volume = volumes.sum()
    centre = volumes @ sums / 4 / volume
    products = np.einsum("m,mki,mkj->ij", volumes, corners, corners)
    products = (products + np.einsum("m,mi,mj->ij", volumes, sums, sums)) / 20
    at_centre = products - volume * np.outer(centre, centre)
    mass = density * abs(volume)
    P = density * np.sign(volume) * at_centre
    inertia = np.trace(P) * np.eye(3) - P
    return MassProperties(float(mass), origin + centre, inertia)


def open_edges(surface: Triangles) -> int:
    """How many edges of a surface have not two triangles that run along them in opposite senses."""
    faces = surface.faces.tolist()
    runs = Counter(edge for a, b, c in faces for edge in ((a, b), (b, c), (c, a)))
    return sum(runs[edge] != 1 or runs[edge[::-1]] != 1 for edge in runs)
