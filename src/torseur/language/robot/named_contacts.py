"""Contacts of single collision shapes with planes, which have names and move by events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, final

import numpy as np

from torseur.brief import shortened
from torseur.language.robot.robot_parts import CollisionSolid
from torseur.model.description import GROUND
from torseur.spatial.enclosing_ball import enclosing_ball
from torseur.words.sentence import say

Array = np.ndarray
MOST_CORNERS = 8  # of a hull whose corners are contacts
_ROUND = ("capsule", "cylinder")


@final
@dataclass
class NamedContacts:
    """Contacts by name, one for each shape and plane, and the shapes that have none."""

    balls: bool  # stand for hulls of many corners
    contacts: dict[str, Any] = field(default_factory=dict)
    left_out: dict[str, None] = field(default_factory=dict)  # links
    inside: dict[str, float] = field(default_factory=dict)  # how deep hulls are in their balls [m]

    def add(
        self, link: str, solid: CollisionSolid, entry: Mapping[str, Any], plane: dict[str, Any]
    ) -> None:
        """Add the contact of a shape of a link, by the entries of a plane and of its law."""
        shape = self._shape(link, solid, entry)
        if shape is None:
            self.left_out[link] = None
            return
        name, count = link, 1
        while name in self.contacts:
            count += 1
            name = f"{link}_{count}"
        self.contacts[name] = {"bodies": [GROUND, link], **shape, **plane}

    def _shape(
        self, link: str, solid: CollisionSolid, entry: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        """The entries of a shape, in the frame of its link; None where no contact is exact."""
        placement = solid.placement
        point = {"point": _numbers(placement.p)} if placement.p.any() else {}
        if "shape" in entry:
            ((kind, sizes),) = entry["shape"].items()
            if kind == "sphere":
                return {"shape": kind, **sizes, **point}
            if kind in _ROUND:
                return {"shape": kind, **sizes, "axis": _numbers(placement.R[:, 2]), **point}
            half = np.array(sizes["size"], dtype=float) / 2
            corners = np.array(list(product((-1, 1), repeat=3))) * half
        elif "hull" in entry:
            corners = np.array(entry["hull"], dtype=float)
        else:
            return None
        corners = corners @ placement.R.T + placement.p
        if len(corners) <= MOST_CORNERS:
            return {"shape": "points", "points": [_numbers(x) for x in corners]}
        if not self.balls:
            return None
        centre, radius = enclosing_ball(corners)
        self.inside[link] = max(self.inside.get(link, 0.0), _depth(corners, centre, radius))
        return {"shape": "sphere", "radius": radius, "point": _numbers(centre)}

    @property
    def notices(self) -> Iterator[str]:
        """Links that have no contact, and balls that stand for hulls."""
        if self.left_out:
            yield say(
                "Shapes of more than {most} corners have no contact by name: {names}.",
                MOST_CORNERS,
                shortened(", ".join(self.left_out)),
            )
        if self.inside:
            worst = max(self.inside, key=self.inside.__getitem__)
            yield say(
                "The smallest ball about it stands for each of {count} hull(s); faces are at most "
                "{depth:.2g} m inside ({name}).",
                len(self.inside),
                self.inside[worst],
                worst,
            )


def _depth(corners: Array, centre: Array, radius: float) -> float:
    """Largest depth of a face of a hull below the surface of a ball about it."""
    from scipy.spatial import ConvexHull

    sides = ConvexHull(corners).equations
    return float((radius + sides[:, :3] @ centre + sides[:, 3]).max())


def _numbers(values: Array) -> list[float]:
    """Numbers of the YAML form, without the rounding of zeros."""
    return [float(x) for x in np.where(np.abs(values) < 1e-15, 0.0, values)]
