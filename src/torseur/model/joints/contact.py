"""What a contact without slipping answers: the wrenches it carries and the positions it holds.

A contact is a joint that only closes loops: it has no coordinates of its own, and fewer conditions
on positions than on speeds (rolling is not a condition on positions).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from torseur.model.joints.symbol import Symbol

Array = np.ndarray


class ContactType(ABC):
    """A contact between a frame F of one body and a frame M of another."""

    nv: ClassVar[int]  # 6 less the number of conditions on speeds
    names: ClassVar[tuple[str, ...]]
    turns_about: ClassVar[str] = ""  # the entry of the direction that it has besides the normal
    radius: Any  # [m]

    @property
    def lengths(self) -> tuple[Any, ...]:
        """What its description contains of lengths."""
        return (self.radius,)

    def numeric(self, number: Callable[[Any], float]) -> ContactType:
        """The same contact with number(x) for every expression x of parameters."""
        return replace(self, radius=number(self.radius))  # type: ignore[type-var]

    @property
    @abstractmethod
    def meanings(self) -> list[str]:
        """What each column of T is, in words."""

    @property
    @abstractmethod
    def symbol(self) -> Symbol:
        """How it is drawn."""

    @abstractmethod
    def held(self, R: Array, p: Array) -> Array:
        """T (6 × (6 − nv)): the wrenches carried, in the axes of M at its origin."""

    @abstractmethod
    def gap(self, R: Array, p: Array) -> Array:
        """The conditions on positions, those of the first columns of T."""
