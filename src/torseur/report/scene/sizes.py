"""The sizes of symbols, from the usual length of a lever."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final


@final
@dataclass(frozen=True)
class Size:
    """The sizes of symbols, from the usual length of a lever."""

    unit: float
    factor: float = 1.0

    @property
    def radius(self) -> float:
        return 0.135 * self.unit * self.factor

    @property
    def half(self) -> float:
        return 0.17 * self.unit * self.factor

    @property
    def thick(self) -> float:
        return 0.085 * self.unit

    @property
    def thin(self) -> float:
        return 0.055 * self.unit

    @property
    def small(self) -> Size:
        """For joints at one place."""
        return replace(self, factor=0.72)
