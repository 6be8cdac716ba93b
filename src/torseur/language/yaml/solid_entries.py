"""Solids in files as shapes of bodies: `shape: {mesh: {file: arm.stl, scale: 1e-3}}`, or `step`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import Expr, expression
from torseur.algebra.core.graph import expressions
from torseur.errors import ModelError
from torseur.language.text.expression import Names
from torseur.language.text.solid_files import unit_solid
from torseur.language.yaml.fields import Fields, entries
from torseur.language.yaml.point_tables import TableFolder
from torseur.language.yaml.source import Item
from torseur.language.yaml.translated_keys import english
from torseur.model.description import Mesh
from torseur.model.mass.properties import MassProperties, as_number
from torseur.words.sentence import say

MESH, STEP = "mesh", "step"
SOLID_KEYS = {MESH: ("file", "scale"), STEP: ("file",)}
_EXAMPLES = {MESH: "arm.stl", STEP: "arm.step"}


@final
@dataclass(frozen=True)
class SolidFile:
    """A solid in a file: its mass data for a density of 1 kg/m³, and how it is drawn."""

    unit: MassProperties
    meshes: tuple[Mesh, ...] = ()

    def filled(
        self, place: str, mass: Expr | None = None, density: Expr | None = None
    ) -> MassProperties:
        """The mass data for a mass [kg] or a density [kg/m³]."""
        if (mass is None) == (density is None):
            problem = "neither mass nor density is given."
            if mass is not None:
                problem = say(
                    "both the mass {mass} and the density {density} are given.", mass, density
                )
            raise ModelError(place, problem, "Give one of them; the density is in kg/m³.")
        factor = density if density is not None else expression(mass) / float(self.unit.mass)
        return self.unit.scaled(expression(factor))


def read_solid_file(item: Item, names: Names, folder: TableFolder) -> SolidFile | None:
    """The solid of a file, or None for a shape that has dimensions."""
    shapes: Any = entries(item)
    kinds = [(english(word, SOLID_KEYS), value) for word, value in shapes.items()]
    if len(kinds) != 1 or kinds[0][0] not in SOLID_KEYS:
        return None
    ((kind, given),) = kinds
    fields = Fields(given, "a solid in a file", SOLID_KEYS[kind])
    fields.required("file", _EXAMPLES[kind])
    scale = _scale(fields, names)
    fields.faults.raised()
    file = fields.item("file")
    assert file is not None, "a missing file has been reported"

    def reading(path: Path) -> MassProperties:
        _check_ending(path, kind, file)
        return unit_solid(path, str(file.place), scale)

    unit = folder.read(file, reading)
    drawn = Mesh(fields.text("file"), scale=tuple(expressions(np.full(3, scale))))
    return SolidFile(unit, (drawn,) if kind == MESH else ())


def _scale(fields: Fields, names: Names) -> float:
    """The unit of length of a mesh in metres: a number without parameters."""
    if fields.item("scale") is None:
        return 1.0
    value = as_number(fields.number("scale", names, "1"))
    if value is None:
        problem = say("the scale of a mesh is a number, not {item}.", fields.item("scale"))
        fields.faults.add(fields.at.fault(problem, "For instance: scale: 1e-3."))
    return 1.0 if value is None else value


def _check_ending(path: Path, kind: str, item: Item) -> None:
    """Reject a mesh given as STEP, and the other way round."""
    is_step = path.suffix.lower() in (".step", ".stp")
    if is_step != (kind == STEP):
        problem = say("{item} is no file of the kind {kind}.", item, kind)
        raise item.fault(problem, "mesh: .stl and .obj; step: .step and .stp.")
