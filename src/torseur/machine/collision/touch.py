"""A contact as people read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.machine.collision import places as at

Array = np.ndarray
_LIMIT = 1e-4  # of the limit of friction: what may be missing where something slides


@final
@dataclass(frozen=True)
class Touch:
    """A contact during a step: where it is, and the mean force on the first body."""

    first: str
    second: str
    point: Array  # (3,) in ground axes [m]
    normal: Array  # (3,) from the second body to the first
    gap: float  # [m]
    force: Array  # (3,) in ground axes [N]
    friction: float = 0.0  # its coefficient

    @property
    def slides(self) -> bool:
        """Whether friction is as large as it can be."""
        pressing = float(self.force @ self.normal)
        rubbing = float(np.linalg.norm(self.force - pressing * self.normal))
        return rubbing >= (1 - _LIMIT) * self.friction * pressing


def touch(row: Array, names: Sequence[str], step: float) -> Touch:
    """The contact of a row of the table, with the mean force of its impulse over a step."""
    first, second = (names[int(row[k])] for k in (at.FIRST, at.SECOND))
    point, normal, pushed = (row[k : k + 3].copy() for k in (at.POINT, at.AXES, at.PUSHED))
    gap, friction = float(row[at.GAP]), float(row[at.FRICTION])
    return Touch(first, second, point, normal, gap, pushed / step, friction)
