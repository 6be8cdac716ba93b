"""Contacts of a pile at the samples of its motion: forces, penetrations, residuals."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.machine.absolute.model import AbsoluteModel
from torseur.machine.piles import places as at
from torseur.machine.piles.model import PileModel, Touch
from torseur.model.constraints.pile import Pile

Array = np.ndarray


@final
class Touching:
    """Contacts at every sample, in the step that begins there."""

    def __init__(self, pile: PileModel, t: Array, states: Array) -> None:
        self._pile, self._t, self._states = pile, t, states

    def __reduce__(self) -> tuple[Any, ...]:
        return Touching, (self._pile, self._t, self._states)

    @property
    def residuals(self) -> Array:
        """The largest natural residual of any step since the sample before (samples) [m/s]."""
        return self._states[:, at.RESIDUAL - at.EXTRA]

    @property
    def penetrations(self) -> Array:
        """The deepest after any step since the sample before (samples) [m]."""
        return self._states[:, at.PENETRATION - at.EXTRA]

    def __len__(self) -> int:
        return len(self._t)

    def __getitem__(self, sample: int) -> tuple[Touch, ...]:
        """The contacts at a sample."""
        return self._steps[sample][1]

    @property
    def accelerations(self) -> Array:
        """Means over a step (samples, bodies, 6): of centres, of ω in body axes."""
        return np.array([rates for rates, _ in self._steps])

    @cached_property
    def _steps(self) -> list[tuple[Array, tuple[Touch, ...]]]:
        pairs = zip(self._states, self._t, strict=True)
        return [self._pile.touches(state, float(t)) for state, t in pairs]


def touching(bodies: AbsoluteModel, t: Array, states: Array) -> Touching | None:
    """The contacts of a motion; None of a mechanism that has no pile."""
    piles = [one for one in bodies.mechanism.contacts.values() if isinstance(one, Pile)]
    return Touching(PileModel(bodies), t, states) if piles else None
