"""Two wheels whose teeth touch: spur, internal, bevel, rack or worm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np

from torseur.algebra.core.expr import ZERO
from torseur.model.constraints.meshing import MESHING, meshing
from torseur.model.constraints.protocol import Constraint, MeshRow, Values
from torseur.model.forces.protocol import Key, Kind, no_vector
from torseur.model.joints.catalogue import plain

Array = np.ndarray


def _by_point(given: Mapping[str, Any]) -> bool:
    return "point" in given


def _by_joints(given: Mapping[str, Any]) -> bool:
    return "point" not in given


def _rack(given: Mapping[str, Any]) -> bool:
    return "point" not in given and plain(str(given.get("kind"))) == "rack"


@final
@dataclass(frozen=True)
class Gear(Constraint):
    """Two wheels whose teeth touch at a point of their carrier and push along a direction.

    The points of the two wheels that are there have the same speed along that direction. The
    multiplier is the force on the second wheel along it; teeth also push the wheels apart, by
    |multiplier| × `apart`.
    """

    name: str
    first: str
    second: str
    carrier: str
    point: Array  # in the carrier [m]
    direction: Array  # in the carrier, of length 1 for the multiplier to be a force [N]
    apart: Array = field(default_factory=no_vector)  # tan(pressure angle) × direction
    place: str = ""

    names = ("gear", "engrenage")
    keys = (  # by the joints of the wheels on one carrier, or by the pitch point and direction
        Key("joints", Kind.TWO_JOINTS, "[A, B]", when=_by_joints),
        Key("kind", Kind.WORD, options=MESHING, called="kind of gear", when=_by_joints),
        Key("radii", Kind.TWO_CONSTANTS, "[20 mm, 1]", unit="m 1", when=_rack),  # and a side
        Key(
            "radii",
            Kind.TWO_CONSTANTS,
            "[20 mm, 60 mm]",
            unit="m",
            when=lambda given: _by_joints(given) and not _rack(given),
        ),
        Key("pressure_angle", Kind.CONSTANT, unit="rad", when=_by_joints),
        Key("lead", Kind.CONSTANT, unit="m", when=_by_joints),
        Key("bodies", Kind.PAIR, "[sun, planet]", when=_by_point),
        Key("carrier", Kind.BODY, "arm", when=_by_point),
        Key("point", Kind.POINT),
        Key("direction", Kind.DIRECTION, "[0, 0, 1]", when=_by_point),
    )
    words: ClassVar = {
        "en": "{}: teeth that do not slip.",
        "fr": "{} : un engrènement sans glissement.",
    }

    @classmethod
    def described(cls, name: str, given: dict[str, Any], value: Values, place: str) -> Gear:
        if "point" in given:
            first, second = given.pop("bodies")
            return cls(name=name, first=first, second=second, place=place, **given)
        wheels, touching = given["joints"], given.get("kind", MESHING["external"])
        angle, lead = given.get("pressure_angle", ZERO), given.get("lead", ZERO)
        at, along, apart = meshing(touching, wheels, given["radii"], lead, value, place)
        bodies = wheels[0].second, wheels[1].second, wheels[0].first
        return cls(name, *bodies, at, along, apart * angle.tan(), place)

    @property
    def rows(self) -> MeshRow:
        at = self.point, self.direction, self.apart
        return MeshRow(self.name, self.first, self.second, self.carrier, *at)

    @property
    def meanings(self) -> tuple[str, ...]:
        pair = f'of "{self.first}" on "{self.second}"'
        return (f"force along the direction of the teeth, {pair}",)
