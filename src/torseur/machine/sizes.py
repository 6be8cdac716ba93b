"""Characteristic sizes of the coordinates, speeds and constraints of a compiled model.

A row of J whose multiplier is a force holds a length, one whose multiplier is a couple an angle.
J with its rows divided by `rows` and its columns multiplied by `displacements` has no dimension:
its rank and its singular values do not depend on how large the mechanism is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol, final

import numpy as np

from torseur.algebra.calculus.derivative import gradient
from torseur.algebra.core.graph import evaluate, expressions, flat, free_symbols
from torseur.equations.constraints.constraint_rows import ANYWHERE, Constraints
from torseur.equations.functions.held_rows import sized_row, sized_speed
from torseur.equations.symbols.system import System
from torseur.model.constraints.protocol import ExpressionRow
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.contact.elements import Spread
from torseur.model.description import Mechanism
from torseur.model.values.scales import Scales, coordinate_units, scales, speed_units

Array = np.ndarray
EPSILON = float(np.finfo(float).eps)
COARSEST = 1e-7  # that rounding may explain
_SAMPLES = 8  # configurations at which the slopes of a relation are looked at


class Measured(Protocol):
    """Interface of a model that its sizes need."""

    mechanism: Mechanism
    parameters: dict[str, float | None]

    @property
    def coordinates(self) -> tuple[str, ...]: ...
    @property
    def speeds(self) -> tuple[str, ...]: ...
    @property
    def system(self) -> System: ...
    @property
    def constraints(self) -> Constraints: ...
    def timed(self, name: str) -> Callable[..., Any]: ...


@final
class Sizes:
    """The sizes of everything in the state and in the constraints of a model."""

    def __init__(self, model: Measured) -> None:
        self._model = model

    @cached_property
    def scales(self) -> Scales:
        """Length, mass and time."""
        return scales(self._model.mechanism, self._model.parameters)

    @cached_property
    def energy(self) -> float:
        """Characteristic energy [J]."""
        return float(self.scales.of(["J"])[0])

    @cached_property
    def coordinates(self) -> Array:
        """(nq,): the length of the mechanism, or 1 for angles and quaternions."""
        units = coordinate_units(self._model.mechanism)
        return self.scales.of(units[name] for name in self._model.coordinates)

    @cached_property
    def speed_units(self) -> tuple[str, ...]:
        """(nv,): "m/s" or "rad/s"."""
        units = speed_units(self._model.mechanism)
        return tuple(units[name] for name in self._model.speeds)

    @cached_property
    def displacements(self) -> Array:
        """(nv,): the length of the mechanism for what moves at a speed in m/s, 1 for angles."""
        return self.scales.of(unit.removesuffix("/s") for unit in self.speed_units)

    @cached_property
    def rows(self) -> Array:
        """(rows,): the length of the mechanism, or 1 for angles; of a relation, its slope."""
        if not self._model.system.constrained:
            return np.zeros(0)
        cuts = [self.scales.length if is_long else 1.0 for is_long in self._cuts]
        owners = self._model.constraints.owners[len(cuts) :]
        return np.array([*cuts, *self._relations(len(cuts), owners)], dtype=float)

    @cached_property
    def _cuts(self) -> list[bool]:
        """True for each row of a joint closing a loop that holds a length."""
        return [x for cut in self._model.system.cuts for x in holds_lengths(cut.joint)]

    def _relations(self, first: int, owners: tuple[str, ...]) -> list[float]:
        """Sizes: of a law, that of its coordinate; of a relation, its largest change."""
        mechanism = self._model.mechanism
        units, imposed = coordinate_units(mechanism), imposed_coordinates(mechanism)
        known = {x: float(self.scales.of([units[row.coordinate]])[0]) for x, row in imposed.items()}
        known |= self._linear()
        others = [k for k, name in enumerate(owners) if name not in known]
        slopes = self._slopes()[first:] if others else np.zeros(len(owners))
        return [known.get(name, float(slopes[k] or 1.0)) for k, name in enumerate(owners)]

    def _linear(self) -> dict[str, float]:
        """Sizes of constraints whose expressions are linear in the coordinates of joints."""
        mechanism, sizes_by_name = self._model.mechanism, {}
        values = {name: x for name, x in self._model.parameters.items() if x is not None}
        units = coordinate_units(mechanism) | speed_units(mechanism)
        for name, one in mechanism.constraints.items():
            if isinstance(one.rows, ExpressionRow):
                moving = [x for x in free_symbols(one.rows.zero) if x.name in units]
                slopes = expressions(gradient(one.rows.zero, moving))
                if moving and all(x.name in values for x in free_symbols(slopes)):
                    sizes = self.scales.of(units[x.name].removesuffix("/s") for x in moving)
                    numeric_slopes = [evaluate(x, values) for x in slopes]
                    sizes_by_name[name] = float(np.abs(numeric_slopes * sizes).max()) or 1.0
        return sizes_by_name

    def _slopes(self) -> Array:
        """The largest entry of each row of J, at configurations of any kind."""
        rng, jacobian = np.random.default_rng(0), self._model.timed("constraint_jacobian")
        largest = np.zeros(len(self._model.constraints.owners))
        for _ in range(_SAMPLES):
            q = self.coordinates * rng.uniform(0.2, 1.2, len(self.coordinates))
            with np.errstate(all="ignore"):
                J = np.abs(np.asarray(jacobian(q, 0.0), dtype=float) * self.displacements)
            largest = np.maximum(largest, np.where(np.isfinite(J), J, 0.0).max(axis=1, initial=0.0))
        return largest

    def without_dimension(self, J: Array) -> Array:
        """J with lengths in units of the length of the mechanism."""
        return np.asarray(J / self.rows[:, np.newaxis] * self.displacements)

    def rounding(self, q: Array) -> Any:
        """Opening of loops that rounding of coordinates (…, nq) explains, in units of `rows`.

        A joint that has made 10⁶ turns is not known better than to 10⁻⁹ rad. Beyond 10⁸ of them
        nothing is excused any more.
        """
        grains = np.abs(q * self.grain)
        return np.minimum(np.maximum.reduce(grains, axis=-1, initial=0.0), COARSEST)

    @cached_property
    def grain(self) -> Array:
        """(nq,): the opening that rounding explains, for each coordinate of size one."""
        return EPSILON / self.coordinates

    def number(self, name: str) -> float | None:
        """The value of a symbol made by `row_size` or `speed_size`; None for any other."""
        row, speed = sized_row(name), sized_speed(name)
        if speed is not None:
            return float(self.displacements[speed])
        return None if row is None else float(self.rows[row])

    def number_at(self, name: str, lengths: Array) -> Any:
        """`number` in mechanisms of other lengths; a relation keeps the size it has in this one."""
        row, speed = sized_row(name), sized_speed(name)
        if speed is not None:
            return lengths if self.speed_units[speed] == "m/s" else 1.0
        if row is not None and row < len(self._cuts):
            return lengths if self._cuts[row] else 1.0
        return self.number(name)


def holds_lengths(joint: Any) -> list[bool]:
    """Which columns of T, of a joint or a contact, have a force, or a couple over a radius."""
    T = joint.reactions_at(*ANYWHERE)
    spread = isinstance(joint, Spread)
    return [spread or any(x != 0 for x in flat(column)) for column in T[3:].T]
