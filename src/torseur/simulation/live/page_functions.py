"""Functions that the script of a page calls besides those of the motion."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from torseur.algebra.core.graph import expressions, flat
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.equations.functions.motion import inputs_of_state
from torseur.equations.symbols.system import System
from torseur.equations.symbols.system_places import places_of
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact import layout as at
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.machine.integrators.problem import Entry, entry_of
from torseur.machine.native import Calls
from torseur.simulation.formulations.contact import ContactFormulation
from torseur.simulation.formulations.joint import JointFormulation
from torseur.simulation.formulations.stepped import SteppedFormulation

Array = np.ndarray
Live = JointFormulation | ContactFormulation | SteppedFormulation
# A state with its loops closed, without regard to contacts: a step of Newton's method, and speeds.
_RETURNS = {"close": "project_positions", "calm": "project_speeds"}


def page_functions(model: CompiledModel, moving: Live) -> tuple[dict[str, Entry], dict[str, Array]]:
    """Functions of (y, t) by name, and memory that the script reads."""
    called = {"view": _entry(model, kernel_code(partial(view_kernel, model.system), ""))}
    codes = model.motion(moving.begin.rows)
    called |= {name: _entry(model, codes[of]) for name, of in _RETURNS.items() if of in codes}
    if isinstance(moving, JointFormulation):
        return called, {}
    contacts = moving.contacts
    if isinstance(moving, SteppedFormulation):
        return called | {"see": contacts.entry(at.SEE)}, {}
    return called, {name: contacts[name] for name in ("notes", "noted", "progress")}


def _entry(model: CompiledModel, code: Evaluator) -> Entry:
    """A function of the state and the time as machine code."""
    return entry_of(Calls(code, model.numbers(code)))


def view_kernel(system: System) -> Kernel:
    """Frames of all bodies, kinetic and potential energy, then the gaps of loops."""
    places, outputs = places_of(system), list[Any]()
    for _, link in system.tree:
        pose = places.frame(link.name)
        outputs += [*pose.p, *np.ravel(pose.R.matrix)]
    for name in ("kinetic_energy", "potential_energy"):
        outputs += flat(FUNCTIONS[name].build(system))
    outputs += list(constraints_of(system).gap)
    opened = constraints_of(system).opened(expressions(outputs))
    return kernel("view", inputs_of_state(system), opened)
