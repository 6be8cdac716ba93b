"""Values that the sensors of a mechanism measure over the samples of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from torseur.equations.expressions.sampling import over_samples
from torseur.equations.functions.sensed import reading
from torseur.errors import ModelError, require_known
from torseur.machine.collision.rays import RayScene
from torseur.machine.compiled import CompiledModel
from torseur.model.constraints.pile import Pile
from torseur.model.description import GROUND
from torseur.model.measured import columns, pressing_elements
from torseur.model.sensors import ContactSensor, Encoder, ForceTorque, Imu, Range, Sensor
from torseur.simulation.control.measurement import Measurement, measurement
from torseur.simulation.control.sensor_errors import errors_at, numbers, quantum
from torseur.simulation.observe.observer import Observer, symbol_values
from torseur.simulation.run.contact_samples import ContactHistory
from torseur.simulation.run.touching import PileContacts

Array = np.ndarray


class MeasuredRun(Protocol):
    """Quantities of a run that sensors measure."""

    @property
    def model(self) -> CompiledModel: ...
    @property
    def t(self) -> Array: ...
    @property
    def q(self) -> Array: ...
    @property
    def v(self) -> Array: ...
    @property
    def a(self) -> Array: ...
    @property
    def seen(self) -> Observer: ...
    @property
    def touching(self) -> PileContacts: ...
    def __getitem__(self, name: str) -> Array: ...
    def contact(self, name: str) -> ContactHistory: ...
    def reaction(self, joint: str, *, frame: str) -> Array: ...


def measure(run: MeasuredRun, name: str, seed: int) -> Measurement:
    """Values that a sensor measures; two sensors have different noise for the same seed."""
    model = run.model
    require_known("run", "sensor", name, model.mechanism.sensors)
    exact = exact_values(run, name)
    values = exact + errors_at(model, name, seed, run.t, exact.shape[1])
    if step := quantum(model, name):
        values = np.floor(values / step + 0.5) * step
    return measurement(run.t, values, columns(model.mechanism, model.mechanism.sensors[name]))


def exact_values(run: MeasuredRun, name: str) -> Array:
    """(samples, columns): what a sensor measures, without its errors."""
    sensor = run.model.mechanism.sensors[name]
    return np.asarray(_READINGS[type(sensor)](run, sensor))


def _imu(run: MeasuredRun, sensor: Imu) -> Array:
    require_still_ground(run.model, sensor)
    outputs = reading(run.model.system, sensor)
    return over_samples(outputs, symbol_values(run, 2), len(run.t))


def require_still_ground(model: CompiledModel, sensor: Sensor) -> None:
    """Refuse an inertial unit where the ground moves."""
    if isinstance(sensor, Imu) and model.mechanism.frame is not None:
        problem = "the ground moves: the acceleration that it measures is not that in the ground."
        raise ModelError(f'sensor "{sensor.name}"', problem, "Leave out the section frame.")


def _wrench(run: MeasuredRun, sensor: ForceTorque) -> Array:
    return run.reaction(sensor.joint, frame="joint")


def _touch(run: MeasuredRun, sensor: ContactSensor) -> Array:
    """The force of one contact; of several points, or of a pile, the sum of normal forces."""
    mechanism = run.model.mechanism
    if isinstance(mechanism.contacts[sensor.contact], Pile):
        return np.array([[_pressing(run, sensor, k)] for k in range(len(run.t))])
    parts = [run.contact(x.name) for x in pressing_elements(mechanism, sensor.contact)]
    if len(parts) == 1:
        return parts[0].force
    return np.asarray(sum(x.normal for x in parts))[:, np.newaxis]


def _pressing(run: MeasuredRun, sensor: ContactSensor, sample: int) -> float:
    """The sum of the normal forces of contacts among bodies on the body of a sensor."""
    touches = (x for x in run.touching[sample] if sensor.body in ("", x.first, x.second))
    return float(sum(x.force @ x.normal for x in touches))


def _position(run: MeasuredRun, sensor: Encoder) -> Array:
    return run[sensor.coordinate][:, np.newaxis]


def _range(run: MeasuredRun, sensor: Range) -> Array:
    """The distance to the nearest shape, or the reach."""
    model = run.model
    scene: RayScene = model.value("rays", lambda: RayScene(model.mechanism, model.parameters))
    count = len(run.t)
    places = np.zeros((count, len(model.mechanism.bodies), 12))
    for k, (name, body) in enumerate(model.mechanism.bodies.items()):
        if name in scene.shaped:
            X = run.seen.frame(name, derivatives=0)
            centre = numbers(model.parameters, body.centre)
            places[:, k, :9] = np.asarray(X.R[0]).reshape(-1, 9)
            places[:, k, 9:] = X.p[0] + np.asarray(X.R[0]) @ centre
    X = run.seen.frame(sensor.body, derivatives=0)
    R, axis = np.asarray(X.R[0]), numbers(model.parameters, sensor.axis)
    direction = np.broadcast_to(R @ (axis / np.linalg.norm(axis)), (count, 3))
    point = numbers(model.parameters, sensor.point)
    origin = np.broadcast_to(X.p[0] + R @ point, (count, 3))
    without = () if sensor.body == GROUND else (sensor.body,)
    values = scene.hits(places, origin, direction, without)[0]
    most = np.inf if sensor.reach is None else float(numbers(model.parameters, [sensor.reach])[0])
    return np.asarray(np.minimum(values, most))[:, np.newaxis]


_READINGS: dict[type[Sensor], Callable[[Any, Any], Array]] = {
    Imu: _imu,
    ForceTorque: _wrench,
    ContactSensor: _touch,
    Encoder: _position,
    Range: _range,
}
