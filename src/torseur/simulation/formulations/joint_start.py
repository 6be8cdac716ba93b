"""Where a motion in the coordinates of joints starts, and what holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, final

import numpy as np

from torseur.equations.functions.held_rows import FREE, Rows
from torseur.errors import SolveError
from torseur.machine.compiled import CompiledModel
from torseur.machine.control.sampler import Asked
from torseur.machine.integrators.methods import Method
from torseur.machine.integrators.problem import StateSizes
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.formulations.protocol import held_still, moved_before
from torseur.simulation.formulations.request import Beginning
from torseur.simulation.formulations.state_sizes import joint_sizes
from torseur.simulation.run.joint_samples import JointSamples
from torseur.simulation.run.samples import Samples
from torseur.simulation.start.assemble import assemble
from torseur.simulation.start.fork import require_no_fork
from torseur.simulation.start.independent import independent_rows
from torseur.simulation.start.parting import parted
from torseur.words.sentence import say

Array = np.ndarray


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
            say('"{name}" cannot be held: it stays off by {gap:.3g} (m or rad).', name, gap),
            "Is the imposed motion possible?",
        )


def joint_start(model: CompiledModel, beginning: Beginning) -> JointStart:
    """The assembled mechanism."""
    states = model.first_order_start()
    motion = {name: x for name, x in beginning.given.items() if name not in states}
    start, directed = parted(assemble(model, motion, t=beginning.t), beginning.t)
    constraints = NumericConstraints(model)
    rows = independent_rows(constraints, start.q, beginning.t)
    require_no_fork(constraints, start.q, beginning.t, rows)
    first = [beginning.given.get(name, x) for name, x in states.items()]
    y = np.concatenate([start.q, start.v, [0.0], np.zeros(len(model.mechanism.commanded)), first])
    still = held_still(model, len(model.speeds) - rows.rank)
    notices = (*still, *_redundant(constraints, rows), *moved_before(start.changed), *directed)
    return JointStart(constraints, rows, y, beginning.t, beginning.given, notices)


def _redundant(constraints: NumericConstraints, rows: Rows) -> list[str]:
    """Notice about reactions that the laws of motion leave open."""
    extra = len(constraints.owners) - rows.rank if constraints else 0
    if not extra or constraints.model.mechanism.reactions == "least_norm":
        return []
    return [
        say(
            "Over-constrained {extra} times: some reactions are not unique, and the smallest "
            "multipliers are given. `torseur mobility` tells which; `reactions: least_norm` "
            "accepts them.",
            extra,
        )
    ]
