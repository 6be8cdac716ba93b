"""Given coordinates and speeds of joints that close loops, beside those of the tree.

They tell which of its assemblies a mechanism is in, and are kept as those of the tree are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.dynamics.tree.closure import Closure, closures
from torseur.model.description import Mechanism
from torseur.simulation.start.numeric_tree import NumericTree
from torseur.spatial import quaternion

Array = np.ndarray


@final
class ClosingBranch:
    """The assembly in which closing joints have the given coordinates and speeds."""

    def __init__(self, tree: NumericTree, given: Mapping[str, float]) -> None:
        model = tree.model
        mechanism, carried = model.mechanism, {*model.coordinates, *model.speeds}
        known = dict.fromkeys(pin for n, pin in pins(mechanism).items() if n not in carried)
        self.tree = tree
        self.given = {n: float(given[n]) for pin in known for n in pin.coordinates if n in given}
        self.pins = tuple(pin for pin in known if self.given.keys() & set(pin.coordinates))
        closing = {n for j in mechanism.joints.values() for n in j.speeds} - carried
        self.speeds = {n: float(given[n]) for n in given if n in closing}
        for pin in self.pins:
            if pin.is_attitude:
                self.given |= dict(zip(pin.coordinates, self._attitude(pin), strict=True))

    def _attitude(self, pin: Pin) -> Array:
        """The unit quaternion that is given; what is missing is that of no rotation."""
        neutral = zip(pin.coordinates, (1.0, 0.0, 0.0, 0.0), strict=True)
        quaternion = np.array([self.given.get(name, x) for name, x in neutral])
        return np.asarray(quaternion / np.linalg.norm(quaternion))

    def _closing(self, q: Array) -> list[Closure]:
        """The closing joints of which something is given."""
        names = {*self.given, *self.speeds}
        if not names:
            return []
        parts = self.tree.structure
        cuts = tuple(cut for cut in parts.cuts if names & {*cut.coordinates, *cut.speeds})
        return closures(parts.tree, cuts, q)

    def off(self, q: Array) -> float:
        """Distance of closing joints from their given coordinates [rad, or part of the size]."""
        sizes, length = [0.0], self.tree.model.sizes.scales.length
        for closure in self._closing(q):
            read = np.array(closure.coordinates, dtype=float)
            named = zip(closure.cut.coordinates, read, strict=True)
            X = closure.cut.joint.transform(np.array([self.given.get(n, x) for n, x in named]))
            sizes.append(float(np.abs(np.asarray(X.R.matrix - closure.R, dtype=float)).max()))
            sizes.append(float(np.abs(np.asarray(X.p - closure.p, dtype=float)).max()) / length)
        return max(sizes)

    def values(self, q: Array) -> dict[str, float]:
        """The given coordinates as they are at q, angles and quaternions as near as they are."""
        by_name: dict[str, float] = {}
        for closure in self._closing(q):
            joint, names = closure.cut.joint, closure.cut.coordinates
            read = np.array(closure.coordinates, dtype=float)
            given = np.array([self.given.get(n, x) for n, x in zip(names, read, strict=True)])
            if joint.turning and read[-4:] @ given[-4:] < 0:
                read[-4:] *= -1
            turns = np.round((given - read) / (2 * np.pi))
            read += 2 * np.pi * turns * [unit == "rad" for unit in joint.coordinate_units]
            by_name |= {n: float(x) for n, x in zip(names, read, strict=True) if n in self.given}
        return by_name

    def deviations(self, q: Array) -> dict[Pin, Array]:
        """Deviation of every pin from its given value: rows [rad, or part of the size]."""
        values, by_pin = self.values(q), {}
        for pin in self.pins:
            given, current = (
                np.array([x[n] for n in pin.coordinates]) for x in (self.given, values)
            )
            by_pin[pin] = away(pin, given, current) / self.tree.size(pin.speeds[0])
        return by_pin


@final
@dataclass(frozen=True)
class Pin:
    """Coordinates of a joint that are kept together, and the speeds that move them."""

    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]

    @property
    def is_attitude(self) -> bool:
        """Whether the coordinates are a unit quaternion."""
        return len(self.coordinates) > 1


def pins(mechanism: Mechanism) -> dict[str, Pin]:
    """The pin of every coordinate of a joint."""
    by_name: dict[str, Pin] = {}
    for joint in mechanism.joints.values():
        names, speeds = joint.coordinates, joint.speeds
        if joint.kind.turning:
            ball = Pin(names[-4:], speeds[-3:])
            by_name |= dict.fromkeys(ball.coordinates, ball)
            names, speeds = names[:-4], speeds[:-3]
        if len(names) == len(speeds):
            pairs = zip(names, speeds, strict=True)
            by_name |= {name: Pin((name,), (speed,)) for name, speed in pairs}
    return by_name


def away(pin: Pin, given: Array, current: Array) -> Array:
    """Deviation of a pin's coordinates from the given ones, a row for each of its speeds."""
    if pin.is_attitude:
        return np.asarray(2 * quaternion.product(quaternion.conjugate(given), current)[1:])
    return np.asarray(current - given)
