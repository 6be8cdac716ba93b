"""Forces along the line between two points: each says its tension and its potential.

A tension is positive when it pulls the two points together. Adding a law is adding a class with
`tension` and `potential` and one entry of `LINE_FORCES`.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, final

import numpy as np

from torseur.algebra.expr import ZERO, Expr

Array = np.ndarray


@final
@dataclass(frozen=True)
class Attachment:
    """A point of a body, in the frame of the body."""

    body: str
    point: Array


class LineForce(Protocol):
    """A force between two attachments that depends on their distance and its rate."""

    values: ClassVar[tuple[str, ...]]  # the names of its numbers

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def first(self) -> Attachment:
        """One end."""

    @property
    def second(self) -> Attachment:
        """The other end."""

    @property
    def place(self) -> str:
        """Where it was written."""

    def tension(self, length: Any, rate: Any) -> Any:
        """The pull [N] at a distance [m] that grows at a rate [m/s]."""

    def potential(self, length: Any) -> Any:
        """The potential energy [J], zero for a force that has none."""


@final
@dataclass(frozen=True)
class Spring:
    """A linear spring: tension k (l − l₀), potential ½ k (l − l₀)²."""

    name: str
    first: Attachment
    second: Attachment
    stiffness: Expr  # [N/m]
    length: Expr = ZERO  # at rest [m]
    place: str = ""

    values: ClassVar[tuple[str, ...]] = ("stiffness", "length")

    def tension(self, length: Any, rate: Any) -> Any:
        return self.stiffness * (length - self.length)

    def potential(self, length: Any) -> Any:
        return self.stiffness * (length - self.length) ** 2 / 2


@final
@dataclass(frozen=True)
class Damper:
    """A linear damper: tension b l̇; its power is −b l̇²."""

    name: str
    first: Attachment
    second: Attachment
    damping: Expr  # [N s/m]
    place: str = ""

    values: ClassVar[tuple[str, ...]] = ("damping",)

    def tension(self, length: Any, rate: Any) -> Any:
        return self.damping * rate

    def potential(self, length: Any) -> Any:
        return ZERO


LINE_FORCES: dict[str, type[Spring] | type[Damper]] = {"spring": Spring, "damper": Damper}
