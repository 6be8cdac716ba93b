"""A rod without mass between two points (barre)."""

from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn, final

import numpy as np

from torseur.model.joints.protocol import NOTHING, Array, columns
from torseur.model.joints.symbol import Ball, Symbol
from torseur.spatial.pose import Pose

_REFUSED = "a rod only closes loops: it has no coordinates from which a body could be placed"


@final
@dataclass(frozen=True)
class Distance:
    """A rod of negligible mass with a ball joint at each end: the origins of F and M keep apart.

    It has no coordinates of its own and only closes loops. It carries the force along itself,
    positive when it pushes its ends apart.
    """

    length: Any = 1.0  # [m], positive

    nq: ClassVar[int] = 0
    nv: ClassVar[int] = 5
    names: ClassVar[tuple[str, ...]] = ("distance", "rod", "massless link", "barre", "tige")
    coordinate_units: ClassVar[tuple[str, ...]] = ()
    speed_units: ClassVar[tuple[str, ...]] = ()
    turning: ClassVar[bool] = False
    carries: ClassVar[bool] = False
    closes: ClassVar[bool] = True
    symbol: ClassVar[Symbol] = Symbol((Ball(0.6),), (Ball(0.6),), line="rod")

    def held(self, R: Array, p: Array) -> Array:
        return columns((NOTHING, (R.T @ p) / np.sqrt(p @ p)))

    def gap(self, R: Array, p: Array) -> Array:
        return np.array([np.sqrt(p @ p) - self.length])

    def read(self, R: Array, p: Array) -> Array:
        return np.zeros(0)

    def neutral(self) -> Array:
        return np.zeros(0)

    def transform(self, q: Array) -> Pose:
        _refuse()

    def motion_subspace(self, q: Array) -> Array:
        _refuse()

    def bias(self, q: Array, v: Array) -> Array:
        _refuse()

    def reaction_subspace(self, q: Array) -> Array:
        _refuse()

    def rates(self, q: Array, v: Array) -> Array:
        _refuse()

    def speeds(self, q: Array, rates: Array) -> Array:
        _refuse()


def _refuse() -> NoReturn:
    raise AssertionError(_REFUSED)
