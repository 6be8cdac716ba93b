"""Noise and bias of sensors at instants: the same for a law and for a run that is read.

Noise is a function of a seed, a sensor, a column and the instant, so that it depends neither on
the order in which sensors are read nor on the other instants.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy

from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError
from torseur.machine.compiled import CompiledModel
from torseur.model.sensors import Encoder, Imu, ImuErrors, Range
from torseur.words.sentence import say

Array = np.ndarray
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIXERS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))


def errors_at(model: CompiledModel, name: str, seed: int, times: Array, count: int) -> Array:
    """(times, count): what is added to the columns of a sensor at each time."""
    sensor = model.mechanism.sensors[name]
    if not isinstance(sensor, Imu | Range):
        return np.zeros((len(times), count))
    size, shift = _sizes(model, sensor)
    place = list(model.mechanism.sensors).index(name)
    return np.asarray(shift + size * normal_numbers(_whole(name, seed), place, times, count))


def quantum(model: CompiledModel, name: str) -> float:
    """The step to which a sensor rounds; 0: it does not."""
    sensor = model.mechanism.sensors[name]
    given = [sensor.resolution] if isinstance(sensor, Encoder) else [0.0]
    return float(numbers(model.parameters, given)[0])


def has_noise(model: CompiledModel, name: str) -> bool:
    """Whether the errors of a sensor differ from instant to instant."""
    sensor = model.mechanism.sensors[name]
    return isinstance(sensor, Imu | Range) and bool(_sizes(model, sensor)[0].any())


def numbers(parameters: Mapping[str, float | None], given: object) -> Array:
    """The values of expressions of parameters."""
    values = evaluate(np.asarray(given, dtype=object), parameters)
    return np.asarray(values, dtype=float)


def _sizes(model: CompiledModel, sensor: Imu | Range) -> tuple[Array, Array]:
    """The standard deviation and the constant error of each column."""
    if isinstance(sensor, Range):
        return numbers(model.parameters, [sensor.noise]), np.zeros(1)
    noise, bias = (numbers(model.parameters, _six(x)) for x in (sensor.noise, sensor.bias))
    return noise, bias


def _six(errors: ImuErrors) -> list[object]:
    return [*errors.acceleration, *errors.rate]


def _whole(name: str, seed: int) -> int:
    """A seed, which is a whole number from 0."""
    if not isinstance(seed, int | np.integer) or seed < 0:
        problem = say("the seed is {seed}; whole numbers from 0 are expected.", seed)
        raise ModelError(f'sensor "{name}"', problem)
    return int(seed)


def normal_numbers(seed: int, place: int, times: Array, count: int) -> Array:
    """(times, count): independent standard normal numbers, by hashing the bits of each time.

    The mixer is that of SplitMix64 (Steele, Lea and Flood 2014).
    """
    with np.errstate(over="ignore"):
        key = _mixed(_mixed(np.array(seed % 2**64, dtype=np.uint64)) + np.uint64(place + 1))
        instants = np.asarray(times, dtype=float) + 0.0  # no negative zero
        at_times = _mixed(_mixed(instants.view(np.uint64)) ^ key)
        steps = np.arange(1, count + 1, dtype=np.uint64) * _GOLDEN
        words = _mixed(at_times[:, np.newaxis] + steps)
    uniform = ((words >> np.uint64(11)).astype(float) + 0.5) * 2.0**-53
    return np.asarray(scipy.special.ndtri(uniform))


def _mixed(x: Array) -> Array:
    """64 bits, each of which depends on all bits of x."""
    x = x + _GOLDEN
    for shift, factor in zip(_SHIFTS[:2], _MIXERS, strict=True):
        x = (x ^ (x >> shift)) * factor
    return np.asarray(x ^ (x >> _SHIFTS[2]))
