"""Annular contact (liaison linéaire annulaire, sphère-cylindre)."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import Ball, Freedoms, Slide
from torseur.model.joints.keys import Key, Kind


@final
@dataclass(frozen=True)
class AnnularContact(Composed):
    """A ball in a tube: a point of the second body keeps to a line of the first (*annulaire*).

    Five coordinates: the distance along the axis [m], then the unit quaternion (w, x, y, z) of M in
    F. Four speeds: the rate of the distance, then the angular velocity in the axes of M [rad/s].
    The joint carries the two forces normal to the axis, through the centre of the ball.
    """

    axis: int = 2  # of F

    names = (
        "annular contact",
        "annular",
        "sphere-cylinder",
        "linéaire annulaire",
        "sphère-cylindre",
    )
    words: ClassVar = {"en": "annular contact", "fr": "linéaire annulaire"}
    keys = (Key("axis", Kind.FIRST),)

    @property
    def freedoms(self) -> Freedoms:
        return (Slide(self.axis), Ball())
