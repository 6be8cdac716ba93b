"""The measures of a mechanism: which coordinates and speeds of joints are read, and from what."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.dynamics.absolute.joint_rows import (
    Advance,
    Angle,
    DefinedCoordinate,
    Reading,
    Spin,
    readings,
)
from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.loads import Naming
from torseur.model.description import GROUND, Joint, Mechanism

Array = np.ndarray
_KINDS = {Angle: at.TURN, Advance: at.SLIDE, Spin: at.SPIN_ONLY, DefinedCoordinate: at.GIVEN}


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
        return isinstance(self.freedom, Angle | DefinedCoordinate)


Measures = Mapping[str, tuple[int, Measure]]  # by name, with their numbers


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
    mechanism: Mechanism,
    measures: list[Measure],
    spoken: Collection[str],
    index: Mapping[str, int],
    places: Mapping[str, int],
) -> Array:
    """The rows of measures; those that are followed are so in their order.

    `places` are those where the readings of each joint begin.
    """
    table = np.zeros((len(measures), at.MEASURE_WIDTH), dtype=np.int64)
    followers, following = 0, dict(places)
    for row, measure in zip(table, measures, strict=True):
        joint = mechanism.joints[measure.joint]
        row[at.MEASURE_KIND] = _KINDS[type(measure.freedom)]
        row[at.FOLLOWER] = followers if measure.followed else -1
        row[at.SPOKEN] = measure.name in spoken
        row[at.PLACE] = following[measure.joint]
        row[at.BODY_I], row[at.BODY_J] = index[joint.first], index[joint.second]
        following[measure.joint] += at.READING_WIDTH
        followers += measure.followed
    return table


def frame_of(numbers: Mechanism, body: str, pose: Any) -> tuple[Array, Array]:
    """The origin of a frame from the centre of its body, and its axes as columns, body axes."""
    centre = np.zeros(3) if body == GROUND else numbers.bodies[body].centre
    return np.asarray(pose.p - centre, dtype=float), np.asarray(pose.R.matrix, dtype=float)
