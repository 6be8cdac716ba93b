"""Defined joints, contacts, gears, imposed motions and relations as elements that give rows.

The outputs of a row are its gap, the part of its speed that time alone causes, its second rate
without accelerations, its partial derivatives by the speeds of measures, then its Jacobian on the
speeds of each body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.derivative import jacobian, time_derivative
from torseur.algebra.expr import ZERO, Expr, symbol
from torseur.algebra.graph import expressions, free_symbols, substitute
from torseur.backends.absolute.forms import Element, body_part, spoken, template
from torseur.backends.absolute.guided import Guided
from torseur.backends.absolute.loads import Naming
from torseur.dynamics.closure import (
    closures,
    constraint_bias,
    constraint_jacobian,
    constraint_rate,
)
from torseur.formalisms.absolute import free_system
from torseur.formalisms.absolute_rows import joint_coordinates
from torseur.formalisms.constraints import check_linear, coordinate_rates, integrated, sliding
from torseur.formalisms.system import system
from torseur.mechanism.description import (
    GROUND,
    BodyMotion,
    Contact,
    Gear,
    Mechanism,
    Motion,
    Relation,
)
from torseur.topology.structure import TIME

Array = np.ndarray


@final
@dataclass(frozen=True)
class RowElement:
    """An element that gives rows."""

    name: str  # of the constraint or motion
    element: Element
    rows: int
    positions: int  # how many of them, the first, hold positions
    joint: str = ""  # the joint whose coordinate it moves
    holds: str = ""  # the joint that it holds


def row_elements(
    mechanism: Mechanism, naming: Naming, joints: Mapping[str, Guided]
) -> list[RowElement]:
    """Everything that holds a mechanism besides joints composed of elementary constraints."""
    found: list[RowElement] = []
    for name, joint in joints.items():
        element, rows = joint.held
        if rows:
            found.append(RowElement(name, element, rows, rows, holds=name))
    for constraint in mechanism.constraints.values():
        if isinstance(constraint, Contact):
            found.append(_closure(mechanism, constraint, naming))
        elif isinstance(constraint, Gear):
            found.append(_gear(mechanism, constraint, naming))
        elif isinstance(constraint, Relation):
            check_linear(constraint)
            zero = integrated(joint_coordinates(mechanism), constraint.zero)
            found.append(_relation(constraint.name, zero, naming))
    for motion in mechanism.motions.values():
        if isinstance(motion, BodyMotion):
            found.append(_closure(mechanism, motion, naming))
        else:
            found.append(_law(mechanism, motion, naming))
    return found


def _has_speeds(zero: Expr) -> bool:
    return any(x.kind == "speed" for x in free_symbols(zero))


def _relation(name: str, zero: Expr, naming: Naming) -> RowElement:
    """u = d zero/dt, or zero itself if it speaks of speeds; both are linear in the speeds."""
    holds = not _has_speeds(zero)
    u = time_derivative(zero, naming.rates(zero), TIME) if holds else zero
    measures = spoken([zero, u], naming.measured)
    v = [symbol(naming.speeds[measure], "speed") for measure in measures]
    outputs = [
        zero if holds else ZERO,
        substitute(u, dict.fromkeys(v, ZERO)),
        time_derivative(u, naming.rates(u), TIME),
        *jacobian([u], v)[0],
    ]
    made = template(outputs, (), measures, naming.measured).at(naming.values)
    return RowElement(name, made, 1, int(holds))


def _law(mechanism: Mechanism, motion: Motion, naming: Naming) -> RowElement:
    zero = symbol(motion.coordinate, "coordinate") - motion.law
    joints = mechanism.joints.values()
    own = next(joint.name for joint in joints if motion.coordinate in joint.coordinates)
    return replace(_relation(motion.name, zero, naming), joint=own)


def _closure(mechanism: Mechanism, given: Contact | BodyMotion, naming: Naming) -> RowElement:
    """A contact, or a body that follows a pose: what a joint that closes a loop demands."""
    alone = replace(mechanism, joints={}, constraints={}, motions={})
    if isinstance(given, Contact):
        bodies = tuple(name for name in (given.first, given.second) if name != GROUND)
        alone = replace(alone, constraints={given.name: given})
    else:
        bodies = (given.body,)
        alone = replace(alone, motions={given.name: given})
    made = free_system(alone, bodies, named=body_part)
    tree, q, v = made.tree, made.q, made.v
    found = closures(tree, made.cuts, q)
    gap, rows = list(found[0].gap), made.cuts[0].rows
    J = constraint_jacobian(tree, found, q)
    b, g = constraint_rate(found), constraint_bias(tree, found, q, v)
    outputs = _rows([*gap, *(ZERO for _ in range(rows - len(gap)))], b, g, J)
    element = template(outputs, bodies, (), naming.measured).at(naming.values)
    return RowElement(given.name, element, rows, len(gap))


def _rows(gap: Any, b: Any, g: Any, J: Array) -> list[Any]:
    return [x for k in range(len(J)) for x in (gap[k], b[k], g[k], *J[k])]


def _gear(mechanism: Mechanism, gear: Gear, naming: Naming) -> RowElement:
    """The speed at which teeth would slide; the gap is its integral, where it has one."""
    alone = replace(mechanism, joints={}, constraints={}, motions={})
    named = (gear.first, gear.second, gear.carrier)
    bodies = tuple(dict.fromkeys(name for name in named if name != GROUND))
    made = free_system(alone, bodies, named=body_part)
    u = sliding(made, gear)
    J = jacobian(expressions([u]), made.v)
    along = dict(zip(made.q, coordinate_rates(made), strict=True))
    g = time_derivative(expressions([u]), along)
    whole = system(mechanism)
    zero = integrated(whole, sliding(whole, gear))
    holds = not _has_speeds(zero)
    gap = zero if holds else ZERO
    measures = spoken(gap, naming.measured)
    outputs = [gap, ZERO, g[0], *(ZERO for _ in measures), *J[0]]
    element = template(outputs, bodies, measures, naming.measured).at(naming.values)
    return RowElement(gear.name, element, 1, int(holds))
