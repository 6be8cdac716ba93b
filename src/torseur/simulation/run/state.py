"""What a motion was at one time, or at several: coordinates and speeds by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, final

import numpy as np

from torseur.simulation.run.samples import Readable

Array = np.ndarray


@final
class State(Mapping[str, Any]):
    """Samples of a run; each entry is a number if there is one sample, else an array.

    A mapping of the names of coordinates and speeds, those of closing joints too, so that a run can
    start from it; accelerations are read by name as well. `samples` is the run it belongs to.
    """

    def __init__(self, samples: Readable, place: int | slice) -> None:
        self.samples = samples
        self._place = place
        self.t = samples.t[place]  # [s]

    @property
    def q(self) -> Array:
        """The coordinates of the tree, (nq) or (times, nq)."""
        return self.samples.q[self._place]

    @property
    def v(self) -> Array:
        """The speeds of the tree, (nv) or (times, nv)."""
        return self.samples.v[self._place]

    @property
    def a(self) -> Array:
        """The accelerations of the tree, (nv) or (times, nv)."""
        return self.samples.a[self._place]

    def __getitem__(self, name: str) -> Any:
        return self.samples[name][self._place]

    def __contains__(self, name: object) -> bool:
        return name in self.samples.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.samples.names)

    def __len__(self) -> int:
        return len(self.samples.names)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}: {np.asarray(x)}" for name, x in self.items())
        return f"<state at t = {self.t} s: {values}>"
