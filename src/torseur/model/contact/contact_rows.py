"""Rows that belong to a contact: those of its gap alone, and of couples that resist motions."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np

from torseur.model.joints.protocol import NOTHING, Array, unit
from torseur.model.joints.rolling import ContactType
from torseur.model.joints.symbol import Part


@dataclass(frozen=True)
class OfContact(ContactType, ABC):
    """Other rows between the frames of a contact."""

    of: ContactType

    @property
    def radius(self) -> Any:
        return self.of.radius

    @property
    def normal(self) -> int:  # type: ignore[override]
        return self.of.normal

    @property
    def wheel(self) -> Part:
        return self.of.wheel

    def numeric(self, number: Callable[[Any], float]) -> ContactType:
        return replace(self, of=self.of.numeric(number))


@final
@dataclass(frozen=True)
class Sliding(OfContact):
    """The gap alone is held."""

    nv: ClassVar[int] = 5
    names = ("sliding", "glissement")

    @property
    def meanings(self) -> list[str]:
        return self.of.meanings[:1]

    def held(self, R: Array, p: Array) -> Array:
        return self.of.held(R, p)[:, :1]

    def gap(self, R: Array, p: Array) -> Array:
        return self.of.gap(R, p)[:1]


class Resistance(OfContact):
    """Couples about directions of F; no position is held."""

    @property
    def meanings(self) -> list[str]:
        return [f"couple about {'xyz'[k]} of F" for k in self.directions]

    def held(self, R: Array, p: Array) -> Array:
        return np.array([[*(R.T @ unit(k)), *NOTHING] for k in self.directions]).T

    def gap(self, R: Array, p: Array) -> Array:
        return np.zeros(0)


@final
@dataclass(frozen=True)
class Pivoting(Resistance):
    """About the normal."""

    nv: ClassVar[int] = 5
    names = ("pivoting", "pivotement")

    @property
    def directions(self) -> list[int]:
        return [self.normal]


@final
@dataclass(frozen=True)
class Rolling(Resistance):
    """About the directions in the plane."""

    nv: ClassVar[int] = 4
    names = ("rolling", "roulement")

    @property
    def directions(self) -> list[int]:
        return super().directions[1:]
