"""Where the unknowns and the equations of a search for equilibria stand in a chart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np

Array = np.ndarray


@final
@dataclass(frozen=True)
class Places:
    """Where the unknowns and the equations of a search stand in a chart."""

    shifts: list[int]  # in s, the unknown displacements
    rates: list[int]  # in w, the unknown speeds
    equations: list[int]  # the rows of F that count
    # the speeds that have a value to keep, by their indices: of displacements that must stand
    # still, and given ones, where they are not independent
    still: list[int]
    kept: Array  # their values
    moved: list[int]  # the unknown displacements, by indices of speeds
    turned: list[int]  # the unknown speeds
    balanced: list[int]  # the speeds of the rows of F

    def columns(self, of_s: Array, of_w: Array) -> Array:
        """The columns of the unknowns: of a matrix on s, then of one on w."""
        own = of_s[:, self.shifts]
        return np.concatenate([own, of_w[:, self.rates]], axis=1) if self.rates else own


@lru_cache(maxsize=64)
def places(
    shifts: tuple[int, ...],
    speeds: tuple[int, ...],
    frozen: frozenset[int],
    unknown_speeds: frozenset[int],
    idle: frozenset[int],
    passing: frozenset[int],
    given_speeds: tuple[tuple[int, float], ...],
) -> Places:
    """The places in all charts of these displacements and speeds.

    What is `passing` need not stand still.
    """
    unknown = [k for k, i in enumerate(shifts) if i not in frozen]
    rates = [k for k, i in enumerate(speeds) if i in unknown_speeds]
    equations = [k for k, i in enumerate(speeds) if i not in idle]
    others = (i for i in shifts if i not in speeds and i not in passing)
    given = (i for i, _ in given_speeds if i not in speeds or i in unknown_speeds)
    still, told = list(dict.fromkeys([*others, *given])), dict(given_speeds)
    return Places(
        unknown,
        rates,
        equations,
        still,
        kept=np.array([told.get(i, 0.0) for i in still]),
        moved=[shifts[k] for k in unknown],
        turned=[speeds[k] for k in rates],
        balanced=[speeds[k] for k in equations],
    )
