"""The numbers a tree is made of, each kind in one array, evaluated all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, final

import numpy as np

from torseur.algebra.expr import Expr
from torseur.algebra.graph import evaluate, free_symbols
from torseur.joints.reversed import Reversed
from torseur.spatial.rotation import Rotation, Turn
from torseur.topology.tree import Link

Array = np.ndarray
NO_AXIS = -1  # a factor of a rotation that is given by its matrix


@final
@dataclass(frozen=True)
class Quantities:
    """One row a link: expressions and numbers (dtype object), or numbers (dtype float)."""

    p: Array  # (n, 3): p_PF
    angle: Array  # (n, k): of the elementary factors of R_PF
    matrix: Array  # (n, k, 3, 3): of the other factors
    m: Array
    h: Array  # (n, 3)
    K: Array  # (n, 3, 3)
    lead: Array
    ratio: Array  # of a rotor, zero where there is none
    j: Array
    axis: Array  # (n, 3): of a rotor, zero where only its reflected inertia counts
    gravity: Array  # (3,)

    def numeric(self, values: Mapping[str, float]) -> Quantities:
        """The numbers behind the expressions; every node of their graph is evaluated once."""
        found = self._expressions()
        numbers = dict(zip(found, evaluate(list(found.values()), values), strict=True))
        return Quantities(*(_numeric(getattr(self, f.name), numbers) for f in fields(self)))

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the symbols in the expressions."""
        return tuple(x.name for x in free_symbols(list(self._expressions().values())))

    def _expressions(self) -> dict[int, Expr]:
        """The different expressions, by key."""
        arrays = (getattr(self, f.name) for f in fields(self))
        return {x.key: x for array in arrays for x in array.ravel() if isinstance(x, Expr)}


def _numeric(array: Array, numbers: Mapping[int, float]) -> Array:
    flat = (numbers[x.key] if isinstance(x, Expr) else x for x in array.ravel())
    return np.fromiter(flat, dtype=float, count=array.size).reshape(array.shape)


def quantities(links: Sequence[Link], gravity: Array) -> Quantities:
    """The quantities of links, in their order."""
    n = len(links)
    factors = max((len(link.X_PF.R.factors) for link in links), default=0)
    made = Quantities(
        p=_stacked([link.X_PF.p for link in links], (n, 3)),
        angle=np.zeros((n, factors), dtype=object),
        matrix=np.tile(np.eye(3, dtype=object), (n, factors, 1, 1)),
        m=_stacked([link.inertia.m for link in links], (n,)),
        h=_stacked([link.inertia.h for link in links], (n, 3)),
        K=_stacked([link.inertia.K for link in links], (n, 3, 3)),
        lead=_stacked([getattr(plain(link), "lead", 0.0) for link in links], (n,)),
        ratio=np.zeros(n, dtype=object),
        j=np.zeros(n, dtype=object),
        axis=np.zeros((n, 3), dtype=object),
        gravity=_stacked(gravity, (3,)),
    )
    for i, link in enumerate(links):
        _write_rotation(made, i, link.X_PF.R)
        if link.rotor is not None:
            made.ratio[i], made.j[i] = link.rotor.ratio, link.rotor.j
            if link.rotor.axis is not None:
                made.axis[i] = link.rotor.axis
    return made


def _write_rotation(made: Quantities, i: int, R: Rotation) -> None:
    for k, factor in enumerate(R.factors):
        if isinstance(factor, Turn):
            made.angle[i, k] = factor.angle
        else:
            made.matrix[i, k] = factor.matrix


def factor_axes(links: Sequence[Link]) -> Array:
    """(n, k): the axis of each elementary factor of R_PF."""
    factors = max((len(link.X_PF.R.factors) for link in links), default=0)
    made = np.full((len(links), factors), NO_AXIS)
    for i, link in enumerate(links):
        for k, factor in enumerate(link.X_PF.R.factors):
            made[i, k] = factor.axis if isinstance(factor, Turn) else NO_AXIS
    return made


def rotations(axes: Array, numbers: Quantities) -> Array:
    """(n, 3, 3): R_PF, factor by factor for all links together."""
    c, s = np.cos(numbers.angle), np.sin(numbers.angle)
    product = np.tile(np.eye(3), (len(axes), 1, 1))
    for k in range(axes.shape[1]):
        factor = numbers.matrix[:, k].copy()
        for axis in range(3):
            turning = np.flatnonzero(axes[:, k] == axis)
            x, y = (axis + 1) % 3, (axis + 2) % 3
            factor[turning, x, x] = factor[turning, y, y] = c[turning, k]
            factor[turning, y, x], factor[turning, x, y] = s[turning, k], -s[turning, k]
        product = product @ factor
    return product


def plain(link: Link) -> Any:
    """The joint of a link as it was written, whatever the direction it is crossed in."""
    return link.joint.kind if isinstance(link.joint, Reversed) else link.joint


def _stacked(parts: Any, shape: tuple[int, ...]) -> Array:
    """Parts of one shape as an array of objects."""
    made = np.empty(shape, dtype=object)
    for i, part in enumerate(parts):
        made[i] = part
    return made
