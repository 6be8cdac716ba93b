"""Forces of the fluid that a model of MuJoCo moves in, as forces of the YAML form."""

from __future__ import annotations

from typing import Any

import numpy as np

from torseur.language.mjcf.mjcf_forces import Forces
from torseur.language.mjcf.mjcf_shapes import CAPSULE, CYLINDER, SPHERE
from torseur.language.robot.placement import Placement, by_quaternion

_COEFFICIENTS = ("blunt", "slender", "angular", "lift", "magnus")
_LEAST = 1e-15  # mjMINVAL


def fluid_forces(model: Any, body: int, name: str) -> Forces:
    """The forces on one body: by its ellipsoids, or by the box that has its inertia."""
    m, option = model, model.opt
    moves, heavy = m.body_weldid[body] != 0, m.body_mass[body] >= _LEAST
    if not (option.density or option.viscosity) or not moves or not heavy:
        return
    first = int(m.body_geomadr[body])
    geometries = range(first, first + int(m.body_geomnum[body]))
    fluid: dict[str, Any] = {"body": name, "density": float(option.density)}
    fluid["viscosity"] = float(option.viscosity)
    if np.any(option.wind):
        fluid["wind"] = [float(x) for x in option.wind]
    ellipsoids = [k for k in geometries if m.geom_fluid[k, 0] > 0]
    for n, k in enumerate(ellipsoids):
        yield f"fluid on {name}" + (f" {n + 1}" if n else ""), fluid | _ellipsoid(m, k)
    if not ellipsoids:
        a, b, c = (float(x) for x in m.body_inertia[body])
        squares = (
            max(_LEAST, x) / m.body_mass[body] * 6 for x in (b + c - a, a + c - b, a + b - c)
        )
        X = by_quaternion(m.body_ipos[body], m.body_iquat[body])
        size = [float(np.sqrt(x)) for x in squares]
        yield f"fluid on {name}", {"type": "fluid box", "size": size, **fluid, **_placed(X)}


def _placed(X: Placement) -> dict[str, Any]:
    entries = X.entries
    return {{"position": "centre"}.get(key, key): value for key, value in entries.items()}


def _ellipsoid(model: Any, k: int) -> dict[str, Any]:
    m, kind = model, int(model.geom_type[k])
    a, b, c = (float(x) for x in m.geom_size[k])
    if kind == SPHERE:
        b = c = a
    elif kind in (CAPSULE, CYLINDER):
        b, c = a, b + (a if kind == CAPSULE else 0)
    values = [float(x) for x in m.geom_fluid[k]]
    return {
        "type": "fluid ellipsoid",
        "size": [a, b, c],
        **dict(zip(_COEFFICIENTS, values[1:6], strict=True)),
        "added_mass": values[6:9],
        "added_inertia": values[9:12],
        **_placed(by_quaternion(m.geom_pos[k], m.geom_quat[k])),
    }
