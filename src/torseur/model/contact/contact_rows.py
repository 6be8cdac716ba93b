"""Rows that belong to a contact: those of its gap alone, and of couples that resist motions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from torseur.model.joints.protocol import NOTHING, Array
from torseur.model.joints.rolling import ContactType
from torseur.model.joints.symbol import Symbol
from torseur.words.sentence import say


@dataclass(frozen=True)
class OfContact(ContactType):
    """Rows between the frames of a contact, along or about some axes of its frame."""

    of: ContactType

    axes: ClassVar[slice]  # among the normal and the tangents

    @property
    def lengths(self) -> tuple[Any, ...]:
        return self.of.lengths

    @property
    def symbol(self) -> Symbol:
        return self.of.symbol

    def frame(self, R: Array, p: Array) -> Array:
        return self.of.frame(R, p)[self.axes]

    def touching(self, R: Array, p: Array) -> Array:
        return self.of.touching(R, p)


@final
@dataclass(frozen=True)
class Sliding(OfContact):
    """The gap alone is held."""

    nv: ClassVar[int] = 5
    names = ("sliding", "glissement")
    axes = slice(0, 1)

    @property
    def meanings(self) -> list[str]:
        return self.of.meanings[:1]

    def gap(self, R: Array, p: Array) -> Array:
        return self.of.gap(R, p)[:1]


@final
@dataclass(frozen=True)
class Spread(OfContact):
    """The forces of a contact, and the couple about the normal over the radius of its surface."""

    radius: Any  # [m]

    names = ("patch", "surface")
    axes = slice(0, 3)

    @property
    def nv(self) -> int:  # type: ignore[override]
        return self.of.nv - 1

    @property
    def lengths(self) -> tuple[Any, ...]:
        return (*self.of.lengths, self.radius)

    @property
    def meanings(self) -> list[str]:
        return [*self.of.meanings, say("couple about the normal over the radius")]

    def held(self, R: Array, p: Array) -> Array:
        about = self.radius * (self.frame(R, p)[0] @ R)
        return np.column_stack([self.of.held(R, p), [*about, *NOTHING]])

    def gap(self, R: Array, p: Array) -> Array:
        return self.of.gap(R, p)


class CoupleRows(OfContact):
    """Couples about axes; no position is held."""

    @property
    def meanings(self) -> list[str]:
        names = (say("the normal"), say("the first tangent"), say("the second tangent"))
        return [say("couple about {axis}", axis) for axis in names[self.axes]]

    def held(self, R: Array, p: Array) -> Array:
        return np.array([[*e, *NOTHING] for e in self.frame(R, p) @ R]).T

    def gap(self, R: Array, p: Array) -> Array:
        return np.zeros(0)


@final
@dataclass(frozen=True)
class Pivoting(CoupleRows):
    """About the normal."""

    nv: ClassVar[int] = 5
    names = ("pivoting", "pivotement")
    axes = slice(0, 1)


@final
@dataclass(frozen=True)
class Rolling(CoupleRows):
    """About the tangents."""

    nv: ClassVar[int] = 4
    names = ("rolling", "roulement")
    axes = slice(1, 3)
