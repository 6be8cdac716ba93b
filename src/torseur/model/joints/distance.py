"""A rod without mass between two points (barre)."""

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from torseur.model.joints.elementary import Apart, Elementary
from torseur.model.joints.protocol import (
    NOTHING,
    Array,
    JointEntryKind,
    JointKey,
    JointType,
    columns,
)
from torseur.model.joints.symbol import Symbol, SymbolBall


@final
@dataclass(frozen=True)
class Distance(JointType):
    """A rod of negligible mass with a ball joint at each end: the origins of F and M keep apart.

    It has no coordinates of its own and only closes loops. It carries the force along itself,
    positive when it pushes its ends apart.
    """

    length: Any = 1.0  # [m], positive

    names = ("distance", "rod", "massless link", "barre", "tige")
    words: ClassVar = "distance"
    keys = (
        JointKey(
            "length", JointEntryKind.LENGTH, "0.5", advice="For points that coincide: spherical."
        ),
    )
    carries = False
    symbol = Symbol((SymbolBall(0.6),), (SymbolBall(0.6),), line="rod")
    refused = "a rod only closes loops: it has no coordinates from which a body could be placed"

    @property
    def nv(self) -> int:
        return 5

    @property
    def elementary(self) -> tuple[Elementary, ...]:
        return (Apart(self.length),)

    def held(self, R: Array, p: Array) -> Array:
        return columns((NOTHING, (R.T @ p) / np.sqrt(p @ p)))

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([np.sqrt(p @ p) - self.length])

    def read(self, R: Array, p: Array) -> Array:
        return np.zeros(0)
