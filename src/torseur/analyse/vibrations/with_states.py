"""Small motions of mechanisms with first-order states: filters, actuators, hydraulics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torseur.analyse.vibrations.linear_systems import StateSpace
from torseur.analyse.vibrations.linearise import linearise
from torseur.model.description import Mechanism


def linear_system(
    mechanism: Mechanism,
    at: Mapping[str, float] | None = None,
    *,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] = (),
) -> StateSpace:
    """ẋ = A x + B u, y = C x + D u of small motions, x = (s, w, first-order states).

    It is taken about the rest nearest to the description's initial values: coordinates and states
    that stand still together. `at` gives coordinates and states, as for `linearise`. Inputs and
    outputs are named as there; outputs may be states too, and are the independent coordinates and
    the states if none are named.
    """
    return linearise(mechanism, at, inputs=inputs).system(outputs)
