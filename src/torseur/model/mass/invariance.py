"""Relations between the components of a mass geometry that a rotation or a mirror leaves alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from torseur.model.mass.properties import COMPONENTS, inertia_tensor
from torseur.spatial.vectors import Array

NAMES = ("x", "y", "z", *COMPONENTS)  # of the centre of mass and of the inertia
_ROUNDING = 1e-9  # of a condition: below it is zero
_FIGURES = 1e-12  # of a factor: so near to a fraction, it is meant
_FAIR = 0.1  # of the largest entry: a later component is preferred as the one that is replaced


Factor = Fraction | int | float


@final
@dataclass(frozen=True)
class MassRelation:
    """A component that others determine: name = Σ factor · other, and 0 where there are none."""

    name: str
    factors: tuple[tuple[str, Factor], ...]

    def __str__(self) -> str:
        terms = " ".join(_term(name, factor) for name, factor in self.factors)
        return f"{self.name} = {terms.removeprefix('+ ') or 0}"

    def of(self, values: Mapping[str, Any]) -> Any:
        """The value that follows from those of the others."""
        return sum(factor * values[name] for name, factor in self.factors)


def mirror(direction: Array) -> Array:
    """The reflection in the plane normal to a direction."""
    return np.asarray(np.eye(3) - 2 * np.outer(direction, direction) / (direction @ direction))


def relations(operations: Sequence[Array]) -> tuple[MassRelation, ...]:
    """The relations of a mass geometry that the operations (3, 3) leave alone, the fewest."""
    if not operations:
        return ()
    rows = np.concatenate([_conditions(R) for R in operations])
    return tuple(sorted(_eliminate(rows), key=lambda relation: NAMES.index(relation.name)))


def _conditions(R: Array) -> Array:
    """R c − c and R I Rᵀ − I, as a matrix (12, 9) of the components."""
    tensors = [inertia_tensor(unit) for unit in np.eye(6).tolist()]
    turned = [np.asarray(R @ T @ R.T - T, dtype=float).ravel() for T in tensors]
    rows = np.zeros((12, 9))
    rows[:3, :3], rows[3:, 3:] = R - np.eye(3), np.array(turned).T
    return rows


def _eliminate(rows: Array) -> list[MassRelation]:
    """Gauss and Jordan: the last components first, unless their entries are small."""
    rows, pivots = rows.copy(), {}
    rest = list(range(len(rows)))
    while rest and (sizes := np.abs(rows[rest]).max(axis=0)).max() > _ROUNDING:
        column = int(np.flatnonzero(sizes >= _FAIR * sizes.max())[-1])
        row = max(rest, key=lambda i: abs(rows[i, column]))
        rows[row] /= rows[row, column]
        for other in range(len(rows)):
            if other != row:
                rows[other] -= rows[other, column] * rows[row]
        rest.remove(row)
        pivots[column] = row
    return [_relation(column, rows[row]) for column, row in pivots.items()]


def _relation(column: int, row: Array) -> MassRelation:
    others = (k for k in range(9) if k != column and abs(row[k]) > _ROUNDING)
    return MassRelation(NAMES[column], tuple((NAMES[k], _exact(-row[k])) for k in others))


def _exact(x: float) -> Factor:
    near = Fraction(x).limit_denominator(1000)
    if abs(x - near) > _FIGURES * abs(x):
        return x
    return int(near) if near.denominator == 1 else near


def _term(name: str, factor: Factor) -> str:
    size = abs(factor)
    coefficient = (
        "" if size == 1 else f"{size} " if isinstance(size, int | Fraction) else f"{size:.6g} "
    )
    return f"{'−' if factor < 0 else '+'} {coefficient}{name}"
