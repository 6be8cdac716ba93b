"""Scope of entries of forces, constraints and motions: names, points, units."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import final

from torseur.algebra.forms.dimensions import DimensionForm, known_dimension
from torseur.language.text.expression import Names
from torseur.language.text.measures import Expected
from torseur.language.yaml.point_tables import TableFolder
from torseur.model.description import Joint, Point
from torseur.model.forces.protocol import COORDINATE_RATE, EFFORT, OF_COORDINATE, SHARED

_OF_ACTION = {EFFORT, COORDINATE_RATE, OF_COORDINATE}  # units of the coordinate acted on


def _form(unit: str | None) -> DimensionForm:
    return DimensionForm(known_dimension(unit or "1"))


@final
@dataclass(frozen=True)
class Scope:
    """Names and units known to motors, forces, constraints and motions."""

    bodies: Collection[str]
    joints: Mapping[str, Joint]
    freedoms: Mapping[str, tuple[str, ...]]  # coordinates of joints; none where it has errors
    coordinates: Collection[str]
    constant: Names  # parameters
    timed: Names  # and time
    varying: Names  # and coordinates and speeds
    shared: Expected = None  # the unit that entries of one constraint have in common
    acting: str = ""  # the coordinate that is acted on or named, if it is known
    folder: TableFolder | None = None  # where files are read, if any may be
    points: Mapping[str, Point | None] = field(default_factory=dict)  # None where it has errors
    body: str = ""  # the body that is acted on, if it is known
    pair: tuple[str, ...] = ()  # the two bodies that touch
    contacts: Collection[str] = ()  # their names

    def on(self, joint: str, coordinate: str = "") -> Scope:
        """The scope of an action on a coordinate of a joint, or on its only one."""
        coordinates = self.freedoms.get(joint, ())
        only = coordinates[0] if len(coordinates) == 1 else ""
        return replace(self, acting=coordinate if coordinate in coordinates else only)

    def body_of(self, entry: str) -> str:
        """The body on which the point of an entry is; none where that is not known."""
        return self.body or dict(zip(("through", "point"), self.pair, strict=False)).get(entry, "")

    def measured(self, unit: str) -> Expected:
        """The dimension of a unit, or of a word such as EFFORT."""
        measures = self.constant.measures
        if unit == SHARED:
            return self.shared
        words = unit.split("/")
        if not _OF_ACTION.intersection(words):
            return unit or None
        if measures is None or not self.acting:
            return None
        if len(words) > 1:  # a quotient of them
            forms = [self.measured(word) for word in words]
            above, below = (x if isinstance(x, DimensionForm) else _form(x) for x in forms)
            return above * below**-1
        if unit == EFFORT:
            return measures.effort(self.acting)
        rate = "." if unit == COORDINATE_RATE else ""
        return measures.symbols.of_symbol(f"{self.acting}{rate}")
