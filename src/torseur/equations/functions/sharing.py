"""Joints that repeat each other: closing rows that move nothing, and the wrenches they change.

A door on two pivots is held twice. What the second pivot carries changes no motion by itself, but
the friction in both depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import ZERO
from torseur.algebra.core.graph import expressions, substitute
from torseur.algebra.forms.identities import zeros
from torseur.equations.actions.reactions import in_joint_axes, joint_wrenches, wrench_names
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.functions.catalogue import multiplier_names
from torseur.equations.symbols.system import System, symbols_of

Array = np.ndarray


def sharing(
    system: System, idle: Sequence[int], felt: Callable[[Array], list[Any]]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Idle rows of closing joints that share loads, and the joints they load.

    A door on two pivots is held twice: what the second carries changes no motion, but friction.
    `felt` gives what depends on reactions, of the multipliers of all rows. Where no load has to be
    shared, as across a plane mechanism, there are none.
    """
    owners = constraints_of(system).owners
    z = symbols_of(multiplier_names(len(owners)), "input")
    if not idle or not len(values := expressions(felt(z))):
        return (), ()
    by = jacobian(values, z[list(idle)])
    joints = {owners[k] for k, column in zip(idle, by.T, strict=True) if _acts(column)}
    rows = [k for k in idle if owners[k] in joints]
    if not rows:
        return (), ()
    pairs = zip(wrench_names(system), joint_wrenches(system, z), strict=True)
    wrenches = {x: in_joint_axes(w) for x, w in pairs if x in system.mechanism.joints}
    changes = {x: jacobian(expressions(w), z[rows]) for x, w in wrenches.items()}
    loaded = tuple(x for x, change in changes.items() if _acts(change))
    carried = [
        component
        for x in loaded
        for component, change in zip(wrenches[x], changes[x], strict=True)
        if _acts(change)
    ]
    without = expressions(substitute(expressions(carried), dict.fromkeys(z[rows], ZERO)))
    nothing = {ZERO.key, *(x.key for x in zeros(without[:, np.newaxis]))}
    if all(x.key in nothing for x in without):
        return (), ()
    return tuple(rows), loaded


def _acts(changes: Array) -> bool:
    return any(x is not ZERO for x in changes.flat)
