"""Points at which two convex meshes may touch: where they are is found while a mechanism moves.

A point has a normal n and a tangent of the first body, and a level c: a place r of the second body
is above the plane n · x = c, or on it. These ten numbers are symbols, given from step to step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, final

import numpy as np

from torseur.algebra.core.expr import ONE, symbol
from torseur.model.joints.protocol import Array
from torseur.model.joints.rolling import ContactType
from torseur.model.joints.symbol import Symbol, SymbolBall
from torseur.spatial.vectors import cross
from torseur.words.sentence import say

SIGNAL = "signal"  # the kind of symbols whose values are given during a motion
POINTS = 4  # at most, of two meshes
NUMBERS = ("n_x", "n_y", "n_z", "t_x", "t_y", "t_z", "r_x", "r_y", "r_z", "c")  # of a point
NORMAL, TANGENT, PLACE, LEVEL = slice(0, 3), slice(3, 6), slice(6, 9), 9

Corners = tuple[tuple[Any, ...], ...]


@final
@dataclass(frozen=True)
class Meshes:
    """The corners of two convex bodies, in F and in M [m]."""

    first: Corners = field(repr=False)
    second: Corners = field(repr=False)


@final
@dataclass(frozen=True)
class MeshPoint(ContactType):
    """One of the points of two meshes; all of these have the same corners."""

    slot: str  # the name of its contact
    shape: Meshes  # no function depends on it: it counts where points are found

    nv: ClassVar[int] = 3
    names: ClassVar[tuple[str, ...]] = ("mesh", "maillage")
    sizes: ClassVar[tuple[str, ...]] = ()

    @property
    def axes_named(self) -> Sequence[str]:
        return say("the normal"), say("a first tangent"), say("a second tangent")

    @property
    def lengths(self) -> tuple[Any, ...]:
        return tuple(x for corner in (*self.shape.first, *self.shape.second) for x in corner)

    @cached_property
    def symbols(self) -> Array:
        """Symbols of its numbers."""
        return np.array([symbol(name, SIGNAL) for name in self.signals], dtype=object)

    @property
    def signals(self) -> tuple[str, ...]:
        """The names of its numbers."""
        return tuple(f"{self.slot}[{name}]" for name in NUMBERS)

    @property
    def symbol(self) -> Symbol:
        return Symbol((), (SymbolBall(0.1, "own"),), foot=False, radius=ONE)

    def frame(self, R: Array, p: Array) -> Array:
        n, t = self.symbols[NORMAL], self.symbols[TANGENT]
        return np.array([n, t, cross(n, t)])

    def touching(self, R: Array, p: Array) -> Array:
        return np.asarray(self.symbols[PLACE])

    def gap(self, R: Array, p: Array) -> Array:
        place = p + R @ self.symbols[PLACE]
        return np.array([self.symbols[NORMAL] @ place - self.symbols[LEVEL]])


def mesh_axes(numbers: Array) -> Array:
    """(samples, 3, 3): the normal and the tangents of a point, from its numbers at samples."""
    n, t = numbers[:, NORMAL], numbers[:, TANGENT]
    return np.stack([n, t, np.cross(n, t)], axis=1)
