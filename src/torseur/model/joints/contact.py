"""What a contact without slipping answers: the wrenches it carries and the positions it holds.

A contact is a joint that only closes loops: it has no coordinates of its own, and fewer conditions
on positions than on speeds (rolling is not a condition on positions).
"""

from typing import ClassVar, Protocol

import numpy as np

Array = np.ndarray


class ContactType(Protocol):
    """A contact between a frame F of one body and a frame M of another."""

    nv: ClassVar[int]  # 6 less the number of conditions on speeds
    names: ClassVar[tuple[str, ...]]

    def held(self, R: Array, p: Array) -> Array:
        """T (6 × (6 − nv)): the wrenches carried, in the axes of M at its origin."""

    def gap(self, R: Array, p: Array) -> Array:
        """The conditions on positions, those of the first columns of T."""
