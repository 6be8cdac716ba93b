"""Functions that the script of a page calls besides those of the motion."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import ZERO
from torseur.algebra.core.graph import expressions, flat, substitute
from torseur.equations.actions.reactions import wrench_names
from torseur.equations.constraints.constraint_rows import constraints_of, coordinate_rates
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.functions.held_rows import Rows
from torseur.equations.functions.kernel import Kernel, kernel, multiplier_names
from torseur.equations.functions.motion import MotionKernels, inputs_of_state
from torseur.equations.symbols.system import System, symbols_of
from torseur.equations.symbols.system_places import places_of, speed_axes
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact import layout as at
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.machine.integrators.problem import Entry, entry_of
from torseur.machine.native import Calls
from torseur.model.constraints.protocol import JointRows
from torseur.model.contact.element import Element
from torseur.model.joints.rolling import ContactType
from torseur.simulation.formulations.contact import ContactFormulation
from torseur.simulation.formulations.joint import JointFormulation
from torseur.simulation.formulations.stepped import SteppedFormulation
from torseur.simulation.live.page_settings import PageSettings

Array = np.ndarray
Live = JointFormulation | ContactFormulation | SteppedFormulation
Functions = dict[str, Entry]
# A state with its loops closed, without regard to contacts: a step of Newton's method, and speeds.
_RETURNS = {"close": "project_positions", "calm": "project_speeds"}

# Forces of contacts at a state, as `ContactModel.at_state` finds them.
_LOOKS = {"forces": at.FORCES, "part": at.PART, "look": at.LOOK, "stand": at.STAND}


def page_functions(
    model: CompiledModel, moving: Live, settings: PageSettings
) -> tuple[Functions, dict[str, Array]]:
    """Functions of (y, t) by name, and memory that the script reads."""
    called = _of_motion(model, moving)
    called |= _compiled(model, view=view_kernel, axes=axes_kernel)
    needed, arrays = course_functions(model, moving, settings)
    if isinstance(moving, JointFormulation):
        if not moving.begin.rows.repeating:
            called |= _compiled(model, reactions=partial(reactions_kernel, moving.begin.rows))
        return called | needed, arrays
    contacts = moving.contacts
    if elements := placed_elements(moving):
        called |= _compiled(model, touching=partial(touching_kernel, elements))
    called |= _compiled(contacts.held, reactions=contact_reactions_kernel)
    called |= {name: contacts.entry(task) for name, task in _LOOKS.items()}
    arrays |= {name: contacts[name] for name in ("element", "z", "u")}
    return called | needed, arrays


def course_functions(
    model: CompiledModel, moving: Live, settings: PageSettings
) -> tuple[Functions, dict[str, Array]]:
    """What the course of a motion needs, and nothing that the page shows."""
    called, arrays = _compiled(model, settings=settings.kernel), settings.arrays
    if isinstance(moving, JointFormulation):
        return called, arrays
    contacts = moving.contacts
    if isinstance(moving, SteppedFormulation):
        return called | {"see": contacts.entry(at.SEE)}, arrays
    return called, arrays | {name: contacts[name] for name in ("notes", "noted", "progress")}


def _of_motion(model: CompiledModel, moving: Live) -> Functions:
    kernels = MotionKernels(model.system, moving.begin.rows).needed
    return {
        name: _entry(model, kernel_code(kernels[of], ""))
        for name, of in _RETURNS.items()
        if of in kernels
    }


def _compiled(model: CompiledModel, **kernels: Callable[[System], Kernel]) -> Functions:
    """Kernels of the system of a model as functions."""
    return {
        name: _entry(model, kernel_code(partial(build, model.system), ""))
        for name, build in kernels.items()
    }


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
    return _kernel("view", system, outputs)


def axes_kernel(system: System) -> Kernel:
    """Axis (ω; v) of each speed at the origin of the ground, then what q̇ changes by with v."""
    slopes = jacobian(expressions(coordinate_rates(system)), system.v)
    return _kernel("axes", system, [*speed_axes(system).ravel(), *np.ravel(slopes)])


def reactions_kernel(rows: Rows, system: System) -> Kernel:
    """Force of the first body on the second in each joint, in ground axes.

    Rows that the others make unnecessary carry nothing.
    """
    owners = constraints_of(system).owners
    a, multipliers = MotionKernels(system, rows).accelerations
    known = dict(zip(system.a, a, strict=True))
    names = symbols_of(multiplier_names(len(owners)), "input")
    known |= dict.fromkeys(names, ZERO)
    known |= {names[row]: multipliers[k] for k, row in enumerate(rows.selected)}
    return _kernel("reactions", system, flat(substitute(_joint_forces(system), known)))


def contact_reactions_kernel(system: System) -> Kernel:
    """The same forces over y, then the accelerations and the forces of all rows."""
    (_, y), t = inputs_of_state(system)
    multipliers = multiplier_names(len(constraints_of(system).owners))
    whole = (*y, *(x.name for x in system.a), *multipliers)
    return kernel("reactions", (("y", whole), t), _joint_forces(system).ravel())


def joint_names(model: CompiledModel, moving: Live) -> tuple[str, ...]:
    """The joints whose forces the function "reactions" gives, in its order."""
    known = model if isinstance(moving, JointFormulation) else moving.contacts.held
    return wrench_names(known.system)


def reaction_input(moving: Live, y: Array, t: float) -> Array:
    """The state that the function "reactions" takes."""
    if isinstance(moving, JointFormulation):
        return y
    a, _ = moving.contacts.at_state(y, t)
    return np.concatenate([y[: len(moving.begin.y)], a, moving.contacts["z"]])


def _joint_forces(system: System) -> Array:
    """Force in each joint over accelerations and multipliers (joints, 3)."""
    wrenches = FUNCTIONS["joint_wrenches"].build(system)
    return expressions(np.reshape(wrenches, (len(wrench_names(system)), -1))[:, :3])


def placed_elements(moving: Live) -> list[Element]:
    """The contacts between bodies."""
    if isinstance(moving, JointFormulation):
        return []
    return [
        x for x in moving.contacts.parts
        if x.pushes and isinstance(x.rows[0], JointRows)
        and isinstance(x.rows[0].kind, ContactType)
    ]  # fmt: skip


def touching_kernel(elements: list[Element], system: System) -> Kernel:
    """Where each contact touches, in the ground and on its second body, and its three axes."""
    places, outputs = places_of(system), list[Any]()
    for one in elements:
        row = one.rows[0]
        assert isinstance(row, JointRows), "a contact between bodies has the rows of a joint"
        X_F = places.frame(row.first) @ row.X_AF
        X_M = places.frame(row.second) @ row.X_BM
        R, p = X_F.R.inverse @ X_M.R, X_F.R.into(X_M.p - X_F.p)
        inner = row.kind.touching(R.matrix, p)
        axes = X_F.R.matrix @ np.asarray(row.kind.frame(R.matrix, p)).T
        outputs += [*X_M.point(inner), *inner, *axes.T.ravel()]
    return _kernel("touching", system, outputs)


def _kernel(name: str, system: System, outputs: list[Any]) -> Kernel:
    """A function of (y, t) in the coordinates of the tree."""
    opened = constraints_of(system).opened(expressions(outputs))
    return kernel(name, inputs_of_state(system), opened)
