"""Composition of motions: what a frame carries along, what moves in it, and Coriolis's term."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur import notebook
from torseur.brief import brief
from torseur.model.description import GROUND
from torseur.simulation.observe.moving import times
from torseur.simulation.observe.observer import Observer, PointGiven, Samples, observe

Array = np.ndarray


@final
@dataclass(frozen=True)
class VelocityTerms:
    """v_a = v_r + v_e (samples, 3) [m/s]."""

    absolute: Array
    relative: Array
    entrainment: Array  # of the point of the frame that coincides with the point


@final
@dataclass(frozen=True)
class AccelerationTerms:
    """γ_a = γ_r + γ_e + γ_c (samples, 3) [m/s²]."""

    absolute: Array
    relative: Array
    entrainment: Array
    coriolis: Array  # 2 Ω × v_r


@final
@dataclass(frozen=True, eq=False)
class Composition:
    """The motion of a point composed through a frame."""

    __repr__ = brief
    _repr_html_ = notebook.html

    velocity: VelocityTerms
    acceleration: AccelerationTerms

    def entrainment_force(self, mass: float) -> Array:
        """The inertia force −m γ_e that the frame adds; centrifugal when it turns steadily [N]."""
        return -mass * self.acceleration.entrainment

    def coriolis_force(self, mass: float) -> Array:
        """The inertia force −m γ_c = −2 m Ω × v_r [N] (Plaut (3.13) with erratum E4-4)."""
        return -mass * self.acceleration.coriolis


def composition(
    motion: Samples | Observer,
    point: PointGiven,
    frame: str,
    *,
    reference: str = GROUND,
    axes: str = "",
) -> Composition:
    """The terms of the velocity and of the acceleration of a point seen through a moving frame.

    Absolute is relative to `reference`, relative is relative to `frame`; all components are along
    the axes of the reference unless `axes` names other ones. The entrainment (entraînement) is the
    motion of the point of the frame that coincides with the point.
    """
    observer = observe(motion)
    X = observer.frame(frame, reference)
    absolute = observer.moving_point(point, reference)
    relative = observer.moving_point(point, frame)
    carried = X.carried(absolute.position)

    def along(components: Array) -> Array:
        return observer.in_axes(components, reference, axes)

    return Composition(
        VelocityTerms(
            along(absolute.velocity),
            along(times(X.R[0], relative.velocity)),
            along(carried.velocity),
        ),
        AccelerationTerms(
            along(absolute.acceleration),
            along(times(X.R[0], relative.acceleration)),
            along(carried.acceleration),
            along(2 * times(X.R[1], relative.velocity)),
        ),
    )
