"""Contacts among bodies at the samples of a motion: forces, penetrations, residuals."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol, final

import numpy as np

from torseur.machine.absolute.absolute_model import AbsoluteModel
from torseur.machine.collision.tables import piles_of
from torseur.machine.collision.touch import Touch
from torseur.machine.piles.model import PileModel

Array = np.ndarray


class Steps(Protocol):
    """Steps of bodies that touch."""

    def touches(self, state: Array, t: float) -> tuple[Array, tuple[Touch, ...]]:
        """Accelerations and contacts of the step that begins at a state."""

    def qualities(self, states: Array) -> tuple[Array, Array]:
        """The largest natural residual [m/s] and the deepest penetration [m] at states."""


@final
class PileContacts:
    """Contacts at every sample, in the step that begins there."""

    def __init__(self, steps: Steps, t: Array, states: Array) -> None:
        self._model, self._t, self._states = steps, t, states

    def __reduce__(self) -> tuple[Any, ...]:
        return PileContacts, (self._model, self._t, self._states)

    @property
    def residuals(self) -> Array:
        """The largest natural residual (samples) [m/s].

        In piles, of any step since the sample before; in mechanisms, of any step so far.
        """
        return self._model.qualities(self._states)[0]

    @property
    def penetrations(self) -> Array:
        """The deepest penetration after any of these steps (samples) [m]."""
        return self._model.qualities(self._states)[1]

    def __len__(self) -> int:
        return len(self._t)

    def __getitem__(self, sample: int) -> tuple[Touch, ...]:
        """The contacts at a sample."""
        return self._steps[sample][1]

    @property
    def accelerations(self) -> Array:
        """Means over a step: of centres, of ω in body axes (samples, bodies, 6), or of speeds."""
        return np.array([rates for rates, _ in self._steps])

    @cached_property
    def _steps(self) -> list[tuple[Array, tuple[Touch, ...]]]:
        pairs = zip(self._states, self._t, strict=True)
        return [self._model.touches(state, float(t)) for state, t in pairs]


def touching(bodies: AbsoluteModel, t: Array, states: Array) -> PileContacts | None:
    """The contacts of a motion; None of a mechanism that has no pile."""
    return PileContacts(PileModel(bodies), t, states) if piles_of(bodies.mechanism) else None
