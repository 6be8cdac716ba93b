"""The measures of a mechanism: which coordinates and speeds of joints are read, and from what."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.dynamics.absolute.joints import Advance, Angle, Given, Reading, Spin, readings
from torseur.machine.absolute import places as at
from torseur.machine.absolute.loads import Naming
from torseur.model.description import GROUND, Joint, Mechanism

Array = np.ndarray


@final
@dataclass(frozen=True)
class Measure:
    """A coordinate of a joint, or a speed that is no rate of a coordinate."""

    name: str
    joint: str
    freedom: Reading
    index: int  # among the speeds of the joint

    @property
    def followed(self) -> bool:
        """Whether the state has its value: angles, and the coordinates of defined joints."""
        return isinstance(self.freedom, Angle | Given)


def measures_of(joint: Joint) -> Iterator[Measure]:
    """One for each speed of a joint; its name is that of its coordinate, if it has one."""
    for k, freedom in enumerate(readings(joint.kind)):
        name = joint.speeds[k] if isinstance(freedom, Spin) else joint.coordinates[k]
        yield Measure(name, joint.name, freedom, k)


def naming(mechanism: Mechanism, values: Mapping[str, Any]) -> Naming:
    """The names of all measures."""
    measured: dict[str, str] = {}
    speeds: dict[str, str] = {}
    for joint in mechanism.joints.values():
        for measure in measures_of(joint):
            speed = joint.speeds[measure.index]
            measured |= {measure.name: measure.name, speed: measure.name}
            speeds[measure.name] = speed
    return Naming(measured, speeds, values)


def needed(mechanism: Mechanism, spoken: Collection[str]) -> list[Measure]:
    """All that is followed, and everything that is spoken of."""
    return [
        measure
        for joint in mechanism.joints.values()
        for measure in measures_of(joint)
        if measure.followed or measure.name in spoken
    ]


def measure_table(
    numbers: Mechanism, found: list[Measure], spoken: Collection[str], index: Mapping[str, int]
) -> Array:
    """The rows of the measures of a mechanism with numbers; some are followed, in their order."""
    table = np.zeros((len(found), at.MEASURE_WIDTH))
    followers, guides = 0, 0
    for row, measure in zip(table, found, strict=True):
        joint = numbers.joints[measure.joint]
        row[at.BODY_I], row[at.BODY_J] = index[joint.first], index[joint.second]
        row[at.FOLLOWER], row[at.FACTOR], row[at.SPOKEN] = -1, 1.0, measure.name in spoken
        if measure.followed:
            row[at.FOLLOWER] = followers
            followers += 1
        if isinstance(measure.freedom, Given):
            row[at.MEASURE_KIND], row[at.GUIDE] = at.GIVEN, guides
            guides += 1
        else:
            _write(row, joint, measure.freedom, numbers)
    return table


def frame_of(numbers: Mechanism, body: str, pose: Any) -> tuple[Array, Array]:
    """The origin of a frame from the centre of its body, and its axes as columns, body axes."""
    centre = np.zeros(3) if body == GROUND else numbers.bodies[body].centre
    return np.asarray(pose.p - centre, dtype=float), np.asarray(pose.R.matrix, dtype=float)


def _write(row: Array, joint: Joint, freedom: Angle | Advance | Spin, numbers: Mechanism) -> None:
    p_i, F = frame_of(numbers, joint.first, joint.X_AF)
    p_j, M = frame_of(numbers, joint.second, joint.X_BM)
    if isinstance(freedom, Advance):
        row[at.MEASURE_KIND], row[at.FACTOR] = at.SLIDE, 1.0 / float(freedom.lead)
        _keep(row, at.AXIS, F[:, freedom.axis])
        _keep(row, at.FROM, p_i)
        _keep(row, at.TO, p_j)
        return
    of_second = isinstance(freedom, Spin) or freedom.of_second
    row[at.MEASURE_KIND] = at.TURN_J if of_second else at.TURN_I
    _keep(row, at.AXIS, (M if of_second else F)[:, freedom.axis])
    if isinstance(freedom, Angle):
        _keep(row, at.SINE_I, freedom.sign * F[:, freedom.sine[0]])
        _keep(row, at.SINE_J, M[:, freedom.sine[1]])
        _keep(row, at.COSINE_I, F[:, freedom.cosine[0]])
        _keep(row, at.COSINE_J, M[:, freedom.cosine[1]])


def _keep(row: Array, place: int, vector: Array) -> None:
    row[place : place + 3] = vector
