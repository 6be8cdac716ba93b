"""Sizes with which components of a state are compared when its motion is integrated.

A motion begins with a state and its rate, and goes on for a duration [s].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from torseur.machine.absolute.absolute_model import AbsoluteModel
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.problem import StateSizes
from torseur.machine.sizes import EPSILON
from torseur.model.values.scales import RowScales, Scales, coordinate_units

Array = np.ndarray
Known = TypeVar("Known", Scales, RowScales)
_TURN = np.pi  # an angle counts for no more in the relative tolerance [rad]
_BODY = ("m",) * 3 + ("1",) * 4 + ("m/s",) * 3 + ("rad/s",) * 3


def joint_sizes(
    model: CompiledModel, y: Array, rate: Array, duration: float, rows: RowScales | None = None
) -> StateSizes:
    """Sizes of (q, v, work, forces given from outside): the forces stay constant in a step.

    For one state, or for many, with the scales of each row.
    """
    units = [*_coordinates(model), *model.sizes.speed_units, "J"]
    units += ["1"] * len(model.mechanism.commanded)
    if rows is None:
        return _sizes(_scales(model.sizes.scales, y, rate, duration, units).of(units), units)
    known, time = _scales_and_times(rows, y, rate, duration, units)
    return _sizes(known.of(units, time), units)


def momentum_sizes(model: CompiledModel, y: Array, rate: Array, duration: float) -> StateSizes:
    """Sizes of (q, p, work, forces given from outside), the beginning being that of (q, v, …)."""
    units, inputs = _coordinates(model), ["1"] * len(model.mechanism.commanded)
    all_units = [*units, *model.sizes.speed_units, "J", *inputs]
    scales = _scales(model.sizes.scales, y, rate, duration, all_units)
    q, (work,) = scales.of(units), scales.of(["J"])
    usual = np.concatenate([q, work * scales.time / q, [work], np.ones(len(inputs))])
    return _sizes(usual, [*units, *("kg m/s" for _ in units), "J", *inputs])


def absolute_sizes(model: AbsoluteModel, y: Array, rate: Array, duration: float) -> StateSizes:
    """Sizes of the states of bodies, the coordinates that are followed and the work."""
    coordinates = coordinate_units(model.mechanism)
    followed = [coordinates[measure.name] for measure in model.followers]
    units = [*(_BODY * len(model.graph.bodies)), *followed, "J"]
    return _sizes(_scales(model.scales, y, rate, duration, units).of(units), units)


def _coordinates(model: CompiledModel) -> list[str]:
    """The units of the coordinates."""
    units = coordinate_units(model.mechanism)
    return [units[name] for name in model.coordinates]


def _scales(known: Scales, y: Array, rate: Array, duration: float, units: Sequence[str]) -> Scales:
    """The scales of a mechanism with the time that its speeds and accelerations tell."""
    scales, time = _scales_and_times(known, y, rate, duration, units)
    return replace(scales, time=float(time))


def _scales_and_times(
    known: Known, y: Array, rate: Array, duration: float, units: Sequence[str]
) -> tuple[Known, Array]:
    """The scales of one state or of many rows, and the times that these tell [s].

    Where the description gives no length, coordinates, speeds and accelerations tell it.
    """
    y, rate = np.abs(y), np.abs(np.nan_to_num(rate))

    def most(x: Array, unit: str) -> Array:
        return np.asarray(x[..., _of(units, unit)].max(axis=-1, initial=0.0))

    extent = np.maximum(most(y, "m/s") * duration, most(rate, "m/s") * duration**2)
    extent = np.maximum(most(y, "m"), extent)
    length: Any = np.where(known.bare & (extent > 0), extent, known.length)
    known = replace(known, length=length)
    rates = np.maximum(known.fall, 1 / duration)
    for unit, size in (("rad/s", 1.0), ("m/s", length)):
        rates = np.maximum(rates, most(y, unit) / size)
        rates = np.maximum(rates, np.sqrt(most(rate, unit) / size))
    return known, np.asarray(1 / rates)


def _sizes(usual: Array, units: Sequence[str]) -> StateSizes:
    """Only coordinates are so long or turned so often that their rounding matters."""
    most = np.where(_of(units, "rad"), _TURN, np.inf)
    places = _of(units, "rad") | _of(units, "m")
    return StateSizes(usual, most, np.where(places, EPSILON / usual, 0.0))


def _of(units: Sequence[str], unit: str) -> Array:
    return np.array([x == unit for x in units], dtype=bool)
