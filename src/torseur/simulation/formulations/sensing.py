"""What a law measures besides the state: reactions, as they are at an instant of the motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import final

import numpy as np

from torseur.equations.functions.held_rows import Rows
from torseur.equations.functions.sensed import in_joint_axes, reactions_kernel
from torseur.equations.symbols.system import system
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.machine.integrators.problem import entry
from torseur.model.contact.element import JointLoad
from torseur.model.contact.elements import elements
from torseur.model.contact.reactions import Exerted, Reaction, reaction
from torseur.model.description import Mechanism
from torseur.model.values.fingerprint import fingerprint
from torseur.simulation.control.control import Control
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.run.contact_samples import ContactSamples
from torseur.simulation.run.joint_samples import JointSamples
from torseur.simulation.run.samples import Samples

Array = np.ndarray


def sense(
    control: Control, begin: JointStart, samples: Callable[[Array, Array, None], Samples], size: int
) -> None:
    """Let the law of a control measure the reactions it names, of states of a size.

    By straight-line code where nothing touches and every row holds something of its own; otherwise
    as they are read of a run.
    """
    if not control.reactions:
        return
    mechanism, parts = begin.model.mechanism, elements(begin.model.mechanism)
    if parts or begin.rows.rank < len(begin.constraints.owners):
        wanted = [reaction(mechanism, name, parts) for name in control.reactions]
        control.sense(partial(_read, samples, wanted), size)
    else:
        code = begin.model.once(_Sensor(begin.rows, control.reactions))
        control.sense(entry(code, begin.model.numbers(code)), size)


@final
@dataclass(frozen=True)
class _Sensor:
    """Makes the code that gives reactions by name; equal ones make the same."""

    rows: Rows
    names: tuple[str, ...]

    def __call__(self, mechanism: Mechanism) -> Evaluator:
        made = partial(reactions_kernel, lambda: system(mechanism), self.rows, self.names)
        return kernel_code(made, f"reactions {self} {fingerprint(mechanism)}")


def _read(
    samples: Callable[[Array, Array, None], Samples],
    wanted: Sequence[Reaction],
    t: float,
    y: Array,
) -> Array:
    seen = samples(np.array([t]), y[np.newaxis], None)
    assert isinstance(seen, JointSamples), "control moves in the coordinates of joints"
    return np.array([_number(one, seen) for one in wanted])


def _number(one: Reaction, seen: JointSamples) -> float:
    if isinstance(one, JointLoad):
        return float((one.components @ in_joint_axes(seen.wrenches[one.joint][0]))[0])
    if isinstance(one, Exerted):
        return float(seen.lambdas[0, list(seen.owners).index(one.constraint)])
    assert isinstance(seen, ContactSamples), "somebody touches"
    return float(sum(seen.contact(name).normal[0] for name in one.elements))
