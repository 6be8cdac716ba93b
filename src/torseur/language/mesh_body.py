"""A body from a mesh: what a surface of triangles of a file encloses, filled evenly."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from torseur.algebra.forms.dimensions import dimension
from torseur.errors import ModelError
from torseur.language.text.given import given_number
from torseur.language.text.triangles import SUFFIXES, read_triangles
from torseur.language.yaml.form import data_mechanism
from torseur.model.description import Mechanism
from torseur.model.mass.properties import filled, open_edges
from torseur.spatial.hulls import Triangles
from torseur.words.entries import shown_key
from torseur.words.sentence import say

_DUST = 1e-12  # beside the moments of inertia: products that rounding leaves


def is_mesh(name: str) -> bool:
    """Whether a text is the path of a mesh."""
    return name.lower().endswith(SUFFIXES) and "(" not in name


def mesh_mechanism(
    path: str, *, mass: str | None = None, density: str | None = None, scale: float = 1.0
) -> Mechanism:
    """A free body with the mass data of a mesh; `scale` is its unit of length in metres."""
    surface = _closed(path, scale)
    if (mass is None) == (density is None):
        problem = "a mesh says nothing of its mass: one of --density and --mass is needed."
        raise ModelError(path, problem, "For instance: --density 7800 for steel, in kg/m³.")
    unit = filled(surface, 1.0)
    if density is not None:
        factor = given_number(density, "--density", dimension("kg/m^3"), "kg/m^3")
    else:
        factor = given_number(mass, "--mass", dimension("kg"), "kg") / float(unit.mass)
    name = shown_key("body")
    dust = _DUST * float(np.trace(unit.inertia))
    body = {
        "mass": factor * unit.mass,
        "centre": unit.centre.tolist(),
        "inertia": [factor * float(x) if abs(x) > dust else 0 for x in unit.components],
    }
    return data_mechanism(
        {
            "torseur": 1,
            "name": Path(path).stem,
            "bodies": {name: body},
            "joints": {"free": {"type": "free", "bodies": ["ground", name]}},
        }
    )


def _closed(path: str, scale: float) -> Triangles:
    try:
        surface = read_triangles(Path(path), path)
    except FileNotFoundError:
        raise ModelError(path, say('the file "{path}" does not exist.', path)) from None
    if gaps := open_edges(surface):
        problem = say(
            "the surface is not closed: {gaps} of its edges have no second triangle.", gaps
        )
        raise ModelError(path, problem, "Repair the mesh in the program that it comes from.")
    return Triangles(scale * surface.points, surface.faces)
