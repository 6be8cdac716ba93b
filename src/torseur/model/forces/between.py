"""The line between two points: how long it is, how fast it grows, what a tension in it does."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.model.forces.protocol import Action, Array, Attachment, Places

Ends = tuple[Attachment, Attachment]


@final
@dataclass(frozen=True)
class Line:
    """The line between two attachments."""

    places: Places
    ends: Ends

    @cached_property
    def _vector(self) -> Array:
        first, second = self.ends
        return self.places.position(second) - self.places.position(first)

    @cached_property
    def length(self) -> Any:
        """The distance between the ends [m]."""
        return np.sqrt(self._vector @ self._vector)

    @cached_property
    def rate(self) -> Any:
        """The rate of the distance [m/s]."""
        first, second = self.ends
        relative = self.places.velocity(second) - self.places.velocity(first)
        return self._vector @ relative / self.length

    def pulled(self, tension: Any) -> tuple[Action, Action]:
        """The forces on both ends; a positive tension pulls them together."""
        first, second = self.ends
        pull = tension / self.length * self._vector
        return Action(first, pull), Action(second, -pull)
