"""Generalised forces as the derivative of a power in which the forces are frozen.

P = Σ F · v + C · ω, or with accelerations in the place of velocities, is differentiated as if F and
C were constant: a force linear in the speeds would otherwise count twice (Llibre 2009, §2.3).
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import gradient
from torseur.algebra.core.expr import ZERO, expression, symbol
from torseur.algebra.core.graph import expressions, substitute
from torseur.equations.applied import Part

Array = np.ndarray


def combined(parts: Iterable[Part]) -> Part:
    """The wrenches on each body and the forces in each row, added up."""
    wrenches: dict[int, Any] = {}
    rows: dict[int, Any] = {}
    for own, forces in parts:
        for i, (force, couple) in own.items():
            before = wrenches.get(i, (np.zeros(3), np.zeros(3)))
            wrenches[i] = before[0] + force, before[1] + couple
        for row, value in forces.items():
            rows[row] = rows.get(row, ZERO) + value
    return wrenches, rows


def frozen_gradient(part: Part, motions: Iterable[tuple[Array, Array]], variables: Array) -> Array:
    """∂P/∂variables; `motions` holds what the force and the couple on each body multiply."""
    wrenches, rows = part
    power, components = ZERO, {}
    for i, pair in enumerate(motions):
        if i not in wrenches:
            continue
        for label, value, rate in zip("FC", wrenches[i], pair, strict=True):
            for axis, x, along in zip("xyz", value, rate, strict=True):
                frozen = symbol(f"{label}{axis} on {i}", "input")
                components[frozen] = x
                power = power + frozen * along
    forces = substitute(gradient(expression(power), variables), components)
    for row, value in rows.items():
        forces[row] = forces[row] + value
    return expressions(forces)
