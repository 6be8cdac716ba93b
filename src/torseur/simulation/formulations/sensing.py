"""Reactions that a law measures besides the state, at an instant of the motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import expressions, substitute
from torseur.equations.actions.reactions import in_joint_axes, joint_wrenches, wrench_names
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.functions.held_rows import Rows
from torseur.equations.functions.kernel import Kernel, kernel, smoothed
from torseur.equations.functions.motion import MotionKernels, inputs_of_state
from torseur.equations.functions.sensed import has_expressions, reading
from torseur.equations.symbols.system import system
from torseur.errors import ModelError
from torseur.machine.collision.tables import piles_of
from torseur.machine.contact.model import ContactModel
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.machine.integrators.problem import entry
from torseur.model.contact.element import JointWrenchLoad
from torseur.model.contact.elements import elements
from torseur.model.contact.reactions import Exerted, Normals
from torseur.model.description import Mechanism
from torseur.model.measured import Measured, SensorColumn, measured
from torseur.model.values.fingerprint import fingerprint, written
from torseur.simulation.constraints.row_combinations import SelfStress
from torseur.simulation.control.control import Control
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.run.contact_samples import UNKNOWN, ContactSamples
from torseur.simulation.run.measurements import exact_values, require_still_ground
from torseur.simulation.run.run import Run
from torseur.simulation.run.samples import Samples
from torseur.words.sentence import say

Array = np.ndarray
LEAST_NORM = "least_norm"  # the choice of reactions that accepts the smallest


def sense(
    control: Control, begin: JointStart, samples: Callable[[Array, Array, None], Samples], size: int
) -> None:
    """Let the law of a control measure the reactions it names, of states of a size.

    By straight-line code where nothing touches and they are determined; otherwise as they are read
    of a run. Those that the laws of motion do not determine are refused, unless the description
    accepts the smallest.
    """
    if not control.reactions or control.view_senses:
        return
    mechanism = begin.model.mechanism
    reactions, open_names = sensed_by(control, begin)
    sensors = (x.sensor for x in reactions.values() if isinstance(x, SensorColumn))
    searched = any(not has_expressions(mechanism.sensors[name]) for name in sensors)
    touching = elements(mechanism) or piles_of(mechanism)
    if touching or searched or open_names or begin.rows.repeating:
        control.sense(partial(read, samples, list(reactions.values())), size)
    else:
        code = begin.model.once(_Sensor(begin.rows, control.reactions))
        control.sense(entry(code, begin.model.numbers(code)), size)


def sensed_by(control: Control, begin: JointStart) -> tuple[dict[str, Measured], tuple[str, ...]]:
    """Reactions and sensors that a law measures, and the names of those left undetermined."""
    mechanism, parts = begin.model.mechanism, elements(begin.model.mechanism)
    reactions = {name: measured(mechanism, name, parts) for name in control.reactions}
    for one in reactions.values():
        if isinstance(one, SensorColumn):
            require_still_ground(begin.model, mechanism.sensors[one.sensor])
    open_names = () if parts else _open(begin, reactions)
    if open_names and mechanism.reactions != LEAST_NORM:
        raise ModelError(
            "control",
            say("the laws of motion do not determine {names}.", ", ".join(open_names)),
            "Free directions of joints, or write  reactions: least_norm  to measure the smallest.",
        )
    return reactions, open_names


def _open(begin: JointStart, reactions: Mapping[str, Measured]) -> tuple[str, ...]:
    """The reactions that over-constraint leaves open where the motion starts."""
    constraints, model = begin.constraints, begin.model
    if begin.rows.rank == len(constraints.owners):
        return ()
    stress = SelfStress(constraints, begin.y[: len(model.coordinates)], begin.t)
    length = model.sizes.scales.length
    return tuple(name for name, one in reactions.items() if _is_open(one, stress, length))


def _is_open(one: Measured, stress: SelfStress, length: float) -> bool:
    if isinstance(one, JointWrenchLoad):
        added = (in_joint_axes(row) for row in stress.wrench(one.joint, length))
        return any(bool(np.any(one.components @ x)) for x in added)
    return isinstance(one, Exerted) and bool(stress.multiplier(one.constraint).any())


@final
@dataclass(frozen=True)
class _Sensor:
    """Makes the code that gives reactions by name; equal ones make the same."""

    rows: Rows
    names: tuple[str, ...]

    def __call__(self, mechanism: Mechanism) -> Evaluator:
        make = partial(self._kernel, mechanism)
        placed = written(dict(mechanism.sensors))
        return kernel_code(make, f"reactions {self} {placed} {fingerprint(mechanism)}")

    def _kernel(self, mechanism: Mechanism) -> Kernel:
        """One number for each reaction, with the forces that act at the state.

        Rows that are left out exert nothing, which changes no reaction that is determined.
        """
        symbols = system(mechanism)
        owners = constraints_of(symbols).owners
        a, lam = MotionKernels(symbols, self.rows).accelerations
        multipliers = np.zeros(len(owners), dtype=object)
        multipliers[list(self.rows.selected)] = lam
        table = dict(zip(wrench_names(symbols), joint_wrenches(symbols, multipliers), strict=True))
        reactions = (measured(mechanism, name, ()) for name in self.names)
        values = [
            reading(symbols, mechanism.sensors[one.sensor])[one.column]
            if isinstance(one, SensorColumn)
            else _value(one, table.__getitem__, owners, multipliers)
            for one in reactions
        ]
        moving = dict(zip(symbols.a, a, strict=True))
        outputs = substitute(smoothed(expressions(values)), moving)
        return kernel("reactions", inputs_of_state(symbols), outputs)


def read(
    samples: Callable[[Array, Array, None], Samples],
    reactions: Sequence[Measured],
    t: float,
    y: Array,
) -> Array:
    """Reactions and sensors at a state, as a run of this one sample reads them."""
    sample = samples(np.array([t]), y[np.newaxis], None)

    def wrench(joint: str) -> Array:
        return np.asarray(sample.wrenches[joint][0])

    @cache
    def of_sensor(name: str) -> Array:
        return np.asarray(exact_values(Run(sample), name)[0])

    def number(one: Measured) -> float:
        if isinstance(one, SensorColumn):
            return float(of_sensor(one.sensor)[one.column])
        if isinstance(one, Normals):
            return float(sum(Run(sample).contact(name).normal[0] for name in one.elements))
        return float(_value(one, wrench, sample.owners, sample.lambdas[0]))

    return np.array([number(one) for one in reactions])


def _value(
    one: Measured, wrench: Callable[[str], Array], owners: Sequence[str], multipliers: Array
) -> Any:
    """A reaction of a joint or a constraint, a number or an expression."""
    if isinstance(one, JointWrenchLoad):
        return (one.components @ in_joint_axes(wrench(one.joint)))[0]
    assert isinstance(one, Exerted), "what touches is read of its contacts"
    return multipliers[list(owners).index(one.constraint)]


# --- the first state of a motion with contacts ----------------------------------------------------


def first_state(contacts: ContactModel, begin: JointStart) -> Array:
    """The start of a mechanism, with elements whose modes are not known yet."""
    start = np.concatenate([begin.y, np.zeros(contacts.size - len(begin.y))])
    start[contacts.in_state["modes"]] = UNKNOWN
    return start


def act_first(
    control: Control, contacts: ContactModel, begin: JointStart, measured: Array, start: Array
) -> None:
    """start ← with the first commands; reactions are those of a state without commands."""
    if control.reactions:
        aside = ContactModel(begin.model)  # the integrator's own stays as it is

        def samples(t: Array, states: Array, _: None) -> Samples:
            return ContactSamples(aside, t, states)

        sense(control, begin, samples, contacts.size + contacts.reported)
    size = len(begin.y)
    start[:size] = control.acted(measured, begin.t)[:size]


def shared_joints(contacts: ContactModel) -> list[str]:
    """The notice of joints whose shares rigid bodies do not decide; none where it is accepted."""
    names = [load.joint for load in contacts.state.carried]
    if not names or contacts.model.mechanism.reactions == "least_norm":
        return []
    return [
        say(
            "Rigid bodies do not decide how the joints {names} share their load, and the motion "
            "depends on it, by friction or by forces that name reactions: couples in these joints "
            "are taken as small as can be, then forces. `reactions: least_norm` accepts this.",
            ", ".join(names),
        )
    ]
