"""Rolling and pivoting of a contact, as rows of their own: couples that resist them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np

from torseur.model.joints.protocol import NOTHING, Array
from torseur.model.joints.rolling import ContactType
from torseur.model.joints.symbol import Symbol


@dataclass(frozen=True)
class Resistance(ContactType):
    """Couples on a contact, about axes of its frame; no position is held."""

    of: ContactType

    about: ClassVar[slice]  # among the normal and the tangents

    @property
    def lengths(self) -> tuple[Any, ...]:
        return self.of.lengths

    @property
    def symbol(self) -> Symbol:
        return self.of.symbol

    def numeric(self, number: Callable[[Any], float]) -> ContactType:
        return replace(self, of=self.of.numeric(number))

    @property
    def meanings(self) -> list[str]:
        axes = ("the normal", "the first tangent", "the second tangent")
        return [f"couple about {text}" for text in axes[self.about]]

    def frame(self, R: Array, p: Array) -> Array:
        return self.of.frame(R, p)[self.about]

    def touching(self, R: Array, p: Array) -> Array:
        return self.of.touching(R, p)

    def held(self, R: Array, p: Array) -> Array:
        return np.array([[*e, *NOTHING] for e in self.frame(R, p) @ R]).T

    def gap(self, R: Array, p: Array) -> Array:
        return np.zeros(0)


@final
@dataclass(frozen=True)
class Pivoting(Resistance):
    """About the normal."""

    nv: ClassVar[int] = 5
    names = ("pivoting", "pivotement")
    about = slice(0, 1)


@final
@dataclass(frozen=True)
class Rolling(Resistance):
    """About the tangents."""

    nv: ClassVar[int] = 4
    names = ("rolling", "roulement")
    about = slice(1, 3)
