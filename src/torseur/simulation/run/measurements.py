"""Values that the sensors of a mechanism measure over the samples of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.brief import numbered
from torseur.errors import ModelError, require_known
from torseur.machine.collision.rays import RayScene
from torseur.model.description import GROUND
from torseur.model.sensors import ContactSensor, Encoder, ForceTorque, Imu, ImuErrors, Range, Sensor
from torseur.simulation.observe.moving import still, times
from torseur.simulation.observe.observer import Observer
from torseur.simulation.run.contact_samples import ContactHistory
from torseur.spatial.pose import Pose
from torseur.words.sentence import say

Array = np.ndarray
_AXES = ("x", "y", "z")


class MeasuredRun(Protocol):
    """Quantities of a run that sensors measure."""

    @property
    def seen(self) -> Observer: ...
    @property
    def names(self) -> dict[str, str]: ...
    def __getitem__(self, name: str) -> Array: ...
    def contact(self, name: str) -> ContactHistory: ...
    def reaction(self, joint: str, *, frame: str) -> Array: ...


@final
@dataclass(frozen=True)
class Measurement:
    """Values of a sensor over the samples of a run."""

    t: Array  # (samples) [s]
    values: Array  # (samples, k)
    names: tuple[str, ...]  # of the columns
    units: tuple[str, ...]

    def __getitem__(self, name: str) -> Array:
        """A column by its name."""
        require_known("measurement", "column", name, self.names)
        return np.asarray(self.values[:, self.names.index(name)])

    def __repr__(self) -> str:
        columns = ", ".join(f"{n} [{u}]" for n, u in zip(self.names, self.units, strict=True))
        return f"<Measurement, {numbered(len(self.t), 'sample')}: {columns}>"


def measure(run: MeasuredRun, name: str, seed: int) -> Measurement:
    """Values that a sensor measures; two sensors have different noise for the same seed."""
    sensors = run.seen.model.mechanism.sensors
    require_known("run", "sensor", name, sensors)
    if not isinstance(seed, int) or seed < 0:
        problem = say("the seed is {seed}; whole numbers from 0 are expected.", seed)
        raise ModelError(f'sensor "{name}"', problem)
    random = np.random.default_rng([seed, list(sensors).index(name)])
    sensor = sensors[name]
    values, columns = _READINGS[type(sensor)](run, sensor, random)
    return Measurement(run.seen.t, values, tuple(columns), tuple(columns.values()))


def _numbers(run: MeasuredRun, values: Any) -> Array:
    numbers = evaluate(np.asarray(values, dtype=object), run.seen.model.parameters)
    return np.asarray(numbers, dtype=float)


def _imu(
    run: MeasuredRun, sensor: Imu, random: np.random.Generator
) -> tuple[Array, dict[str, str]]:
    """Rᵀ (a − g) at the point and Rᵀ ω, R the axes of the sensor in the ground."""
    mechanism = run.seen.model.mechanism
    if mechanism.frame is not None:
        problem = "the ground moves: the acceleration that it measures is not that in the ground."
        raise ModelError(f'sensor "{sensor.name}"', problem, "Leave out the section frame.")
    pose = Pose(sensor.point, sensor.rotation).numeric(lambda x: float(_numbers(run, x)))
    X = run.seen.frame(sensor.body) @ still(pose, 3, len(run.seen.t))
    into = np.swapaxes(X.R[0], -1, -2)
    felt = times(into, X.p[2] - _numbers(run, mechanism.gravity))
    values = np.hstack([felt, times(into, X.angular_velocity)])
    size, shift = (_errors(run, x) for x in (sensor.noise, sensor.bias))
    values = values + shift + size * random.standard_normal(values.shape)
    units = dict(a="m/s^2", w="rad/s")
    return values, {f"{x}_{axis}": unit for x, unit in units.items() for axis in _AXES}


def _errors(run: MeasuredRun, errors: ImuErrors) -> Array:
    return _numbers(run, [*errors.acceleration, *errors.rate])


def _wrench(run: MeasuredRun, sensor: ForceTorque, _: Any) -> tuple[Array, dict[str, str]]:
    units = {"F": "N", "M": "N.m"}
    columns = {f"{x}_{axis}": unit for x, unit in units.items() for axis in _AXES}
    return run.reaction(sensor.joint, frame="joint"), columns


def _touch(run: MeasuredRun, sensor: ContactSensor, _: Any) -> tuple[Array, dict[str, str]]:
    values = run.contact(sensor.contact).force
    return values, dict.fromkeys(("N", *(f"T_{k}" for k in range(1, values.shape[1]))), "N")


def _position(run: MeasuredRun, sensor: Encoder, _: Any) -> tuple[Array, dict[str, str]]:
    q, step = run[sensor.coordinate], float(_numbers(run, sensor.resolution))
    rounded = np.rint(q / step) * step if step else q
    return rounded[:, None], {sensor.coordinate: run.names[sensor.coordinate]}


def _range(
    run: MeasuredRun, sensor: Range, random: np.random.Generator
) -> tuple[Array, dict[str, str]]:
    """The distance to the nearest shape, or the reach."""
    model = run.seen.model
    scene: RayScene = model.value("rays", lambda: RayScene(model.mechanism, model.parameters))
    count = len(run.seen.t)
    places = np.zeros((count, len(model.mechanism.bodies), 12))
    for k, (name, body) in enumerate(model.mechanism.bodies.items()):
        if name in scene.shaped:
            X = run.seen.frame(name, derivatives=0)
            centre = _numbers(run, body.centre)
            places[:, k, :9] = np.asarray(X.R[0]).reshape(-1, 9)
            places[:, k, 9:] = X.p[0] + np.asarray(X.R[0]) @ centre
    X = run.seen.frame(sensor.body, derivatives=0)
    R, axis = np.asarray(X.R[0]), _numbers(run, sensor.axis)
    direction = np.broadcast_to(R @ (axis / np.linalg.norm(axis)), (count, 3))
    origin = np.broadcast_to(X.p[0] + R @ _numbers(run, sensor.point), (count, 3))
    without = () if sensor.body == GROUND else (sensor.body,)
    values = scene.hits(places, origin, direction, without)[0]
    most = np.inf if sensor.reach is None else float(_numbers(run, sensor.reach))
    noise = float(_numbers(run, sensor.noise)) * random.standard_normal(count)
    values = np.where(values < most, np.clip(values + noise, 0.0, most), most)
    return values[:, None], {"distance": "m"}


_READINGS: dict[type[Sensor], Callable[..., tuple[Array, dict[str, str]]]] = {
    Imu: _imu,
    ForceTorque: _wrench,
    ContactSensor: _touch,
    Encoder: _position,
    Range: _range,
}
