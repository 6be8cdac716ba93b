"""Where a motion in the coordinates of joints starts, and what holds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar, final

import numpy as np

from torseur.equations.functions.held_rows import FREE, Rows
from torseur.errors import SolveError
from torseur.machine.absolute.absolute_model import AbsoluteModel
from torseur.machine.compiled import CompiledModel
from torseur.machine.control.sampler import Asked
from torseur.machine.integrators.methods import Method
from torseur.machine.integrators.problem import StateSizes
from torseur.machine.sizes import EPSILON
from torseur.model.commands import described_commands
from torseur.model.values.numeric import first_order_start
from torseur.model.values.scales import RowScales, Scales, coordinate_units
from torseur.once import once
from torseur.simulation.constraints.moving_model import require_valley
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.constraints.sharing_loads import shares_loads
from torseur.simulation.formulations.protocol import immobility_notice, start_change_notice
from torseur.simulation.formulations.request import Beginning
from torseur.simulation.run.joint_samples import JointSamples
from torseur.simulation.run.samples import Samples
from torseur.simulation.start.assemble import assemble
from torseur.simulation.start.independent import independent_rows, require_no_fork
from torseur.simulation.start.parting import parted
from torseur.words.sentence import say

Array = np.ndarray
Known = TypeVar("Known", Scales, RowScales)
_TURN = np.pi  # an angle counts for no more in the relative tolerance [rad]
_BODY = ("m",) * 3 + ("1",) * 4 + ("m/s",) * 3 + ("rad/s",) * 3


class ConstrainedRate(Protocol):
    """Rate of a state, and its projection onto the constraints."""

    def rate(self, t: float, y: Array) -> Array:
        """ẏ."""

    def project(self, t: float, y: Array) -> Array:
        """The state with its constraints held and its quaternions of unit norm."""


class Mover(ConstrainedRate, Protocol):
    """Rate and projection of a state (q, v, work of the forces without potential)."""

    @property
    def begin(self) -> JointStart: ...
    @property
    def stepping(self) -> Method: ...


@final
@dataclass(frozen=True)
class JointStart:
    """The constraints of a model, the rows of J that hold its motion, and its first state."""

    constraints: NumericConstraints
    rows: Rows = FREE
    y: Array = field(default_factory=lambda: np.zeros(0))
    t: float = 0.0
    given: Mapping[str, float] = field(default_factory=dict)  # coordinates to start from
    notices: tuple[str, ...] = ()
    measured: Asked | None = None  # of (t, y), by a law that knows another model; None: y itself

    @property
    def model(self) -> CompiledModel:
        """The compiled model of the mechanism."""
        return self.constraints.model

    @property
    def is_driven(self) -> bool:
        """Whether imposed motions, or joints alone, leave nothing to integrate."""
        return self.rows.position_rank == len(self.model.speeds)

    @property
    def with_rows(self) -> JointStart:
        """This start with the rows of J that hold the motion."""
        q = self.y[: len(self.model.coordinates)]
        return replace(self, rows=independent_rows(self.constraints, q, self.t))

    def samples(self, t: Array, states: Array, whole: Samples | None) -> JointSamples:
        """Samples of states (q, v, work)."""
        assert whole is None or isinstance(whole, JointSamples), "a motion is read in one way"
        return JointSamples(self.model, t, states, self.given, whole)

    def sizes(self, moving: Mover, y: Array, times: Array) -> StateSizes:
        """Sizes with which the components of the state are compared."""
        rate, duration = moving.rate(float(times[0]), y), float(times[-1] - times[0])
        return joint_sizes(self.model, y, rate, duration)

    def cannot_be_held(self, t: float, y: Array) -> SolveError:
        """Error where Newton's method did not return to the constraints."""
        constraints, q = self.constraints, y[: len(self.model.coordinates)]
        name, gap = constraints.worst(constraints.gap(q, t))
        return SolveError(
            f"t = {t:.6g} s",
            say('"{name}" cannot be satisfied: a gap of {gap:.3g} (m or rad) remains.', name, gap),
            "Is the imposed motion possible?",
        )


def joint_start(model: CompiledModel, beginning: Beginning) -> JointStart:
    """The assembled mechanism."""
    states = first_order_start(model.mechanism, model.parameters)
    motion = {name: x for name, x in beginning.given.items() if name not in states}
    start, directed = parted(assemble(model, motion, t=beginning.t), beginning.t)
    constraints = once(NumericConstraints)(model)
    require_valley(constraints, start.q, beginning.t)
    rows = independent_rows(constraints, start.q, beginning.t)
    require_no_fork(constraints, start.q, beginning.t, rows)
    first = [beginning.given.get(name, x) for name, x in states.items()]
    commands = described_commands(model.mechanism, model.parameters)
    y = np.concatenate([start.q, start.v, [0.0], commands, first])
    still = immobility_notice(model, len(model.speeds) - rows.rank)
    notices = (
        *still,
        *_redundant(constraints, rows),
        *start_change_notice(start.changed),
        *directed,
    )
    return JointStart(constraints, rows, y, beginning.t, beginning.given, notices)


def _redundant(constraints: NumericConstraints, rows: Rows) -> list[str]:
    """Notice about reactions that the laws of motion leave open."""
    extra = len(constraints.owners) - rows.rank if constraints else 0
    mechanism = constraints.model.mechanism
    if not extra or mechanism.reactions == "least_norm" or shares_loads(mechanism):
        return []
    return [
        say(
            "Over-constrained {extra} times: some reactions are not unique, and the smallest "
            "multipliers are given. `torseur mobility` tells which; `reactions: least_norm` "
            "accepts them.",
            extra,
        )
    ]


# --- sizes of states ------------------------------------------------------------------------------


def joint_sizes(
    model: CompiledModel, y: Array, rate: Array, duration: float, rows: RowScales | None = None
) -> StateSizes:
    """Sizes of (q, v, work, forces given from outside): the forces stay constant in a step.

    For one state, or for many, with the scales of each row.
    """
    units = [*_coordinates(model), *model.sizes.speed_units, "J"]
    units += ["1"] * (np.shape(y)[-1] - len(units))
    if rows is None:
        scales = _scales(model.sizes.scales, y, rate, duration, units)
        return _sizes(_of_states(model, scales.of(units), y, rate, scales.time), units)
    known, time = _scales_and_times(rows, y, rate, duration, units)
    return _sizes(_of_states(model, known.of(units, time), y, rate, time), units)


def _of_states(model: CompiledModel, usual: Array, y: Array, rate: Array, time: Any) -> Array:
    """Sizes in which those of first-order states are what they are, or soon will be."""
    first = len(model.coordinates) + len(model.speeds) + 1 + len(model.mechanism.commanded)
    places = slice(first, first + len(model.mechanism.states))
    if places.start < places.stop:
        soon = np.abs(np.nan_to_num(rate[..., places])) * np.asarray(time)[..., np.newaxis]
        size = np.maximum(np.abs(y[..., places]), soon)
        usual = np.array(np.broadcast_to(usual, np.shape(y)))
        usual[..., places] = np.where(size > 0, size, 1.0)
    return usual


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
