"""Reactions as a function of the state and the time: what a law of control may measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from torseur.algebra.core.graph import expressions, substitute
from torseur.equations.actions.reactions import joint_wrenches, wrench_names
from torseur.equations.constraints.rows import Constraints
from torseur.equations.functions.held_rows import Rows
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.equations.functions.motion import MotionKernels, inputs_of_state
from torseur.equations.functions.smooth import smoothed
from torseur.equations.symbols.system import System
from torseur.model.contact.element import JointLoad
from torseur.model.contact.reactions import Exerted, Reaction, reaction

Array = np.ndarray


def reactions_kernel(known: Callable[[], System], rows: Rows, names: Sequence[str]) -> Kernel:
    """One number for each reaction by name, with the forces that act at the state.

    Rows that are left out exert nothing, which changes no reaction that is determined.
    """
    system, motion = known(), MotionKernels(known(), rows)
    owners = Constraints(system).owners
    wanted = [reaction(system.mechanism, name, ()) for name in names]
    a, lam = motion.accelerations()
    multipliers = np.zeros(len(owners), dtype=object)
    multipliers[list(rows.kept)] = lam
    table = dict(zip(wrench_names(system), joint_wrenches(system, multipliers), strict=True))
    found = [_number(one, table, owners, multipliers) for one in wanted]
    moving = dict(zip(system.a, a, strict=True))
    outputs = substitute(smoothed(expressions(found)), moving)
    return kernel("reactions", inputs_of_state(system), outputs)


def _number(
    one: Reaction, wrenches: dict[str, Array], owners: Sequence[str], multipliers: Array
) -> Any:
    match one:
        case JointLoad(joint, components):
            return (components @ in_joint_axes(wrenches[joint]))[0]
        case Exerted(name):
            return multipliers[list(owners).index(name)]
    raise AssertionError("what touches has no straight-line code")


def in_joint_axes(row: Array) -> Array:
    """Force and couple in the axes of the joint's frame, from a row of `joint_wrenches`."""
    R = row[9:].reshape(3, 3)
    return np.concatenate([row[:3] @ R, row[3:6] @ R])
