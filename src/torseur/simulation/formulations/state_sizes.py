"""What each component of a state is compared with when its motion is integrated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.machine.absolute.model import AbsoluteModel
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.problem import StateSizes
from torseur.machine.sizes import EPSILON
from torseur.model.values.scales import RowScales, Scales, coordinate_units

Array = np.ndarray
_TURN = np.pi  # an angle counts for no more in the relative tolerance [rad]
_BODY = ("m",) * 3 + ("1",) * 4 + ("m/s",) * 3 + ("rad/s",) * 3


@final
@dataclass(frozen=True)
class FirstState:
    """The beginning of a motion: a state, its rate and how long it goes on."""

    y: Array
    rate: Array
    duration: float  # [s]

    def scales(self, known: Scales, units: Sequence[str]) -> Scales:
        """The scales of a mechanism with the time that its speeds and accelerations tell.

        Where the description gives no length, coordinates, speeds and accelerations tell it.
        """
        y, rate = np.abs(self.y), np.abs(np.nan_to_num(self.rate))
        if known.bare:
            metres = y[_of(units, "m")].max(initial=0.0)
            speeds, changes = (x[_of(units, "m/s")].max(initial=0.0) for x in (y, rate))
            length = max(metres, speeds * self.duration, changes * self.duration**2)
            known = replace(known, length=float(length) or known.length)
        rates = [known.fall, 1 / self.duration]
        for unit, size in (("rad/s", 1.0), ("m/s", known.length)):
            moving = _of(units, unit)
            rates += [y[moving].max(initial=0.0) / size]
            rates += [np.sqrt(rate[moving].max(initial=0.0) / size)]
        return replace(known, time=1 / float(max(rates)))


def joint_sizes(model: CompiledModel, start: FirstState) -> StateSizes:
    """Of (q, v, work, forces given from outside): these stay in a step, whatever they are."""
    coordinates = coordinate_units(model.mechanism)
    units = [*(coordinates[name] for name in model.coordinates), *model.sizes.speed_units, "J"]
    units += ["1"] * len(model.mechanism.commanded)
    return _sizes(start.scales(model.sizes.scales, units).of(units), units)


def joint_row_sizes(
    model: CompiledModel, known: RowScales, y: Array, rate: Array, duration: float
) -> StateSizes:
    """Of many states, a row each: as for one motion, with the scales of each row."""
    coordinates = coordinate_units(model.mechanism)
    units = [*(coordinates[name] for name in model.coordinates), *model.sizes.speed_units, "J"]
    units += ["1"] * len(model.mechanism.commanded)
    y, rate = np.abs(y), np.abs(np.nan_to_num(rate))

    def most(x: Array, unit: str) -> Array:
        return np.asarray(x[:, _of(units, unit)].max(axis=1, initial=0.0))

    seen = np.maximum(most(y, "m/s") * duration, most(rate, "m/s") * duration**2)
    seen = np.maximum(most(y, "m"), seen)
    known = replace(known, length=np.where(known.bare & (seen > 0), seen, known.length))
    times = np.maximum(known.fall, 1 / duration)
    for unit, size in (("rad/s", np.ones(len(y))), ("m/s", known.length)):
        times = np.maximum(times, most(y, unit) / size)
        times = np.maximum(times, np.sqrt(most(rate, unit) / size))
    usual = known.of(units, 1 / times)
    return _sizes(usual, units)


def momentum_sizes(model: CompiledModel, start: FirstState) -> StateSizes:
    """Of (q, p, work), the beginning being that of (q, v, work)."""
    coordinates = coordinate_units(model.mechanism)
    units = [coordinates[name] for name in model.coordinates]
    found = start.scales(model.sizes.scales, [*units, *model.sizes.speed_units, "J"])
    q, (work,) = found.of(units), found.of(["J"])
    usual = np.concatenate([q, work * found.time / q, [work]])
    return _sizes(usual, [*units, *("kg m/s" for _ in units), "J"])


def absolute_sizes(model: AbsoluteModel, start: FirstState) -> StateSizes:
    """Of the bodies, the coordinates that are followed and the work."""
    coordinates = coordinate_units(model.mechanism)
    followed = [coordinates[measure.name] for measure in model.followers]
    units = [*(_BODY * len(model.graph.bodies)), *followed, "J"]
    return _sizes(start.scales(model.scales, units).of(units), units)


def _sizes(usual: Array, units: Sequence[str]) -> StateSizes:
    """Only coordinates are so long or turned so often that their rounding matters."""
    most = np.where(_of(units, "rad"), _TURN, np.inf)
    places = _of(units, "rad") | _of(units, "m")
    return StateSizes(usual, most, np.where(places, EPSILON / usual, 0.0))


def _of(units: Sequence[str], unit: str) -> Array:
    return np.array([x == unit for x in units], dtype=bool)
