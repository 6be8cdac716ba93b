"""Names for the coordinates and parameters of a robot, and the values of the parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, final

from torseur.language.robot.robot_parts import ONE_COORDINATE
from torseur.language.text.expression import RESERVED
from torseur.language.yaml.coordinates import identifier
from torseur.model.joints.catalogue import joint_class
from torseur.model.joints.freedoms import suffixes
from torseur.model.mass.properties import COMPONENTS

DUST = 1e-12  # a length [m] below this is zero: rounding of a computation
DUST_RADIUS = 1e-6  # [m]; an inertia below mass × this² is zero too


@final
class Symbols:
    """The names that are taken, and the parameters made so far."""

    def __init__(self) -> None:
        self.taken: set[str] = set(RESERVED)
        self.values: dict[str, Any] = {}
        self.dust = 0  # lengths and inertias that were taken as zero

    def legal(self, name: str) -> str:
        """A name close to this one that may stand in an expression and is not taken."""
        base = identifier(name)
        free, count = base, 1
        while free in self.taken:
            count += 1
            free = f"{base}_{count}"
        self.taken.add(free)
        return free

    def coordinates(self, kinds: Mapping[str, str]) -> dict[str, str]:
        """Coordinates of joints that have one, by name; those of the others are taken first."""
        for name, kind in kinds.items():
            if kind not in (*ONE_COORDINATE, "fixed"):
                endings = (*suffixes(joint_class(kind, name)().freedoms or ()), "_wx", "_wy", "_wz")
                self.taken.update(f"{identifier(name)}{ending}" for ending in endings)
        return {name: self.legal(name) for name, kind in kinds.items() if kind in ONE_COORDINATE}

    def parameter(self, name: str, value: float) -> Any:
        """The name of a new parameter of this value; zero stays zero."""
        if not value:
            return 0
        free = self.legal(name)
        self.values[free] = float(value) if isinstance(value, float) else value
        return free

    def lengths(self, letters: str, of: str, values: Iterable[float]) -> list[Any]:
        """Parameters x_of, y_of and z_of, and zeros."""
        names = (f"{letters}{axis}_{of}" for axis in "xyz")
        return self._without_dust(names, values, DUST)

    def inertia(self, of: str, mass: float, six: Iterable[float]) -> list[Any]:
        """Parameters Ixx_of … Iyz_of, and zeros."""
        names = (f"I{at}_{of}" for at in COMPONENTS)
        return self._without_dust(names, six, max(mass, DUST) * DUST_RADIUS**2)

    def _without_dust(
        self, names: Iterable[str], values: Iterable[float], least: float
    ) -> list[Any]:
        """Parameters of these names, and zeros for values smaller than the least."""
        entries = []
        for name, value in zip(names, values, strict=True):
            small = 0 < abs(value) < least
            self.dust += small
            entries.append(self.parameter(name, 0 if small else value))
        return entries
