"""Values that a sensor measures, at an instant or at the samples of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.brief import numbered
from torseur.errors import unknown

Array = np.ndarray


@final
@dataclass(frozen=True)
class Measurement:
    """Values of a sensor: over the samples of a run, or at one instant."""

    t: Any  # (samples), or a number [s]
    values: Array  # (samples, k), or (k,)
    names: tuple[str, ...]  # of the columns
    units: tuple[str, ...]

    def __getitem__(self, name: str) -> Array:
        """A column by its name; "a" is the vector of a_x, a_y and a_z."""
        if name in self.names:
            return np.asarray(self.values[..., self.names.index(name)])
        parts = [k for k, x in enumerate(self.names) if x.startswith(f"{name}_")]
        if not parts:
            vectors = (x.rpartition("_")[0] for x in self.names)
            raise unknown("measurement", "column", name, dict.fromkeys([*self.names, *vectors]))
        return np.asarray(self.values[..., parts])

    def __repr__(self) -> str:
        columns = ", ".join(f"{n} [{u}]" for n, u in zip(self.names, self.units, strict=True))
        if self.values.ndim == 1:
            return f"<Measurement at t = {self.t:g} s: {columns}>"
        return f"<Measurement, {numbered(len(self.t), 'sample')}: {columns}>"


def measurement(t: Any, values: Array, columns: Mapping[str, str]) -> Measurement:
    """Values with the names and units of their columns."""
    return Measurement(t, values, tuple(columns), tuple(columns.values()))
