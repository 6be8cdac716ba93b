"""A motion that shall go as wanted: outputs of a run at times, by its exact sensitivity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.analyse.sensitivity.sensitivity import sensitivity
from torseur.design.targets import given_row
from torseur.errors import ModelError, SolveError
from torseur.machine.compiled import CompiledModel
from torseur.words.sentence import say

Array = np.ndarray


@final
@dataclass(frozen=True)
class Response:
    """An output of a motion from the initial values shall have given values at times.

    Outputs are coordinates, speeds (`x.`) and what else a sensitivity reads: points, energies,
    reactions, expressions. One time and one value make it any scalar of a motion.
    """

    output: str
    times: Array  # [s]
    wanted: Array
    weight: float = 1.0
    rate: float = 100.0  # samples a second, between which values are interpolated

    def __post_init__(self) -> None:
        place = f'response of "{self.output}"'
        times, values = (given_row(place, x) for x in (self.times, self.wanted))
        if times.shape != values.shape or times.min() < 0 or not times.max():
            problem = say("{count} values are given for {number} times.", values.size, times.size)
            raise ModelError(place, problem, "Times are positive.")
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "wanted", values)

    def residuals(self, model: CompiledModel, design: Mapping[str, float]) -> tuple[Array, Array]:
        """The errors at the times, and their derivatives; not numbers where nothing moves so."""
        duration = float(self.times.max())
        try:
            result = sensitivity(model.tried(**design), duration, tuple(design), rate=self.rate)
        except (SolveError, ModelError):
            nothing = np.full(len(self.times), np.nan)
            return nothing, np.full((len(self.times), len(design)), np.nan)
        t = result.run.t
        values = np.asarray(result.run[self.output], dtype=float)
        slopes = result[self.output]
        y = np.interp(self.times, t, values)
        dy = np.column_stack([np.interp(self.times, t, column) for column in slopes.T])
        return self.weight * (y - self.wanted), self.weight * dy
